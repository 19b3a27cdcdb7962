// People walked in lockstep: a block of them takes step 0, then step 1, and so on.
//
// Everything random about a person is in numbered words of their own: word 0 says where and when they start, word 1 + h
// decides at step h and moves them on. Word w of person i is draw i of the stream (seed, stream, w), so blocks and
// threads can be cut anywhere without changing anybody, and words come out of the generator four people at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <fairstep/core/error.hpp>
#include <fairstep/core/model.hpp>
#include <fairstep/core/periods.hpp>
#include <fairstep/core/policy.hpp>
#include <fairstep/core/rng.hpp>
#include <fairstep/core/shape.hpp>
#include <fairstep/simulate/alias.hpp>
#include <fairstep/simulate/crowd.hpp>
#include <fairstep/simulate/simulate.hpp>

namespace fairstep {

/// What happened to somebody in one step.
struct Move {
  std::size_t action = 0;
  std::size_t slot = 0;  ///< the successor is outcome `side` of this slot
  std::size_t side = 0;
};

/// Probability 1 of accepting, in units that also hold 0.
inline constexpr std::uint64_t kSurely = std::uint64_t{1} << 63;

/// Slots [first, first + size) are the successors of a state if refused, the next `size` those if accepted.
struct SuccessorRow {
  std::uint64_t first = 0;
  std::uint64_t size = 0;
};

/// The tables at one step, as bare pointers: a copy in a local variable stays in registers.
struct StepTables {
  const std::uint64_t* accept_below = nullptr;  ///< [state] P(a=1) in units of 2^-63
  const SuccessorRow* rows = nullptr;           ///< [state]
  const AliasSlot* slots = nullptr;

  /// Decision and successor in one: the word picks a slot, the same for both actions, and leaves a fraction of 63 bits.
  /// Below P(a=1) it accepts; and the slot's threshold cuts both parts, accepted and refused, in proportion.
  /// No branch: which way people go cannot be predicted.
  [[nodiscard]] Move move(std::size_t state, std::uint64_t word) const {
    const SuccessorRow row = rows[state];
    const SlotAndFraction at = cut(word, row.size);
    const std::uint64_t fraction = at.fraction >> 1;
    const std::uint64_t below = accept_below[state];
    const std::uint64_t accepted = fraction < below ? 1 : 0;
    const std::uint64_t if_accepted = std::uint64_t{0} - accepted;  // all bits, or none
    const std::size_t slot = row.first + at.slot + (row.size & if_accepted);
    const std::uint64_t from = below & ~if_accepted;
    const std::uint64_t width = (below & if_accepted) | ((kSurely - below) & ~if_accepted);
    const std::uint64_t second = fraction >= from + part_of(width, slots[slot].threshold) ? 1 : 0;
    return {accepted, slot, second};
  }

  /// The decision alone, for the last step.
  [[nodiscard]] std::size_t decide(std::size_t state, std::uint64_t word) const {
    return (word >> 1) < accept_below[state] ? 1 : 0;
  }
};

/// A model and a policy as lookup tables. States of all groups are numbered through, g * states + s; one more state
/// stands for everybody who is not there (yet, or any more). Place 2 * state + a is a cell of some group.
class WalkTables {
 public:
  /// An error if the model has too many states for 32-bit numbers. Successors are told apart by the periods of the
  /// model and by those asked for.
  [[nodiscard]] static Expected<WalkTables> make(const Model& model, const Policy& policy,
                                                 const SimulateOptions& options);

  [[nodiscard]] std::size_t horizon() const { return horizon_; }
  /// Numbered states, without the one of those who are not there.
  [[nodiscard]] std::size_t states() const { return states_; }
  [[nodiscard]] std::uint32_t absent() const { return static_cast<std::uint32_t>(states_); }
  [[nodiscard]] std::size_t places() const { return kActions * (states_ + 1); }
  [[nodiscard]] bool participation() const { return participation_; }
  [[nodiscard]] bool noise() const { return noise_; }

  /// Those of the model and those asked for, whichever begins.
  [[nodiscard]] const Periods& periods() const { return periods_; }
  /// One past the last slot of all successors.
  [[nodiscard]] std::size_t slot_count() const { return slots_.size(); }
  /// Slots of a place, from its first to one before the first of the next place; a state that is not there included.
  [[nodiscard]] std::size_t first_slot(std::size_t period, std::size_t place) const {
    const SuccessorRow& row = rows_[period * (states_ + 1) + place / kActions];
    return row.first + place % kActions * row.size;
  }
  /// A numbered state, or absent().
  [[nodiscard]] std::uint32_t outcome(std::size_t slot, std::size_t side) const { return slots_[slot].outcome[side]; }

  /// Where a person starts: first step * states() + numbered state.
  [[nodiscard]] std::uint32_t start(std::uint64_t person, std::uint64_t word) const {
    const StartRow& row = starts_[person / people_per_start_];
    const SlotAndFraction at = cut(word, row.size);
    const AliasSlot& slot = row.slots[at.slot];
    return slot.outcome[at.fraction < slot.threshold ? 0 : 1];
  }

