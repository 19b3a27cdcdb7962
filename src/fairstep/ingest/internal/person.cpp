// The rows of one person: put in order, judged beside each other, and counted. What cannot be counted is charged to
// everything that it may have been.
#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>
#include <vector>

#include <fairstep/ingest/internal/calendar.hpp>
#include <fairstep/ingest/internal/tally.hpp>

namespace fairstep::internal {
namespace {

bool is_group(std::int32_t g) { return g >= 0; }
/// Who names more groups than these may be of any.
constexpr std::size_t kMostNamed = 16;

bool is_excluded(std::int32_t g) { return g <= kExcluded; }

}  // namespace

bool Tally::is_clean(const std::vector<Row>& rows) {
  bool clean = rows.front().usable;
  for (std::size_t i = 1; i < rows.size(); ++i)
    clean = clean && rows[i].usable && rows[i].step > rows[i - 1].step && rows[i].g == rows[i - 1].g;
  return clean;
}

/// Rows without a step are set apart, the others put in the order of steps, and those of a step in that of what they
/// say: a log whose persons are all one, by mistake, has many of them.
void Tally::put_in_order(std::vector<Row>& rows) {
  const Row* before = nullptr;
  for (const Row& row : rows) {
    if (!row.usable) continue;
    if (before != nullptr && row.step < before->step) note(Anomaly::out_of_order, Role::row, row.place);
    before = &row;
  }
  const auto without_step = [](const Row& row) { return row.h < 0; };
  unplaced_.clear();
  std::copy_if(rows.begin(), rows.end(), std::back_inserter(unplaced_), without_step);
  std::erase_if(rows, without_step);
  std::sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) {
    return std::tuple(a.step, said_by(a), a.place) < std::tuple(b.step, said_by(b), b.place);
  });
}

/// Of rows of one step that say the same one is kept. If they do not, nobody knows which is true: none is usable.
void Tally::judge_steps(std::vector<Row>& rows) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < rows.size();) {
    const std::size_t first = kept;
    const std::int64_t step = rows[i].step;
    for (; i < rows.size() && rows[i].step == step; ++i) {
      const Row row = rows[i];
      // Those that say the same are together.
      if (kept > first && row.usable && said_by(row) == said_by(rows[kept - 1]))
        note(Anomaly::duplicate, Role::row, row.place);
      else
        rows[kept++] = row;
    }
    if (kept - first < 2) continue;
    for (std::size_t k = first; k < kept; ++k) give_up(rows[k], Anomaly::conflict);
  }
  rows.resize(kept);
}

/// Which groups the person may be of. False if all rows that name one name an excluded one: then the person is outside
/// of the study.
bool Tally::judge_group(std::vector<Row>& rows) {
  may_be_.clear();
  bool unknown = false, excluded = false;
  for (const auto* part : {&rows, &unplaced_})
    for (const Row& row : *part) {
      unknown = unknown || row.g == kUnknown;
      excluded = excluded || is_excluded(row.g);
      if (is_group(row.g) && may_be_.size() <= kMostNamed &&
          std::find(may_be_.begin(), may_be_.end(), row.g) == may_be_.end())
        may_be_.push_back(row.g);
    }
  if (excluded && !unknown && may_be_.empty()) return false;
  unknown = unknown || may_be_.size() > kMostNamed;
  const bool agree = may_be_.size() + (unknown ? 1 : 0) + (excluded ? 1 : 0) <= 1;
  // A name that is none of the known ones may be meant for any of them.
  if (unknown || may_be_.empty()) may_be_ = {kAny};
  if (agree) return true;
  for (auto* part : {&rows, &unplaced_})
    for (Row& row : *part) give_up(row, Anomaly::group_change);
  return true;
}

void Tally::give_up(Row& row, Anomaly why) {
  // Other rows have been objected to before.
  if (row.usable || (why == Anomaly::group_change && is_excluded(row.g))) note(why, Role::row, row.place);
  row.usable = false;
}

