#include <fairstep/optimise/search/rates.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <utility>

#include <fairstep/optimise/common/best_first.hpp>
#include <fairstep/optimise/common/outward.hpp>
#include <fairstep/optimise/local/local.hpp>
#include <fairstep/optimise/search/branch.hpp>
#include <fairstep/optimise/search/rate_lottery.hpp>

namespace fairstep {
namespace {

/// Share of what is missing to the target that proofs may leave open, and the least that is worth it.
constexpr double kProofShare = 0.9;
constexpr double kLeastShare = 0.2;
/// Effort of a proof about one block at the most; where rates are worth pricing it takes a tenth of it.
constexpr std::size_t kPartEffort = 500000;
/// Prices to look about at first, in terms of those of the policy at hand.
constexpr double kFactors[] = {-1, 0, 0.5, 1, 1.5, 2};
/// Rounds of new tables at the most, and steps from tangent to tangent.
constexpr int kLotteryRounds = 60;
constexpr int kTangentSteps = 5;

/// The block that a mean is about, if it is one.
std::optional<std::size_t> block_of_mean(const Program& program, const Mean& mean) {
  std::optional<std::size_t> found;
  for (std::size_t b = 0; b < program.blocks.size(); ++b)
    for (const std::size_t g : program.blocks[b].groups)
      for (const Term& term : program.terms[g]) {
        if (term.functional != mean.numerator) continue;
        if (found && *found != b) return std::nullopt;
        found = b;
      }
  return found;
}

std::vector<double> clamped(std::vector<double> table, const Box& box) {
  for (std::size_t i = 0; i < table.size(); ++i) table[i] = std::clamp(table[i], box.lo[i], box.hi[i]);
  return table;
}

/// A better table of a block than the lottery has, if there seems to be any.
std::optional<Candidate> better_table(const BlockPart& part, Pricing& pricing, const RateLottery& lottery,
                                      std::size_t b, bool everywhere, double precision, const Deadline& deadline) {
  std::optional<Candidate> best;
  for (std::vector<double>& table : everywhere ? lottery.tables_of(b) : lottery.in_use(b)) {
    Candidate candidate = follow_tangents(part.program, pricing, std::move(table));
    deadline.spend(kTangentSteps);
    if (!best || candidate.objective > best->objective) best = std::move(candidate);
  }
  if (best && best->objective <= lottery.worth(b) + precision) best.reset();
  return best;
}

}  // namespace

bool can_price_rates(const Program& program) {
  if (program.rules.stationary) return false;  // tables of the pricing are not
  if (program.penalties.empty() || program.deterministic || !program.rows.empty() || !program.parities.empty())
    return false;
  bool quotients = false;
  for (const PenaltyTerm& penalty : program.penalties) {
    if (penalty.multiplied_out || penalty.weight <= 0) return false;
    if (!block_of_mean(program, penalty.first) || !block_of_mean(program, penalty.second)) return false;
    quotients = quotients || penalty.first.denominator || penalty.second.denominator;
  }
  return quotients;
}

Candidate follow_tangents(const Program& part, Pricing& pricing, std::vector<double> table) {
  Candidate best = assess(part, {table});
  Workspace work(part.shape());
  for (int step = 0; step < kTangentSteps; ++step) {
    const std::vector<double> f = effect_of(part, 0, table, work).functional;
    std::vector<double> price(part.functionals, 0.0);
    for (const Toll& toll : part.tolls) {
      const double mean = mean_of(toll.mean, f);
      if (std::isnan(mean)) continue;
      const double whole = toll.mean.denominator ? f[*toll.mean.denominator] : 1;
      price[toll.mean.numerator] -= toll.price / whole;
      if (toll.mean.denominator) price[*toll.mean.denominator] += toll.price * mean / whole;
    }
    pricing.set_prices(price, 1);
    const std::vector<std::vector<double>> from{std::move(table)};
    table = std::move(pricing.search(0, part.boxes[0], from).front().accept);
    Candidate next = assess(part, {table});
    if (next.objective <= best.objective) break;
    best = std::move(next);
  }
  return best;
}

namespace {

/// Boxes of tables, one for each block, and what is known of them.
struct RateNode {
  double bound = kInfinity;
  std::vector<Box> boxes{};
  std::vector<TableOf> tables{};  ///< worth beginning with
};

class RateSearch {
 public:
  RateSearch(const Program& program, const Candidate& start, const BranchOptions& options)
      : program_(program), options_(options), best_(start) {
    for (std::size_t b = 0; b < program.blocks.size(); ++b) {
      parts_.push_back(part_of(program, b));
      known_.push_back({b, start.tables[b]});
    }
    for (const BlockPart& part : parts_)  // the parts stay where they are
      pricing_.emplace_back(part.program, Pricing::kGridPoints, options.deadline);
    look_about();
  }

