#include <fairstep/core/feature_order.hpp>

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include <fairstep/core/suggest.hpp>

namespace fairstep {
namespace {

/// One text may name them all: commas are looked for behind known words only, since words may have some themselves.
Expected<std::vector<std::string>> words_of(const std::string& text, const std::vector<std::string>& known) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at <= text.size();) {
    const std::string* longest = nullptr;
    for (const std::string& word : known) {
      const std::size_t end = at + word.size();
      if (text.compare(at, word.size(), word) != 0 || (end < text.size() && text[end] != ',')) continue;
      if (longest == nullptr || word.size() > longest->size()) longest = &word;
    }
    if (longest == nullptr) {
      const std::string word = text.substr(at, text.find(',', at) - at);
      const std::vector<std::string_view> all(known.begin(), known.end());
      const std::string hint = did_you_mean(word, all);
      return fail_option("order", fmt::format(" has \"{}\", expected {}", word, alternatives(all)), {}, hint);
    }
    words.push_back(*longest);
    at += longest->size() + 1;
  }
  return words;
}

/// The place of each known word, the lowest 0.
Expected<std::vector<std::size_t>> places_of(const std::vector<std::string>& known,
                                             const std::vector<std::string>& order) {
  std::vector<std::size_t> places(known.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  if (order.empty()) return places;
  std::vector<std::string> words;
  for (const std::string& text : order) {
    auto some = words_of(text, known);
    if (!some) return tl::unexpected(some.error());
    words.insert(words.end(), some->begin(), some->end());
  }
  for (std::size_t i = 0; i < known.size(); ++i) {
    const auto count = std::count(words.begin(), words.end(), known[i]);
    if (count != 1)
      return fail_option("order", fmt::format(" names \"{}\" {}, expected each of the {} once", known[i],
                                              count == 0 ? "nowhere" : "twice", known.size()));
    places[i] = static_cast<std::size_t>(std::find(words.begin(), words.end(), known[i]) - words.begin());
  }
  return places;
}

/// A name without one of its parts, and that part.
struct Split {
  std::vector<std::string> rest{};
  std::string part{};
};

Expected<std::vector<Split>> split_names(const std::vector<std::string>& names, std::size_t column) {
  std::vector<Split> splits;
  for (const std::string& name : names) {
    std::vector<std::string> parts = parts_of_name(name);
    if (column > parts.size())
      return fail_option("monotone_in",
                         parts.size() == 1
                             ? fmt::format(" is {}, but the feature \"{}\" has no slash in it", column, name)
                             : fmt::format(" is {}, but the feature \"{}\" has {} parts with slashes between them",
                                           column, name, parts.size()));
    Split split;
    split.part = std::move(parts[column - 1]);
    parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(column - 1));
    split.rest = std::move(parts);
    splits.push_back(std::move(split));
  }
  return splits;
}

}  // namespace

std::vector<std::string> parts_of_name(const std::string& name) {
  std::vector<std::string> parts(1);
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (name[i] == '/') {
      parts.emplace_back();
      continue;
    }
    parts.back() += name[i];
    if (name[i] == '\\' && i + 1 < name.size()) parts.back() += name[++i];
  }
  return parts;
}

Expected<FeatureOrder> feature_order(const std::vector<std::string>& names, const std::vector<std::string>& order,
                                     std::size_t column) {
  std::vector<Split> splits(names.size());
  if (column == 0) {
    for (std::size_t x = 0; x < names.size(); ++x) splits[x].part = names[x];
  } else {
    auto found = split_names(names, column);
    if (!found) return tl::unexpected(found.error());
    splits = std::move(*found);
  }
  std::vector<std::string> known;
  for (const Split& split : splits)
    if (std::find(known.begin(), known.end(), split.part) == known.end()) known.push_back(split.part);
  const auto places = places_of(known, order);
  if (!places) return tl::unexpected(places.error());
  const auto place_of = [&](std::size_t x) {
    return (*places)[static_cast<std::size_t>(std::find(known.begin(), known.end(), splits[x].part) - known.begin())];
  };
  FeatureOrder chains;
  std::map<std::vector<std::string>, std::size_t> chain_of;
  for (std::size_t x = 0; x < names.size(); ++x) {
    const auto [known_chain, fresh] = chain_of.emplace(splits[x].rest, chains.size());
    if (fresh) chains.emplace_back();
    chains[known_chain->second].push_back(x);
  }
  for (std::vector<std::size_t>& chain : chains)
    std::sort(chain.begin(), chain.end(), [&](std::size_t a, std::size_t b) { return place_of(a) < place_of(b); });
  return chains;
}

std::vector<Fall> falls_of(const Policy& policy, const FeatureOrder& order, double rounding) {
  std::vector<Fall> falls;
  for (std::size_t g = 0; g < policy.groups(); ++g)
    for (std::size_t h = 0; h < policy.horizon(); ++h)
      for (const std::vector<std::size_t>& chain : order)
        for (std::size_t i = 0; i + 1 < chain.size(); ++i) {
          const double by = policy.accept(g, h, chain[i]) - policy.accept(g, h, chain[i + 1]);
          if (by > rounding) falls.push_back({g, h, chain[i], chain[i + 1], by});
        }
  return falls;
}

}  // namespace fairstep
