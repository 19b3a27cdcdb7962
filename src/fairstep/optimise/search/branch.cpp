#include <fairstep/optimise/search/branch.hpp>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include <fairstep/optimise/bound/relaxation.hpp>
#include <fairstep/optimise/common/best_first.hpp>
#include <fairstep/optimise/common/outward.hpp>
#include <fairstep/optimise/local/first_policy.hpp>
#include <fairstep/optimise/program/tables.hpp>
#include <fairstep/optimise/search/rates.hpp>

namespace fairstep {
namespace {

/// Share of the wanted gap that one relaxation may leave unproven.
constexpr double kPrecisionShare = 0.2;
/// A round of narrowing that closes less than this share of the gap is followed by a deeper one.
constexpr double kWorthwhile = 0.1;
/// What an iteration of a local search costs, as in deadline.hpp; about, for tables of the paper's size.
constexpr std::size_t kLocalEffort = 20;
/// A gap that is wide.
constexpr double kFar = 0.03;
/// Penalties that leave so much open at first are weak, and rates are worth pricing.
constexpr double kWeak = 0.004;
/// The least effort with which penalties are worth more than the plain search.
constexpr std::size_t kPenaltyEffort = 50000;

/// Everything that makes a node: where the tables and the rates may lie.
struct Node {
  double bound = kInfinity;
  std::vector<Box> boxes{};
  std::vector<Range> ranges{};
  std::size_t recorded = 0;  ///< which node of the trace it is
};

/// What nobody exceeds, known without any search: the greatest reward at every step.
double most_to_earn(const Program& program) {
  const Model& model = *program.model;
  Sum sum;
  for (std::size_t g = 0; g < program.shape().groups; ++g) {
    const auto reward = model.reward(g);
    const double greatest = *std::max_element(reward.begin(), reward.end());
    double factor = model.share(g) * greatest;
    // mass of a group at a step is 1 up to the tolerance of the kernel's rows
    for (std::size_t h = 0; h < program.shape().horizon; ++h, factor *= model.discount())
      sum.add(factor + 1e-6 * std::abs(factor));
  }
  for (const Toll& toll : program.tolls) sum.add(std::max(0.0, -toll.price) * (1 + 1e-6));  // on rates, at most 1
  return sum.value + 2 * sum.error();
}

/// What rounding may hide in the value of a table: fewer sums than this, none of them greater than all that can be
/// paid.
double rounding_of_values(const Program& program) {
  const Range rewards = program.model->reward_range();
  const Shape& n = program.shape();
  const double most = std::max(std::abs(rewards.low), std::abs(rewards.high)) * static_cast<double>(n.horizon);
  return 8 * kRounding * static_cast<double>(n.groups * n.horizon * n.cells()) * most;
}

/// Without coins nothing else is in the boxes.
bool has_one_table(const std::vector<Box>& boxes) {
  return std::all_of(boxes.begin(), boxes.end(), [](const Box& box) { return box.lo == box.hi; });
}

class Search {
 public:
  Search(const Program& program, Candidate start, const BranchOptions& options)
      : program_(program),
        options_(options),
        pricing_(program, Pricing::kGridPoints, options.deadline),
        relaxation_(program, pricing_, options.tolerance, start.tables, options.deadline) {
    if (options.trace != nullptr) relaxation_.record(options.unit, *options.trace);
    offer(std::move(start));
    root_ranges_ = relaxation_.ranges();
  }

  /// The bound before any branching.
  void begin() {
    // Means of next to nobody have prices without end, and a bound by these is none: so much is never exceeded. It is
    // the first to be known, so that there is a bound when time runs out.
    const double without_limits = bound_without_limits();
    Relaxation::Outcome root = bound_here();
    root.bound = std::min(root.bound, without_limits);
    lower_upper(root.bound);
    if (!closed(upper_)) improve_from_average();
    relaxation_.forget_tangents();
    report("bound");
    if (found()) narrow(root);
  }

  /// What is known from elsewhere.
  void learn(BranchResult other) {
    offer(std::move(other.best));
    lower_upper(other.upper);
    expanded_ += other.nodes;
  }

