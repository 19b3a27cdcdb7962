#include <fairstep/core/short_names.hpp>

#include <fmt/format.h>

#include <fairstep/core/shown_text.hpp>

namespace fairstep {
namespace {

constexpr std::size_t kHead = 24, kTail = 12;

/// Where letters begin, in bytes, and the end: names are never cut inside a letter.
std::vector<std::size_t> letters_of(const std::string& text) {
  std::vector<std::size_t> begins;
  for (std::size_t i = 0; i < text.size(); ++i)
    if ((static_cast<unsigned char>(text[i]) & 0xC0U) != 0x80U) begins.push_back(i);
  begins.push_back(text.size());
  return begins;
}

}  // namespace

std::vector<std::string> short_names(const std::vector<std::string>& names,
                                     std::set<std::pair<std::string, std::string>>& in_full) {
  std::vector<std::string> made;
  std::set<std::string> taken;  // names that stay as they are come first: no cut one may look like them
  for (const std::string& name : names) {
    made.push_back(shown_text(name));
    if (letters_of(made.back()).size() - 1 <= kShortName) taken.insert(made.back());
  }
  for (std::size_t i = 0; i < made.size(); ++i) {
    const std::string shown = made[i];
    const std::vector<std::size_t> begins = letters_of(shown);
    const std::size_t letters = begins.size() - 1;
    if (letters <= kShortName) continue;
    const std::string cut = shown.substr(0, begins[kHead]) + "\u2026" + shown.substr(begins[letters - kTail]);
    std::string unique = cut;
    for (std::size_t n = i; !taken.insert(unique).second; ++n) unique = fmt::format("{} ({})", cut, n + 1);
    in_full.emplace(unique, shown);
    made[i] = std::move(unique);
  }
  return made;
}

}  // namespace fairstep
