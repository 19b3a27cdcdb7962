#include <fairstep/ingest/internal/stitcher.hpp>

#include <algorithm>
#include <utility>

namespace fairstep::internal {
namespace {

/// Is every row of the chunk in order, so that it can be counted as it lies?
template <class Value>
bool is_plain(const Value* people, const Chunk& chunk) {
  if (chunk.any_problem || chunk.any_unlabelled || !chunk.day.empty() || !chunk.weight.empty()) return false;
  for (std::size_t i = 1; i < chunk.rows; ++i) {
    const auto one = key_of(people[i - 1]);
    const auto next = key_of(people[i]);
    const bool goes_on = one == next && chunk.step[i - 1] < chunk.step[i] && chunk.g[i - 1] == chunk.g[i];
    if (!(goes_on || comes_before(one, next))) return false;
  }
  return true;
}

/// The first row of the last person.
template <class Value>
std::size_t last_begins(const Value* people, std::size_t rows) {
  std::size_t first = rows - 1;
  while (first > 0 && key_of(people[first - 1]) == key_of(people[rows - 1])) --first;
  return first;
}

void renumber(std::vector<Row>& rows, const Renumbering& ours) {
  const auto change = [](std::int32_t& number, const std::vector<std::size_t>& to) {
    if (number >= 0) number = static_cast<std::int32_t>(to[static_cast<std::size_t>(number)]);
  };
  for (Row& row : rows) {
    change(row.g, ours.group);
    change(row.x, ours.feature);
    change(row.h, ours.step);
  }
}

}  // namespace

void Stitcher::take(const RawColumn& people, const Chunk& chunk, RowPlaces places, Counters& counters) {
  if (chunk.rows == 0 || disordered_) return;
  open_part(places, chunk.rows);
  if (numbered_)
    gather(people.as<std::int64_t>(), chunk, places, counters);
  else
    gather(people.as<duckdb_string_t>(), chunk, places, counters);
}

template <class Value>
void Stitcher::gather(const Value* people, const Chunk& chunk, RowPlaces places, Counters& counters) {
  // The last person of the chunk may go on in the next.
  const bool plain = places.in_sequence() && is_plain(people, chunk);
  const std::size_t last = plain ? last_begins(people, chunk.rows) : 0;
  for (std::size_t i = 0; i < chunk.rows; ++i) {
    const std::uint64_t place = places[i];
    if (!chunk.usable(i) && !counters.keep_with_person(people, chunk, i, place)) continue;
    const auto key = key_of(people[i]);
    if (!person_.is(key)) {
      if (person_.any && !person_.is_before(key) && !together_) {
        disordered_ = true;
        return;
      }
      if (person_.any) close_person(counters);
      if (i < last && !part_.one_person) {
        counters.count_in_place(people, chunk, i, last, places.first);
        i = last - 1;
        person_.become(key_of(people[i]));
        continue;
      }
      person_.become(key);
    }
    rows_.push_back(chunk.row(i, place));
  }
}

void Stitcher::count(const Person& person, std::vector<Row>& rows, Counters& counters) const {
  (numbered_ ? counters.of(person.number) : counters.of(std::string_view(person.name))).count_person(rows);
}

void Stitcher::close_person(Counters& counters) {
  if (part_.one_person) {
    part_.one_person = false;
    part_.first = person_;
    part_.head = std::move(rows_);
    rows_ = {};
    return;
  }
  count(person_, rows_, counters);  // none if they were counted in place
  rows_.clear();
}

void Stitcher::open_part(RowPlaces places, std::size_t rows) {
  if (part_open_ && places.in_sequence() && places.first != next_place_) close_part();
  if (!part_open_) part_ = Part{places.first, {}, {}, {}, {}, true};
  part_open_ = true;
  next_place_ = places.first + rows;
}

void Stitcher::close_part() {
  if (!part_open_) return;
  part_open_ = false;
  if (!person_.any) return;
  if (part_.one_person) {
    part_.first = person_;
    part_.head = std::move(rows_);
  } else {
    part_.last = person_;
    part_.tail = std::move(rows_);
  }
  rows_ = {};
  person_ = {};
  parts_.push_back(std::move(part_));
}

void Stitcher::absorb(Stitcher& other, const Renumbering& ours) {
  close_part();
  other.close_part();
  for (Part& part : other.parts_) {
    renumber(part.head, ours);
    renumber(part.tail, ours);
    parts_.push_back(std::move(part));
  }
  other.parts_.clear();
}

void Stitcher::finish(Counters& counters) {
  close_part();
  if (disordered_) return;
  std::sort(parts_.begin(), parts_.end(), [](const Part& a, const Part& b) { return a.start < b.start; });
  Person open;
  std::vector<Row> rows;
  for (Part& part : parts_) {
    const bool same = open.any && open.number == part.first.number && open.name == part.first.name;
    if (!same && open.any) {
      const bool rising = numbered_ ? open.is_before(part.first.number) : open.is_before(part.first.name);
      if (!rising && !together_) {
        disordered_ = true;
        return;
      }
      count(open, rows, counters);
      rows.clear();
    }
    open = part.first;
    rows.insert(rows.end(), part.head.begin(), part.head.end());
    if (part.one_person) continue;
    count(open, rows, counters);
    open = part.last;
    rows = std::move(part.tail);
  }
  if (open.any) count(open, rows, counters);
  parts_.clear();
}

}  // namespace fairstep::internal
