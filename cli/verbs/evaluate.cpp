// fairstep evaluate MODEL POLICY: what a policy does to a population, exactly.
#include <fairstep/evaluate/evaluate.hpp>

#include <cmath>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <fairstep/core/feature_order.hpp>
#include <fairstep/io/files.hpp>

#include "answers/evaluation_json.hpp"
#include "answers/evaluation_text.hpp"
#include "answers/falls.hpp"
#include "answers/grounds_summary.hpp"
#include "answers/log_csv.hpp"
#include "answers/table.hpp"
#include "options/constraint_options.hpp"
#include "options/policy_file.hpp"
#include "shell/guarded_file.hpp"
#include "verbs.hpp"

namespace fairstep::cli {
namespace {

struct EvaluateArguments {
  std::string model{};
  std::string policy{};
  std::optional<std::string> reference{};
  std::vector<std::string> order{};
  std::size_t monotone_in = 0;
  bool values = false;
  std::optional<std::string> csv{};
};

/// A row for each step and group; a rate of nobody is empty.
Result<void> write_csv(const Names& names, const Evaluation& evaluation, const std::string& file) {
  if (auto ok = check_no_formulas(names); !ok) return input(ok.error());
  const auto field = [](double rate) { return std::isnan(rate) ? std::string() : fmt::format("{}", rate); };
  const Rates& rates = evaluation.rates;
  std::string text = "step,group,accept,tpr,fpr,qualified\n";
  for (std::size_t h = 0; h < rates.accept.extents()[1]; ++h)
    for (std::size_t g = 0; g < names.groups.size(); ++g)
      text += fmt::format("{},{},{},{},{},{}\n", h, cli::quoted(names.groups[g]), field(rates.accept(g, h)),
                          field(rates.tpr(g, h)), field(rates.fpr(g, h)), field(rates.qualified(g, h)));
  if (auto ok = write_guarded(file, text); !ok) return io_failure(ok.error());
  return {};
}

Result<Answer> run(const EvaluateArguments& chosen, const Context& context) {
  const auto model = read_model(chosen.model);
  if (!model) return input(model.error(), chosen.model);
  const auto policy = policy_for(model->names().groups, chosen.policy);
  if (!policy) return tl::unexpected(policy.error());
  std::optional<std::size_t> reference;
  if (chosen.reference) {
    const auto group = group_called("--reference", *chosen.reference, *model);
    if (!group) return tl::unexpected(group.error());
    reference = *group;
  }
  const auto order = feature_order(model->names().features, chosen.order, chosen.monotone_in);
  if (!order) return usage(order.error());
  const auto evaluation = evaluate(*model, *policy);
  if (!evaluation) return input(evaluation.error(), chosen.policy);

  Answer answer;
  answer.schema = "fairstep/evaluation/1";
  if (chosen.csv) {
    if (auto ok = write_csv(model->names(), *evaluation, *chosen.csv); !ok) return tl::unexpected(ok.error());
    answer.notes.push_back(fmt::format("wrote {}: rates by step and group", *chosen.csv));
  }
  answer.warnings = grounds_warnings(*model);
  for (std::string& sentence : undefined_rates(*model, *evaluation)) answer.warnings.push_back(std::move(sentence));
  if (context.json) {
    answer.body = {{"model", chosen.model}, {"policy", chosen.policy}};
    answer.body.update(to_json(*model, *evaluation, reference, chosen.values));
    answer.body["monotone"] = falls_json(model->names(), *policy, *order);
  } else {
    answer.text = fmt::format("{} under {}\n", chosen.model, chosen.policy);
    if (const std::string line = falls_line(model->names(), *policy, *order); !line.empty())
      answer.text += wrap(line, context.width);
    answer.text += to_text(*model, *evaluation, reference, context.width);
    if (chosen.values) answer.notes.emplace_back("note: Q and V are in the JSON document only; add --json");
  }
  return answer;
}

}  // namespace

Verb evaluate_verb() {
  return {"evaluate",
          "what a policy is worth, and how it treats each group at each step",
          "Exact, not simulated: the value (in all, per step, per group), and per step and group the share accepted, "
          "P(a=1), the shares "
          "accepted of the qualified and of the unqualified, P(a=1|y=1) and P(a=1|y=0), and the share qualified, "
          "P(y=1). The gaps between groups at each step: demographic parity (dp), equal opportunity (eqopt) and "
          "equalized odds (eqodds), over all pairs of groups. The least ratio of any group's accepted share to the "
          "greatest (dp-ratio: the adverse impact ratio of the four-fifths rule), and the same of the qualified "
          "(eqopt-ratio); or to the share of one group, the --reference. And whether acceptance falls anywhere as the "
          "feature rises.",
          {"fairstep env fico -o fico.json", "fairstep policy fico.json --threshold x=2 -o from50.json",
           "fairstep evaluate fico.json from50.json", "fairstep evaluate fico.json from50.json --json --values",
           "fairstep evaluate fico.json from50.json --csv rates.csv"},
          [](Options& options) -> Action {
            auto chosen = std::make_shared<EvaluateArguments>();
            options.positional("MODEL", chosen->model, "model file");
            options.positional("POLICY", chosen->policy, "policy file");
            options.text("--reference", chosen->reference, "GROUP",
                         "the group that ratios are beside (default whichever is treated best)");
            options.texts("--order", chosen->order, "LOWEST,...,HIGHEST",
                          "how the features rise (default as the model has them)");
            options.count("--monotone-in", chosen->monotone_in,
                          "features made of several columns: those are compared that differ in this one alone, counted "
                          "from 1; 0: whole names");
            options.output(chosen->csv, "write rates there as CSV, a row for each step and group", "--csv");
            options.flag("--values", chosen->values, "with --json: also the functions Q and V");
            options.common();
            return [chosen](const Context& context) { return run(*chosen, context); };
          },
          {}};
}

}  // namespace fairstep::cli
