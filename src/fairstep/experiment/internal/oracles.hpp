// The best fair policies of the true models, solved for once: what the regret of every run is measured against.
#pragma once

#include <cstddef>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include <fairstep/experiment/experiment.hpp>
#include <fairstep/learn/assumptions.hpp>

namespace fairstep::internal {

struct OracleOf {
  std::size_t environment = 0, notion = 0;  ///< places in the experiment's lists
  std::vector<double> limit{};
  Oracle oracle{};
  std::optional<Inside> inside{};  ///< what the theorems ask of the policy that was found; none if none was
};

/// All that the experiment's runs ask for, not solved yet.
[[nodiscard]] std::vector<OracleOf> oracles_wanted(const Experiment& experiment);

[[nodiscard]] Expected<void> solve_for(OracleOf& wanted, const Experiment& experiment, const std::stop_token& stop);

[[nodiscard]] const Oracle& find(const std::vector<OracleOf>& oracles, std::size_t environment, std::size_t notion,
                                 const std::vector<double>& limit);

/// The document `oracles.json`, and back into the list that was written. An Error if it is the document of another
/// list.
[[nodiscard]] std::string to_text(const std::vector<OracleOf>& oracles, const Experiment& experiment);
[[nodiscard]] Expected<void> read_into(std::vector<OracleOf>& oracles, const Experiment& experiment,
                                       const std::string& text);

}  // namespace fairstep::internal
