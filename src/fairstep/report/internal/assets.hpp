// The page's script and style, made by report/build.mjs and compiled in.
#pragma once

#include <string_view>

namespace fairstep::report::assets {

[[nodiscard]] std::string_view script();  ///< Vega and what draws with it
[[nodiscard]] std::string_view style();
[[nodiscard]] std::string_view licences();  ///< of what the script is made of

}  // namespace fairstep::report::assets
