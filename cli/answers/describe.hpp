// What a model, a policy or counts are, in a few facts: for people and for programs.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <fairstep/core/counts.hpp>
#include <fairstep/core/model.hpp>
#include <fairstep/core/periods.hpp>
#include <fairstep/core/policy.hpp>

#include "shell/verb.hpp"

namespace fairstep::cli {

/// {kind, groups, features, horizon, ...}; what each kind has is in docs/cli.md.
/// [{name, first_step}], what files have.
[[nodiscard]] Json to_json(const Periods& periods);

[[nodiscard]] Json facts(const Model& model);
[[nodiscard]] Json facts(const Policy& policy);
[[nodiscard]] Json facts(const Counts& counts);
/// {role, share, seed, logs}
[[nodiscard]] Json facts(const Part& part);

/// Everybody in the counts, over all groups.
[[nodiscard]] std::int64_t everybody(const Counts& counts);

/// What the fact is about (empty: the one before goes on), and the fact.
using Fact = std::pair<std::string, std::string>;
[[nodiscard]] std::vector<Fact> facts_in_words(const Model& model);
[[nodiscard]] std::vector<Fact> facts_in_words(const Policy& policy);
[[nodiscard]] std::vector<Fact> facts_in_words(const Counts& counts);

/// Indented lines, a fact on each.
[[nodiscard]] std::string fact_lines(const Model& model, std::size_t width);
[[nodiscard]] std::string fact_lines(const Policy& policy, std::size_t width);
[[nodiscard]] std::string fact_lines(const Counts& counts, std::size_t width);

/// `2 groups (white, black), 5 features, 8 steps`
[[nodiscard]] std::string in_short(const Model& model);
[[nodiscard]] std::string in_short(const Policy& policy);

}  // namespace fairstep::cli
