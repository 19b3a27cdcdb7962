#include <fairstep/ingest/internal/counter.hpp>

#include <algorithm>

#include <duckdb.h>

#include <fairstep/ingest/internal/calendar.hpp>
#include <fairstep/ingest/internal/person_key.hpp>

namespace fairstep::internal {
namespace {

/// A row as far as it is known: why a value is not is forgotten.
Known known_of(std::int32_t g, std::int32_t h, std::int32_t x, std::int32_t y, std::int32_t a) {
  const auto known = [](std::int32_t number) { return std::max(number, kAny); };
  return {known(g), known(h), known(x), known(y), known(a)};
}

}  // namespace

void Counter::reserve(const Vocabulary& vocabulary) {
  tables_.reserve(vocabulary.groups.names().size(), vocabulary.features.names().size(),
                  vocabulary.steps.steps().size());
}

// --- rows that are plain ---------------------------------------------------------------------------------------------

template <class Value>
void Counter::count_in_place(const Value* people, const Chunk& chunk, std::size_t from, std::size_t to,
                             std::uint64_t place) {
  totals_.rows += static_cast<std::int64_t>(to - from);
  Trail trail;
  for (std::size_t i = from; i < to; ++i) {
    const auto g = static_cast<std::size_t>(chunk.g[i]);
    const auto x = static_cast<std::size_t>(chunk.x[i]);
    const auto y = static_cast<std::size_t>(chunk.y[i]);
    const auto a = static_cast<std::size_t>(chunk.a[i]);
    const auto h = static_cast<std::size_t>(chunk.h[i]);
    const std::size_t cell = tables_.cell(g, x, y, a);
    ++tables_.visits(cell, h);
    if (!chunk.reward.empty()) tables_.reward(cell).add(chunk.reward[i]);
    if (i == from || !(key_of(people[i]) == key_of(people[i - 1]))) {
      ++totals_.people;
      ++tables_.first(g, x, y);
      end_trail(trail);
      ++tables_.entered(g, x, y, h);
    } else if (chunk.step[i] == chunk.step[i - 1] + 1) {
      tables_.add_move(trail.cell, trail.h, x, y);
      if (trail.known == 2) tables_.add_pair(trail.cell_before, trail.cell, g, x, y);
    } else {
      findings_.note(Anomaly::gap, Role::row, place + i);
      end_trail(trail);
      ++tables_.entered(g, x, y, h);
    }
    trail.go_on(cell, y, a, h, chunk.step[i]);
  }
  end_trail(trail);
}

template void Counter::count_in_place(const std::int64_t*, const Chunk&, std::size_t, std::size_t, std::uint64_t);
template void Counter::count_in_place(const duckdb_string_t*, const Chunk&, std::size_t, std::size_t, std::uint64_t);

void Counter::end_trail(Trail& trail) {
  if (trail.known == 0) return;
  ++tables_.ended(trail.cell, trail.h);
  tables_.add_unseen(trail.cell, trail.known == 2 ? trail.class_before : 0, trail.step);
  trail.known = 0;
}

// --- rows of any kind ------------------------------------------------------------------------------------------------

void Counter::count_person(std::vector<Row>& rows) {
  if (rows.empty()) return;
  totals_.rows += static_cast<std::int64_t>(rows.size());
  note_missing_labels(rows);
  if (!judge_.judge(rows, findings_)) return leave_outside(rows);

  // A row whose step is not known may be next to any other, and come before all.
  const std::vector<Row>& unplaced = judge_.unplaced();
  const bool anywhere = !unplaced.empty();
  bool seen = false, first_counted = false, first_usable = false;
  Trail trail;
  for (std::size_t i = 0, next = 0; i < rows.size(); i = next) {
    const Row& row = rows[i];
    std::uint64_t place = row.place;
    for (next = i + 1; next < rows.size() && rows[next].step == row.step; ++next)
      place = std::min(place, rows[next].place);
    if (i > 0 && row.step > rows[i - 1].step + 1) findings_.note(Anomaly::gap, Role::row, place);
    const bool next_there = next < rows.size() && rows[next].step == row.step + 1;
    const bool goes_on = anywhere || next_there;
    const bool follows = i > 0 && row.step == rows[i - 1].step + 1;
    if (!row.usable || row.y < 0 || !follows) end_trail(trail);
    if (!row.usable) {
      for (std::size_t k = i; k < next; ++k) lose(rows[k], goes_on);  // rows of one step are all lost
      continue;
    }
    seen = true;
    const bool next_usable = next_there && rows[next].usable;
    count_unlabelled(row, i == 0 && !anywhere, follows ? &rows[i - 1] : nullptr);
    first_usable = first_usable || (i == 0 && !anywhere);
    if (window_) {
      const std::size_t y = row.y < 0 ? Tables::kUnlabelled : row.label();
      const std::size_t cell = (static_cast<std::size_t>(row.g) * 3 + y) * kActions + row.action();
      ++tables_.window(window_start(row.day, *window_))[cell];
    }
    if (row.y < 0) {
      ++tables_.unlabelled(static_cast<std::size_t>(row.g), static_cast<std::size_t>(row.x), row.action(),
                           static_cast<std::size_t>(row.h));
      ++totals_.lost_rows;
      ledger_.lose_decision({row.g, row.h, row.x, kAny, row.a, true});
      if (goes_on) ledger_.lose_successor({row.g, kAny, row.x, kAny, row.a, next_usable});
      continue;
    }
    if (i == 0 && !anywhere) {
      ++tables_.first(static_cast<std::size_t>(row.g), static_cast<std::size_t>(row.x), row.label());
      first_counted = true;
    }
    count_decision(row, i > 0 ? rows[i - 1].day : 0, trail);
    const bool next_counted = next_usable && rows[next].y >= 0;
    if (goes_on && !next_counted) ledger_.lose_successor({row.g, kAny, row.x, row.y, row.a, next_usable});
  }
  end_trail(trail);
  for (const Row& row : unplaced) lose(row, rows.size() + unplaced.size() > 1);
  if (seen) ++totals_.people;
  if (!first_counted)
    for (const std::int32_t g : judge_.may_be()) ledger_.lose_first(g, first_usable);
}

void Counter::note_missing_labels(const std::vector<Row>& rows) {
  for (const Row& row : rows)
    if (row.usable && row.y < 0) findings_.note(Anomaly::missing, Role::y, row.place);
}

void Counter::count_unlabelled(const Row& row, bool is_first, const Row* before) {
  const auto g = static_cast<std::size_t>(row.g);
  const auto x = static_cast<std::size_t>(row.x);
  if (is_first && row.y < 0) ++tables_.unlabelled_first(g, x);
  if (before != nullptr && before->usable && (row.y < 0 || before->y < 0))
    ++tables_.unlabelled_moves(g, static_cast<std::size_t>(before->x), before->action(), x);
}

void Counter::count_decision(const Row& row, std::int32_t day_before, Trail& trail) {
  const auto g = static_cast<std::size_t>(row.g);
  const auto x = static_cast<std::size_t>(row.x);
  const std::size_t y = row.label();
  const std::size_t a = row.action();
  const auto h = static_cast<std::size_t>(row.h);
  const std::size_t cell = tables_.cell(g, x, y, a);
  ++tables_.visits(cell, h);
  tables_.reward(cell).add(row.reward);
  if (trail.known > 0) {
    tables_.add_move(trail.cell, trail.h, x, y);
    if (trail.known == 2) tables_.add_pair(trail.cell_before, trail.cell, g, x, y);
    if (window_) tables_.add_window_move(window_start(day_before, *window_), trail.cell, g, x, y);
  } else {
    ++tables_.entered(g, x, y, h);
  }
  trail.go_on(cell, y, a, h, row.step);
}

// --- rows that are not counted ---------------------------------------------------------------------------------------

bool Counter::keep_with_person(const Chunk& chunk, std::size_t i, std::uint64_t place) {
  const Problem& problem = chunk.problems[i];
  const bool outside = chunk.h[i] == kOutOfRange;
  const bool nobody = problem.why != 0 && problem.role == Role::person;
  if (outside || !is_excluded(chunk.g[i])) findings_.note(problem, place, chunk.odd[i]);
  if (!outside && !nobody) return true;
  ++totals_.rows;
  if (outside) return false;
  if (is_excluded(chunk.g[i])) {
    exclude(chunk.g[i]);
    return false;
  }
  ++totals_.lost_rows;
  if (chunk.g[i] >= 0) ledger_.note_name(chunk.g[i]);
  ledger_.lose_row_of_anybody(known_of(chunk.g[i], chunk.h[i], chunk.x[i], chunk.y[i], chunk.a[i]));
  return false;
}

void Counter::exclude(std::int32_t group) { ++excluded_[static_cast<std::size_t>(kExcluded - group)]; }

void Counter::leave_outside(const std::vector<Row>& rows) {
  std::int32_t named = kExcluded;  // rows that name no group are of the person all the same
  for (const auto* part : {&rows, &judge_.unplaced()})
    for (const Row& row : *part)
      if (is_excluded(row.g)) named = row.g;
  for (const auto* part : {&rows, &judge_.unplaced()})
    for (const Row& row : *part) exclude(is_excluded(row.g) ? row.g : named);
}

void Counter::lose(const Row& row, bool goes_on) {
  ++totals_.lost_rows;
  if (row.g >= 0) ledger_.note_name(row.g);
  for (const std::int32_t g : judge_.may_be()) {
    const Known charged = known_of(g, row.h, row.x, row.y, row.a);
    ledger_.lose_decision(charged);
    if (goes_on) ledger_.lose_successor(charged);
  }
}

void Counter::lose_lines(std::int64_t lines) {
  totals_.lost_rows += lines;
  if (lines > 0) ledger_.lose_row_of_anybody({}, lines);
}

// --- others' counts --------------------------------------------------------------------------------------------------

void Counter::add_tables(Counter& other, const Renumbering& ours) {
  tables_.add(other.tables_, ours.group, ours.feature, ours.step);
  ledger_.add(other.ledger_, ours.group, ours.feature, ours.step);
}

void Counter::add_totals(const Counter& other) {
  totals_.add(other.totals_);
  for (std::size_t i = 0; i < excluded_.size(); ++i) excluded_[i] += other.excluded_[i];
  findings_.add(other.findings_);
}

}  // namespace fairstep::internal
