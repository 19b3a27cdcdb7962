// What the page brings along besides its words: the script that checks it and the style of what is its own.
#pragma once

#include <string_view>

namespace fairstep::certificate_page {

[[nodiscard]] std::string_view check_script();
[[nodiscard]] std::string_view certificate_style();

}  // namespace fairstep::certificate_page
