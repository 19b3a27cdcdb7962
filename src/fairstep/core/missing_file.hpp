// What every reader says of a file that is not there; Python has an exception of its own for it.
#pragma once

#include <string_view>

namespace fairstep {

inline constexpr std::string_view kNoSuchFile = "there is no such file";

}  // namespace fairstep
