// What went wrong with a question, said so that its owner can mend it.
//
// A malformed question is an Error, and a disk that refuses. An honest answer that one may not like (infeasible, out of
// time, vacuous) is a normal result, and a bug is an assertion, unless numbers that belie each other are all that shows
// of it.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include <tl/expected.hpp>

#include <fairstep/core/mention.hpp>

namespace fairstep {

struct Error {
  Text message;           ///< what was found and what would be right, in one line
  std::string pointer{};  ///< JSON pointer to the place, such as /transition/1/2/0/1; empty if there is none
  std::string file{};     ///< set by whoever knows the file
  Text hint{};            ///< what to do next; may be empty
  bool disk = false;      ///< the question is fine; a disk is full or refuses
  bool ours = false;      ///< the question is fine; the answer would have been wrong
  std::string option{};   ///< what it is about, if that is an option: its name in the library, such as floor_kind
  std::string input{};    ///< which of several inputs the pointer points into, such as "counts"
};

template <class T>
using Expected = tl::expected<T, Error>;

/// `return fail("horizon is 0, expected at least 1", "/horizon");`
[[nodiscard]] inline tl::unexpected<Error> fail(Text message, std::string pointer = {}, Text hint = {}) {
  return tl::unexpected<Error>(Error{std::move(message), std::move(pointer), {}, std::move(hint)});
}

/// `return about("fairness", fail("no notion of fairness is asked for"));`
[[nodiscard]] inline tl::unexpected<Error> about(std::string_view option, tl::unexpected<Error> failed) {
  failed.value().option = option;
  return failed;
}

/// `return fail_option("floor", " is 2, expected between 0 and 1");`; the pointer is for those who read it from a file.
[[nodiscard]] inline tl::unexpected<Error> fail_option(std::string_view name, std::string_view rest,
                                                       std::string pointer = {}, Text hint = {}) {
  return about(name, fail(subject(name).append(rest), std::move(pointer), std::move(hint)));
}

/// `return fail_in_file(path, "cannot be written");`
[[nodiscard]] inline tl::unexpected<Error> fail_in_file(std::string file, Text message, Text hint = {}) {
  return tl::unexpected<Error>(Error{std::move(message), {}, std::move(file), std::move(hint)});
}

/// `return tl::unexpected(in_input("counts", ok.error()));`
[[nodiscard]] inline Error in_input(std::string_view input, Error error) {
  error.input = input;
  return error;
}

/// The option goes by another name here.
[[nodiscard]] inline Error renamed(Error error, std::string_view option, std::string_view here) {
  error.message.rename(option, here);
  error.hint.rename(option, here);
  return error;
}

/// All options as a front end spells them. What came from a file is about a key of it, which has one name everywhere;
/// what did not has no place to point to.
[[nodiscard]] inline Error spelled(Error error, const Spelling& spelling) {
  const bool in_file = !error.file.empty();
  error.message = error.message.spelled([&](const Mention& mention) {
    return in_file && mention.kind == Mention::Kind::subject ? mention.name : spelling(mention);
  });
  error.hint = error.hint.spelled(spelling);
  if (!error.option.empty() && !in_file) error.pointer.clear();
  return error;
}

}  // namespace fairstep
