#include "answers/log_csv.hpp"

#include <charconv>
#include <cmath>
#include <utility>

#include <fmt/format.h>

namespace fairstep::cli {
namespace {

bool is_number(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0;
  const auto [end, trouble] = std::from_chars(text.data(), text.data() + text.size(), value);
  return trouble == std::errc() && end == text.data() + text.size() && std::isfinite(value);
}

bool is_formula(std::string_view name) {
  return !name.empty() && std::string_view("=+-@\t\r").find(name.front()) != std::string_view::npos && !is_number(name);
}

}  // namespace

Expected<void> check_no_formulas(const Names& names) {
  for (const auto& [list, pointer] : {std::pair{&names.groups, "/groups"}, std::pair{&names.features, "/features"}})
    for (std::size_t i = 0; i < list->size(); ++i)
      if (is_formula((*list)[i]))
        return fail(fmt::format("a spreadsheet that opens the log would take the name {:?} for a formula", (*list)[i]),
                    fmt::format("{}/{}", pointer, i),
                    "give it another first character, or write counts: -o counts.json");
  return {};
}

std::string quoted(std::string_view field) {
  if (field.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(field);
  std::string out = "\"";
  for (const char c : field) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + '"';
}

LogCsv::LogCsv(const Model& model)
    : group_step_({model.shape().groups, model.shape().horizon}),
      state_action_({model.shape().features, kLabels, kActions}),
      rewards_({model.shape().groups, model.shape().features, kLabels, kActions}) {
  const Shape& n = model.shape();
  for (std::size_t g = 0; g < n.groups; ++g)
    for (std::size_t h = 0; h < n.horizon; ++h)
      group_step_(g, h) = fmt::format(",{},{},", cli::quoted(model.names().groups[g]), h);
  for (std::size_t x = 0; x < n.features; ++x)
    for (std::size_t y = 0; y < kLabels; ++y)
      for (std::size_t a = 0; a < kActions; ++a)
        state_action_(x, y, a) = fmt::format("{},{},{},", cli::quoted(model.names().features[x]), y, a);
}

std::string_view LogCsv::lines(std::span<const Decision> rows) {
  text_.clear();
  for (const Decision& row : rows) {
    std::array<char, 20> digits;
    const char* end = std::to_chars(digits.data(), digits.data() + digits.size(), row.person).ptr;
    text_.append(digits.data(), static_cast<std::size_t>(end - digits.data()));
    text_ += group_step_(row.group, row.step);
    text_ += state_action_(row.x, row.y, row.a);
    text_ += reward_text(row);
  }
  return text_;
}

std::string_view LogCsv::reward_text(const Decision& row) {
  auto& [last, other] = rewards_(row.group, row.x, row.y, row.a);
  if (last.value == row.reward && !last.text.empty()) return last.text;
  std::swap(last, other);
  if (last.value == row.reward && !last.text.empty()) return last.text;
  last = {row.reward, fmt::format("{}\n", row.reward)};
  return last.text;
}

}  // namespace fairstep::cli
