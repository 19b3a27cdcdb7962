// fairstep plot FOLDER: the report's figures on their own, for papers.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include <fairstep/io/files.hpp>
#include <fairstep/report/plots.hpp>

#include "shell/child_process.hpp"
#include "verbs.hpp"

namespace fairstep::cli {
namespace {

namespace fs = std::filesystem;

struct PlotArguments {
  std::string folder{};
  std::optional<std::string> output{};
  std::optional<std::string> format{"svg"};
};

/// A folder of our own that goes with the object.
class Scratch {
 public:
  Scratch() {
    std::string pattern = (fs::temp_directory_path() / "fairstep-plot-XXXXXX").string();
    if (::mkdtemp(pattern.data()) != nullptr) path_ = pattern;
  }
  ~Scratch() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  fs::path path_{};
};

tl::unexpected<Failure> failed(Text message, Text hint) {
  return io_failure(Error{std::move(message), {}, {}, std::move(hint)});
}

/// Runs a program that must be there and succeed.
Result<void> run_program(const std::vector<std::string>& words, const std::string& hint) {
  const ChildResult child = run_child(words);
  if (!child.found) return failed(fmt::format("there is no program {}", words.front()), hint);
  if (child.code != 0)
    return failed(fmt::format("{} ended with exit code {}", words.front(), child.code),
                  child.errors.substr(0, child.errors.find('\n')));
  return {};
}

Result<Answer> run(const PlotArguments& chosen, const Context&) {
  if (!chosen.output) return usage("--output is missing, expected a folder for the figures", "-o figures");
  const auto plan = plots(chosen.folder);
  if (!plan) return input(plan.error());
  std::error_code trouble;
  fs::create_directories(*chosen.output, trouble);
  if (trouble) return failed(fmt::format("{} cannot be made: {}", *chosen.output, trouble.message()), "");

  const Scratch scratch;
  if (auto ok = write_file(scratch.path() / "plan.json", plan->json); !ok) return io_failure(ok.error());
  if (auto ok = write_file(scratch.path() / "plot.mjs", plot_script()); !ok) return io_failure(ok.error());
  const bool pdf = *chosen.format == "pdf";
  const fs::path drawn = pdf ? scratch.path() : fs::path(*chosen.output);
  if (auto ok = run_program({"node", scratch.path() / "plot.mjs", scratch.path() / "plan.json", drawn},
                            "charts are drawn by Node.js, 18 or newer; install it, or take them from the report");
      !ok)
    return tl::unexpected(ok.error());
  Json files = Json::array();
  for (const std::string& name : plan->names) {
    const fs::path file = fs::path(*chosen.output) / (name + "." + *chosen.format);
    if (pdf)
      if (auto ok = run_program({"rsvg-convert", "-f", "pdf", "-o", file, drawn / (name + ".svg")},
                                "it makes PDF of SVG; Debian and Ubuntu have it in librsvg2-bin");
          !ok)
        return tl::unexpected(ok.error());
    files.push_back(file.string());
  }

  Answer answer;
  answer.schema = "fairstep/plots/1";
  answer.text = fmt::format("{} files in {}\n", files.size(), *chosen.output);
  answer.body = {{"folder", chosen.folder}, {"files", std::move(files)}};
  return answer;
}

}  // namespace

Verb plot_verb() {
  return {"plot",
          "the report's figures as SVG or PDF, for papers",
          "Draws every figure of `fairstep report` into a folder: whole figures with letters and a legend, and each "
          "panel on its own. Takes Node.js; PDF also takes rsvg-convert.",
          {"printf '%s\\n' 'schema = \"fairstep/experiment/1\"' 'environments = [\"fico\"]' 'fairness = \"dp\"' "
           "'schedule = \"2^8..2^9\"' 'certificate = \"off\"' '[[method]]' 'method = \"constrained\"' > small.toml",
           "fairstep experiment small.toml -o runs/small", "fairstep plot runs/small -o figures"},
          [](Options& options) -> Action {
            auto chosen = std::make_shared<PlotArguments>();
            options.positional("FOLDER", chosen->folder, "folder of an experiment");
            options.text("-o,--output", chosen->output, "FOLDER", "where the figures go");
            options.choice("--format", chosen->format, {"svg", "pdf"}, "of the files");
            options.common();
            return [chosen](const Context& context) { return run(*chosen, context); };
          },
          {}};
}

}  // namespace fairstep::cli
