#include <fairstep/learn/schedule.hpp>

#include <string>

#include <fairstep/core/quantity.hpp>

namespace fairstep {

std::optional<std::vector<std::uint64_t>> parse_schedule(std::string_view text) {
  std::vector<std::uint64_t> episodes;
  if (const std::size_t dots = text.find(".."); dots != std::string_view::npos) {
    const auto first = parse_whole(text.substr(0, dots));
    const auto last = parse_whole(text.substr(dots + 2));
    if (!first || !last || *first == 0 || *last < *first) return std::nullopt;
    for (std::uint64_t k = *first;; k *= 2) {
      episodes.push_back(k);
      if (k > *last / 2) return episodes;
    }
  }
  const auto parts = split_list(text);
  if (!parts) return std::nullopt;
  for (const std::string& part : *parts) {
    const auto k = parse_whole(part);
    if (!k || *k == 0 || (!episodes.empty() && *k <= episodes.back())) return std::nullopt;
    episodes.push_back(*k);
  }
  return episodes;
}

}  // namespace fairstep
