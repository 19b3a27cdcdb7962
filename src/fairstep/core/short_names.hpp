// Names as charts and tables can hold them: a label of hundreds of letters would make the page, or the terminal, as
// wide as it is long.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace fairstep {

/// Letters of the longest name that stays as it is.
inline constexpr std::size_t kShortName = 40;

/// Longer names are cut in their middle; those that would look alike then are numbered. What is not to be seen is
/// written out. What was cut goes into `in_full`, as it is shown and as it is, once.
[[nodiscard]] std::vector<std::string> short_names(const std::vector<std::string>& names,
                                                   std::set<std::pair<std::string, std::string>>& in_full);

}  // namespace fairstep
