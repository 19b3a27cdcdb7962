// fairstep pareto MODEL --fairness ... --limits ...: what fairness costs, over a range of limits.
#include <fairstep/optimise/pareto.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <numeric>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include <fairstep/core/rounding.hpp>
#include <fairstep/io/files.hpp>
#include <fairstep/optimise/solution_document.hpp>

#include "answers/grounds_summary.hpp"
#include "answers/json_text.hpp"
#include "answers/solution_json.hpp"
#include "answers/solution_text.hpp"
#include "answers/table.hpp"
#include "options/constraint_options.hpp"
#include "options/search_options.hpp"
#include "shell/guarded_file.hpp"
#include "shell/interrupt.hpp"
#include "shell/progress.hpp"
#include "shell/quantity.hpp"
#include "verbs.hpp"

namespace fairstep::cli {
namespace {

struct ParetoArguments {
  std::string model{};
  ConstraintOptions constraints{};
  SearchOptions search{};
  std::optional<std::string> limits{};
  std::optional<std::string> file{};
};

double widest(const SolveResult& result) {
  double most = std::nan("");
  for (const double gap : result.parity_gap) most = std::fmax(most, gap);  // a gap of nobody is none
  return most;
}

/// Of a sweep over ratios: the least of any step.
double least(const SolveResult& result) {
  double least = std::nan("");
  for (const double ratio : result.least_ratio) least = std::fmin(least, ratio);
  return least;
}

/// What a unit more of the limit is worth, at all steps at once.
double price(const SolveResult& result) {
  return std::accumulate(result.shadow_price.begin(), result.shadow_price.end(), 0.0);
}

std::string csv_number(double number) { return std::isfinite(number) ? fmt::format("{}", number) : ""; }

/// Of a policy under an estimated model: the share of its visits that rest on rows that nobody saw; NaN otherwise.
double unseen_visits(const SolveResult& result) {
  return result.solution && result.solution->evaluation.unseen ? result.solution->evaluation.unseen->rows
                                                               : std::nan("");
}

std::string to_csv(const std::vector<ParetoPoint>& points, bool ratios) {
  std::string text = fmt::format("limit,outcome,value,lower,upper,gap,{},shadow_price,unseen_visits,time_s\n",
                                 ratios ? "least_ratio" : "worst_parity_gap");
  for (const auto& [limit, result] : points)
    text += fmt::format("{},{},{},{},{},{},{},{},{},{}\n", limit, name_of(result.outcome), csv_number(value_of(result)),
                        csv_number(result.bounds.lower), csv_number(result.bounds.upper), csv_number(result.gap),
                        csv_number(ratios ? least(result) : widest(result)),
                        result.solution ? csv_number(price(result)) : "", csv_number(unseen_visits(result)),
                        csv_number(result.seconds));
  return text;
}

Json points_json(const Model& model, const std::vector<ParetoPoint>& points) {
  Json list = Json::array();
  for (const auto& [limit, result] : points) {
    Json point = {{"limit", limit}};
    point.update(to_json(model, result, std::nullopt));
    list.push_back(std::move(point));
  }
  return list;
}

std::string to_table(const std::vector<ParetoPoint>& points, bool ratios, bool estimated, std::size_t width) {
  const auto number = [](double x) { return std::isfinite(x) ? fmt::format("{:.5g}", x) : std::string("-"); };
  const auto fixed = [](double x) { return std::isfinite(x) ? fmt::format("{:.4f}", x) : std::string("-"); };
  Column limits{"limit", {}};
  Column value{"value", {}}, upper{"upper bound", {}}, gap{ratios ? "least ratio" : "worst gap", {}},
      cost{"shadow price", {}};
  Column unseen{"unseen", {}};
  Column outcome{"outcome", {}, true};
  for (const auto& [limit, result] : points) {
    limits.cells.push_back(fmt::format("{:.12g}", limit));
    value.cells.push_back(number(value_of(result)));
    upper.cells.push_back(std::isfinite(result.bounds.upper) ? rounded_up(result.bounds.upper) : "-");
    gap.cells.push_back(fixed(ratios ? least(result) : widest(result)));
    cost.cells.push_back(result.solution ? fixed(price(result)) : "-");
    unseen.cells.push_back(std::isnan(unseen_visits(result)) ? "-" : round_up_percent(unseen_visits(result), 1) + " %");
    outcome.cells.emplace_back(name_of(result.outcome));
  }
  if (!estimated) return lay_out(limits, {{"", {value, upper, gap, cost, outcome}}}, width);
  return lay_out(limits, {{"", {value, upper, gap, cost, unseen, outcome}}}, width) +
         wrap("unseen: the share of the policy's visits that rest on rows that nobody saw", width);
}

ExitCode worst_code(const std::vector<ParetoPoint>& points, const SolveOptions& options) {
  bool any_policy = false;
  for (const ParetoPoint& point : points) {
    const ExitCode code = exit_code(point.result, options);
    if (code == ExitCode::undecided) return code;
    any_policy = any_policy || code == ExitCode::done;
  }
  return any_policy ? ExitCode::done : ExitCode::no;
}

Result<bool> as_csv(const std::optional<std::string>& file) {
  if (!file) return false;
  const std::string ending = std::filesystem::path(*file).extension().string();
  if (ending != ".csv" && ending != ".json")
    return usage(fmt::format("--output is \"{}\", expected a name that ends in .csv or .json", *file));
  return ending == ".csv";
}

Result<void> check_limits(const std::string& text) {
  const auto limits = parse_range(text);
  if (!limits)
    return usage(
        fmt::format("--limits is \"{}\", expected from:to:count such as 0:0.2:21, or a list such as 0,0.01,0.1", text));
  for (const double limit : *limits)
    if (!(limit >= 0 && limit <= 1)) return usage(fmt::format("--limits has {}, expected between 0 and 1", limit));
  return {};
}

Result<Answer> run(const ParetoArguments& chosen, const Context& context) {
  const auto csv = as_csv(chosen.file);
  if (!csv) return tl::unexpected(csv.error());
  if (chosen.limits)
    if (auto ok = check_limits(*chosen.limits); !ok) return tl::unexpected(ok.error());
  const auto model = read_model(chosen.model);
  if (!model) return input(model.error(), chosen.model);
  const auto fairness = chosen.constraints.fairness("pareto", *model, false);
  if (!fairness) return tl::unexpected(fairness.error());
  if (fairness->parity.empty() && fairness->ratios.empty())
    return usage("--fairness names no notion whose limit could be varied",
                 "--fairness dp, eqopt, eqodds, dp-ratio or eqopt-ratio");
  const bool ratios = !fairness->ratios.empty();
  const auto limits = parse_range(chosen.limits ? *chosen.limits : std::string(usual_limits(*fairness)));

  SolveOptions options = chosen.search.solve_options();
  options.policies = chosen.constraints.policies;
  std::vector<ParetoPoint> points;
  int signal = 0;
  {
    const StopOnInterrupt interrupt;
    options.stop = interrupt.token();
    Progress progress(progress_mode(*chosen.search.progress, context.quiet), "pareto", limits->size(), "limits");
    std::size_t begun = 0;
    double before = 0;
    options.progress = [&](const SolveProgress& now) {
      if (begun == 0 || now.seconds < before) ++begun;  // the clock starts anew with each limit
      before = now.seconds;
      progress.at(begun - 1, in_short(now.bounds));
    };
    auto swept = pareto(*model, *fairness, *limits, options);
    if (!swept) return input(swept.error());
    points = std::move(*swept);
    signal = StopOnInterrupt::signal();
  }
  for (std::size_t i = 0; i < points.size(); ++i) points[i].limit = (*limits)[i];  // an interrupted sweep leaves holes

  Answer answer;
  answer.schema = "fairstep/pareto/1";
  answer.code = signal != 0 ? static_cast<ExitCode>(128 + signal) : worst_code(points, options);
  answer.body = {{"model", chosen.model},
                 {"file", chosen.file ? Json(*chosen.file) : Json()},
                 {"method", name_of(options.method)},
                 {"points", points_json(*model, points)}};
  answer.warnings = grounds_warnings(*model);
  if (chosen.file) {
    Json document = {{"schema", answer.schema}, {"warnings", answer.warnings}};
    document.update(answer.body);
    if (auto ok = write_guarded(*chosen.file, *csv ? to_csv(points, ratios) : to_text(document)); !ok)
      return io_failure(ok.error());
    answer.notes.push_back(fmt::format("wrote {}: {} limits", *chosen.file, points.size()));
  }
  answer.text = to_table(points, ratios, model->spec().rests_on.has_value(), context.width);
  return answer;
}

}  // namespace

Verb pareto_verb() {
  return {"pareto",
          "what fairness costs: the best value over a range of limits",
          "Solves for each limit in turn, each from the last one's policy, with bounds and shadow prices. The shadow "
          "price is what the value gains per unit of a wider limit, all steps together.",
          {"fairstep env fico --horizon 3 -o fico.json", "fairstep pareto fico.json --fairness dp --limits 0,0.05,0.2",
           "fairstep pareto fico.json --fairness eqopt --limits 0.05:0.2:4 --no-proof -o table.csv"},
          [](Options& options) -> Action {
            auto chosen = std::make_shared<ParetoArguments>();
            options.positional("MODEL", chosen->model, "model file");
            chosen->constraints.declare(options, false);
            options.flag("--deterministic", chosen->constraints.policies.deterministic,
                         "no coins: every probability at its floor or its ceiling");
            options.text(
                "--limits", chosen->limits, "FROM:TO:COUNT|LIST",
                fmt::format("from:to:count or a list (default {}, of ratios {})", kUsualLimits, kUsualRatioLimits));
            chosen->search.declare(options, {Method::constrained, Method::myopic}, "seconds for each limit");
            options.output(chosen->file, "table.csv or table.json; the ending decides");
            options.common();
            return [chosen](const Context& context) { return run(*chosen, context); };
          },
          {}};
}

}  // namespace fairstep::cli