  [[nodiscard]] bool open() const { return found() && !closed(upper_) && !options_.deadline.passed(); }
  /// What is open, as a share of the best.
  [[nodiscard]] bool wider_than(double share) const {
    return upper_ - best_.objective > share * std::abs(best_.objective);
  }
  [[nodiscard]] bool has_effort_for_penalties() const {
    return options_.deadline.left(kPenaltyEffort) == kPenaltyEffort;
  }
  [[nodiscard]] const Candidate& best() const { return best_; }
  [[nodiscard]] double upper() const { return upper_; }
  [[nodiscard]] double target() const { return found() ? best_.objective + allowance() : -kInfinity; }

  /// Branches until the gap is closed.
  void search_nodes() {
    narrow_in_nodes_ = relaxation_.has_products() &&
                       (!program_.tolls.empty() || (!program_.penalties.empty() && has_effort_for_penalties()));
    if (!closed(upper_)) branch();
    searched_ = true;
  }

  /// What is known by now.
  BranchResult finish() {
    BranchResult result;
    result.finished = closed(upper_) || (searched_ && !found() && nodes_.finished() && !options_.deadline.passed());
    if (!found()) result.least_excess = std::max(0.0, prove_infeasible());
    result.contradiction = contradiction_;
    result.upper = upper_;
    if (found()) {
      result.contradiction = std::max(contradiction_, best_.objective - upper_);
      result.upper = std::max(upper_, best_.objective);
    }
    result.best = std::move(best_);
    result.nodes = expanded_;
    return result;
  }

 private:
  [[nodiscard]] bool found() const { return best_.excess <= options_.kept; }
  /// A bound on all policies that may be better than the best; if it is below the best, one of the two is wrong.
  void lower_upper(double bound) {
    if (found()) contradiction_ = std::max(contradiction_, best_.objective - bound);
    upper_ = std::min(upper_, bound);
  }
  [[nodiscard]] double allowance() const { return options_.allowance(best_.objective); }
  [[nodiscard]] bool closed(double bound) const { return found() && bound <= target(); }
  [[nodiscard]] double precision() const {
    const double open = found() ? allowance() : options_.gap * (std::abs(upper_) < kInfinity ? std::abs(upper_) : 1);
    return std::max(kPrecisionShare * open, 1e-12);
  }

  void report(const char* phase) const {
    if (options_.progress) options_.progress(found() ? best_.objective : -kInfinity, upper_, phase);
  }

  /// Keeps a candidate if it is better: feasible before infeasible, then by objective or excess.
  void offer(Candidate candidate) {
    if (is_better(candidate, best_, options_.kept) && keeps_rules(candidate))
      best_ = candidate;  // first: columns may be out of time
    for (std::size_t b = 0; b < candidate.tables.size(); ++b) relaxation_.add_column(b, candidate.tables[b]);
  }

  [[nodiscard]] bool keeps_rules(const Candidate& candidate) const {
    return !program_.rules.any() || std::all_of(candidate.tables.begin(), candidate.tables.end(),
                                                [&](const auto& table) { return program_.rules.kept_by(table, 0); });
  }

  Relaxation::Outcome bound_here() { return relaxation_.maximise(precision(), target(), options_.deadline); }

  /// What no policy exceeds even without limits, if it may remember.
  double bound_without_limits() {
    pricing_.set_prices(std::vector<double>(program_.functionals, 0.0), 1);
    double sum = 0;
    for (std::size_t b = 0; b < program_.blocks.size(); ++b) sum += pricing_.remembering_bound(b, program_.boxes[b]);
    for (const Toll& toll : program_.tolls) sum += std::max(0.0, -toll.price) * (1 + 1e-6);  // on rates, at most 1
    return sum;
  }

  void improve_from_average() {
    if (options_.deadline.passed()) return;
    if (!program_.tolls.empty()) {
      offer(follow_tangents(program_, pricing_, relaxation_.columns().average()[0]));
      return;
    }
    if (program_.deterministic) {
      offer(relaxation_.columns().best_combination(options_.kept, options_.deadline));
      if (program_.rules.stationary)  // of which columns know nothing
        offer(best_ends(program_, settled(program_, relaxation_.columns().average()), options_.kept));
      return;
    }
    LocalResult local = solve_locally(program_, relaxation_.columns().average(), {.deadline = options_.deadline});
    options_.deadline.spend(kLocalEffort * static_cast<std::size_t>(local.iterations));
    if (!local.tables.empty()) offer(assess(program_, std::move(local.tables)));
  }