  [[nodiscard]] StepTables at(std::size_t h) const {
    return {accept_below_.data() + h * (states_ + 1), rows_.data() + periods_.of(h) * (states_ + 1), slots_.data()};
  }

 private:
  struct StartRow {
    std::vector<AliasSlot> slots{};
    std::uint64_t size = 0;
  };

  void fill_accept(const Model& model, const Policy& policy);
  void fill_rows(const Model& model, std::size_t step);
  void fill_starts(const Model& model, const Crowd& crowd);

  std::size_t horizon_ = 0;
  std::size_t states_ = 0;
  bool participation_ = false;
  bool noise_ = false;
  std::vector<std::uint64_t> accept_below_{};  ///< [h,state] P(a=1) in units of 2^-63
  Periods periods_{};
  std::vector<SuccessorRow> rows_{};  ///< [period,state]
  std::vector<AliasSlot> slots_{};    ///< of all successors
  std::vector<StartRow> starts_{};    ///< one for all, or one per group
  std::uint64_t people_per_start_ = 0;
};

/// What one thread needs to walk a block; made before the thread starts, so that walking never allocates.
class WalkBlock {
 public:
  /// People walked side by side: enough to hide latencies, few enough for their words and states to stay in the cache.
  static constexpr std::size_t kPeople = 512;

  WalkBlock()
      : state_(kPeople),
        first_state_(kPeople),
        first_step_(kPeople),
        place_(kPeople),
        word_(kPeople),
        noise_(kPeople) {}

  /// Walks `count` <= kPeople persons from number `first`, a multiple of 4, on. `receiver.start(i, state)` is called
  /// once for each. At each step `receiver.at(h)` gives something small that gets decision(i, place), then
  /// successor(slot, side) except at the last step, and, if the model has noise, reward(i, place, high) with `high` 0
  /// or
  /// 1. Those who are not there are walked as well, in the state absent(): the receiver leaves them out.
  template <class Receiver>
  void walk(const WalkTables& tables, const SimulateOptions& options, std::uint64_t first, std::size_t count,
            Receiver& receiver);

 private:
  /// Word `word` of `count` persons from `first` on; rounds up to whole fours.
  static void fill(const SimulateOptions& options, Use use, std::uint64_t word, std::uint64_t first, std::size_t count,
                   std::vector<std::uint64_t>& out) {
    const Rng rng(options.seed, options.stream, word, 0, static_cast<std::uint64_t>(use));
    for (std::size_t i = 0; i < count; i += 4) {
      const Rng::Block block = rng.block((first + i) / 4);
      for (std::size_t j = 0; j < 4; ++j) out[i + j] = block[j];
    }
  }

  std::vector<std::uint32_t> state_;        ///< [i] at the step at hand
  std::vector<std::uint32_t> first_state_;  ///< [i] filled only if people may come late
  std::vector<std::uint32_t> first_step_;   ///< [i] the same
  std::vector<std::size_t> place_;          ///< [i]
  std::vector<std::uint64_t> word_;         ///< [i] of the step at hand
  std::vector<std::uint64_t> noise_;        ///< [i] a bit for each of 64 steps
};

template <class Receiver>
void WalkBlock::walk(const WalkTables& tables, const SimulateOptions& options, std::uint64_t first, std::size_t count,
                     Receiver& receiver) {
  fill(options, Use::person, 0, first, count, word_);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t start = tables.start(first + i, word_[i]);
    if (tables.participation()) {
      first_step_[i] = start / tables.absent();
      first_state_[i] = start % tables.absent();
      state_[i] = tables.absent();
      receiver.start(i, first_state_[i]);
    } else {
      state_[i] = start;
      receiver.start(i, start);
    }
  }
  for (std::size_t h = 0; h < tables.horizon(); ++h) {
    if (tables.participation())
      for (std::size_t i = 0; i < count; ++i) state_[i] = first_step_[i] == h ? first_state_[i] : state_[i];

    fill(options, Use::person, 1 + h, first, count, word_);
    const StepTables step = tables.at(h);
    const auto receive = receiver.at(h);
    std::uint32_t* const state = state_.data();
    std::size_t* const place = place_.data();
    const std::uint64_t* const word = word_.data();
    if (h + 1 < tables.horizon()) {
      for (std::size_t i = 0; i < count; ++i) {
        const Move move = step.move(state[i], word[i]);
        place[i] = kActions * std::size_t{state[i]} + move.action;
        receive.decision(i, place[i]);
        receive.successor(i, move.slot, move.side);
        state[i] = step.slots[move.slot].outcome[move.side];
      }
    } else {
      for (std::size_t i = 0; i < count; ++i) {
        place[i] = kActions * std::size_t{state[i]} + step.decide(state[i], word[i]);
        receive.decision(i, place[i]);
      }
    }

    if (!tables.noise()) continue;
    if (h % 64 == 0) fill(options, Use::noise, h / 64, first, count, noise_);
    for (std::size_t i = 0; i < count; ++i) receive.reward(i, place[i], noise_[i] >> (h % 64) & 1);
  }
}

}  // namespace fairstep
