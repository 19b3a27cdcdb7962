#include <string>
#include <utility>

#include <fmt/format.h>

#include <fairstep/core/history.hpp>
#include <fairstep/io/internal/documents.hpp>
#include <fairstep/io/internal/object_reader.hpp>

namespace fairstep::internal {

History history_from(const Json& object, const Shape& shape, const std::vector<std::string>& groups,
                     std::optional<Error>& error) {
  ObjectReader in(object, {{}, {"departures", "arrivals", "pairs", "after_pairs", "unseen", "windows"}}, error,
                  "history");
  History history;
  history.departures = in.tensor<std::int64_t>("departures", kVisitsAxes, shape, groups);
  history.arrivals = in.tensor<std::int64_t>("arrivals", kArrivalAxes, shape, groups);
  history.pairs = in.tensor<std::int64_t>("pairs", kPairAxes, shape, groups);
  history.after_pairs = in.tensor<std::int64_t>("after_pairs", kAfterPairAxes, shape, groups);
  history.unseen = in.tensor<std::int64_t>("unseen", kUnseenAxes, shape, groups);
  const Json* windows = in.find("windows");
  if (windows == nullptr) return history;
  if (!windows->is_array()) in.fail_key("windows", "an array of objects");
  for (std::size_t w = 0; w < windows->size() && !error; ++w) {
    ObjectReader entry((*windows)[w], {{"from", "departures", "arrivals"}, {}}, error,
                       fmt::format("history.windows[{}]", w), fmt::format("/history/windows/{}", w));
    History::Window window;
    window.from = entry.text("from");
    window.departures = entry.tensor<std::int64_t>("departures", kCellAxes, shape, groups);
    window.arrivals = entry.tensor<std::int64_t>("arrivals", kWindowArrivalAxes, shape, groups);
    history.windows.push_back(std::move(window));
  }
  return history;
}

void write_history(JsonWriter& json, const History& history) {
  json.key("history").object();
  if (!history.departures.empty())
    json.field("departures", history.departures, 3).field("arrivals", history.arrivals, 2);
  if (!history.pairs.empty())
    json.field("pairs", history.pairs, 3)
        .field("after_pairs", history.after_pairs, 2)
        .field("unseen", history.unseen, 3);
  if (!history.windows.empty()) {
    json.key("windows").array();
    for (const History::Window& window : history.windows)
      json.object(JsonWriter::Lines::one)
          .field("from", window.from)
          .field("departures", window.departures, 4)
          .field("arrivals", window.arrivals, 3)
          .end();
    json.end();
  }
  json.end();
}

}  // namespace fairstep::internal
