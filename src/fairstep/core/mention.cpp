#include <fairstep/core/mention.hpp>

#include <ostream>

#include <fmt/format.h>

namespace fairstep {
namespace {

// Bytes that are in no UTF-8, and so in no name or number that a message quotes from a document.
constexpr char kOpen = '\xfe', kNext = '\xfd', kClose = '\xff';

std::string marked(Mention::Kind kind, std::string_view name, std::string_view key = {}, std::string_view value = {}) {
  return fmt::format("{}{}{}{}{}{}{}{}", kOpen, static_cast<char>('0' + static_cast<int>(kind)), name, kNext, key,
                     kNext, value, kClose);
}

}  // namespace

std::string subject(std::string_view name) { return marked(Mention::Kind::subject, name); }
std::string option(std::string_view name) { return marked(Mention::Kind::name, name); }
std::string option(std::string_view name, std::string_view word) { return marked(Mention::Kind::word, name, {}, word); }
std::string option(std::string_view name, std::int64_t number) {
  return marked(Mention::Kind::number, name, {}, std::to_string(number));
}
std::string flag(std::string_view name) { return marked(Mention::Kind::flag, name); }
std::string entry(std::string_view option, std::string_view key, std::string_view value) {
  return marked(Mention::Kind::entry, option, key, value);
}

std::string verb(std::string_view name) { return marked(Mention::Kind::verb, name); }

std::string plainly(const Mention& mention) {
  switch (mention.kind) {
    case Mention::Kind::subject:
    case Mention::Kind::name:
    case Mention::Kind::verb:
      break;
    case Mention::Kind::flag:
      return mention.name + " = true";
    case Mention::Kind::word:
      return fmt::format("{} = \"{}\"", mention.name, mention.value);
    case Mention::Kind::number:
      return fmt::format("{} = {}", mention.name, mention.value);
    case Mention::Kind::entry:
      return fmt::format("{} = {{{} = \"{}\"}}", mention.name, mention.key, mention.value);
  }
  return mention.name;
}

Text::Text(std::string_view marked) {
  while (true) {
    const auto after = [&](std::size_t at, char byte) { return at == npos ? npos : marked.find(byte, at + 1); };
    const std::size_t open = marked.find(kOpen), first = after(open, kNext), second = after(first, kNext);
    const std::size_t close = after(second, kClose);
    append(marked.substr(0, close == npos ? npos : open));
    if (close == npos) return;
    Mention mention{static_cast<Mention::Kind>(marked[open + 1] - '0'),
                    std::string(marked.substr(open + 2, first - open - 2)),
                    std::string(marked.substr(first + 1, second - first - 1)),
                    std::string(marked.substr(second + 1, close - second - 1)), size()};
    const std::string plain = plainly(mention);
    mention.size = plain.size();
    append(plain);
    mentions_.push_back(std::move(mention));
    marked.remove_prefix(close + 1);
  }
}

std::string Text::spelled(const Spelling& spelling) const {
  std::string text;
  std::size_t from = 0;
  for (const Mention& mention : mentions_) {
    text.append(*this, from, mention.at - from).append(spelling(mention));
    from = mention.at + mention.size;
  }
  return text.append(*this, from);
}

void Text::rename(std::string_view option, std::string_view here) {
  for (Mention& mention : mentions_)
    if (mention.kind != Mention::Kind::verb && mention.name == option) mention.name = here;
}

void PrintTo(const Text& text, std::ostream* out) { *out << '"' << std::string_view(text) << '"'; }

}  // namespace fairstep
