#include <fairstep/check/history.hpp>

#include <algorithm>
#include <functional>
#include <numeric>
#include <string>

#include <fmt/format.h>

namespace fairstep::rigorous {
namespace {

const std::string kHistory = "/inputs/counts/text/history";

/// Numbers of a nested array, so many to a row.
Rows rows_of(const Json& table, std::size_t length) {
  Rows rows;
  const std::function<void(const Json&)> add = [&](const Json& part) {
    if (part.is_array()) {
      for (const Json& entry : part) add(entry);
      return;
    }
    if (rows.empty() || rows.back().size() == length) rows.emplace_back();
    rows.back().push_back(part.get<long double>());
  };
  add(table);
  return rows;
}

Row totals_of(const Rows& rows) {
  Row totals;
  for (const Row& row : rows) totals.push_back(total_of(row));
  return totals;
}

bool is_at_most(const Row& some, const Row& all) {
  return std::equal(some.begin(), some.end(), all.begin(), all.end(), std::less_equal<>());
}

bool steps_add_up(const People& group) {
  for (std::size_t h = 0; h < group.horizon; ++h)
    if (!is_at_most(group.departures[h], group.visits[h])) return false;
  const Row gone = totals_of(group.departures);
  Row come = totals_of(group.arrivals);
  if (come.front() != 0) return false;
  come.erase(come.begin());
  come.push_back(0);
  return gone == come && sum_of(group.departures, group.cells) == group.left &&
         sum_of(group.arrivals, group.states) == group.came;
}

bool pairs_add_up(const People& group) {
  Row unseen = sum_of({group.visits.begin(), group.visits.end() - 1}, group.cells);
  for (std::size_t cell = 0; cell < group.cells; ++cell) unseen[cell] -= group.left[cell];
  return totals_of(group.pairs) == totals_of(group.after) && is_at_most(sum_of(group.pairs, group.cells), group.left) &&
         sum_of(group.unseen, group.cells) == unseen;
}

bool windows_add_up(const People& group) {
  return totals_of(group.window_departures) == totals_of(group.window_arrivals) &&
         sum_of(group.window_departures, group.cells) == group.left &&
         sum_of(group.window_arrivals, group.states) == group.came;
}

}  // namespace

Row sum_of(const Rows& rows, std::size_t length) {
  Row sum(length);
  for (const Row& row : rows)
    for (std::size_t i = 0; i < length; ++i) sum[i] += row[i];
  return sum;
}

long double total_of(const Row& row) { return std::accumulate(row.begin(), row.end(), 0.0L); }

People people_of(const Documents& documents, std::size_t g) {
  const Json& counts = documents.counts;
  People group;
  group.horizon = documents.sizes.steps;
  group.states = 2 * documents.sizes.features;
  group.cells = 2 * group.states;
  group.visits = rows_of(counts.at("visits").at(g), group.cells);
  group.first = rows_of(counts.at("first").at(g), group.states).front();
  group.next_in = rows_of(counts.at("transitions").at(g), group.states);
  group.changes = counts.contains("periods");
  if (group.changes) {
    group.starts.clear();
    for (const Json& period : counts.at("periods")) group.starts.push_back(period.at("first_step").get<std::size_t>());
  }
  group.next.assign(group.cells, Row(group.states));
  for (std::size_t row = 0; row < group.next_in.size(); ++row)
    for (std::size_t s = 0; s < group.states; ++s) group.next[row % group.cells][s] += group.next_in[row][s];
  for (const Row& row : group.next) group.left.push_back(total_of(row));
  group.came = sum_of(group.next, group.states);
  if (!counts.contains("history")) return group;
  const Json& history = counts.at("history");
  const auto read = [&](const char* key, std::size_t length) {
    return history.contains(key) ? rows_of(history.at(key).at(g), length) : Rows{};
  };
  group.departures = read("departures", group.cells);
  group.arrivals = read("arrivals", group.states);
  group.pairs = read("pairs", group.cells);
  group.after = read("after_pairs", group.states);
  group.unseen = read("unseen", group.cells);
  for (const Json& window : history.value("windows", Json::array())) {
    group.window_departures.push_back(rows_of(window.at("departures").at(g), group.cells).front());
    group.window_arrivals.push_back(rows_of(window.at("arrivals").at(g), group.states).front());
  }
  return group;
}

Expected<void> check_history(const Documents& documents) {
  if (!documents.counts.contains("history")) return {};
  const Json& history = documents.counts.at("history");
  if (history.contains("departures") != history.contains("arrivals"))
    return fail("has one of departures and arrivals, expected both or neither", kHistory);
  if (history.contains("pairs") != history.contains("after_pairs") ||
      history.contains("pairs") != history.contains("unseen"))
    return fail("has some of pairs, after_pairs and unseen, expected all or none", kHistory);
  const Json windows = history.value("windows", Json::array());
  for (std::size_t w = 1; w < windows.size(); ++w)
    if (windows[w - 1].at("from").get<std::string>() >= windows[w].at("from").get<std::string>())
      return fail("are not in order", kHistory + "/windows");
  for (std::size_t g = 0; g < documents.sizes.groups; ++g) {
    const People group = people_of(documents, g);
    const auto does_not_add_up = [&](const char* key) {
      return fail(fmt::format("of group {} does not add up to the counts", g), fmt::format("{}/{}", kHistory, key));
    };
    if (!group.departures.empty() && !steps_add_up(group)) return does_not_add_up("departures");
    if (!group.pairs.empty() && !pairs_add_up(group)) return does_not_add_up("pairs");
    if (!windows.empty() && !windows_add_up(group)) return does_not_add_up("windows");
  }
  return {};
}

}  // namespace fairstep::rigorous
