// What columns are called that hold what a log has: the words of lenders' tables, for guesses.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fairstep/ingest/internal/roles.hpp>

namespace fairstep::internal {

/// Whether a column may be this, by what is in it.
using MayBe = std::function<bool(Role, std::size_t column)>;

/// Roles and the numbers of their columns, each of them once: the closest names first. `may_be` may be empty.
[[nodiscard]] std::vector<std::pair<Role, std::size_t>> roles_by_name(const std::vector<std::string>& columns,
                                                                      const MayBe& may_be = {});

/// `default`, `is_bad`, `denied`: of a column, that its 1 is likely to be what nobody wants; of a value, that it is.
[[nodiscard]] bool sounds_bad(std::string_view text);

}  // namespace fairstep::internal