  /// Gives up if that does not improve on what is known.
  BranchResult run(double known_upper) {
    nodes_.push({kInfinity, program_.boxes, known_});
    const auto done = [&](double bound) {
      return options_.deadline.passed() || bound <= target() || (expanded_ == 1 && bound >= known_upper);
    };
    nodes_.run(done, [&](RateNode node) {
      expand(std::move(node));
      if (options_.progress)
        options_.progress(best_.objective,
                          nodes_.finished() ? std::max(best_.objective, nodes_.bound()) : nodes_.bound(), "branch");
    });
    const double left = nodes_.bound();
    return {.best = best_,
            .upper = std::max(left, best_.objective),
            .contradiction = std::max(contradiction_, best_.objective - left),
            .nodes = expanded_};
  }

 private:
  [[nodiscard]] double target() const { return best_.objective + options_.allowance(best_.objective); }

  /// Tables that suit lower and higher prices than those of the policy at hand: places to look from.
  void look_about() {
    std::vector<double> f(program_.functionals, 0.0);
    Workspace work(program_.shape());
    for (std::size_t b = 0; b < parts_.size(); ++b) {
      const Effect effect = effect_of(program_, b, best_.tables[b], work);
      std::transform(f.begin(), f.end(), effect.functional.begin(), f.begin(), std::plus<>{});
    }
    for (const double factor : kFactors) {
      std::vector<double> price;
      for (const PenaltyTerm& penalty : program_.penalties) {
        const double z = gap_of(penalty, f);
        price.push_back(std::isnan(z) ? 0 : 2 * factor * penalty.weight * z);
      }
      for (std::size_t b = 0; b < parts_.size(); ++b) {
        parts_[b].set_tolls(price);
        known_.push_back({b, follow_tangents(parts_[b].program, pricing_[b], best_.tables[b]).tables[0]});
      }
    }
  }

  /// Prices the rates of a node, proves what they say if that closes it, and splits it if not.
  void expand(RateNode node) {
    ++expanded_;
    const auto blocks = static_cast<double>(parts_.size());
    const double least = kLeastShare * (target() - best_.objective);
    const double precision = 0.1 * least / blocks;
    for (std::size_t b = 0; b < parts_.size(); ++b) parts_[b].program.boxes[0] = node.boxes[b];
    RateLottery lottery(program_, parts_, options_.deadline);
    for (std::size_t b = 0; b < parts_.size(); ++b) lottery.add(b, clamped(best_.tables[b], node.boxes[b]));
    for (const TableOf& known : node.tables) lottery.add(known.block, clamped(known.table, node.boxes[known.block]));
    for (int round = 0; round < kLotteryRounds; ++round) {
      if (!lottery.solve(precision)) {  // nothing to go by
        nodes_.set_aside(node.bound);
        return;
      }
      const std::vector<double> price = lottery.prices();
      bool again = false;
      for (std::size_t b = 0; b < parts_.size(); ++b) {
        parts_[b].set_tolls(price);
        auto better = better_table(parts_[b], pricing_[b], lottery, b, false, precision, options_.deadline);
        if (!better) better = better_table(parts_[b], pricing_[b], lottery, b, true, precision, options_.deadline);
        if (!better) continue;
        lottery.add(b, better->tables[0]);
        again = true;
      }
      if (options_.deadline.passed()) break;
      if (again) continue;
      // No better table in sight: prove it, or learn of one. Where that would not close the node it is split at once.
      if (expanded_ > 1 && lottery.objective() > target() - least) break;
      node.bound = std::min(node.bound, prove(lottery, price, again));
      if (!again || node.bound <= target()) break;
    }
    if (expanded_ == 1) improve(lottery);
    if (node.bound <= target()) {
      nodes_.set_aside(node.bound);
      return;
    }
    split(std::move(node), lottery);
  }

