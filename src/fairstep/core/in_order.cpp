#include <fairstep/core/in_order.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include <fairstep/core/axes.hpp>
#include <fairstep/core/by_period.hpp>
#include <fairstep/core/grounds.hpp>
#include <fairstep/core/history.hpp>
#include <fairstep/core/log_record.hpp>
#include <fairstep/core/lost.hpp>
#include <fairstep/core/tensor.hpp>
#include <fairstep/core/unlabelled.hpp>

namespace fairstep {
namespace {

constexpr Layout<2> kGroupActionAxes{Axis::g, Axis::a};
constexpr Layout<3> kGroupLabelActionAxes{Axis::g, Axis::y, Axis::a};

/// [i] where the i-th name stands now; none if these are not the same names.
std::optional<std::vector<std::size_t>> places_of(const std::vector<std::string>& names,
                                                  const std::vector<std::string>& now) {
  if (names.size() != now.size()) return std::nullopt;
  std::vector<std::size_t> places;
  for (const std::string& name : names) {
    const auto found = std::find(now.begin(), now.end(), name);
    if (found == now.end()) return std::nullopt;
    places.push_back(static_cast<std::size_t>(found - now.begin()));
  }
  return places;
}

/// Moves what is under each group and feature to its place.
class Order {
 public:
  Order(std::vector<std::size_t> groups, std::vector<std::size_t> features)
      : groups_(std::move(groups)), features_(std::move(features)) {}

  /// None if the names are not the same ones.
  static std::optional<Order> of(const Names& names, const Names& now) {
    auto groups = places_of(names.groups, now.groups);
    auto features = places_of(names.features, now.features);
    if (!groups || !features) return std::nullopt;
    return Order(std::move(*groups), std::move(*features));
  }

  template <class T, std::size_t Rank>
  void move(Tensor<T, Rank>& table, const Layout<Rank>& axes) const {
    if (table.empty()) return;
    const Tensor<T, Rank> before = table;
    std::array<std::size_t, Rank> index{};
    for (T& entry : table.flat()) {
      std::size_t from = 0;
      for (std::size_t i = 0; i < Rank; ++i) from = from * table.extents()[i] + place_on(axes[i], index[i]);
      entry = before.flat()[from];
      for (std::size_t i = Rank; i-- > 0;) {  // the next entry: the last index runs fastest
        if (++index[i] < table.extents()[i]) break;
        index[i] = 0;
      }
    }
  }
  template <class T, std::size_t Rank>
  void move(ByPeriod<T, Rank>& table, const Layout<Rank>& axes) const {
    if (table.empty()) return;
    auto all = table.with_periods();
    move(all, with_periods(axes));
    table = ByPeriod<T, Rank>(all);
  }
  template <class T>
  void move(std::vector<T>& by_group) const {
    if (by_group.empty()) return;
    const std::vector<T> before = by_group;
    for (std::size_t g = 0; g < groups_.size(); ++g) by_group[g] = before[groups_[g]];
  }

 private:
  [[nodiscard]] std::size_t place_on(Axis axis, std::size_t i) const {
    if (axis == Axis::g) return groups_[i];
    return axis == Axis::x || axis == Axis::x0 || axis == Axis::x1 ? features_[i] : i;
  }

