// As what a document is written: by --format, or by the ending of the file that it goes to.
#pragma once

#include <optional>
#include <string>

#include "shell/verb.hpp"

namespace fairstep::cli {

/// md, html or json. An ending that says another than --format does is an error, and so is one that says none.
[[nodiscard]] Result<std::string> document_format(const std::optional<std::string>& format,
                                                  const std::optional<std::string>& file);

}  // namespace fairstep::cli