  /// The bound at these prices; `again` if a better table turned up.
  double prove(RateLottery& lottery, const std::vector<double>& price, bool& again) {
    double left = std::max(kProofShare * (target() - lottery.objective()), kLeastShare * (target() - best_.objective));
    Sum upper;
    for (std::size_t b = 0; b < parts_.size(); ++b) {
      const Program& part = parts_[b].program;
      Candidate best;
      for (std::vector<double>& table : lottery.tables_of(b)) {
        Candidate here = assess(part, {std::move(table)});
        if (here.objective > best.objective) best = std::move(here);
      }
      const double slack = left / static_cast<double>(parts_.size() - b);
      const std::size_t most = options_.deadline.left(kPartEffort);
      Effort effort(most);
      Deadline deadline = options_.deadline;
      deadline.effort = &effort;
      const BranchResult proof = branch_and_bound(part, best, {.gap = 0, .slack = slack, .deadline = deadline});
      options_.deadline.spend(most - effort.left());
      contradiction_ = std::max(contradiction_, proof.contradiction);
      upper.add(proof.upper);
      left -= std::min(proof.upper - best.objective, slack);
      if (proof.best.objective <= lottery.worth(b) + slack) continue;
      lottery.add(b, proof.best.tables[0]);
      again = true;
    }
    // A toll is a sum of prices, which rounds; rates are at most 1.
    double size = 0;
    for (std::size_t i = 0; i < price.size(); ++i) {
      size += std::abs(price[i]);
      upper.add(rounded_up(rounded_up(price[i] * price[i]) / (4 * program_.penalties[i].weight)));
    }
    return upper.value + 2 * (upper.error() + 4 * kRounding * static_cast<double>(price.size()) * size);
  }

  /// The average of the lottery is a good place to look from.
  void improve(const RateLottery& lottery) {
    if (options_.deadline.passed()) return;
    Tables average = lottery.average();
    for (std::size_t b = 0; b < parts_.size(); ++b) average[b] = clamped(std::move(average[b]), program_.boxes[b]);
    LocalResult local = solve_locally(program_, average, {.deadline = options_.deadline});
    if (local.tables.empty()) return;
    Candidate candidate = assess(program_, std::move(local.tables));
    if (is_better(candidate, best_, options_.kept)) best_ = std::move(candidate);
  }

  /// At the entry that the tables in use disagree about most.
  void split(RateNode node, const RateLottery& lottery) {
    const auto [block, entry, average] = lottery.most_disputed(node.boxes);
    Box& box = node.boxes[block];
    const double low = box.lo[entry], high = box.hi[entry];
    if (high - low <= kNarrow) {
      nodes_.set_aside(node.bound);
      return;
    }
    node.tables = lottery.tables();
    const Box whole = box;
    const double at = inner(average, low, high);
    box.hi[entry] = at;
    if (program_.rules.narrow(box)) nodes_.push(node);
    node.boxes[block] = whole;
    node.boxes[block].lo[entry] = at;
    if (program_.rules.narrow(node.boxes[block])) nodes_.push(std::move(node));
  }

  const Program& program_;
  const BranchOptions& options_;
  Candidate best_;
  std::vector<BlockPart> parts_{};
  std::vector<Pricing> pricing_{};
  std::vector<TableOf> known_{};
  BestFirst<RateNode> nodes_{};
  double contradiction_ = 0;
  std::size_t expanded_ = 0;
};

}  // namespace

BranchResult branch_on_rates(const Program& program, const Candidate& start, double upper,
                             const BranchOptions& options) {
  try {
    return RateSearch(program, start, options).run(upper);
  } catch (const OutOfTime&) {  // before anything was priced
    return {.best = start, .upper = upper};
  }
}

}  // namespace fairstep
