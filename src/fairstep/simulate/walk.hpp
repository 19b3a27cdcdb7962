// People walked in lockstep: a block of them takes step 0, then step 1, and so on.
//
// Everything random about a person is in numbered words of their own: word 0 says where and when they start, word 1 +
// 2h decides at step h, word 2 + 2h moves them on. Word w of person i is draw i of the stream (seed, stream, w), so
// blocks and threads can be cut anywhere without changing anybody, and a step's words come out of the generator four
// people at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <fairstep/core/error.hpp>
#include <fairstep/core/model.hpp>
#include <fairstep/core/policy.hpp>
#include <fairstep/core/rng.hpp>
#include <fairstep/simulate/alias.hpp>
#include <fairstep/simulate/crowd.hpp>
#include <fairstep/simulate/simulate.hpp>

namespace fairstep {

/// A model and a policy as lookup tables. States of all groups are numbered through, g * states + s; one more state
/// stands for everybody who is not there (yet, or any more). Place 2 * state + a is a cell of some group.
class WalkTables {
 public:
  /// An error if the model has too many states for 32-bit numbers.
  [[nodiscard]] static Expected<WalkTables> make(const Model& model, const Policy& policy, const Crowd& crowd);

  [[nodiscard]] std::size_t horizon() const { return horizon_; }
  /// Numbered states, without the one of those who are not there.
  [[nodiscard]] std::size_t states() const { return states_; }
  [[nodiscard]] std::uint32_t absent() const { return static_cast<std::uint32_t>(states_); }
  [[nodiscard]] std::size_t places() const { return 2 * (states_ + 1); }
  [[nodiscard]] bool participation() const { return participation_; }

  /// Accepted if the top 63 bits of the decision's word are below this; the lowest bit is free for the reward's noise.
  [[nodiscard]] const std::uint64_t* accept_below(std::size_t h) const {
    return accept_below_.data() + h * (states_ + 1);
  }
  /// [place] successors; outcomes are numbered states.
  [[nodiscard]] const AliasTable* successor() const { return successor_.data(); }
  [[nodiscard]] const AliasSlot* slots() const { return slots_.data(); }
  [[nodiscard]] std::size_t slot_count() const { return slots_.size(); }
  /// Where a person starts; the outcome is first step * states + numbered state.
  [[nodiscard]] std::uint32_t start(std::uint64_t person, std::uint64_t word) const;

 private:
  std::size_t horizon_ = 0;
  std::size_t states_ = 0;
  bool participation_ = false;
  std::uint64_t people_per_start_ = 0;
  std::vector<std::uint64_t> accept_below_{};  ///< [h,state]
  std::vector<AliasTable> successor_{};        ///< [place]
  std::vector<AliasSlot> slots_{};             ///< of all successors
  std::vector<AliasTable> start_{};            ///< one for all, or one per group
  std::vector<AliasSlot> start_slots_{};
};

/// What one thread needs to walk a block; made before the thread starts, so that walking never allocates.
class WalkBlock {
 public:
  /// People walked side by side: enough to hide latencies, few enough for their words and states to stay in the cache.
  static constexpr std::size_t kPeople = 512;

  WalkBlock() : state_(kPeople), start_(kPeople), decision_(kPeople), successor_(kPeople) {}

  /// Walks `count` <= kPeople persons from number `first`, a multiple of 4, on.
  /// on_start(i, state) is called once for each, then step by step on_decision(h, i, place, high) with `high` 0 or 1,
  /// the reward's side, and on_successor(slot, side) for each move. Those who are not there are walked as well, at
  /// tables.absent(): the receiver leaves them out.
  template <class Receiver>
  void walk(const WalkTables& tables, const SimulateOptions& options, std::uint64_t first, std::size_t count,
            Receiver& receiver);

 private:
  /// Word `word` of `count` persons from `first` on; rounds up to whole fours.
  static void fill(const SimulateOptions& options, std::uint64_t word, std::uint64_t first, std::size_t count,
                   std::vector<std::uint64_t>& out) {
    const Rng rng(options.seed, options.stream, word, 0, static_cast<std::uint64_t>(Use::person));
    for (std::size_t i = 0; i < count; i += 4) {
      const Rng::Block block = rng.block((first + i) / 4);
      for (std::size_t j = 0; j < 4; ++j) out[i + j] = block[j];
    }
  }

  std::vector<std::uint32_t> state_;
  std::vector<std::uint32_t> start_;
  std::vector<std::uint64_t> decision_;
  std::vector<std::uint64_t> successor_;
};

template <class Receiver>
void WalkBlock::walk(const WalkTables& tables, const SimulateOptions& options, std::uint64_t first, std::size_t count,
                     Receiver& receiver) {
  fill(options, 0, first, count, decision_);
  for (std::size_t i = 0; i < count; ++i) {
    start_[i] = tables.start(first + i, decision_[i]);
    receiver.on_start(i, start_[i] % tables.states());
    state_[i] = tables.participation() ? tables.absent() : start_[i];
  }
  for (std::size_t h = 0; h < tables.horizon(); ++h) {
    if (tables.participation())
      for (std::size_t i = 0; i < count; ++i)
        if (start_[i] / tables.states() == h) state_[i] = static_cast<std::uint32_t>(start_[i] % tables.states());

    const std::uint64_t* const accept_below = tables.accept_below(h);
    fill(options, 1 + 2 * h, first, count, decision_);
    const bool last = h + 1 == tables.horizon();
    if (!last) fill(options, 2 + 2 * h, first, count, successor_);
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint64_t word = decision_[i];
      const std::size_t accepted = (word >> 1) < accept_below[state_[i]] ? 1 : 0;
      const std::size_t place = 2 * std::size_t{state_[i]} + accepted;
      receiver.on_decision(h, i, place, word & 1);
      if (last) continue;
      const AliasPick picked = pick(tables.slots(), tables.successor()[place], successor_[i]);
      receiver.on_successor(picked);
      state_[i] = tables.slots()[picked.slot].outcome[picked.side];
    }
  }
}

}  // namespace fairstep
