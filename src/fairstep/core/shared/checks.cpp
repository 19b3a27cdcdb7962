#include <fairstep/core/shared/checks.hpp>

#include <set>
#include <utility>

#include <fairstep/core/shared/text.hpp>

namespace fairstep::internal {

std::string counted(std::size_t number, const char* noun) {
  return fmt::format("{} {}{}", number, noun, number == 1 ? "" : "s");
}

Expected<void> check_names(const std::vector<std::string>& names, const std::string& key, std::size_t at_least) {
  const std::string pointer = "/" + key;
  if (names.size() < at_least)
    return fail_option(key, fmt::format(" has {}, expected at least {}", counted(names.size(), "name"), at_least),
                       pointer);
  std::set<std::string> seen;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string at = fmt::format("{}/{}", pointer, i);
    if (names[i].empty()) return fail_option(key, fmt::format("[{}] is empty, expected a name", i), at);
    if (!is_utf8(names[i])) return fail_option(key, fmt::format("[{}] is not valid UTF-8, expected a name", i), at);
    if (has_control_character(names[i]))
      return fail_option(
          key,
          fmt::format("[{}] contains a line break, tab or other control character, expected a name of one line", i),
          at);
    if (!seen.insert(names[i]).second)
      return fail_option(key, fmt::format("[{}] is \"{}\" again, expected different names", i, names[i]), at);
  }
  return {};
}

Expected<void> check_names(const Names& names) {
  if (auto ok = check_names(names.groups, "groups", 2); !ok) return ok;
  if (auto ok = check_names(names.features, "features", 1); !ok) return ok;
  for (const auto& [key, two] : {std::pair{"labels", &names.labels}, {"actions", &names.actions}}) {
    if (two->size() != 2)
      return fail_option(key, fmt::format(" has {}, expected 2", counted(two->size(), "name")), fmt::format("/{}", key),
                         "labels and actions are binary");
    if (auto ok = check_names(*two, key, 2); !ok) return ok;
  }
  return {};
}

Expected<void> check_horizon(const Shape& shape) {
  if (shape.horizon < 1) return fail("horizon is 0, expected at least 1", "/horizon");
  const std::size_t longest = kLargestTable / shape.groups / shape.cells();
  if (shape.horizon > longest)
    return fail(fmt::format("horizon is {}, expected at most {} with {} and {}", shape.horizon, longest,
                            counted(shape.groups, "group"), counted(shape.features, "feature")),
                "/horizon", "a table with an entry per group, step, feature, label and action must fit in memory");
  return {};
}

std::string wrong_sum(double sum) {
  static_assert(kSumTolerance == 1e-9);
  return fmt::format("sums to {:.12g}, expected 1 (within 1e-9)", sum);
}

std::vector<std::size_t> unflatten(std::size_t flat, std::span<const std::size_t> extents) {
  std::vector<std::size_t> index(extents.size());
  for (std::size_t axis = extents.size(); axis-- > 0;) {
    index[axis] = flat % extents[axis];
    flat /= extents[axis];
  }
  return index;
}

tl::unexpected<Error> fail_at(const Field& field, std::span<const Axis> axes, std::span<const std::size_t> index,
                              const std::string& what, Text hint) {
  return fail(fmt::format("{}{} {}", field.name, brackets(axes, index, field.groups), what),
              field.pointer + pointer_to(index), std::move(hint));
}

}  // namespace fairstep::internal
