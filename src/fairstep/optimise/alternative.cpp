#include <fairstep/optimise/alternative.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <fairstep/evaluate/ratios.hpp>
#include <fairstep/optimise/answer/explain.hpp>
#include <fairstep/optimise/program/compile.hpp>
#include <fairstep/optimise/program/tables.hpp>

namespace fairstep {
namespace {

constexpr double kAnything = 1;  ///< no gap of probabilities is wider

/// At most so much disparity, and all that is asked for besides.
Fairness limited_to(double most, const AlternativeOptions& options) {
  Fairness fairness = options.others;
  if (const auto* notion = std::get_if<Notion>(&options.disparity)) fairness.parity = {{*notion, {most}, {}}};
  if (const auto* ratio = std::get_if<RatioNotion>(&options.disparity))
    fairness.ratios = {{*ratio, {std::max(0.0, 1 - most)}, {}}};
  return fairness;
}

Expected<void> check(double at_least, const AlternativeOptions& options) {
  if (!std::isfinite(at_least)) return fail_option("at_least", fmt::format(" is {}, expected a number", at_least));
  if (!(options.precision > 0 && options.precision < 1))
    return fail_option("precision", fmt::format(" is {}, expected between 0 and 1", options.precision));
  if (!options.others.parity.empty() || !options.others.ratios.empty())
    return fail("an alternative is looked for under other limits on gaps or ratios", {},
                "leave them out: the least gap is what is looked for");
  return fairstep::check(ProofBudget{.time_limit = options.time_limit});
}

class AlternativeSearch {
 public:
  AlternativeSearch(const Model& model, double at_least, const AlternativeOptions& options)
      : model_(model), options_(options), begin_(std::chrono::steady_clock::now()) {
    answer_.at_least = at_least;
  }

  Expected<Alternative> run(const Policy& policy) {
    if (auto ok = consider(policy); !ok) return tl::unexpected(ok.error());
    if (std::isnan(answer_.disparity))
      return fail(fmt::format("there is no {}: at no step do two groups have the rate", in_words(options_.disparity)));
    // Ends when a bound is met, or time is up, or nothing can be told apart any more.
    while (!decided() && !over() && look() && !decided() && !over() && prove()) {
    }
    if (error_) return tl::unexpected(std::move(*error_));
    if (improved() && closed()) answer_.found = Found::found;
    if (none_better()) answer_.found = Found::none;
    if (answer_.found == Found::undecided)
      answer_.stopped_by = stopped() ? StopReason::requested : over() ? StopReason::time : gave_up_;
    answer_.seconds = seconds();
    return std::move(answer_);
  }

 private:
  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  }
  [[nodiscard]] bool stopped() const {
    return options_.stop.stop_requested() || (options_.interrupted && options_.interrupted());
  }
  [[nodiscard]] bool over() const { return error_ || stopped() || seconds() >= options_.time_limit; }

  /// What counts as less disparate. A policy may exceed the limit it was found under by a hair.
  [[nodiscard]] double less() const { return answer_.disparity - options_.precision; }
  [[nodiscard]] bool improved() const { return answer_.least.upper <= less() + 2 * kLimitTolerance; }
  [[nodiscard]] bool closed() const { return answer_.least.upper - answer_.least.lower <= options_.precision; }
  [[nodiscard]] bool none_better() const { return answer_.none_worth || answer_.least.lower >= less(); }
  [[nodiscard]] bool decided() const { return none_better() || (improved() && closed()); }

  /// The given policy is the first that is known, if it is one of those that are looked for.
  Expected<void> consider(const Policy& policy) {
    auto evaluation = evaluate(model_, policy);
    if (!evaluation) return tl::unexpected(evaluation.error());
    const auto program = compile(model_, options_.others, options_.policies);
    if (!program) return tl::unexpected(program.error());
    answer_.value = evaluation->value;
    answer_.disparity = worst_step(options_.disparity, *evaluation);
    Solution given{policy, std::move(*evaluation)};
    answer_.in_class =
        is_of_class(*program, policy) && excess_of(*program, functionals_of(*program, given)) <= kLimitTolerance;
    if (answer_.in_class) offer(std::move(given));
    return {};
  }

  bool offer(Solution solution) {
    const double disparity = worst_step(options_.disparity, solution.evaluation);
    if (!(solution.evaluation.value >= answer_.at_least && disparity < answer_.least.upper)) return false;
    answer_.least.upper = disparity;
    answer_.best = std::move(solution);
    tell();
    return true;
  }

  void raise(double lower) {
    answer_.least.lower = std::max(answer_.least.lower, lower);
    tell();
  }

  void tell() const {
    if (options_.progress) options_.progress({answer_.least, answer_.solves});
  }

