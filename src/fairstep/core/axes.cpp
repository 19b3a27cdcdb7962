#include <fairstep/core/axes.hpp>

namespace fairstep {

std::string_view name_of(Axis axis) {
  constexpr std::array<std::string_view, 12> names{"g",  "h",  "x",  "y",  "a", "x1",
                                                   "y1", "x0", "y0", "a0", "k", "period"};
  return names[static_cast<std::size_t>(axis)];
}

std::string_view noun_of(Axis axis) {
  constexpr std::array<std::string_view, 12> nouns{"groups", "steps",    "features", "labels",  "actions", "features",
                                                   "labels", "features", "labels",   "actions", "classes", "periods"};
  return nouns[static_cast<std::size_t>(axis)];
}

std::size_t length_of(Axis axis, const Shape& shape) {
  const std::array<std::size_t, 12> lengths{shape.groups, shape.horizon,  shape.features, kLabels,
                                            kActions,     shape.features, kLabels,        shape.features,
                                            kLabels,      kActions,       kClassesBefore, shape.periods};
  return lengths[static_cast<std::size_t>(axis)];
}

std::string brackets(std::span<const Axis> axes, std::span<const std::size_t> index,
                     const std::vector<std::string>& groups) {
  std::string text;
  for (std::size_t i = 0; i < index.size(); ++i) {
    text += i == 0 ? "[" : ",";
    text += name_of(axes[i]);
    text += "=";
    text += axes[i] == Axis::g && index[i] < groups.size() ? groups[index[i]] : std::to_string(index[i]);
  }
  return text.empty() ? text : text + "]";
}

std::string pointer_to(std::span<const std::size_t> index) {
  std::string text;
  for (const std::size_t i : index) text += "/" + std::to_string(i);
  return text;
}

}  // namespace fairstep