  /// Narrows ranges until the bound stops falling. Only what is worth more than the best so far matters.
  void narrow(const Relaxation::Outcome& root) {
    double bound = root.bound;
    // While much is open, rates may be anywhere; what the groups' denominators differ by is known sooner.
    auto depth = wider_than(kFar) ? Tightening::differences : Tightening::rates;
    while (relaxation_.has_products() && !closed(bound) && !options_.deadline.passed()) {
      const double before = bound - target();
      relaxation_.tighten({.at = best_.objective, .enough = target()}, depth, options_.deadline);
      if (relaxation_.empty()) bound = -kInfinity;
      if (!closed(bound)) bound = std::min(bound, bound_here().bound);
      bound = std::max(bound, best_.objective);  // what is not better was cut off
      lower_upper(bound);
      relaxation_.forget_columns(bound - best_.objective);
      relaxation_.forget_tangents();
      report("narrow");
      const bool first = depth < Tightening::both;
      if (first) depth = Tightening::both;
      if (first || bound - target() <= (1 - kWorthwhile) * before) continue;
      if (depth == Tightening::everything) break;
      depth = Tightening::everything;
    }
  }

  void branch() {
    nodes_.push({upper_, relaxation_.boxes(), relaxation_.ranges(), 0});
    const auto done = [&](double bound) {
      if (options_.deadline.passed()) return true;
      upper_ = std::min(upper_, nodes_.bound());
      return closed(bound);
    };
    nodes_.run(done, [&](Node node) {
      expand(std::move(node));
      report("branch");
    });
    const double left = nodes_.bound();
    // Without coins a node may have been settled by the only table in it.
    if (found() && !program_.deterministic) contradiction_ = std::max(contradiction_, best_.objective - left);
    upper_ = std::min(upper_, std::max(left, found() ? best_.objective : -kInfinity));
  }

  void expand(Node node) {
    ++expanded_;
    if (Recorder* recorder = relaxation_.recorder()) recorder->at(node.recorded);
    relaxation_.set_boxes(node.boxes);
    relaxation_.set_ranges(node.ranges);
    relaxation_.narrow_to_boxes();
    node.ranges = relaxation_.ranges();
    node.bound = std::min(node.bound, relaxation_.empty() ? best_.objective : bound_here().bound);
    if (!closed(node.bound) && found() && narrow_in_nodes_) narrow_here(node);
    if (closed(node.bound)) {
      nodes_.set_aside(node.bound);
      return;
    }
    if (!found()) {
      const double excess = relaxation_.least_excess(1e-3 * options_.tolerance + 1e-9, options_.deadline);
      if (excess > options_.tolerance) {  // nothing feasible in here
        least_excess_ = std::min(least_excess_, excess);
        return;
      }
    }
    // Where cuts are is seen node by node, and an average of them tells little.
    const std::size_t between = program_.rules.one_cut && !program_.deterministic ? 2 : 8;
    if (expanded_ % between == 1 || (program_.deterministic && !found())) improve_from_average();
    split(std::move(node));
  }

  /// In a part of the ranges others are narrower too, and an envelope is as wide as both. Only what is worth more than
  /// would close the gap matters.
  void narrow_here(Node& node) {
    // Groups apart, a narrow rate makes the next step's denominator narrow; together, rates alone are enough.
    const auto depth = program_.tolls.empty() ? Tightening::rates : Tightening::everything;
    relaxation_.tighten({.at = target(), .enough = target()}, depth, options_.deadline);
    nodes_.set_aside(target());  // what was cut off may be worth as much
    node.ranges = relaxation_.ranges();
    if (!relaxation_.empty()) node.bound = std::min(node.bound, bound_here().bound);
    node.bound = relaxation_.empty() ? target() : std::max(node.bound, target());
    relaxation_.forget_columns(node.bound - best_.objective);
  }