  /// A solve with a limit. What it finds is offered; whether that is worth enough, or nothing can be.
  struct Outcomes {
    bool enough = false;
    bool too_little = false;
  };
  Outcomes solve_within(double limit, bool proven, double time_limit) {
    ++answer_.solves;
    SolveOptions options{.policies = options_.policies,
                         .proof = {.wanted = proven, .gap = 0, .time_limit = time_limit, .effort = options_.effort},
                         .interrupted = options_.interrupted};
    options.price_rules = false;  // the question is about the class alone
    if (answer_.best) options.start = answer_.best->policy;
    // A bound that decides is enough, and so is one that says that nothing more can be told apart.
    std::stop_source enough;
    const std::stop_callback pass_on(options_.stop, [&] { enough.request_stop(); });
    options.stop = enough.get_token();
    options.progress = [&](const SolveProgress& now) {
      if (now.bounds.lower >= answer_.at_least || now.bounds.upper < answer_.at_least) enough.request_stop();
    };
    auto result = solve(model_, limited_to(limit, options_), options);
    if (!result) {
      error_ = std::move(result.error());
      return {};
    }
    const bool too_little =
        proven && (result->outcome == Outcome::infeasible || result->bounds.upper < answer_.at_least);
    const bool enough_found = result->solution && result->solution->evaluation.value >= answer_.at_least;
    if (enough_found) offer(std::move(*result->solution));
    return {enough_found, too_little};
  }

  [[nodiscard]] double time_left() const { return std::max(options_.time_limit - seconds(), 1e-3); }

  /// Halves what is open by policies that are found without a proof. False if there is nothing to prove by.
  bool look() {
    if (std::isinf(answer_.least.upper)) {
      if (!solve_within(kAnything, false, time_left()).enough) {
        const Outcomes whether = solve_within(kAnything, true, time_left());
        answer_.none_worth = whether.too_little;
        if (!whether.enough) return false;
      }
    }
    double refused = answer_.least.lower;
    if (!over() && refused == 0 && answer_.least.upper > options_.precision &&
        solve_within(0, false, time_left()).enough)
      return true;
    while (!over() && answer_.least.upper - refused > kShareOfPrecision * options_.precision) {
      const double half = 0.5 * (refused + answer_.least.upper);
      if (!solve_within(half, false, time_left()).enough || answer_.least.upper > half + kLimitTolerance)
        refused = half;
    }
    return true;
  }

  /// That nothing below the best is worth enough, first as near to it as is asked for and then further off. False if
  /// it cannot be told.
  bool prove() {
    double limit = improved() ? answer_.least.upper - kNearlyAll * options_.precision : less();
    const double known = answer_.least.upper;
    while (!over() && limit > answer_.least.lower) {
      const Outcomes whether = solve_within(limit, true, 0.5 * time_left());
      if (whether.enough) return answer_.least.upper < known;  // and from there on
      if (whether.too_little) {
        raise(limit);
        return !undecided_above_;
      }
      undecided_above_ = true;
      gave_up_ = StopReason::numerical;
      limit = answer_.least.lower + 0.5 * (limit - answer_.least.lower);
      if (limit - answer_.least.lower < options_.precision) return false;
    }
    return false;
  }

  static constexpr double kShareOfPrecision = 0.125;
  static constexpr double kNearlyAll = 0.999;  ///< of the precision: the rest is for rounding

  const Model& model_;
  const AlternativeOptions& options_;
  std::chrono::steady_clock::time_point begin_;
  Alternative answer_{};
  std::optional<Error> error_{};
  bool undecided_above_ = false;
  StopReason gave_up_ = StopReason::iterations;
};

}  // namespace

const char* name_of(const Disparity& disparity) {
  return std::visit([](auto notion) { return fairstep::name_of(notion); }, disparity);
}

std::string in_words(const Disparity& disparity) {
  if (const auto* ratio = std::get_if<RatioNotion>(&disparity))
    return fmt::format("shortfall of the {}", fairstep::in_words(*ratio));
  return fmt::format("{} gap", fairstep::in_words(std::get<Notion>(disparity)));
}

double worst_step(const Disparity& disparity, const Evaluation& evaluation) {
  double worst = std::nan("");
  if (const auto* notion = std::get_if<Notion>(&disparity))
    for (const StepGap& step : of_notion(evaluation.gap, *notion)) worst = std::fmax(worst, step.gap);
  if (const auto* ratio = std::get_if<RatioNotion>(&disparity))
    for (const StepRatio& step : step_ratios(evaluation.rates, *ratio)) worst = std::fmax(worst, 1 - step.ratio);
  return worst;
}

Expected<Alternative> alternative(const Model& model, const Policy& policy, double at_least,
                                  const AlternativeOptions& options) {
  if (auto ok = check(at_least, options); !ok) return tl::unexpected(ok.error());
  if (auto ok = policy.check_fits(model); !ok) return tl::unexpected(ok.error());
  return AlternativeSearch(model, at_least, options).run(policy);
}

}  // namespace fairstep
