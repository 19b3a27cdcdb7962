#include <fairstep/core/lost.hpp>

#include <algorithm>

#include <fairstep/core/axes.hpp>
#include <fairstep/core/shared/checks.hpp>

namespace fairstep {
namespace {

template <std::size_t Rank>
bool all_zero(const Tensor<std::int64_t, Rank>& table) {
  const auto entries = table.flat();
  return std::all_of(entries.begin(), entries.end(), [](std::int64_t n) { return n == 0; });
}

template <std::size_t Rank>
bool add_losses(Tensor<std::int64_t, Rank>& to, const Tensor<std::int64_t, Rank>& from) {
  if (to.extents() != from.extents()) return false;
  for (std::size_t i = 0; i < to.size(); ++i)
    if (__builtin_add_overflow(to.flat()[i], from.flat()[i], &to.flat()[i])) return false;
  return true;
}

/// [g,x,a] of [g,x,y,a]. False if a sum overflows.
bool add_over_labels(const Tensor<std::int64_t, 4>& cells, Tensor<std::int64_t, 3>& features) {
  const auto [groups, xs, labels, actions] = cells.extents();
  features = Tensor<std::int64_t, 3>({groups, xs, actions});
  for (std::size_t i = 0; i < cells.size(); ++i) {
    std::int64_t& sum = features.flat()[i / (labels * actions) * actions + i % actions];
    if (__builtin_add_overflow(sum, cells.flat()[i], &sum)) return false;
  }
  return true;
}

/// Of `log.lost`, or of a part of it.
template <std::size_t Rank>
Expected<void> check_losses(const std::string& parent, const char* key, const Tensor<std::int64_t, Rank>& table,
                            const Layout<Rank>& axes, const Shape& shape, const std::vector<std::string>& groups) {
  internal::Field field("log/" + parent, key, groups);
  std::replace(field.name.begin(), field.name.end(), '/', '.');
  return internal::check_tally(field, table, axes, shape);
}

}  // namespace

Lost Lost::none(const Shape& shape) {
  Lost lost;
  lost.first = Tensor<std::int64_t, 1>(extents_of(kGroupAxes, shape));
  lost.first_in_doubt = lost.first;
  lost.decisions = Tensor<std::int64_t, 2>(extents_of(kFirstStepAxes, shape));
  lost.cells = Tensor<std::int64_t, 4>(extents_of(kCellAxes, shape));
  lost.transitions = lost.cells;
  return lost;
}

bool Lost::nothing() const {
  return all_zero(first) && all_zero(first_in_doubt) && all_zero(decisions) && all_zero(cells) && all_zero(transitions);
}

bool Lost::add(const Lost& other) {
  return add_losses(first, other.first) && add_losses(first_in_doubt, other.first_in_doubt) &&
         add_losses(decisions, other.decisions) && add_losses(cells, other.cells) &&
         add_losses(transitions, other.transitions);
}

FeatureLost FeatureLost::none(const Shape& shape) {
  FeatureLost lost;
  lost.first = Tensor<std::int64_t, 1>(extents_of(kGroupAxes, shape));
  lost.first_in_doubt = lost.first;
  lost.decisions = Tensor<std::int64_t, 2>(extents_of(kFirstStepAxes, shape));
  lost.cells = Tensor<std::int64_t, 3>(extents_of(kFeatureCellAxes, shape));
  lost.transitions = lost.cells;
  return lost;
}

std::optional<FeatureLost> FeatureLost::of(const Lost& lost) {
  FeatureLost features{lost.first, lost.first_in_doubt, lost.decisions, {}, {}};
  if (!add_over_labels(lost.cells, features.cells) || !add_over_labels(lost.transitions, features.transitions))
    return std::nullopt;
  return features;
}

bool FeatureLost::nothing() const {
  return all_zero(first) && all_zero(first_in_doubt) && all_zero(decisions) && all_zero(cells) && all_zero(transitions);
}

bool FeatureLost::add(const FeatureLost& other) {
  return add_losses(first, other.first) && add_losses(first_in_doubt, other.first_in_doubt) &&
         add_losses(decisions, other.decisions) && add_losses(cells, other.cells) &&
         add_losses(transitions, other.transitions);
}

Expected<void> check(const Lost& lost, const Shape& shape, const std::vector<std::string>& groups) {
  const auto check_table = [&]<std::size_t Rank>(const char* key, const Tensor<std::int64_t, Rank>& table,
                                                 const Layout<Rank>& axes) {
    return check_losses("lost", key, table, axes, shape, groups);
  };
  if (auto ok = check_table("first", lost.first, kGroupAxes); !ok) return ok;
  if (auto ok = check_table("first_in_doubt", lost.first_in_doubt, kGroupAxes); !ok) return ok;
  if (auto ok = check_table("decisions", lost.decisions, kFirstStepAxes); !ok) return ok;
  if (auto ok = check_table("cells", lost.cells, kCellAxes); !ok) return ok;
  return check_table("transitions", lost.transitions, kCellAxes);
}

Expected<void> check(const FeatureLost& lost, const Shape& shape, const std::vector<std::string>& groups) {
  const auto check_table = [&]<std::size_t Rank>(const char* key, const Tensor<std::int64_t, Rank>& table,
                                                 const Layout<Rank>& axes) {
    return check_losses("unlabelled_rows/lost", key, table, axes, shape, groups);
  };
  if (auto ok = check_table("first", lost.first, kGroupAxes); !ok) return ok;
  if (auto ok = check_table("first_in_doubt", lost.first_in_doubt, kGroupAxes); !ok) return ok;
  if (auto ok = check_table("decisions", lost.decisions, kFirstStepAxes); !ok) return ok;
  if (auto ok = check_table("cells", lost.cells, kFeatureCellAxes); !ok) return ok;
  return check_table("transitions", lost.transitions, kFeatureCellAxes);
}

}  // namespace fairstep