  /// Branches where the relaxation cheats most: on a rate whose product is off, or on a table entry that the columns in
  /// use disagree about.
  void split(Node node) {
    const auto product = relaxation_.worst_product();
    const double missing = node.bound - (found() ? best_.objective : 0);
    if (product && product->total > 0.5 * missing) {
      const std::size_t place = relaxation_.place_of_rate(product->product);
      const double at = inner(product->at, node.ranges[place].low, node.ranges[place].high);
      Recorder* recorder = relaxation_.recorder();
      std::size_t recorded = recorder != nullptr ? recorder->split_rate(relaxation_.rate_in(product->product), at) : 0;
      for (const bool lower : {true, false}) {
        std::vector<Range> half = node.ranges;
        (lower ? half[place].high : half[place].low) = at;
        nodes_.push({node.bound, node.boxes, std::move(half), recorded++});
      }
      return;
    }
    const auto [block, entry, average] = relaxation_.columns().most_disputed();
    Box& box = node.boxes[block];
    if (box.hi[entry] - box.lo[entry] <= 1e-9) {  // nothing left to branch on
      Tables only;
      for (const Box& left : node.boxes) only.push_back(left.lo);
      Candidate candidate = assess(program_, std::move(only));
      // Where floor and ceiling are nearly the same there are other tables in here, however near they are.
      if (!program_.deterministic || !has_one_table(node.boxes)) {
        nodes_.set_aside(node.bound);
        least_excess_ = 0;
      } else if (candidate.excess > options_.kept) {
        least_excess_ = std::min(least_excess_, candidate.excess);
      } else {
        nodes_.set_aside(candidate.objective + rounding_of_values(program_));  // settled by its only table
      }
      offer(std::move(candidate));
      return;
    }
    const Box whole = box;
    const double low = box.lo[entry], high = box.hi[entry];
    const double at = inner(average, low, high);
    Recorder* recorder = relaxation_.recorder();
    const std::size_t recorded = recorder != nullptr ? recorder->split_entry(block, entry, at) : 0;
    box.hi[entry] = program_.deterministic ? low : at;
    if (program_.rules.narrow(box)) nodes_.push({node.bound, node.boxes, node.ranges, recorded});
    node.boxes[block] = whole;
    node.boxes[block].lo[entry] = program_.deterministic ? high : at;
    if (program_.rules.narrow(node.boxes[block]))
      nodes_.push({node.bound, std::move(node.boxes), std::move(node.ranges), recorded + 1});
  }

  /// What every policy exceeds some limit by: proven at the root, or node by node if the whole tree was searched.
  double prove_infeasible() {
    if (nodes_.finished() && least_excess_ > 0 && least_excess_ < kInfinity) return least_excess_;
    if (Recorder* recorder = relaxation_.recorder()) recorder->at(0);
    relaxation_.set_boxes(program_.boxes);
    relaxation_.set_ranges(root_ranges_);
    return relaxation_.least_excess(1e-6, options_.deadline);
  }

  const Program& program_;
  const BranchOptions& options_;
  Pricing pricing_;
  Relaxation relaxation_;
  Candidate best_{};
  double upper_ = kInfinity;
  double least_excess_ = kInfinity;  ///< the smallest of the nodes in which nothing is feasible
  std::vector<Range> root_ranges_{};
  BestFirst<Node> nodes_{};  ///< set aside: those that were closed or could not be split
  bool narrow_in_nodes_ = false;
  bool searched_ = false;     ///< to the end, or until the time was up
  double contradiction_ = 0;  ///< what a bound fell short of the best by, at most
  std::size_t expanded_ = 0;
};

}  // namespace

BranchResult branch_and_bound(const Program& program, Candidate start, const BranchOptions& options) {
  const double most = most_to_earn(program);
  std::optional<Search> search;
  try {
    search.emplace(program, start, options);
    search->begin();
    if (search->open() && search->wider_than(kWeak) && search->has_effort_for_penalties() && can_price_rates(program))
      search->learn(branch_on_rates(program, search->best(), search->upper(), options));
    search->search_nodes();
  } catch (const OutOfTime&) {
    if (!search) return {.best = std::move(start), .upper = most};
  }
  BranchResult result = search->finish();
  if (result.upper == kInfinity) result.upper = most;
  return result;
}

}  // namespace fairstep
