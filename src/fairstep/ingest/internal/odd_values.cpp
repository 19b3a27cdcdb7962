#include <fairstep/ingest/internal/odd_values.hpp>

#include <algorithm>
#include <utility>

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
  std::vector<SeenValue> sorted(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) sorted[places[i]] = std::move(values[i]);
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const SeenValue& a, const SeenValue& b) { return a.rows > b.rows; });
  return sorted;
}

}  // namespace fairstep::internal
