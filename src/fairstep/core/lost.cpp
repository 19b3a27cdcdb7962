#include <fairstep/core/lost.hpp>

#include <algorithm>

#include <fairstep/core/axes.hpp>
#include <fairstep/core/shared/add.hpp>
#include <fairstep/core/shared/checks.hpp>

namespace fairstep {
namespace {

template <std::size_t Rank>
bool all_zero(const Tensor<std::int64_t, Rank>& table) {
  const auto entries = table.flat();
  return std::all_of(entries.begin(), entries.end(), [](std::int64_t n) { return n == 0; });
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

// Losses of states and of features have the same tables, of which those by cell have a label or not.

template <class Losses, std::size_t Rank>
Losses no_losses(const Shape& shape, const Layout<Rank>& cell_axes) {
  Losses lost;
  lost.first = Tensor<std::int64_t, 1>(extents_of(kGroupAxes, shape));
  lost.first_in_doubt = lost.first;
  lost.decisions = Tensor<std::int64_t, 2>(extents_of(kFirstStepAxes, shape));
  lost.cells = Tensor<std::int64_t, Rank>(extents_of(cell_axes, shape));
  lost.transitions = lost.cells;
  return lost;
}

template <class Losses>
bool are_none(const Losses& lost) {
  return all_zero(lost.first) && all_zero(lost.first_in_doubt) && all_zero(lost.decisions) && all_zero(lost.cells) &&
         all_zero(lost.transitions);
}

template <class Losses>
bool add_losses(Losses& to, const Losses& from) {
  return internal::add_to(to.first, from.first) && internal::add_to(to.first_in_doubt, from.first_in_doubt) &&
         internal::add_to(to.decisions, from.decisions) && internal::add_to(to.cells, from.cells) &&
         internal::add_to(to.transitions, from.transitions);
}

/// Of `log.lost`, or of a part of it.
template <class Losses, std::size_t Rank>
Expected<void> check_losses(const Losses& lost, const std::string& parent, const Layout<Rank>& cell_axes,
                            const Shape& shape, const std::vector<std::string>& groups) {
  const auto check_table = [&]<std::size_t R>(const char* key, const Tensor<std::int64_t, R>& table,
                                              const Layout<R>& axes) {
    internal::Field field("log/" + parent, key, groups);
    std::replace(field.name.begin(), field.name.end(), '/', '.');
    return internal::check_tally(field, table, axes, shape);
  };
  if (auto ok = check_table("first", lost.first, kGroupAxes); !ok) return ok;
  if (auto ok = check_table("first_in_doubt", lost.first_in_doubt, kGroupAxes); !ok) return ok;
  if (auto ok = check_table("decisions", lost.decisions, kFirstStepAxes); !ok) return ok;
  if (auto ok = check_table("cells", lost.cells, cell_axes); !ok) return ok;
  return check_table("transitions", lost.transitions, cell_axes);
}

}  // namespace

Lost Lost::none(const Shape& shape) { return no_losses<Lost>(shape, kCellAxes); }
bool Lost::nothing() const { return are_none(*this); }
bool Lost::add(const Lost& other) { return add_losses(*this, other); }

FeatureLost FeatureLost::none(const Shape& shape) { return no_losses<FeatureLost>(shape, kFeatureCellAxes); }
bool FeatureLost::nothing() const { return are_none(*this); }
bool FeatureLost::add(const FeatureLost& other) { return add_losses(*this, other); }

std::optional<FeatureLost> FeatureLost::of(const Lost& lost) {
  FeatureLost features{lost.first, lost.first_in_doubt, lost.decisions, {}, {}};
  if (!add_over_labels(lost.cells, features.cells) || !add_over_labels(lost.transitions, features.transitions))
    return std::nullopt;
  return features;
}

Expected<void> check(const Lost& lost, const Shape& shape, const std::vector<std::string>& groups) {
  return check_losses(lost, "lost", kCellAxes, shape, groups);
}

Expected<void> check(const FeatureLost& lost, const Shape& shape, const std::vector<std::string>& groups) {
  return check_losses(lost, "unlabelled_rows/lost", kFeatureCellAxes, shape, groups);
}

}  // namespace fairstep
