// fairstep solve MODEL --fairness ...: the best policy under stepwise limits, and a proof of how good it is.
#include <fairstep/optimise/solve.hpp>

#include <cmath>
#include <memory>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include <fairstep/core/rounding.hpp>
#include <fairstep/core/sha256.hpp>
#include <fairstep/io/files.hpp>
#include <fairstep/optimise/proof_file.hpp>
#include <fairstep/prove/proof.hpp>
#include <fairstep/prove/trace.hpp>

#include "answers/describe.hpp"
#include "answers/grounds_summary.hpp"
#include "answers/solution_json.hpp"
#include "answers/solution_text.hpp"
#include "options/constraint_options.hpp"
#include "options/search_options.hpp"
#include "shell/guarded_file.hpp"
#include "shell/interrupt.hpp"
#include "shell/progress.hpp"
#include "shell/quantity.hpp"
#include "verbs.hpp"

namespace fairstep::cli {
namespace {

struct SolveArguments {
  std::string model{};
  ConstraintOptions constraints{};
  SearchOptions search{};
  std::optional<double> penalty{};
  std::optional<PenaltyForm> penalty_form{};
  bool infinite = false;
  std::optional<double> tail{};
  std::optional<std::string> file{};
  std::optional<std::string> proof_file{};
};

constexpr double kDefaultTail = 1e-6;

Result<SolveOptions> options_of(const SolveArguments& chosen) {
  SolveOptions options = chosen.search.solve_options();
  options.policies = chosen.constraints.policies;
  if (chosen.penalty) {
    if (chosen.search.method && options.method != Method::penalty)
      return usage(fmt::format("--penalty is given, but the method is {}", name_of(*chosen.search.method)),
                   "leave out --method, or --penalty");
    options.method = Method::penalty;
    options.penalty = *chosen.penalty;
  } else if (options.method == Method::penalty) {
    return usage("--method penalty needs --penalty", "such as --penalty 10");
  }
  if (chosen.penalty_form && options.method != Method::penalty)
    return usage("--penalty-form is given without --penalty", "such as --penalty 10");
  options.penalty_form = chosen.penalty_form.value_or(PenaltyForm::rate);
  if (chosen.tail && !chosen.infinite) return usage("--tail is given without --infinite");
  if (chosen.proof_file && chosen.infinite)
    return usage("--proof is given with --infinite: a proof file is about a model with a last step");
  return options;
}

/// `text` is what the file has, whose fingerprint a proof names.
Result<Model> model_of(const SolveArguments& chosen, const std::string& text) {
  auto model = parse_model(text, chosen.model);
  if (!model) return input(model.error(), chosen.model);
  if (!chosen.infinite) return std::move(*model);
  auto cut = truncate(*model, chosen.tail.value_or(kDefaultTail));
  if (cut) return std::move(*cut);
  return cut.error().option.empty() ? input(cut.error(), chosen.model) : usage(cut.error());
}

std::string hint_for(const SolveArguments& chosen, const Infeasibility& why) {
  const std::string text = why.ratio ? round_down_text(why.smallest_limit + kLimitTolerance, 4)
                                     : round_up_text(why.smallest_limit - kLimitTolerance, 4);
  const double wider = parse_number(text).value_or(1);
  if (why.constraint == "capacity") return fmt::format("hint: --capacity {:g}", wider);
  if (const EpisodeLimit* whole = episode_limit_called(why.constraint))
    return fmt::format("hint: --aggregate-{} {:g}", name_of(whole->notion), wider);
  if (!why.pair.empty() && !chosen.constraints.notions.empty())
    return fmt::format("hint: --limit {:g}, or see the trade-off: fairstep pareto {} --fairness {}", wider,
                       chosen.model, chosen.constraints.notions.front());
  return {};
}

/// The proof as a file, or why there is none.
Result<void> write_proof(const SolveArguments& chosen, const std::string& model_text, const Model& model,
                         const Fairness& fairness, const SolveOptions& options, const SolveResult& result,
                         Answer& answer) {
  const auto proof = proof_of(*options.trace, result, model, fairness, options, sha256(model_text));
  answer.body["proof"] = proof ? Json(*chosen.proof_file) : Json();
  if (!proof) {
    if (proof.error().ours) return input(proof.error());
    answer.warnings.push_back(
        fmt::format("{} is not written: {}", *chosen.proof_file, in_command(proof.error().message)));
    if (answer.code == ExitCode::done) answer.code = ExitCode::undecided;
    return {};
  }
  const std::string text = prove::to_text(*proof);
  if (auto ok = write_guarded(*chosen.proof_file, text); !ok) return io_failure(ok.error());
  answer.notes.push_back(fmt::format("wrote {}: {}", *chosen.proof_file, proof->statement));
  answer.notes.push_back(fmt::format("next: fairstep check {} --model {}", *chosen.proof_file, chosen.model));
  return {};
}

Result<Answer> run(const SolveArguments& chosen, const Context& context) {
  auto options = options_of(chosen);
  if (!options) return tl::unexpected(options.error());
  const auto model_text = read_text_file(chosen.model);
  if (!model_text) return input(model_text.error(), chosen.model);
  const auto model = model_of(chosen, *model_text);
  if (!model) return tl::unexpected(model.error());
  const auto fairness = chosen.constraints.fairness("solve", *model, options->method == Method::unconstrained);
  if (!fairness) return tl::unexpected(fairness.error());

  prove::Trace trace;
  if (chosen.proof_file) {
    if (auto ok = check_can_be_written(*fairness, *options); !ok) return usage(ok.error());
    options->trace = &trace;
  }

  const std::optional<double> tail = chosen.infinite ? std::optional(tail_bound(*model)) : std::nullopt;
  const double wanted = options->proof.gap;
  if (tail) options->proof.gap *= 0.9;  // leaves room for the tail
  std::optional<SolveResult> result;
  int signal = 0;
  {
    const StopOnInterrupt interrupt;
    options->stop = interrupt.token();
    Progress progress(progress_mode(*chosen.search.progress, context.quiet), "solve",
                      static_cast<std::uint64_t>(std::ceil(std::max(options->proof.time_limit, 1.0))), "s at most");
    options->progress = [&](const SolveProgress& now) {
      progress.at(static_cast<std::uint64_t>(now.seconds), in_short(now.bounds));
    };
    auto solved = solve(*model, *fairness, *options);
    if (!solved) return input(solved.error());
    result = std::move(*solved);
    signal = StopOnInterrupt::signal();
  }
  options->proof.gap = wanted;
  if (tail) widen(*result, *tail, wanted);

  Answer answer;
  answer.schema = "fairstep/solution/1";
  answer.code = exit_code(*result, *options);
  if (signal != 0 && result->outcome != Outcome::optimal) answer.code = static_cast<ExitCode>(128 + signal);
  answer.warnings = grounds_warnings(*model);
  for (std::string& sentence : peculiarities(*result)) answer.warnings.push_back(std::move(sentence));
  if (options->method == Method::penalty && (chosen.constraints.limit || !chosen.constraints.limit_per_step.empty()))
    answer.warnings.emplace_back("the penalty method knows no limits on the gaps: the one that is given is not used");
  if (chosen.file && result->solution) {
    if (auto ok = write_guarded(*chosen.file, fairstep::to_text(result->solution->policy)); !ok)
      return io_failure(ok.error());
    answer.notes.push_back(fmt::format("wrote {}: {}", *chosen.file, in_short(result->solution->policy)));
    if (!tail) answer.notes.push_back(fmt::format("next: fairstep evaluate {} {}", chosen.model, *chosen.file));
  }
  if (chosen.file && !result->solution)
    answer.notes.push_back(
        fmt::format("{} is not written: no policy was found that keeps every limit; --json has the nearest one, in "
                    "infeasible.policy",
                    *chosen.file));
  if (!result->solution && result->infeasibility)
    if (std::string hint = hint_for(chosen, *result->infeasibility); !hint.empty())
      answer.notes.push_back(std::move(hint));
  answer.body = {{"model", chosen.model},
                 {"file", chosen.file && result->solution ? Json(*chosen.file) : Json()},
                 {"method", name_of(options->method)}};
  answer.body.update(to_json(*model, *result, tail));
  if (chosen.proof_file)
    if (auto ok = write_proof(chosen, *model_text, *model, *fairness, *options, *result, answer); !ok)
      return tl::unexpected(ok.error());
  answer.text = to_text(*model, *fairness, *options, *result, tail, context.width);
  return answer;
}

}  // namespace

Verb solve_verb() {
  return {
      "solve",
      "the best policy that is fair at every step, with a proven bound",
      "Finds the policy of the greatest value that keeps the groups within the limit of each other at every step, "
      "and proves how far it can be from the best. If no policy does, it says at which step and for whom, and which "
      "limit would do. Exit code 0: optimal within --gap; 1: infeasible; 3: not proven in time.",
      {"fairstep env fico --horizon 4 -o fico.json",
       "fairstep solve fico.json --fairness dp --limit 0.05 -o policy.json", "fairstep evaluate fico.json policy.json",
       "fairstep solve fico.json --fairness dp,eqopt --limit 0.1 --no-proof",
       "fairstep solve fico.json --fairness dp --penalty 1 --no-proof --json"},
      [](Options& options) -> Action {
        auto chosen = std::make_shared<SolveArguments>();
        options.positional("MODEL", chosen->model, "model file");
        chosen->constraints.declare(options, true);
        options.flag("--deterministic", chosen->constraints.policies.deterministic,
                     "no coins: every probability at its floor or its ceiling");
        options.number("--penalty", chosen->penalty,
                       "subtract so many times the squared gaps instead of keeping limits");
        options.choice("--penalty-form", chosen->penalty_form,
                       "gaps of rates, or of rates multiplied out (default rate)");
        chosen->search.declare(options, {Method::constrained, Method::unconstrained, Method::penalty, Method::myopic},
                               "seconds after which the best so far is the answer");
        options.flag("--infinite", chosen->infinite,
                     "no last step: the discounted model is cut where the rest is worth at most --tail");
        options.number("--tail", chosen->tail, fmt::format("with --infinite (default {})", kDefaultTail));
        options.output(chosen->file, "write the policy there");
        options.output(chosen->proof_file, "write there what convinces others of the bound (fairstep check)",
                       "--proof");
        options.common();
        return [chosen](const Context& context) { return run(*chosen, context); };
      },
      {}};
}

}  // namespace fairstep::cli
