// simulate_people, simulate_split_people and simulate_log: everybody one by one, into counts or into rows.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include <fairstep/simulate/crowd.hpp>
#include <fairstep/simulate/simulate.hpp>
#include <fairstep/simulate/walk.hpp>

namespace fairstep {
namespace {

std::uint64_t total_people(const Model& model, const Crowd& crowd) {
  return crowd.people * (crowd.per_group ? model.shape().groups : 1);
}

/// work(worker) in a thread of its own, or here and now if the machine has no more threads to give.
template <class Work>
std::jthread start_thread(const Work& work, std::uint64_t worker) {
  try {
    return std::jthread([&work, worker] { work(worker); });
  } catch (const std::system_error&) {
    work(worker);
    return {};
  }
}

/// Counts by place and slot: what the tables know by number is added up by number and read back at the end.
class Tally {
 public:
  explicit Tally(const WalkTables& tables)
      : places_(tables.places()),
        first_(tables.states()),
        visits_(tables.horizon() * tables.places()),
        high_(tables.places()),
        successors_(2 * tables.slot_count()) {}

  struct Step {
    std::int64_t* visits;      ///< [place]
    std::int64_t* high;        ///< [place]
    std::int64_t* successors;  ///< [slot,side]

    void decision(std::size_t, std::size_t place) const { ++visits[place]; }
    void successor(std::size_t, std::size_t slot, std::size_t side) const { ++successors[2 * slot + side]; }
    void reward(std::size_t, std::size_t place, std::uint64_t is_high) const {
      high[place] += static_cast<std::int64_t>(is_high);
    }
  };

  void begin(std::uint64_t, std::size_t) {}
  void start(std::size_t, std::size_t state) { ++first_[state]; }
  Step at(std::size_t h) { return {visits_.data() + h * places_, high_.data(), successors_.data()}; }

  void add(const Tally& other) {
    const auto add_to = [](std::vector<std::int64_t>& to, const std::vector<std::int64_t>& from) {
      std::transform(to.begin(), to.end(), from.begin(), to.begin(), std::plus<>{});
    };
    add_to(first_, other.first_);
    add_to(visits_, other.visits_);
    add_to(high_, other.high_);
    add_to(successors_, other.successors_);
  }

  [[nodiscard]] CountsSpec fold(const Model& model, const WalkTables& tables, const Periods& periods) const {
    const Shape& n = model.shape();
    CountsSpec counts = CountsSpec::zeros(n.horizon, model.names(), periods);
    std::copy(first_.begin(), first_.end(), counts.first.flat().begin());
    Tensor<std::int64_t, 4> high(counts.reward_sum.extents());
    for (std::size_t g = 0; g < n.groups; ++g)
      for (std::size_t cell = 0; cell < n.cells(); ++cell) {
        const std::size_t place = g * n.cells() + cell;
        for (std::size_t h = 0; h < n.horizon; ++h) counts.visits.block(g, h)[cell] = visits_[h * places_ + place];
        if (!model.spec().reward_noise.empty() && model.spec().reward_noise.block(g)[cell] > 0)
          high.block(g)[cell] = high_[place];
        for (std::size_t k = 0; k < tables.periods().number(); ++k) fold_successors(tables, k, g, cell, counts);
      }
    counts.sum_over_periods();
    fill_rewards(model, high, counts);
    return counts;
  }

 private:
  /// Those of a cell at the steps of a period of the tables, each of which is in one period of the counts.
  void fold_successors(const WalkTables& tables, std::size_t k, std::size_t g, std::size_t cell,
                       CountsSpec& counts) const {
    const Shape n = counts.shape();
    const std::size_t place = g * n.cells() + cell;
    const std::size_t step = tables.periods().pooled() ? 0 : tables.periods().list[k].first_step;
    const auto seen = counts.kernel(g, counts.periods.of(step)).subspan(cell * n.states(), n.states());
    for (std::size_t slot = tables.first_slot(k, place); slot < tables.first_slot(k, place + 1); ++slot)
      for (std::size_t side = 0; side < 2; ++side) {
        const std::uint32_t state = tables.outcome(slot, side);
        if (state != tables.absent()) seen[state - g * n.states()] += successors_[2 * slot + side];
      }
  }

  std::size_t places_;
  std::vector<std::int64_t> first_;       ///< [state]
  std::vector<std::int64_t> visits_;      ///< [h,place]
  std::vector<std::int64_t> high_;        ///< [place] of the visits, those whose reward's bit was set
  std::vector<std::int64_t> successors_;  ///< [slot,side]
};

/// The same of both parts of the people, who are split by their numbers.
class SplitTally {
 public:
  SplitTally(const WalkTables& tables, const Split& split) : splitter_(split), parts_{Tally(tables), Tally(tables)} {}

