// A certificate and a plan, for people and for programs.
#pragma once

#include <string>
#include <vector>

#include <fairstep/certify/certify.hpp>
#include <fairstep/certify/plan.hpp>
#include <fairstep/core/model.hpp>

#include "shell/verb.hpp"

namespace fairstep::cli {

/// delta, groups, certified and estimated gaps and values, the worst step of each notion.
[[nodiscard]] Json to_json(const Certificate& certificate, const Names& names);
[[nodiscard]] Json to_json(const Plan& plan, const Names& names);

[[nodiscard]] std::string to_text(const Certificate& certificate, const Names& names, std::size_t width);
[[nodiscard]] std::string to_text(const Plan& plan, const Names& names, std::size_t width);

/// Rates that may be of nobody, and bounds that contradict each other.
[[nodiscard]] std::vector<std::string> doubts_of(const Certificate& certificate, const Names& names);

}  // namespace fairstep::cli
