#include <fairstep/ingest/internal/odd_values.hpp>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <fairstep/ingest/internal/category.hpp>

namespace fairstep::internal {

std::vector<SeenValue> OddValues::by_frequency() const {
  std::vector<std::string> names;
  std::vector<SeenValue> values;
  for (const auto& [hash, kept] : kept_) {
    names.push_back(kept.text);
    values.push_back({kept.text, kept.rows});
  }
  const std::vector<std::size_t> places = places_in_order(names);
  // The most frequent first, and those of the same frequency in the order of names.
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t i, std::size_t k) {
    return std::pair(-values[i].rows, places[i]) < std::pair(-values[k].rows, places[k]);
  });
  std::vector<SeenValue> sorted;
  for (const std::size_t i : order) sorted.push_back(std::move(values[i]));
  return sorted;
}

}  // namespace fairstep::internal