  struct Step {
    std::array<Tally::Step, 2> parts;
    const std::uint8_t* part;  ///< [i]

    void decision(std::size_t i, std::size_t place) const { parts[part[i]].decision(i, place); }
    void successor(std::size_t i, std::size_t slot, std::size_t side) const { parts[part[i]].successor(i, slot, side); }
    void reward(std::size_t i, std::size_t place, std::uint64_t is_high) const {
      parts[part[i]].reward(i, place, is_high);
    }
  };

  void begin(std::uint64_t first, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i)
      part_[i] = splitter_.role_of(static_cast<std::int64_t>(first + i)) == PartRole::design ? 0 : 1;
  }
  void start(std::size_t i, std::size_t state) { parts_[part_[i]].start(i, state); }
  Step at(std::size_t h) { return {{parts_[0].at(h), parts_[1].at(h)}, part_.data()}; }

  void add(const SplitTally& other) {
    for (std::size_t part = 0; part < parts_.size(); ++part) parts_[part].add(other.parts_[part]);
  }
  [[nodiscard]] const Tally& design() const { return parts_[0]; }
  [[nodiscard]] const Tally& audit() const { return parts_[1]; }

 private:
  Splitter splitter_;
  std::array<Tally, 2> parts_;
  std::array<std::uint8_t, WalkBlock::kPeople> part_{};  ///< [i] of the block at hand: 0 design, 1 audit
};

/// Everything that a block did, to be told again person by person.
class Record {
 public:
  Record(const Model& model, const WalkTables& tables)
      : model_(model), tables_(tables), path_(tables.horizon() * WalkBlock::kPeople) {
    rows_.reserve(kRows + tables.horizon());
  }

  struct Step {
    std::uint64_t* path;  ///< [i], a person's next entry is `stride` further
    std::size_t stride;

    void decision(std::size_t i, std::size_t place) const { path[i * stride] = 2 * place; }
    void successor(std::size_t, std::size_t, std::size_t) const {}
    void reward(std::size_t i, std::size_t, std::uint64_t is_high) const { path[i * stride] += is_high; }
  };

  void start(std::size_t, std::size_t) {}
  Step at(std::size_t h) { return {path_.data() + h, tables_.horizon()}; }

  /// The rows of the `count` people from `first` on; false if the sink has had enough.
  bool tell(std::uint64_t first, std::size_t count, const std::function<bool(std::span<const Decision>)>& sink) {
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t h = 0; h < tables_.horizon(); ++h) {
        const std::uint64_t step = path_[i * tables_.horizon() + h];
        if (step / 4 == tables_.absent()) continue;
        rows_.push_back(row(first + i, h, step / 2, step % 2 == 1));
      }
      if (rows_.size() < kRows && i + 1 < count) continue;
      if (!rows_.empty() && !sink(rows_)) return false;
      rows_.clear();
    }
    return true;
  }

 private:
  static constexpr std::size_t kRows = 4096;

  [[nodiscard]] Decision row(std::uint64_t person, std::size_t h, std::size_t place, bool high) const {
    const std::size_t cells = model_.shape().cells();
    const std::size_t g = place / cells;
    const std::size_t cell = place % cells;
    const double noise = model_.spec().reward_noise.empty() ? 0 : model_.spec().reward_noise.block(g)[cell];
    const double mean = model_.reward(g)[cell];
    const auto number = [](std::size_t n) { return static_cast<std::uint32_t>(n); };
    return {person,
            number(g),
            number(h),
            number(cell / (kLabels * kActions)),
            number(cell / kActions % kLabels),
            number(cell % kActions),
            high ? mean + noise : mean - noise};
  }

  const Model& model_;
  const WalkTables& tables_;
  std::vector<std::uint64_t> path_;  ///< [i,h] 2 * place + the reward's bit
  std::vector<Decision> rows_{};
};

/// The very people of the counts walk once more, one after the other; `counter_of(person)` counts them.
template <class CounterOf>
Expected<void> count_history(const Model& model, const Policy& policy, const SimulateOptions& options,
                             const CounterOf& counter_of) {
  std::uint64_t person = 0;
  bool any = false;
  std::size_t step = 0;
  return simulate_log(model, policy, options, [&](std::span<const Decision> rows) {
    for (const Decision& row : rows) {
      const bool goes_on = any && row.person == person && row.step == step + 1;
      counter_of(row.person).add({row.group, row.step, row.x, row.y, row.a}, goes_on);
      any = true;
      person = row.person;
      step = row.step;
    }
    return true;
  });
}

