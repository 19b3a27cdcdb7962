// The parts of the page, in the order in which they are read.
#pragma once

#include <string>
#include <vector>

#include <fairstep/page/html.hpp>
#include <fairstep/report/internal/evidence.hpp>
#include <fairstep/report/internal/figure.hpp>
#include <fairstep/report/internal/verdicts.hpp>

namespace fairstep::report {

using page::Html;

/// A sentence of the summary: words, some of which lead to the numbers behind them.
struct Piece {
  std::string text{};
  std::string anchor{};  ///< without the hash; empty: plain words
};
using Sentence = std::vector<Piece>;

struct Summary {
  Sentence opening{};
  std::vector<std::pair<std::string, Sentence>> settings{};  ///< the setting's name, and what came out
  std::vector<Sentence> rest{};
};

[[nodiscard]] Summary summarise(const Evidence& evidence, const std::vector<Verdict>& verdicts);
[[nodiscard]] std::string plain(const Sentence& sentence);

/// The experiment in words: its notions and environments.
[[nodiscard]] std::string title_of(const Evidence& evidence);
/// "a, b and c"
[[nodiscard]] std::string joined(const std::vector<std::string>& words);

/// `group`: the chart of it.
void write_first_screen(Html& html, const Evidence& evidence, const Group& group);
void write_summary(Html& html, const Summary& summary);
void write_final_numbers(Html& html, const Evidence& evidence);
void write_verdicts(Html& html, const Evidence& evidence, const std::vector<Verdict>& verdicts);
void write_scope(Html& html, const Evidence& evidence);
void write_group(Html& html, const Group& group);
/// Its legend and panels alone.
void write_panels(Html& html, const Group& group);
void write_policies(Html& html, const std::vector<PolicyTable>& tables);
void write_settings(Html& html, const Evidence& evidence);
void write_glossary(Html& html);

/// A method at its last update; solves are those of all updates.
struct FinalNumbers {
  Band value{}, violation{}, worst{}, regret{};
  std::size_t solves = 0, proven = 0;
};
[[nodiscard]] FinalNumbers final_numbers(const Setting& setting, const MethodRuns& method,
                                         const ExperimentRecord& plan);

/// "final-fico-dp-ours"
[[nodiscard]] std::string final_anchor(const Setting& setting, const MethodRuns& method);

}  // namespace fairstep::report
