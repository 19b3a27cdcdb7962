// Several policies side by side: as a page, and as JSON.
#pragma once

#include <string>
#include <vector>

#include <fairstep/core/model.hpp>
#include <fairstep/core/policy.hpp>
#include <fairstep/evaluate/differences.hpp>
#include <fairstep/evaluate/evaluate.hpp>

#include "answers/shown/policy_page.hpp"
#include "shell/verb.hpp"

namespace fairstep::cli {

struct ComparedPolicy {
  std::string file{};
  Policy policy;
  Evaluation evaluation;
  Differences from_first{};
};

/// A short name for each file: without folder and ending, as far as that tells them apart.
[[nodiscard]] std::vector<std::string> short_file_names(const std::vector<std::string>& files);

/// All are for the model; the others are held against the first.
[[nodiscard]] page::Page comparison_page(const std::string& file, const Model& model,
                                         const std::vector<ComparedPolicy>& policies, TableRoom room);
[[nodiscard]] Json to_json(const Model& model, const std::vector<ComparedPolicy>& policies);

}  // namespace fairstep::cli