/// Everybody, by as many threads as the options have; each begins with a copy of what has seen nobody.
template <class Receiver>
Expected<Receiver> walk_everybody(const Model& model, const WalkTables& tables, const SimulateOptions& options,
                                  const Receiver& nobody) {
  // Blocks of people, evenly to threads; whoever gets which, the sums are sums of the same whole numbers.
  const std::uint64_t people = total_people(model, options.crowd);
  const std::uint64_t blocks = (people + WalkBlock::kPeople - 1) / WalkBlock::kPeople;
  const std::uint64_t workers = std::clamp<std::uint64_t>(options.threads, 1, std::max<std::uint64_t>(blocks, 1));
  std::vector<Receiver> tallies(workers, nobody);
  std::vector<WalkBlock> walkers(workers);
  const auto work = [&](std::uint64_t worker) {
    const std::uint64_t end = blocks / workers * (worker + 1) + std::min(worker + 1, blocks % workers);
    for (std::uint64_t block = blocks / workers * worker + std::min(worker, blocks % workers);
         block < end && !options.stop.stop_requested(); ++block) {
      const std::uint64_t first = block * WalkBlock::kPeople;
      const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(WalkBlock::kPeople, people - first));
      tallies[worker].begin(first, count);
      walkers[worker].walk(tables, options, first, count, tallies[worker]);
    }
  };
  {
    std::vector<std::jthread> threads;
    for (std::uint64_t worker = 1; worker < workers; ++worker) threads.push_back(start_thread(work, worker));
    work(0);
  }
  if (options.stop.stop_requested()) return fail("stopped before the end");
  for (std::uint64_t worker = 1; worker < workers; ++worker) tallies[0].add(tallies[worker]);
  return std::move(tallies[0]);
}

}  // namespace

Expected<Counts> simulate_people(const Model& model, const Policy& policy, const SimulateOptions& options) {
  if (auto ok = check_question(model, policy, options); !ok) return tl::unexpected(ok.error());
  const Expected<WalkTables> tables = WalkTables::make(model, policy, options);
  if (!tables) return tl::unexpected(tables.error());
  const auto tally = walk_everybody(model, *tables, options, Tally(*tables));
  if (!tally) return tl::unexpected(tally.error());
  CountsSpec counts = tally->fold(model, *tables, recorded_periods(model, options));
  if (options.history) {
    HistoryCounter counter(model.shape());
    const auto counted = count_history(model, policy, options, [&](std::uint64_t) -> auto& { return counter; });
    if (!counted) return tl::unexpected(counted.error());
    counts.history = counter.finish();
  }
  return Counts::make(std::move(counts));
}

Expected<SplitCounts> simulate_split_people(const Model& model, const Policy& policy, const SimulateOptions& options,
                                            const Split& split) {
  if (auto ok = check(split); !ok) return tl::unexpected(ok.error());
  if (auto ok = check_question(model, policy, options); !ok) return tl::unexpected(ok.error());
  const Expected<WalkTables> tables = WalkTables::make(model, policy, options);
  if (!tables) return tl::unexpected(tables.error());
  const auto tally = walk_everybody(model, *tables, options, SplitTally(*tables, split));
  if (!tally) return tl::unexpected(tally.error());
  CountsSpec design_spec = tally->design().fold(model, *tables, recorded_periods(model, options));
  CountsSpec audit_spec = tally->audit().fold(model, *tables, recorded_periods(model, options));
  if (options.history) {
    const Splitter splitter(split);
    HistoryCounter design(model.shape()), audit(model.shape());
    const auto counted = count_history(model, policy, options, [&](std::uint64_t person) -> auto& {
      return splitter.role_of(static_cast<std::int64_t>(person)) == PartRole::design ? design : audit;
    });
    if (!counted) return tl::unexpected(counted.error());
    design_spec.history = design.finish();
    audit_spec.history = audit.finish();
  }
  auto design = Counts::make(std::move(design_spec));
  if (!design) return tl::unexpected(design.error());
  auto audit = Counts::make(std::move(audit_spec));
  if (!audit) return tl::unexpected(audit.error());
  SplitCounts both{std::move(*design), std::move(*audit)};
  if (auto ok = mark_parts(split, both.design, both.audit); !ok) return tl::unexpected(ok.error());
  return both;
}

Expected<void> simulate_log(const Model& model, const Policy& policy, const SimulateOptions& options,
                            const std::function<bool(std::span<const Decision>)>& sink) {
  if (auto ok = check_question(model, policy, options); !ok) return ok;
  const Expected<WalkTables> tables = WalkTables::make(model, policy, options);
  if (!tables) return tl::unexpected(tables.error());
  WalkBlock walker;
  Record record(model, *tables);
  const std::uint64_t people = total_people(model, options.crowd);
  for (std::uint64_t first = 0; first < people; first += WalkBlock::kPeople) {
    const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(WalkBlock::kPeople, people - first));
    if (options.stop.stop_requested()) return fail("stopped before the end");
    walker.walk(*tables, options, first, count, record);
    if (!record.tell(first, count, sink)) break;
  }
  return {};
}

}  // namespace fairstep
