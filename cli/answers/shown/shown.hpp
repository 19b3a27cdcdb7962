// What a file or a folder holds, in one screen: as a page, for people, and as JSON.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include <fairstep/core/counts.hpp>
#include <fairstep/core/model.hpp>
#include <fairstep/core/policy.hpp>
#include <fairstep/page/page.hpp>

#include "answers/shown/policy_page.hpp"
#include "shell/verb.hpp"

namespace fairstep::cli {

struct Shown {
  page::Page page{};
  Json body = Json::object();  ///< with the key `kind`
  std::vector<std::string> warnings{};
  ExitCode code = ExitCode::done;
};

/// `model` has the names of a policy's features, if one was given.
[[nodiscard]] Result<Shown> shown(Policy policy, const std::string& file, const Model* model, TableRoom room);
[[nodiscard]] Shown shown(const Model& model, const std::string& file, TableRoom room);
[[nodiscard]] Shown shown(const Counts& counts, const std::string& file);

/// With what `check` says of it.
[[nodiscard]] Result<Shown> shown_certificate(const std::string& text, const std::string& file, TableRoom room);
/// What `solve --json` answers.
[[nodiscard]] Result<Shown> shown_solution(const Json& document, const std::string& file, const Model* model,
                                           TableRoom room);
/// A run of `learn` by its result.json, the folder of an experiment, or a frontier.
[[nodiscard]] Result<Shown> shown_run(const std::filesystem::path& result);
[[nodiscard]] Result<Shown> shown_experiment(const std::filesystem::path& folder);
[[nodiscard]] Result<Shown> shown_frontier(const std::filesystem::path& file);
/// What a proof of a bound says; it is about a model, without which it cannot be checked.
[[nodiscard]] Result<Shown> shown_proof(const std::string& text, const std::string& file);
/// The state of a monitor, which has a verb of its own.
[[nodiscard]] Shown shown_monitor(const std::filesystem::path& folder);
/// Any other document of ours: what it calls itself, and its keys.
[[nodiscard]] Shown shown_other(const Json& document, const std::string& schema, const std::string& file);

}  // namespace fairstep::cli