void Tally::leave_outside(std::vector<Row>& rows) {
  std::int32_t named = kExcluded;  // rows that name no group are of the person all the same
  for (const auto* part : {&rows, &unplaced_})
    for (const Row& row : *part)
      if (is_excluded(row.g)) named = row.g;
  for (const auto* part : {&rows, &unplaced_})
    for (const Row& row : *part) exclude(is_excluded(row.g) ? row.g : named);
}

void Tally::lose(const Row& row, bool goes_on) {
  ++lost_rows_;
  const auto known = [](std::int32_t number) { return std::max(number, kAny); };
  for (const std::int32_t g : may_be_) {
    const Known charged{g, known(row.h), known(row.x), known(row.y), known(row.a)};
    ledger_.lose_decision(charged);
    if (goes_on) ledger_.lose_successor(charged);
  }
}

void Tally::count_person(std::vector<Row>& rows) {
  if (rows.empty()) return;
  unplaced_.clear();
  if (is_clean(rows)) {
    may_be_ = {rows.front().g};
  } else {
    put_in_order(rows);
    judge_steps(rows);
    if (!judge_group(rows)) return leave_outside(rows);
  }

  // A row whose step is not known may be next to any other, and come before all.
  const bool anywhere = !unplaced_.empty();
  bool seen = false, first_counted = false;
  Trail trail;
  std::size_t next = 0;  // the first row of the next step
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Row& row = rows[i];
    const bool follows = i > 0 && row.step == rows[i - 1].step + 1;
    if (i >= next) {
      std::uint64_t place = row.place;
      for (next = i + 1; next < rows.size() && rows[next].step == row.step; ++next)  // rows of one step are all lost
        place = std::min(place, rows[next].place);
      if (i > 0 && row.step > rows[i - 1].step + 1) note(Anomaly::gap, Role::row, place);
    }
    const bool goes_on = anywhere || (next < rows.size() && rows[next].step == row.step + 1);
    if (!row.usable || row.y < 0 || !follows) end_trail(trail);
    if (!row.usable) {
      lose(row, goes_on);
      continue;
    }
    seen = true;
    const auto g = static_cast<std::size_t>(row.g);
    const auto x = static_cast<std::size_t>(row.x);
    const std::size_t a = row.a == 1 ? 1 : 0;
    const auto h = static_cast<std::size_t>(row.h);
    const bool labelled = row.y >= 0;
    const std::size_t y = !labelled ? Tables::kUnlabelled : row.y == 1 ? 1 : 0;
    if (plan_.window) ++tables_.window(window_start(row.day, *plan_.window))[(g * 3 + y) * kActions + a];
    if (!labelled) {
      ++tables_.unlabelled(g, x, a, h);
      lose(row, goes_on);
      continue;
    }
    const std::size_t cell = tables_.cell(g, x, y, a);
    ++tables_.visits(cell, h);
    tables_.reward(cell).add(row.reward);
    if (i == 0 && !anywhere) {
      ++tables_.first(g, x, y);
      first_counted = true;
    }
    if (trail.known > 0) {
      ++tables_.transitions(trail.cell, x, y);
      if (trail.known == 2) tables_.add_pair(trail.cell_before, trail.cell, g, x, y);
      if (plan_.window) tables_.add_window_move(window_start(rows[i - 1].day, *plan_.window), trail.cell, g, x, y);
    } else {
      ++tables_.entered(g, x, y, h);
    }
    trail.go_on(cell, y, a, h, row.step);
    const bool next_counted =
        next < rows.size() && rows[next].step == row.step + 1 && rows[next].usable && rows[next].y >= 0;
    if (goes_on && !next_counted) ledger_.lose_successor({row.g, kAny, row.x, row.y, row.a});
  }
  end_trail(trail);
  for (const Row& row : unplaced_) lose(row, rows.size() + unplaced_.size() > 1);
  if (seen) ++people_;
  if (!first_counted)
    for (const std::int32_t g : may_be_) ledger_.lose_first(g);
}

}  // namespace fairstep::internal
