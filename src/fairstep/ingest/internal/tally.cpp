#include <fairstep/ingest/internal/tally.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

namespace fairstep::internal {
namespace {

constexpr std::size_t kMostSteps = 100'000;
constexpr std::size_t kMostEntries = std::size_t{1} << 25U;

/// The order in which persons come in a log. Texts go by length first: 9 comes before 10.
bool before(std::int64_t a, std::int64_t b) { return a < b; }
bool before(std::string_view a, std::string_view b) { return a.size() != b.size() ? a.size() < b.size() : a < b; }

/// What tells persons apart: the number, or the text.
std::int64_t key_of(const std::int64_t& number) { return number; }
std::string_view key_of(const duckdb_string_t& text) { return view_of(text); }

/// FNV-1a and a final mix: the same bits wherever it is computed.
double uniform_from(std::string_view person, std::int64_t step) {
  std::uint64_t hash = 0xCBF29CE484222325U;
  const auto add = [&](std::string_view text) {
    for (const char c : text) {
      hash ^= static_cast<unsigned char>(c);
      hash *= 0x100000001B3U;
    }
  };
  add(person);
  add(":");
  add(std::to_string(step));
  hash ^= hash >> 33U;
  hash *= 0xFF51AFD7ED558CCDU;
  hash ^= hash >> 33U;
  hash *= 0xC4CEB9FE1A85EC53U;
  hash ^= hash >> 33U;
  return static_cast<double>(hash >> 11U) * 0x1p-53;
}

}  // namespace

Tally::Tally(const Plan& plan)
    : plan_(plan),
      groups_(plan.groups, plan.excluded),
      features_(plan.features),
      direct_steps_(static_cast<std::size_t>(kDirectSteps), -1),
      excluded_(plan.excluded.size()) {}

bool Tally::take(const std::vector<RawColumn>& columns, std::size_t rows, std::uint64_t place) {
  if (rows == 0) return true;
  if (!part_open_ || place != next_place_) {
    close_part();
    part_ = Part{place, {}, {}, {}, {}, true};
    part_open_ = true;
  }
  next_place_ = place + rows;
  return take_rows(columns, rows, place, nullptr);
}

bool Tally::take_sorted(const std::vector<RawColumn>& columns, std::size_t rows, const std::int64_t* places) {
  if (!part_open_) part_ = Part{};
  part_open_ = true;
  return take_rows(columns, rows, 0, places);
}

bool Tally::take_rows(const std::vector<RawColumn>& columns, std::size_t rows, std::uint64_t place,
                      const std::int64_t* places) {
  if (disordered_ || !failure_.empty()) return false;
  decode(columns, rows);
  if (!make_room()) return false;
  rows_ += static_cast<std::int64_t>(rows);
  const RawColumn& people = columns[0];
  if (plan_.type[static_cast<std::size_t>(Role::person)] == ValueType::integer)
    gather(people.as<std::int64_t>(), rows, place, places);
  else
    gather(people.as<duckdb_string_t>(), rows, place, places);
  return !disordered_ && failure_.empty();
}

bool Tally::make_room() {
  if (steps_.size() > kMostSteps) {
    failure_ = fmt::format("step has more than {} different values", kMostSteps);
    return false;
  }
  const std::size_t groups = groups_.names().size();
  const std::size_t features = features_.names().size();
  if (Tables::entries(groups, features, steps_.size()) > kMostEntries) {
    const bool many_groups = groups > features;
    failure_ = fmt::format("{} has too many different values for a table: {} so far", many_groups ? "group" : "x",
                           many_groups ? groups : features);
    return false;
  }
  tables_.reserve(groups, features, steps_.size());
  return true;
}

template <class Value>
void Tally::gather(const Value* people, std::size_t rows, std::uint64_t place, const std::int64_t* places) {
  constexpr bool numbered = std::is_same_v<Value, std::int64_t>;
  const bool plain = places == nullptr && is_plain(people, rows);
  // The last person of the chunk may go on in the next.
  std::size_t last = rows - 1;
  while (plain && last > 0 && key_of(people[last - 1]) == key_of(people[rows - 1])) --last;
  for (std::size_t i = 0; i < rows; ++i) {
    const std::uint64_t here = places == nullptr ? place + i : static_cast<std::uint64_t>(places[i]);
    const bool usable = !any_problem_ || (problems_[i].why == 0 && g_[i] >= 0);
    if (!usable && !keep_with_person(i, here)) continue;
    const auto key = key_of(people[i]);
    const auto open = [&] {
      if constexpr (numbered)
        return person_.number;
      else
        return std::string_view(person_.name);
    }();
    if (!person_.any || open != key) {
      if (person_.any) {
        if (!before(open, key) && !plan_.people_together) {
          disordered_ = true;
          return;
        }
        close_person();
      }
      const bool whole = plain && !part_.one_person && i < last;
      if (whole) {
        count_in_place(people, i, last, place);
        i = last - 1;
      }
      person_.any = true;
      if constexpr (numbered)
        person_.number = people[i];
      else
        person_.name.assign(key_of(people[i]));
      if (whole) continue;
    }
    Row row{here,
            step_[i],
            reward_.empty() ? 0 : reward_[i],
            h_[i],
            g_[i],
            x_[i],
            day_.empty() ? 0 : day_[i],
            static_cast<std::int8_t>(y_[i]),
            static_cast<std::int8_t>(a_[i]),
            usable};
    if (usable && row.y < 0) {
      if (!plan_.impute.empty()) {
        if constexpr (numbered)
          row.y = draw_label(row, std::to_string(key));
        else
          row.y = draw_label(row, key);
        ++imputed_;
      } else {
        note(Anomaly::missing, Role::y, here);
      }
    }
    person_rows_.push_back(row);
  }
}

std::int8_t Tally::draw_label(const Row& row, std::string_view person) const {
  const double chance = plan_.impute(static_cast<std::size_t>(row.g), static_cast<std::size_t>(row.x));
  return uniform_from(person, row.step) < chance ? 1 : 0;
}

bool Tally::keep_with_person(std::size_t i, std::uint64_t place) {
  const Problem& problem = problems_[i];
  const bool outside = h_[i] == kOutOfRange;
  const bool nobody = problem.why != 0 && problem.role == Role::person;
  if (outside || g_[i] > kExcluded) note_problem(problem, place);
  if (outside) return false;
  if (!nobody) return true;
  if (g_[i] <= kExcluded) {
    exclude(g_[i]);
    return false;
  }
  ++lost_rows_;
  const auto known = [](std::int32_t number) { return std::max(number, kAny); };
  ledger_.lose_row_of_anybody({known(g_[i]), known(h_[i]), known(x_[i]), known(y_[i]), known(a_[i])});
  return false;
}

void Tally::exclude(std::int32_t group) { ++excluded_[static_cast<std::size_t>(kExcluded - group)]; }

void Tally::lose_lines(std::int64_t lines) {
  lost_rows_ += lines;
  if (lines > 0) ledger_.lose_row_of_anybody({}, lines);
}

void Tally::note(Anomaly anomaly, Role role, std::uint64_t place) {
  Found& found = found_[static_cast<std::size_t>(anomaly)][static_cast<std::size_t>(role)];
  ++found.rows;
  found.first = std::min(found.first, place);
}

void Tally::note_problem(const Problem& problem, std::uint64_t place) {
  const Anomaly anomaly = problem.why == kMissing      ? Anomaly::missing
                          : problem.why == kUnreadable ? Anomaly::unreadable
                          : problem.why == kUnknown    ? Anomaly::unknown
                                                       : Anomaly::out_of_range;
  note(anomaly, problem.role, place);
}

template <class Value>
bool Tally::is_plain(const Value* people, std::size_t rows) const {
  if (any_problem_ || !day_.empty() || !plan_.impute.empty()) return false;
  if (y_[0] < 0) return false;
  for (std::size_t i = 1; i < rows; ++i) {
    const auto one = key_of(people[i - 1]);
    const auto next = key_of(people[i]);
    const bool goes_on = one == next && step_[i - 1] < step_[i] && g_[i - 1] == g_[i];
    if (y_[i] < 0 || !(goes_on || before(one, next))) return false;
  }
  return true;
}

template <class Value>
void Tally::count_in_place(const Value* people, std::size_t from, std::size_t to, std::uint64_t place) {
  Trail trail;
  for (std::size_t i = from; i < to; ++i) {
    const auto g = static_cast<std::size_t>(g_[i]);
    const auto x = static_cast<std::size_t>(x_[i]);
    const auto y = static_cast<std::size_t>(y_[i]);
    const auto a = static_cast<std::size_t>(a_[i]);
    const auto h = static_cast<std::size_t>(h_[i]);
    const std::size_t cell = tables_.cell(g, x, y, a);
    ++tables_.visits(cell, h);
    if (!reward_.empty()) tables_.reward(cell).add(reward_[i]);
    if (i == from || !(key_of(people[i]) == key_of(people[i - 1]))) {
      ++people_;
      ++tables_.first(g, x, y);
      end_trail(trail);
      ++tables_.entered(g, x, y, h);
    } else if (step_[i] == step_[i - 1] + 1) {
      ++tables_.transitions(trail.cell, x, y);
      if (trail.known == 2) tables_.add_pair(trail.cell_before, trail.cell, g, x, y);
    } else {
      note(Anomaly::gap, Role::row, place + i);
      end_trail(trail);
      ++tables_.entered(g, x, y, h);
    }
    trail.go_on(cell, y, a, h, step_[i]);
  }
  end_trail(trail);
}

void Tally::end_trail(Trail& trail) {
  if (trail.known == 0) return;
  ++tables_.ended(trail.cell, trail.h);
  tables_.add_unseen(trail.cell, trail.known == 2 ? trail.class_before : 0, trail.step);
  trail.known = 0;
}

void Tally::close_person() {
  if (person_rows_.empty() && !part_.one_person) return;  // counted already
  if (part_.one_person) {
    part_.one_person = false;
    part_.first = person_;
    part_.head = std::move(person_rows_);
    person_rows_ = {};
  } else {
    count_person(person_rows_);
    person_rows_.clear();
  }
}

void Tally::close_part() {
  if (!part_open_) return;
  part_open_ = false;
  if (!person_.any) return;
  if (part_.one_person) {
    part_.first = person_;
    part_.head = std::move(person_rows_);
  } else {
    part_.last = person_;
    part_.tail = std::move(person_rows_);
  }
  person_rows_ = {};
  person_ = {};
  parts_.push_back(std::move(part_));
}

void Tally::absorb(Tally& other) {
  close_part();
  other.close_part();
  rows_ += other.rows_;
  people_ += other.people_;
  imputed_ += other.imputed_;
  lost_rows_ += other.lost_rows_;
  for (std::size_t i = 0; i < excluded_.size(); ++i) excluded_[i] += other.excluded_[i];
  disordered_ = disordered_ || other.disordered_;
  if (failure_.empty()) failure_ = other.failure_;
  for (std::size_t i = 0; i < kAnomalies; ++i)
    for (std::size_t j = 0; j < kRoles; ++j) {
      found_[i][j].rows += other.found_[i][j].rows;
      found_[i][j].first = std::min(found_[i][j].first, other.found_[i][j].first);
    }
  if (disordered_ || !failure_.empty()) return;

  const auto numbers = [](Category& ours, const Category& theirs) {
    std::vector<std::size_t> places;
    for (const std::string& name : theirs.names())
      places.push_back(static_cast<std::size_t>(ours.number_of(std::string_view(name))));
    return places;
  };
  const auto group = numbers(groups_, other.groups_);
  const auto feature = numbers(features_, other.features_);
  std::vector<std::size_t> step;
  for (const std::int64_t value : other.steps_) step.push_back(static_cast<std::size_t>(step_number(value)));
  if (!make_room()) return;
  tables_.add(other.tables_, group, feature, step);
  ledger_.add(other.ledger_, group, feature, step);
  for (Part& part : other.parts_) {
    for (std::vector<Row>* rows : {&part.head, &part.tail})
      for (Row& row : *rows) {
        const auto renumber = [](std::int32_t& number, const std::vector<std::size_t>& ours) {
          if (number >= 0) number = static_cast<std::int32_t>(ours[static_cast<std::size_t>(number)]);
        };
        renumber(row.g, group);
        renumber(row.x, feature);
        renumber(row.h, step);
      }
    parts_.push_back(std::move(part));
  }
  other.parts_.clear();
}

void Tally::finish() {
  close_part();
  if (disordered_ || !failure_.empty()) return;
  std::sort(parts_.begin(), parts_.end(), [](const Part& a, const Part& b) { return a.start < b.start; });
  Person open;
  std::vector<Row> rows;
  for (Part& part : parts_) {
    const bool same = open.any && open.number == part.first.number && open.name == part.first.name;
    if (!same && open.any) {
      const bool in_order =
          plan_.type[0] == ValueType::integer ? open.number < part.first.number : before(open.name, part.first.name);
      if (!in_order && !plan_.people_together) {
        disordered_ = true;
        return;
      }
      count_person(rows);
      rows.clear();
    }
    open = part.first;
    rows.insert(rows.end(), part.head.begin(), part.head.end());
    if (part.one_person) continue;
    count_person(rows);
    open = part.last;
    rows = std::move(part.tail);
  }
  if (open.any) count_person(rows);
  parts_.clear();
}

std::int32_t Tally::step_number(std::int64_t step) {
  const auto add = [&] {
    steps_.push_back(step);
    return static_cast<std::int32_t>(steps_.size() - 1);
  };
  if (step >= 0 && step < kDirectSteps) {
    std::int32_t& number = direct_steps_[static_cast<std::size_t>(step)];
    if (number < 0) number = add();
    return number;
  }
  const auto found = rare_steps_.find(step);
  if (found != rare_steps_.end()) return found->second;
  // Past this many the reading ends anyway; a log without steps must not fill the memory before that.
  if (steps_.size() > kMostSteps) return 0;
  const std::int32_t number = add();
  rare_steps_.emplace(step, number);
  return number;
}

}  // namespace fairstep::internal