  std::vector<std::size_t> groups_;
  std::vector<std::size_t> features_;
};

void move(Lost& lost, const Order& order) {
  order.move(lost.first, kGroupAxes);
  order.move(lost.first_in_doubt, kGroupAxes);
  order.move(lost.decisions, kFirstStepAxes);
  order.move(lost.cells, kCellAxes);
  order.move(lost.transitions, kCellAxes);
}

void move(FeatureLost& lost, const Order& order) {
  order.move(lost.first, kGroupAxes);
  order.move(lost.first_in_doubt, kGroupAxes);
  order.move(lost.decisions, kFirstStepAxes);
  order.move(lost.cells, kFeatureCellAxes);
  order.move(lost.transitions, kFeatureCellAxes);
}

void move(LogRecord& log, const Order& order) {
  order.move(log.unlabelled, kFeatureVisitsAxes);
  if (log.unlabelled_rows) {
    order.move(log.unlabelled_rows->first, kFeatureAxes);
    order.move(log.unlabelled_rows->transitions, kFeatureTransitionAxes);
    if (log.unlabelled_rows->lost) move(*log.unlabelled_rows->lost, order);
  }
  if (log.lost) move(*log.lost, order);
  for (Window& window : log.windows) {
    order.move(window.decisions, kGroupLabelActionAxes);
    order.move(window.unlabelled, kGroupActionAxes);
  }
}

void move(History& history, const Order& order) {
  order.move(history.departures, kVisitsAxes);
  order.move(history.arrivals, kArrivalAxes);
  order.move(history.pairs, kPairAxes);
  order.move(history.after_pairs, kAfterPairAxes);
  order.move(history.unseen, kUnseenAxes);
  for (History::Window& window : history.windows) {
    order.move(window.departures, kCellAxes);
    order.move(window.arrivals, kWindowArrivalAxes);
  }
}

void move(Grounds& grounds, const Order& order) {
  order.move(grounds.people);
  order.move(grounds.first);
  order.move(grounds.successors, kCellAxes);
  order.move(grounds.rewards, kCellAxes);
  if (!grounds.labels) return;
  order.move(grounds.labels->seen, kFeatureAxes);
  order.move(grounds.labels->unseen, kFeatureAxes);
}

/// Their names; labels and actions stay where they are.
void rename(Names& now, const Names& names) {
  now.groups = names.groups;
  now.features = names.features;
}

bool are_in_order(const Names& names, const Names& now) {
  return names.groups == now.groups && names.features == now.features;
}

}  // namespace

Policy in_order_of(const std::vector<std::string>& groups, Policy policy) {
  if (policy.group_names() == groups) return policy;
  const auto places = places_of(groups, policy.group_names());
  if (!places) return policy;
  Tensor<double, 3> accept = policy.table();
  Order(*places, {}).move(accept, {Axis::g, Axis::h, Axis::a});  // features have no names there
  auto moved = Policy::make(std::move(accept), groups);
  return moved ? std::move(*moved) : policy;
}

Model in_order_of(const Names& names, Model model) {
  if (are_in_order(names, model.names())) return model;
  const auto order = Order::of(names, model.names());
  if (!order) return model;
  ModelSpec spec = model.spec();
  rename(spec.names, names);
  order->move(spec.share);
  order->move(spec.initial, kInitialAxes);
  order->move(spec.transition, kTransitionAxes);
  order->move(spec.reward, kCellAxes);
  order->move(spec.reward_noise, kCellAxes);
  if (spec.participation) {
    order->move(spec.participation->leave, kCellAxes);
    order->move(spec.participation->first_step, kFirstStepAxes);
  }
  if (spec.rests_on) move(*spec.rests_on, *order);
  auto moved = Model::make(std::move(spec));
  return moved ? std::move(*moved) : model;
}

Counts in_order_of(const Names& names, Counts counts) {
  if (are_in_order(names, counts.names())) return counts;
  const auto order = Order::of(names, counts.names());
  if (!order) return counts;
  if (counts.log() && !counts.log()->bins.empty() && names.features != counts.names().features) return counts;
  CountsSpec spec = counts.spec();
  rename(spec.names, names);
  order->move(spec.first, kInitialAxes);
  order->move(spec.visits, kVisitsAxes);
  order->move(spec.transitions, kTransitionAxes);
  order->move(spec.by_period, with_periods(kTransitionAxes));
  order->move(spec.reward_sum, kCellAxes);
  order->move(spec.reward_squares, kCellAxes);
  if (spec.log) move(*spec.log, *order);
  if (spec.history) move(*spec.history, *order);
  auto moved = Counts::make(std::move(spec));
  return moved ? std::move(*moved) : counts;
}

}  // namespace fairstep
