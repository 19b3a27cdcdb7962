// A line for each group with what its band leaves possible, as an SVG that stands in a page: no script, no other file.
#pragma once

#include <string>
#include <vector>

#include <fairstep/core/model.hpp>

namespace fairstep::page {

struct Series {
  std::string name{};
  std::vector<double> values{};  ///< [place]; NaN where there is none, and the line is broken
  std::vector<Range> bands{};    ///< [place]
};

struct Chart {
  std::string caption{};
  std::string places_are{};           ///< "step", "from"
  std::vector<std::string> places{};  ///< names along the axis
  std::vector<Series> series{};
};

/// Colours are those of the classes s0, s1, ... in document.css.
[[nodiscard]] std::string to_svg(const Chart& chart);

}  // namespace fairstep::page
