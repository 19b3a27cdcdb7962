// Which column of a table may be what, by their names and their first values. Nothing is counted by a guess: it is for
// somebody to look at, and to say.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fairstep/core/error.hpp>
#include <fairstep/ingest/count.hpp>

namespace fairstep {

struct GuessedRole {
  std::string role{};
  std::string column{};
  std::vector<std::string> values{};  ///< some that it has, as they came
};

struct GuessedTable {
  std::vector<GuessedRole> roles{};      ///< in the order of a log's columns
  std::vector<std::string> not_found{};  ///< roles for which nothing looks like it; a reward need not be there
  std::vector<std::string> unused{};     ///< columns
  /// What else would have to be said, name of the option and value: {"labels", "no,yes"}.
  std::vector<std::pair<std::string, std::string>> options{};
};

/// Nothing if the columns go by the names of their roles already. Looks at the first rows of the first file.
[[nodiscard]] Expected<std::optional<GuessedTable>> guess_columns(const std::vector<std::string>& files,
                                                                  const CountOptions& options);

}  // namespace fairstep
