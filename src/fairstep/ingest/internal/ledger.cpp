#include <fairstep/ingest/internal/ledger.hpp>

namespace fairstep::internal {
namespace {

/// Our number for a number of theirs.
std::int32_t renumbered(std::int32_t number, const std::vector<std::size_t>& ours) {
  return number < 0 ? kAny : static_cast<std::int32_t>(ours[static_cast<std::size_t>(number)]);
}

/// The numbers from `low` up to but not `high` that a value may be: itself, or all.
struct Range {
  std::size_t low, high;
  Range(std::int32_t number, const std::vector<std::size_t>& places, std::size_t all)
      : low(number < 0 ? 0 : places[static_cast<std::size_t>(number)]), high(number < 0 ? all : low + 1) {}
  Range(std::int32_t number, std::size_t all)
      : low(number < 0 ? 0 : static_cast<std::size_t>(number)), high(number < 0 ? all : low + 1) {}
};

void charge_groups(Tensor<std::int64_t, 1>& table, const Range& groups, std::int64_t times) {
  for (std::size_t g = groups.low; g < groups.high; ++g) table(g) += times;
}

void charge_cells(Tensor<std::int64_t, 4>& table, const Known& row, const Places& places, std::int64_t times) {
  const auto extents = table.extents();
  const Range groups(row.g, places.group, extents[0]);
  const Range features(row.x, places.feature, extents[1]);
  const Range labels(row.y, kLabels);
  const Range actions(row.a, kActions);
  for (std::size_t g = groups.low; g < groups.high; ++g)
    for (std::size_t x = features.low; x < features.high; ++x)
      for (std::size_t y = labels.low; y < labels.high; ++y)
        for (std::size_t a = actions.low; a < actions.high; ++a) table(g, x, y, a) += times;
}

void charge_feature_cells(Tensor<std::int64_t, 3>& table, const Known& row, const Places& places, std::int64_t times) {
  const auto extents = table.extents();
  const Range groups(row.g, places.group, extents[0]);
  const Range features(row.x, places.feature, extents[1]);
  const Range actions(row.a, kActions);
  for (std::size_t g = groups.low; g < groups.high; ++g)
    for (std::size_t x = features.low; x < features.high; ++x)
      for (std::size_t a = actions.low; a < actions.high; ++a) table(g, x, a) += times;
}

void charge_steps(Tensor<std::int64_t, 2>& table, const Known& row, const Places& places, std::int64_t times) {
  const Range groups(row.g, places.group, table.extents()[0]);
  const Range steps(row.h, places.step, table.extents()[1]);
  for (std::size_t g = groups.low; g < groups.high; ++g)
    for (std::size_t h = steps.low; h < steps.high; ++h) table(g, h) += times;
}

}  // namespace

std::size_t Ledger::Hash::operator()(const Known& row) const {
  const auto bits = [](std::int32_t number) { return static_cast<std::uint64_t>(static_cast<std::uint32_t>(number)); };
  const std::uint64_t one = bits(row.g) << 32U | bits(row.h);
  const std::uint64_t other = bits(row.x) << 8U ^ bits(row.y) << 4U ^ bits(row.a) << 1U ^ (row.label_only ? 1U : 0U);
  std::uint64_t hash = one * 0x9E3779B97F4A7C15U + other * 0xC2B2AE3D27D4EB4FU;
  hash ^= hash >> 32U;
  return static_cast<std::size_t>(hash);
}

void Ledger::lose_decision(const Known& row, std::int64_t times) { decisions_[row] += times; }

void Ledger::lose_successor(Known row, std::int64_t times) {
  row.h = kAny;  // one kernel for all steps
  successors_[row] += times;
}

void Ledger::lose_first(std::int32_t g, bool label_only, std::int64_t times) {
  first_[Known{.g = g, .label_only = label_only}] += times;
}

void Ledger::lose_row_of_anybody(const Known& row, std::int64_t times) {
  lose_decision(row, times);
  lose_successor(row, times);           // from it
  lose_successor({.g = row.g}, times);  // to it, from wherever
  lose_first(row.g, false, times);
  doubts_[Known{.g = row.g}] += times;
}

void Ledger::add(const Ledger& other, const std::vector<std::size_t>& group, const std::vector<std::size_t>& feature,
                 const std::vector<std::size_t>& step) {
  const auto add_rows = [&](Rows& ours, const Rows& theirs) {
    for (const auto& [row, times] : theirs)
      ours[{renumbered(row.g, group), renumbered(row.h, step), renumbered(row.x, feature), row.y, row.a,
            row.label_only}] += times;
  };
  add_rows(decisions_, other.decisions_);
  add_rows(successors_, other.successors_);
  add_rows(first_, other.first_);
  add_rows(doubts_, other.doubts_);
  add_rows(named_, other.named_);
}

Lost Ledger::charge(const Shape& shape, const Places& places) const {
  Lost lost = Lost::none(shape);
  for (const auto& [row, times] : decisions_) {
    charge_cells(lost.cells, row, places, times);
    charge_steps(lost.decisions, row, places, times);
  }
  for (const auto& [row, times] : successors_) charge_cells(lost.transitions, row, places, times);
  for (const auto& [row, times] : first_) charge_groups(lost.first, Range(row.g, places.group, shape.groups), times);
  for (const auto& [row, times] : doubts_)
    charge_groups(lost.first_in_doubt, Range(row.g, places.group, shape.groups), times);
  return lost;
}

FeatureLost Ledger::charge_features(const Shape& shape, const Places& places) const {
  FeatureLost lost = FeatureLost::none(shape);
  for (const auto& [row, times] : decisions_) {
    if (row.label_only) continue;
    charge_feature_cells(lost.cells, row, places, times);
    charge_steps(lost.decisions, row, places, times);
  }
  for (const auto& [row, times] : successors_)
    if (!row.label_only) charge_feature_cells(lost.transitions, row, places, times);
  for (const auto& [row, times] : first_)
    if (!row.label_only) charge_groups(lost.first, Range(row.g, places.group, shape.groups), times);
  for (const auto& [row, times] : doubts_)
    charge_groups(lost.first_in_doubt, Range(row.g, places.group, shape.groups), times);
  return lost;
}

}  // namespace fairstep::internal
