// The words by which answers and files name methods and outcomes.
#pragma once

#include <fairstep/optimise/solve.hpp>

namespace fairstep {

/// "constrained"
[[nodiscard]] const char* name_of(Method method);
/// "optimal"
[[nodiscard]] const char* name_of(Outcome outcome);
/// "finished"
[[nodiscard]] const char* name_of(StopReason reason);

}  // namespace fairstep
