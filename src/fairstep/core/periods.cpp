#include <fairstep/core/periods.hpp>

#include <algorithm>
#include <charconv>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include <fairstep/core/shared/checks.hpp>

namespace fairstep {

std::size_t Periods::of(std::size_t h) const {
  const auto later = std::upper_bound(list.begin(), list.end(), h,
                                      [](std::size_t step, const Period& period) { return step < period.first_step; });
  return later == list.begin() ? 0 : static_cast<std::size_t>(later - list.begin()) - 1;
}

std::size_t Periods::end(std::size_t k, std::size_t horizon) const {
  return k + 1 < list.size() ? list[k + 1].first_step : horizon - 1;
}

Periods Periods::per_step(std::size_t horizon) {
  Periods periods;
  for (std::size_t h = 0; h == 0 || h + 1 < horizon; ++h) periods.list.push_back({fmt::format("step {}", h), h});
  return periods;
}

Expected<KernelChoice> KernelChoice::parse(std::string_view text) {
  KernelChoice choice;
  if (text == "pooled") return choice;
  choice.per_step = text == "per-step";
  if (choice.per_step) return choice;
  while (true) {
    const std::string_view entry = text.substr(0, text.find(','));
    const std::size_t equals = entry.rfind('=');
    Period period;
    bool read = equals != std::string_view::npos;
    if (read) {
      period.name = entry.substr(0, equals);
      const std::string_view step = entry.substr(equals + 1);
      const auto [end, error] = std::from_chars(step.data(), step.data() + step.size(), period.first_step);
      read = error == std::errc{} && end == step.data() + step.size();
    }
    if (!read)
      return fail_option("kernel",
                         fmt::format(" has \"{}\", expected pooled, per-step, or periods by their first steps, "
                                     "as in before=0,after=3",
                                     entry));
    choice.periods.list.push_back(std::move(period));
    if (entry.size() == text.size()) return choice;
    text.remove_prefix(entry.size() + 1);
  }
}

Expected<Periods> KernelChoice::of(const Shape& shape) const {
  Periods result = per_step ? Periods::per_step(shape.horizon) : periods;
  if (auto ok = check(result, shape, "kernel"); !ok) return tl::unexpected(ok.error());
  return result;
}

Expected<void> require_pooled(const Periods& periods, std::string_view what, std::string_view who, const Text& hint) {
  if (periods.pooled()) return {};
  return fail(fmt::format("{} {} a kernel for each of {}, expected one kernel of all steps: {} knows no other", what,
                          what.ends_with('s') ? "have" : "has", internal::counted(periods.number(), "period"), who),
              "/periods", hint);
}

Expected<void> check(const Periods& periods, const Shape& shape, const std::string& key) {
  if (periods.pooled()) return {};
  const std::vector<Period>& list = periods.list;
  if (shape.horizon < 2)
    return fail_option(key, " has periods for 1 step, expected 2 steps or more", "/periods",
                       "a kernel leads from a step to the next");
  std::vector<std::string> names;
  for (const Period& period : list) names.push_back(period.name);
  if (auto ok = internal::check_names(names, key, 1); !ok) return ok;
  for (std::size_t k = 0; k < list.size(); ++k) {
    const std::size_t least = k == 0 ? 0 : list[k - 1].first_step + 1;
    const std::size_t most = k == 0 ? 0 : shape.horizon - 2;
    if (list[k].first_step >= least && list[k].first_step <= most) continue;
    const std::string expected = k == 0          ? "0"
                                 : least > most  ? fmt::format("at most {} periods", k)
                                 : least == most ? fmt::format("{}", least)
                                                 : fmt::format("{} to {}", least, most);
    return fail_option(key, fmt::format("[{}] begins at step {}, expected {}", k, list[k].first_step, expected),
                       fmt::format("/periods/{}/first_step", k),
                       "periods follow each other from step 0 on, and the last step has no next");
  }
  const std::size_t longest =
      std::max<std::size_t>(internal::kLargestTable / shape.groups / shape.cells() / shape.states(), 1);
  if (list.size() > longest)
    return fail_option(
        key,
        fmt::format(" has {} periods, expected at most {} with {} and {}", list.size(), longest,
                    internal::counted(shape.groups, "group"), internal::counted(shape.features, "feature")),
        "/periods", "the rows of all periods must fit in memory");
  return {};
}

std::string in_words(const Periods& periods, std::size_t horizon) {
  std::string text;
  for (std::size_t k = 0; k < periods.list.size(); ++k) {
    const std::size_t first = periods.list[k].first_step;
    const std::size_t last = periods.end(k, horizon) - 1;
    if (k > 0) text += ", ";
    text += first == last ? fmt::format("{} (step {})", periods.list[k].name, first)
                          : fmt::format("{} (steps {} to {})", periods.list[k].name, first, last);
  }
  return text;
}

}  // namespace fairstep
