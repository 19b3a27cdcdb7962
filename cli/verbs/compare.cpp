// fairstep compare MODEL POLICY...: policies side by side, and where they differ.
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <fairstep/evaluate/differences.hpp>
#include <fairstep/evaluate/evaluate.hpp>
#include <fairstep/io/files.hpp>

#include "answers/comparison.hpp"
#include "answers/grounds_summary.hpp"
#include "answers/page_text.hpp"
#include "options/policy_file.hpp"
#include "verbs.hpp"

namespace fairstep::cli {
namespace {

struct CompareArguments {
  std::string model{};
  std::vector<std::string> policies{};
  std::optional<std::string> page{};
};

Result<Answer> run(const CompareArguments& chosen, const Context& context) {
  if (chosen.page)
    if (auto ok = check_page_name(*chosen.page); !ok) return tl::unexpected(ok.error());
  if (chosen.policies.size() < 2)
    return usage("one policy is given, expected two or more", "fairstep evaluate says what one policy does");
  const auto model = read_model(chosen.model);
  if (!model) return input(model.error(), chosen.model);
  std::vector<ComparedPolicy> compared;
  for (const std::string& file : chosen.policies) {
    auto policy = policy_for(model->names().groups, file);
    if (!policy) return tl::unexpected(policy.error());
    auto evaluation = evaluate(*model, *policy);
    if (!evaluation) return input(evaluation.error(), file);
    ComparedPolicy& now = compared.emplace_back(ComparedPolicy{file, std::move(*policy), std::move(*evaluation), {}});
    now.from_first =
        differences(*model, compared.front().policy, compared.front().evaluation, now.policy, now.evaluation);
  }
  Answer answer;
  answer.schema = "fairstep/comparison/1";
  answer.warnings = grounds_warnings(*model);
  answer.body = {{"model", chosen.model}};
  answer.body.update(to_json(*model, compared));
  if (chosen.page) {
    if (auto ok = write_page(with_warnings(comparison_page(chosen.model, *model, compared, kPaper), answer.warnings),
                             *chosen.page);
        !ok)
      return tl::unexpected(ok.error());
    answer.body["page"] = *chosen.page;
    answer.notes.push_back(fmt::format("wrote {}: {} policies compared", *chosen.page, compared.size()));
  } else {
    constexpr TableRoom ten{.rows = 10, .columns = kScreen.columns};
    answer.text = to_text(comparison_page(chosen.model, *model, compared, ten), context.width, context.colour);
    answer.painted = true;
  }
  return answer;
}

}  // namespace

Verb compare_verb() {
  return {
      "compare",
      "policies side by side: values, gaps, rates, and where they differ",
      "Evaluates each policy exactly and holds the others against the first: what they are worth, the gaps and "
      "the shares accepted at each step, and the cells (group, step, feature) in which they accept another share, "
      "with how many people are there. Decisions changed: the share of all decisions under the first policy that "
      "the other would take otherwise in the same place. With -o as a page with pictures.",
      {"fairstep env fico -o fico.json", "fairstep policy fico.json --threshold x=2 -o from50.json",
       "fairstep policy fico.json --threshold x=3 -o from75.json", "fairstep compare fico.json from50.json from75.json",
       "fairstep compare fico.json from50.json from75.json -o both.html"},
      [](Options& options) -> Action {
        auto chosen = std::make_shared<CompareArguments>();
        options.positional("MODEL", chosen->model, "model file");
        options.positionals("POLICY", chosen->policies, "policy files, two or more");
        options.output(chosen->page, "write a page there, .html or .md", "-o,--html,--output");
        options.common();
        return [chosen](const Context& context) { return run(*chosen, context); };
      },
      {}};
}

}  // namespace fairstep::cli
