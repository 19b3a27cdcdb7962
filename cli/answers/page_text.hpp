// A page (page/page.hpp) as text for a terminal, and as the file that a name asks for.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <fairstep/page/page.hpp>

#include "shell/verb.hpp"

namespace fairstep::cli {

/// Names in it are safe to look at. Charts are left out: tables have what they show. `colour` shades shares.
[[nodiscard]] std::string to_text(const page::Page& page, std::size_t width, bool colour);

/// With what there is to be warned of in a list below its title; a terminal has it on stderr.
[[nodiscard]] page::Page with_warnings(page::Page page, const std::vector<std::string>& warnings);

/// Writes HTML or Markdown, as the file's ending says.
[[nodiscard]] Result<void> write_page(const page::Page& page, const std::string& file);
/// An error unless the name ends in .html, .htm or .md.
[[nodiscard]] Result<void> check_page_name(const std::string& file);

/// {caption, columns, rows} of each table, numbers in full.
[[nodiscard]] Json tables_json(const page::Page& page);

}  // namespace fairstep::cli
