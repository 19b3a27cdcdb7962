// fairstep export MODEL --fairness ...: the problem as a text that other solvers read.
#include <filesystem>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include <fairstep/io/files.hpp>
#include <fairstep/optimise/export_program.hpp>

#include "answers/grounds_summary.hpp"
#include "options/constraint_options.hpp"
#include "shell/guarded_file.hpp"
#include "verbs.hpp"

namespace fairstep::cli {
namespace {

struct ExportArguments {
  std::string model{};
  ConstraintOptions constraints{};
  std::optional<double> penalty{};
  std::optional<PenaltyForm> penalty_form{};
  std::optional<std::string> file{};
};

Result<Answer> run(const ExportArguments& chosen) {
  if (!chosen.file) return usage("fairstep export needs --output", "-o problem.lp or -o problem.mps");
  const std::string ending = std::filesystem::path(*chosen.file).extension().string();
  if (ending != ".lp" && ending != ".mps")
    return usage(fmt::format("--output is \"{}\", expected a name that ends in .lp or .mps", *chosen.file));
  if (chosen.penalty_form && !chosen.penalty)
    return usage("--penalty-form is given without --penalty", "such as --penalty 10");
  const auto model = read_model(chosen.model);
  if (!model) return input(model.error(), chosen.model);
  const auto fairness = chosen.constraints.fairness("export", *model, false);
  if (!fairness) return tl::unexpected(fairness.error());
  const PolicyClass& policies = chosen.constraints.policies;
  std::optional<SquaredGaps> penalty;
  if (chosen.penalty) penalty = SquaredGaps{*chosen.penalty, chosen.penalty_form.value_or(PenaltyForm::rate)};
  const auto text =
      ending == ".lp" ? to_lp(*model, *fairness, policies, penalty) : to_mps(*model, *fairness, policies, penalty);
  if (!text) return input(text.error());
  if (auto ok = write_guarded(*chosen.file, *text); !ok) return io_failure(ok.error());

  Answer answer;
  answer.schema = "fairstep/written/1";
  answer.body = {{"file", *chosen.file}, {"kind", "program"}, {"format", ending.substr(1)}, {"model", chosen.model}};
  answer.warnings = grounds_warnings(*model);
  if (const auto& grounds = model->spec().rests_on)
    answer.warnings.push_back(fmt::format(
        "the model is an estimate, which the exported problem says in comments only: {}", grounds_in_short(*grounds)));
  answer.notes = {fmt::format("wrote {}: the problem in {} format, {} bytes", *chosen.file,
                              ending == ".lp" ? "LP" : "MPS", text->size())};
  return answer;
}

}  // namespace

Verb export_verb() {
  return {"export",
          "write the problem for other solvers (LP or MPS)",
          "Writes the program over occupancy measures, quadratic constraints and all, so that Gurobi, SCIP or another "
          "global solver can check the answer of fairstep solve.",
          {"fairstep env fico --horizon 2 -o fico.json",
           "fairstep export fico.json --fairness dp --limit 0.05 -o problem.lp",
           "fairstep export fico.json --fairness eqopt -o problem.mps",
           "fairstep export fico.json --fairness eqopt --penalty 10 --penalty-form cross -o penalty.lp"},
          [](Options& options) -> Action {
            auto chosen = std::make_shared<ExportArguments>();
            options.positional("MODEL", chosen->model, "model file");
            chosen->constraints.declare(options, true);
            options.number("--penalty", chosen->penalty,
                           "subtract so many times the squared gaps instead of keeping limits");
            options.choice("--penalty-form", chosen->penalty_form,
                           "gaps of rates, or of rates multiplied out (default rate)");
            options.output(chosen->file, "problem.lp or problem.mps; the ending decides");
            options.common();
            return [chosen](const Context&) { return run(*chosen); };
          },
          {}};
}

}  // namespace fairstep::cli
