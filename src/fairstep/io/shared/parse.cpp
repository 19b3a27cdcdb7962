#include <fairstep/io/shared/parse.hpp>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <fairstep/core/shared/text.hpp>
#include <fairstep/io/internal/syntax_error.hpp>

namespace fairstep::internal {
namespace {

/// No document of ours is nested deeper than 8.
constexpr std::size_t kDeepest = 32;

/// nlohmann's number for a literal that no double can hold.
constexpr int kOutOfRange = 406;

/// Builds the value while watching for doubled keys and depth; every event returns false to stop at the first trouble.
class Builder : public nlohmann::json_sax<Json> {
 public:
  explicit Builder(std::string_view text) : text_(text) {}

  bool null() override { return add(nullptr); }
  bool boolean(bool flag) override { return add(flag); }
  bool number_integer(number_integer_t number) override { return add(number); }
  bool number_unsigned(number_unsigned_t number) override { return add(number); }
  bool number_float(number_float_t number, const string_t&) override { return add(number); }
  bool string(string_t& text) override { return add(std::move(text)); }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override { return open(Json::object()); }
  bool start_array(std::size_t) override { return open(Json::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool key(string_t& name) override {
    if (open_.back()->contains(name)) {
      error_ = Error{fmt::format("key {} appears twice", quote(name)), pointer() + pointer_step(name)};
      return false;
    }
    key_ = std::move(name);
    after_key_ = true;
    return true;
  }

  bool parse_error(std::size_t position, const std::string& /*token*/,
                   const nlohmann::detail::exception& trouble) override {
    const bool invalid_string = std::string_view(trouble.what()).find("invalid string") != std::string_view::npos;
    error_ = explain({text_, position, inside(), trouble.id == kOutOfRange, invalid_string});
    error_->pointer = pointer();
    return false;
  }

  Expected<Json> result() && {
    if (error_) return tl::unexpected(std::move(*error_));
    return std::move(root_);
  }

 private:
  Json* put(Json value) {
    after_key_ = false;
    if (open_.empty()) {
      root_ = std::move(value);
      started_ = true;
      return &root_;
    }
    Json& parent = *open_.back();
    if (parent.is_array()) {
      parent.push_back(std::move(value));
      return &parent.back();
    }
    return &(parent[key_] = std::move(value));
  }

  bool add(Json value) {
    put(std::move(value));
    return true;
  }

  bool open(Json container) {
    if (open_.size() == kDeepest) {
      error_ = Error{fmt::format("the document is nested more than {} deep", kDeepest), pointer(1)};
      return false;
    }
    // A container that is being filled is the last of its parent, so no pointer on the stack is moved by a later push.
    path_.push_back(key_);
    open_.push_back(put(std::move(container)));
    return true;
  }

  bool close() {
    open_.pop_back();
    path_.pop_back();
    return true;
  }

  [[nodiscard]] SyntaxTrouble::Inside inside() const {
    using enum SyntaxTrouble::Inside;
    if (open_.empty()) return started_ ? finished : nothing;
    if (open_.back()->is_array()) return array;
    return after_key_ ? object_after_key : object;
  }

  /// Of the innermost open container, or of the one around it at some depth.
  [[nodiscard]] std::string pointer(std::size_t deepest = kDeepest) const {
    std::string result;
    for (std::size_t depth = 1; depth < open_.size() && depth <= deepest; ++depth) {
      const Json& parent = *open_[depth - 1];
      result += parent.is_array() ? fmt::format("/{}", parent.size() - 1) : pointer_step(path_[depth]);
    }
    return result;
  }

  std::string_view text_;
  Json root_{};
  bool started_ = false;
  std::vector<Json*> open_{};        ///< the containers around the next value, outermost first
  std::vector<std::string> path_{};  ///< [depth] the key under which each was put, if its parent is an object
  std::string key_{};                ///< of the next value, if it goes into an object
  bool after_key_ = false;
  std::optional<Error> error_{};
};

}  // namespace

Expected<Json> parse_json(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF"))
    return fail("the document begins with a byte order mark, expected plain UTF-8", "",
                "save it as UTF-8 without a BOM: JSON has none (RFC 8259)");
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF"))
    return fail("the document is UTF-16, expected UTF-8", "", "convert it: iconv -f UTF-16 -t UTF-8");
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) return fail("the document is empty, expected JSON");
  Builder builder(text);
  Json::sax_parse(text.begin(), text.end(), &builder);
  auto result = std::move(builder).result();
  // The library takes a NUL byte for the end and never sees what follows. Of what does not begin like JSON, there is
  // something better to say.
  const std::size_t nul = text.find('\0');
  const char first = text[text.find_first_not_of(" \t\r\n")];
  if (nul == std::string_view::npos || (!result && first != '{' && first != '[' && first != '\0')) return result;
  const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(nul), '\n');
  return fail(fmt::format("line {} has a NUL byte, expected text", line), "",
              "the file is damaged, or not UTF-8 (UTF-16 is full of them)");
}

std::string pointer_step(std::string_view key) {
  if (has_control_character(key)) return {};
  std::string step = "/";
  for (const char c : key) {
    if (c == '~') {
      step += "~0";
    } else if (c == '/') {
      step += "~1";
    } else {
      step += c;
    }
  }
  return step;
}

std::string describe(const Json& value) {
  if (value.is_string()) return "the text " + quote(value.get_ref<const std::string&>());
  if (value.is_array()) return "an array";
  if (value.is_object()) return "an object";
  return value.dump();
}

std::string quote(std::string_view text) {
  constexpr std::size_t longest = 40;
  std::string shown(text.substr(0, longest));
  if (shown.size() < text.size()) {
    while (!shown.empty() && (static_cast<unsigned char>(shown.back()) & 0xC0U) == 0x80U) shown.pop_back();
    if (!shown.empty() && static_cast<unsigned char>(shown.back()) >= 0xC0U) shown.pop_back();
    shown += "...";
  }
  return Json(shown).dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace fairstep::internal
