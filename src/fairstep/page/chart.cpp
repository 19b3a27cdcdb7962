#include <fairstep/page/chart.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include <fairstep/page/html.hpp>

namespace fairstep::page {
namespace {

constexpr double kWidth = 430, kHeight = 240;
constexpr double kLeft = 42, kRight = 112, kTop = 10, kBottom = 34;
constexpr double kLine = 14;             // between the names at the ends of lines
constexpr std::size_t kColours = 8;      // the ninth line has the first colour again, and is broken
constexpr std::size_t kMostPlaces = 10;  // that are named along the axis
constexpr std::size_t kLongestName = 16;

/// Where numbers stand on the paper.
struct Scale {
  double low = 0, high = 1;
  double tick = 0.25;
  std::size_t places = 1;

  [[nodiscard]] double x(std::size_t place) const {
    const double room = kWidth - kLeft - kRight;
    return places < 2 ? kLeft + room / 2 : kLeft + room * static_cast<double>(place) / static_cast<double>(places - 1);
  }
  [[nodiscard]] double y(double value) const {
    return kTop + (kHeight - kTop - kBottom) * (high - value) / (high - low);
  }
};

/// Ends at round numbers, with three to six lines between.
Scale scale_for(const Chart& chart) {
  double low = 1, high = -1;
  for (const Series& series : chart.series)
    for (std::size_t i = 0; i < series.values.size(); ++i) {
      if (std::isnan(series.values[i])) continue;
      low = std::min(low, series.bands[i].low);
      high = std::max(high, series.bands[i].high);
    }
  if (low > high) low = 0, high = 1;
  Scale scale;
  scale.places = chart.places.size();
  for (const double tick : {0.5, 0.25, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001}) {
    scale.tick = tick;
    scale.low = std::floor(low / tick) * tick;
    scale.high = std::max(std::ceil(high / tick) * tick, scale.low + tick);
    if ((scale.high - scale.low) / tick > 2.5) break;
  }
  return scale;
}

/// The places at which a line is not broken, stretch by stretch.
std::vector<std::pair<std::size_t, std::size_t>> stretches(const Series& series) {
  std::vector<std::pair<std::size_t, std::size_t>> found;
  for (std::size_t i = 0; i < series.values.size(); ++i) {
    if (std::isnan(series.values[i])) continue;
    if (found.empty() || found.back().second != i) found.emplace_back(i, i);
    found.back().second = i + 1;
  }
  return found;
}

std::string line_and_band(const Series& series, const Scale& scale, std::size_t number) {
  std::string text = fmt::format("<g class=\"s{}{}\">", number % kColours, number / kColours % 2 == 1 ? " again" : "");
  for (const auto& [begin, end] : stretches(series)) {
    std::string edge, line;
    for (std::size_t i = begin; i < end; ++i) {
      edge += fmt::format("{:.1f},{:.1f} ", scale.x(i), scale.y(series.bands[i].high));
      line += fmt::format("{:.1f},{:.1f} ", scale.x(i), scale.y(series.values[i]));
    }
    for (std::size_t i = end; i-- > begin;)  // and back along the lower edge
      edge += fmt::format("{:.1f},{:.1f} ", scale.x(i), scale.y(series.bands[i].low));
    text += fmt::format("<polygon points=\"{}\"/><polyline points=\"{}\"/>", edge, line);
    for (std::size_t i = begin; i < end; ++i)
      text += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"2.5\"/>", scale.x(i), scale.y(series.values[i]));
  }
  return text + "</g>\n";
}

/// Letters, not bytes: a name is never cut inside a letter.
std::string shortened(const std::string& name) {
  std::size_t letters = 0;
  for (std::size_t i = 0; i < name.size(); ++i)
    if ((static_cast<unsigned char>(name[i]) & 0xC0U) != 0x80U && letters++ == kLongestName)
      return name.substr(0, i) + "\u2026";
  return name;
}

/// The name of each line at its end, pushed down as far as it takes not to stand on another.
std::string names_at_ends(const Chart& chart, const Scale& scale) {
  struct Label {
    double y;
    std::size_t series;
  };
  std::vector<Label> labels;
  for (std::size_t s = 0; s < chart.series.size(); ++s) {
    const auto& values = chart.series[s].values;
    const auto last = std::find_if(values.rbegin(), values.rend(), [](double value) { return !std::isnan(value); });
    if (last != values.rend()) labels.push_back({scale.y(*last), s});
  }
  std::sort(labels.begin(), labels.end(), [](const Label& a, const Label& b) { return a.y < b.y; });
  for (std::size_t i = 1; i < labels.size(); ++i) labels[i].y = std::max(labels[i].y, labels[i - 1].y + kLine);
  const double over = labels.empty() ? 0 : std::max(0.0, labels.back().y - (kHeight - kBottom));
  std::string text;
  for (const Label& label : labels)
    text +=
        fmt::format("<text class=\"name s{}\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", label.series % kColours,
                    kWidth - kRight + 9, label.y - over + 4, escape_html(shortened(chart.series[label.series].name)));
  return text;
}

std::string axes(const Chart& chart, const Scale& scale) {
  std::string text;
  const int digits = scale.tick < 0.0095 ? 3 : 2;
  const auto lines = static_cast<int>(std::lround((scale.high - scale.low) / scale.tick));
  for (int i = 0; i <= lines; ++i) {
    const double value = scale.low + i * scale.tick;
    text += fmt::format("<line class=\"{}\" x1=\"{}\" x2=\"{}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/>",
                        std::abs(value) < scale.tick / 2 ? "zero" : "grid", kLeft, kWidth - kRight, scale.y(value),
                        scale.y(value));
    text += fmt::format("<text class=\"tick\" text-anchor=\"end\" x=\"{}\" y=\"{:.1f}\">{:.{}f}</text>\n", kLeft - 6,
                        scale.y(value) + 4, std::abs(value) < 1e-9 ? 0 : value, digits);
  }
  const std::size_t every = (chart.places.size() + kMostPlaces - 1) / kMostPlaces;
  for (std::size_t i = 0; i < chart.places.size(); i += every)
    text += fmt::format("<text class=\"tick\" text-anchor=\"middle\" x=\"{:.1f}\" y=\"{}\">{}</text>\n", scale.x(i),
                        kHeight - kBottom + 15, escape_html(shortened(chart.places[i])));
  return text + fmt::format("<text class=\"tick\" text-anchor=\"middle\" x=\"{}\" y=\"{}\">{}</text>\n",
                            kLeft + (kWidth - kLeft - kRight) / 2, kHeight - 3, escape_html(chart.places_are));
}

/// What somebody hears who cannot see the chart.
std::string description(const Chart& chart) {
  std::string text = chart.caption + ".";
  for (const Series& series : chart.series) {
    double low = 2, high = -2;
    for (const double value : series.values)
      if (!std::isnan(value)) low = std::min(low, value), high = std::max(high, value);
    if (low <= high) text += fmt::format(" {}: from {:.3f} to {:.3f}.", series.name, low, high);
  }
  return text;
}

}  // namespace

std::string to_svg(const Chart& chart) {
  const Scale scale = scale_for(chart);
  std::string text = fmt::format("<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">\n", kWidth, kHeight,
                                 escape_html(description(chart)));
  text += axes(chart, scale);
  for (std::size_t s = 0; s < chart.series.size(); ++s) text += line_and_band(chart.series[s], scale, s);
  return text + names_at_ends(chart, scale) + "</svg>\n";
}

}  // namespace fairstep::page
