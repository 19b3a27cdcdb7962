#include "log_csv.hpp"

#include <charconv>
#include <utility>

#include <fmt/format.h>

namespace fairstep::cli {

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
      group_step_(g, h) = fmt::format(",{},{},", quoted(model.names().groups[g]), h);
  for (std::size_t x = 0; x < n.features; ++x)
    for (std::size_t y = 0; y < kLabels; ++y)
      for (std::size_t a = 0; a < kActions; ++a)
        state_action_(x, y, a) = fmt::format("{},{},{},", quoted(model.names().features[x]), y, a);
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
