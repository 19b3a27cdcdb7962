// A counter for all people, or one for each part if they are split. Either way a person's rows go to one of them, and
// what nobody knows to be whose goes to all: it may be anybody's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include <fairstep/core/part.hpp>
#include <fairstep/core/split.hpp>
#include <fairstep/ingest/internal/chunk.hpp>
#include <fairstep/ingest/internal/counter.hpp>
#include <fairstep/ingest/internal/person_key.hpp>
#include <fairstep/ingest/internal/plan.hpp>
#include <fairstep/ingest/internal/vocabulary.hpp>

namespace fairstep::internal {

class Counters {
 public:
  explicit Counters(const Plan& plan) {
    each_.emplace_back(plan);
    if (!plan.split) return;
    each_.emplace_back(plan);
    splitter_.emplace(*plan.split);
  }

  /// Of all people, as if they had been counted by this one.
  explicit Counters(Counter counter) { each_.push_back(std::move(counter)); }

  /// The counter of a person, a number or a text.
  template <class Key>
  [[nodiscard]] Counter& of(const Key& person) {
    return splitter_ ? each_[part_number(splitter_->role_of(person))] : each_.front();
  }
  /// Those of the design and the audit part, or the only one.
  [[nodiscard]] std::vector<Counter>& each() { return each_; }
  [[nodiscard]] const std::vector<Counter>& each() const { return each_; }

  void reserve(const Vocabulary& vocabulary) {
    for (Counter& counter : each_) counter.reserve(vocabulary);
  }

  /// As those of Counter, whoever the people are.
  template <class Value>
  void count_in_place(const Value* people, const Chunk& chunk, std::size_t from, std::size_t to, std::uint64_t place) {
    if (!splitter_) return each_.front().count_in_place(people, chunk, from, to, place);
    for (std::size_t i = from; i < to;) {
      const auto key = key_of(people[i]);
      const std::size_t first = i;
      do ++i;
      while (i < to && key_of(people[i]) == key);
      of(key).count_in_place(people, chunk, first, i, place);
    }
  }
  template <class Value>
  [[nodiscard]] bool keep_with_person(const Value* people, const Chunk& chunk, std::size_t i, std::uint64_t place) {
    const Problem& problem = chunk.problems[i];
    if (problem.why == 0 || problem.role != Role::person)
      return of(key_of(people[i])).keep_with_person(chunk, i, place);
    bool keep = false;
    for (Counter& counter : each_) keep = counter.keep_with_person(chunk, i, place);
    return keep;
  }
  void lose_lines(std::int64_t lines) {
    for (Counter& counter : each_) counter.lose_lines(lines);
  }

  void add_tables(Counters& other, const Renumbering& ours) {
    for (std::size_t i = 0; i < each_.size(); ++i) each_[i].add_tables(other.each_[i], ours);
  }
  void add_totals(const Counters& other) {
    for (std::size_t i = 0; i < each_.size(); ++i) each_[i].add_totals(other.each_[i]);
  }

  template <class Wire>
  void travel(Wire& wire) {
    for (Counter& counter : each_) wire(counter);
  }

 private:
  std::optional<Splitter> splitter_{};
  std::vector<Counter> each_{};
};

}  // namespace fairstep::internal
