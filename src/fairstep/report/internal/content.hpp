// Every figure of a report, in the order in which they are read.
#pragma once

#include <vector>

#include <fairstep/report/internal/evidence.hpp>
#include <fairstep/report/internal/figure.hpp>

namespace fairstep::report {

/// The first is that of the first screen. The policies, which are drawn by other means, come before the group "people".
[[nodiscard]] Expected<std::vector<Group>> groups_of(const Evidence& evidence);

}  // namespace fairstep::report
