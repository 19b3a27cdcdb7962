// The files of the page, compiled in: explore/page and the style of all our pages.
#pragma once

#include <string_view>

namespace fairstep::internal {

struct PageFile {
  std::string_view name{};  ///< as in the address; the page itself has none
  const char* type = "";
  std::string_view text{};
};

/// Null if there is none of the name.
[[nodiscard]] const PageFile* page_file(std::string_view name);

}  // namespace fairstep::internal
