// A policy tried out on simulated people, as the paper evaluates it: what one would have measured, and how surely.
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>

#include <fairstep/core/error.hpp>
#include <fairstep/core/fairness.hpp>
#include <fairstep/core/model.hpp>
#include <fairstep/core/policy.hpp>
#include <fairstep/io/records.hpp>

namespace fairstep {

/// `people` of each group live one episode each. Everybody stays for all of it: a trial measures the representative
/// person that values and rates are about. The draws depend on (seed, number) alone.
/// With a ratio the violation is what that lacks to its limit, on average over steps.
[[nodiscard]] Expected<Trial> try_out(const Model& model, const Policy& policy, Notion notion, std::uint64_t people,
                                      std::uint64_t seed, std::uint64_t number, const std::stop_token& stop = {},
                                      const std::optional<StepwiseRatio>& ratio = {});

}  // namespace fairstep
