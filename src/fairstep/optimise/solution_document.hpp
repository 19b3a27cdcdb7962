// What was solved for, as the keys of a JSON object that others rely on (docs/cli.md): in answers of the command and in
// the sweeps of an experiment.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <fairstep/io/json.hpp>
#include <fairstep/optimise/solve.hpp>

namespace fairstep {

/// What a result does not know of itself.
struct SolutionContext {
  std::size_t horizon = 0;
  std::optional<double> seconds{};      ///< left out where nothing may depend on the clock
  std::optional<double> tail{};         ///< what the steps after the horizon can add or take away, if there are any
  std::string rests_on{};               ///< JSON for the key of that name; empty: no such key
  std::vector<std::string> features{};  ///< names, for what the rules of a class are about
};

/// NaN if there is no policy.
[[nodiscard]] double value_of(const SolveResult& result);

/// All keys of a solution, in the object that is open.
void write_solution(JsonWriter& json, const SolveResult& result, const SolutionContext& context);

}  // namespace fairstep
