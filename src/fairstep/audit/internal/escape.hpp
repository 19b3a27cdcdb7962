// Names come from data: nothing in them may be taken for markup.
#pragma once

#include <string>
#include <string_view>

namespace fairstep::internal {

[[nodiscard]] std::string escape_markdown(std::string_view text);
[[nodiscard]] std::string escape_html(std::string_view text);

}  // namespace fairstep::internal
