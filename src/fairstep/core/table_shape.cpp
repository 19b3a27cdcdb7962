#include <fairstep/core/table_shape.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <fairstep/core/quantity.hpp>
#include <fairstep/core/shared/checks.hpp>

namespace fairstep {
namespace {

constexpr std::size_t kMostWide = 1000;

/// Both sides of the first `mark`, neither of them empty.
std::optional<std::pair<std::string, std::string>> cut(std::string_view text, char mark) {
  const std::size_t at = text.find(mark);
  if (at == std::string_view::npos || at == 0 || at + 1 == text.size()) return std::nullopt;
  return std::pair(std::string(text.substr(0, at)), std::string(text.substr(at + 1)));
}

Expected<void> check_wide(const std::vector<WideColumn>& wide) {
  std::set<std::string> names;
  for (const WideColumn& column : wide) {
    if (column.from.size() < 2 || column.from.size() > kMostWide)
      return fail_option(
          "wide", fmt::format(" has {} for {}, expected from 2 to {}", internal::counted(column.from.size(), "column"),
                              column.column, kMostWide));
    if (column.from.size() != wide.front().from.size())
      return fail_option("wide",
                         fmt::format(" has {} columns for {} and {} for {}, expected one for each step",
                                     wide.front().from.size(), wide.front().column, column.from.size(), column.column));
    if (!names.insert(column.column).second) return fail_option("wide", fmt::format(" makes {} twice", column.column));
  }
  return {};
}

Expected<void> check_bins(const ColumnBins& bins) {
  bool rise = !bins.edges.empty();
  for (std::size_t i = 0; i < bins.edges.size(); ++i)
    rise = rise && std::isfinite(bins.edges[i]) && (i == 0 || bins.edges[i] > bins.edges[i - 1]);
  if (rise) return {};
  return fail_option("bins",
                     fmt::format(" of {} are {}, expected numbers that rise", bins.column, fmt::join(bins.edges, ",")));
}

Expected<void> check_columns_once(const TableShape& shape) {
  std::set<std::string> recoded, binned;
  for (const Recode& recode : shape.recodes) {
    if (recode.values.empty() && !recode.other)
      return fail_option("recode", fmt::format(" of {} names no value", recode.column));
    if (!recoded.insert(recode.column).second)
      return fail_option("recode", fmt::format(" is about {} twice", recode.column));
  }
  for (const ColumnBins& bins : shape.bins) {
    if (!binned.insert(bins.column).second) return fail_option("bins", fmt::format(" are about {} twice", bins.column));
    if (recoded.contains(bins.column))
      return fail_option("bins",
                         fmt::format(" are about {}, which is recoded: expected one or the other", bins.column));
    if (auto ok = check_bins(bins); !ok) return ok;
  }
  return {};
}

}  // namespace

std::optional<Recode> Recode::parse(std::string_view text) {
  const auto sides = cut(text, ':');
  if (!sides) return std::nullopt;
  Recode recode{sides->first, {}, {}};
  const auto entries = split_list(sides->second);
  if (!entries) return std::nullopt;
  for (const std::string& entry : *entries) {
    const auto named = cut(entry, '=');
    if (!named) return std::nullopt;
    const bool is_new = named->first == "*" ? !std::exchange(recode.other, named->second)
                                            : recode.values.emplace(named->first, named->second).second;
    if (!is_new) return std::nullopt;
  }
  return recode;
}

std::optional<WideColumn> WideColumn::parse(std::string_view text) {
  const std::size_t at = text.rfind(':');
  if (at == std::string_view::npos || at + 1 == text.size()) return std::nullopt;
  auto from = split_list(text.substr(0, at));
  if (!from) return std::nullopt;
  return WideColumn{std::move(*from), std::string(text.substr(at + 1))};
}

std::optional<ColumnBins> ColumnBins::parse(std::string_view text) {
  const auto sides = cut(text, '=');
  if (!sides) return std::nullopt;
  auto edges = parse_numbers(sides->second);
  if (!edges) return std::nullopt;
  return ColumnBins{sides->first, std::move(*edges)};
}

std::string StepRule::name() const {
  switch (every) {
    case Every::month:
      return "month";
    case Every::order:
      return "order";
    case Every::days:
      break;
  }
  return fmt::format("{}d", days);
}

std::optional<StepRule> StepRule::parse(std::string column, std::string_view every) {
  StepRule rule{std::move(column)};
  for (const Every unit : {Every::month, Every::order}) {
    rule.every = unit;
    if (every == rule.name()) return rule;
  }
  rule.every = Every::days;
  if (!every.ends_with('d')) return std::nullopt;
  every.remove_suffix(1);
  const auto days = parse_whole(every);
  if (!days || *days < 1 || *days > static_cast<std::uint64_t>(kMostDaysOfStep)) return std::nullopt;
  rule.days = static_cast<std::int32_t>(*days);
  return rule;
}

Expected<void> check(const TableShape& shape) {
  if (auto ok = check_wide(shape.wide); !ok) return ok;
  if (auto ok = check_columns_once(shape); !ok) return ok;
  if (!shape.step) return {};
  if (!shape.wide.empty())
    return fail_option("step_from", fmt::format(" is {}, but {} numbers the steps: expected one of the two",
                                                shape.step->column, option("wide")));
  const bool counts_days = shape.step->every == StepRule::Every::days;
  if (counts_days && (shape.step->days < 1 || shape.step->days > kMostDaysOfStep))
    return fail_option("every", fmt::format(" is {} days, expected from 1 to {}", shape.step->days, kMostDaysOfStep));
  return {};
}

std::span<const std::string_view> usual_missing_texts() {
  static constexpr std::array<std::string_view, 7> texts{"NA", "N/A", "?", "null", "NULL", "nan", "NaN"};
  return texts;
}

std::vector<std::string> bin_names(const std::vector<double>& edges) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < edges.size(); ++i)
    names.push_back(i + 1 < edges.size() ? fmt::format("[{},{})", edges[i], edges[i + 1])
                                         : fmt::format("[{},inf)", edges[i]));
  return names;
}

std::vector<std::string> in_words(const TableShape& shape) {
  std::vector<std::string> lines;
  if (!shape.query.empty()) lines.push_back(fmt::format("query: {}", shape.query));
  for (const WideColumn& wide : shape.wide)
    lines.push_back(fmt::format("{} at each step: {}", wide.column, fmt::join(wide.from, ", ")));
  for (const Recode& recode : shape.recodes) {
    std::vector<std::string> entries;
    for (const auto& [value, name] : recode.values) entries.push_back(fmt::format("{} = {}", value, name));
    if (recode.other) entries.push_back(fmt::format("all others = {}", *recode.other));
    lines.push_back(fmt::format("recode {}: {}", recode.column, fmt::join(entries, ", ")));
  }
  for (const ColumnBins& bins : shape.bins)
    lines.push_back(fmt::format("bins of {}: {}", bins.column, fmt::join(bin_names(bins.edges), ", ")));
  if (shape.step) lines.push_back(fmt::format("step from {}: every {}", shape.step->column, shape.step->name()));
  if (shape.missing)
    lines.push_back(shape.missing->empty() ? "no text but the empty one is a missing value"
                                           : fmt::format("missing values: {}", fmt::join(*shape.missing, ", ")));
  return lines;
}

}  // namespace fairstep
