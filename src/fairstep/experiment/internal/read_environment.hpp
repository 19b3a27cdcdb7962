// The environments of an experiment file: ready-made ones by name and options, or a user's own model file.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include <toml++/toml.h>

#include <fairstep/experiment/experiment.hpp>
#include <fairstep/experiment/internal/toml_table.hpp>

namespace fairstep::internal {

/// The key `environments` of the whole file. Model files are looked for in `folder`; `horizon` is that of ready-made
/// environments which name none. Empty after an error.
[[nodiscard]] std::vector<ExperimentEnvironment> read_environments(TomlTable& file, std::optional<Error>& error,
                                                                   const std::filesystem::path& folder,
                                                                   std::size_t horizon);

/// Letters, digits, dots, dashes and underscores, the first one a letter or digit: fit for a folder on any system.
[[nodiscard]] bool is_folder_name(std::string_view name);
inline constexpr const char* kFolderName =
    "letters, digits, '.', '-' and '_', at most 64, beginning with a letter or digit";

}  // namespace fairstep::internal
