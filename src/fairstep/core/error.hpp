// What went wrong with a question, said so that its owner can mend it.
//
// A malformed question is an Error, and a disk that refuses. An honest answer that one may not like (infeasible, out of
// time, vacuous) is a normal result, and a bug is an assertion, unless numbers that belie each other are all that shows
// of it.
#pragma once

#include <string>
#include <utility>

#include <tl/expected.hpp>

namespace fairstep {

struct Error {
  std::string message;    ///< what was found and what would be right, in one line
  std::string pointer{};  ///< JSON pointer to the place, such as /transition/1/2/0/1; empty if there is none
  std::string file{};     ///< set by whoever knows the file
  std::string hint{};     ///< what to do next; may be empty
  bool disk = false;      ///< the question is fine; a disk is full or refuses
  bool ours = false;      ///< the question is fine; the answer would have been wrong
};

template <class T>
using Expected = tl::expected<T, Error>;

/// `return fail("horizon is 0, expected at least 1", "/horizon");`
[[nodiscard]] inline tl::unexpected<Error> fail(std::string message, std::string pointer = {}, std::string hint = {}) {
  return tl::unexpected<Error>(Error{std::move(message), std::move(pointer), {}, std::move(hint)});
}

}  // namespace fairstep
