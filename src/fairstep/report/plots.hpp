// The report's figures on their own, for papers and slides.
//
// Charts are drawn by the same script as in the page, which Node runs: `plots` says what to draw, `plot_script` is the
// program to run. It takes two words, a file with what `plots` says and a folder for the SVG files.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include <fairstep/core/error.hpp>

namespace fairstep {

struct PlotPlan {
  std::string json{};                ///< for the script
  std::vector<std::string> names{};  ///< of the files it writes, without their ending: figures, then their panels
};

/// An Error as of `make_report`.
[[nodiscard]] Expected<PlotPlan> plots(const std::filesystem::path& folder);

/// JavaScript, a module for Node 18 or newer.
[[nodiscard]] std::string plot_script();

}  // namespace fairstep
