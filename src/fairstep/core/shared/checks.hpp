// The checks that models, policies and counts share, with one wording of what is wrong.
#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <fairstep/core/axes.hpp>
#include <fairstep/core/by_period.hpp>
#include <fairstep/core/error.hpp>
#include <fairstep/core/model.hpp>
#include <fairstep/core/shape.hpp>
#include <fairstep/core/tensor.hpp>

namespace fairstep::internal {

/// "1 step", "3 steps"
[[nodiscard]] std::string counted(std::size_t number, const char* noun);

/// At least so many names, all different, none empty, each fit to be printed in a line.
[[nodiscard]] Expected<void> check_names(const std::vector<std::string>& names, const std::string& key,
                                         std::size_t at_least);
[[nodiscard]] Expected<void> check_names(const Names& names);

/// Entries of the largest table that any room keeps: 2 GiB of numbers.
inline constexpr std::size_t kLargestTable = std::size_t{1} << 28U;

/// At least one step, and no more than a table over all steps can hold.
[[nodiscard]] Expected<void> check_horizon(const Shape& shape);

/// What a tensor is called, for people (participation.leave) and for programs (/participation/leave).
struct Field {
  std::string name;
  std::string pointer;
  const std::vector<std::string>& groups;

  Field(const std::string& key, const std::vector<std::string>& group_names)
      : name(key), pointer("/" + key), groups(group_names) {}
  Field(const std::string& parent, const std::string& key, const std::vector<std::string>& group_names)
      : name(parent + "." + key), pointer("/" + parent + "/" + key), groups(group_names) {}
};

[[nodiscard]] inline bool is_one(double sum) { return sum >= 1 - kSumTolerance && sum <= 1 + kSumTolerance; }
/// `sums to 0.97, expected 1 (within 1e-9)`
[[nodiscard]] std::string wrong_sum(double sum);

/// The indices that a flat offset stands for.
[[nodiscard]] std::vector<std::size_t> unflatten(std::size_t flat, std::span<const std::size_t> extents);

/// An Error that says `transition[g=black,x=2] <what>` and points there.
[[nodiscard]] tl::unexpected<Error> fail_at(const Field& field, std::span<const Axis> axes,
                                            std::span<const std::size_t> index, const std::string& what,
                                            Text hint = {});

template <class T, std::size_t Rank>
[[nodiscard]] Expected<void> check_extents(const Field& field, const Tensor<T, Rank>& tensor, const Layout<Rank>& axes,
                                           const Shape& shape) {
  const auto expected = extents_of(axes, shape);
  if (tensor.extents() == expected) return {};
  return fail(fmt::format("{} has size {}, expected {}", field.name, fmt::join(tensor.extents(), " x "),
                          fmt::join(expected, " x ")),
              field.pointer);
}

/// `check(table, axes)` of a table by period that has the right size: [g,...], or [g,period,...] if periods have names.
template <class T, std::size_t Rank, class Check>
[[nodiscard]] Expected<void> check_by_period(const Field& field, const ByPeriod<T, Rank>& table,
                                             const Layout<Rank>& axes, const Shape& shape, bool named,
                                             const Check& check) {
  const auto both = [&](const auto& tensor, const auto& its_axes) -> Expected<void> {
    if (auto ok = check_extents(field, tensor, its_axes, shape); !ok) return ok;
    return check(tensor, its_axes);
  };
  if (!named && table.pooled()) return both(table.pooled_table(), axes);
  return both(table.with_periods(), with_periods(axes));
}

/// The first entry that is not within [low, high] (NaN never is), named; `right` says what was expected.
template <class T, std::size_t Rank>
[[nodiscard]] Expected<void> check_entries(const Field& field, const Tensor<T, Rank>& tensor, const Layout<Rank>& axes,
                                           T low, T high, const char* right) {
  const auto values = tensor.flat();
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!(values[i] >= low && values[i] <= high))
      return fail_at(field, axes, unflatten(i, tensor.extents()), fmt::format("is {}, expected {}", values[i], right));
  return {};
}

/// Right size, nothing negative, and a total that fits: it bounds every sum of its entries that is asked for later.
template <std::size_t Rank>
[[nodiscard]] Expected<void> check_tally(const Field& field, const Tensor<std::int64_t, Rank>& tensor,
                                         const Layout<Rank>& axes, const Shape& shape) {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  if (auto ok = check_extents(field, tensor, axes, shape); !ok) return ok;
  if (auto ok = check_entries(field, tensor, axes, std::int64_t{0}, most, "a count of 0 or more"); !ok) return ok;
  std::int64_t total = 0;
  for (const std::int64_t n : tensor.flat())
    if (__builtin_add_overflow(total, n, &total))
      return fail(fmt::format("{} adds up to more than {}, the greatest count", field.name, most), field.pointer);
  return {};
}

template <std::size_t Rank>
[[nodiscard]] Expected<void> check_probabilities(const Field& field, const Tensor<double, Rank>& tensor,
                                                 const Layout<Rank>& axes) {
  return check_entries(field, tensor, axes, 0.0, 1.0, "a probability between 0 and 1");
}

/// The rows under the first `leading` axes are distributions.
template <std::size_t Rank>
[[nodiscard]] Expected<void> check_distributions(const Field& field, const Tensor<double, Rank>& tensor,
                                                 const Layout<Rank>& axes, std::size_t leading) {
  if (auto ok = check_probabilities(field, tensor, axes); !ok) return ok;
  const auto row_extents = std::span(tensor.extents()).first(leading);
  std::size_t rows = 1;
  for (const std::size_t extent : row_extents) rows *= extent;
  const std::size_t length = tensor.size() / rows;
  for (std::size_t r = 0; r < rows; ++r) {
    double sum = 0;
    for (const double p : tensor.flat().subspan(r * length, length)) sum += p;
    if (is_one(sum)) continue;
    return fail_at(field, axes, unflatten(r, row_extents), wrong_sum(sum),
                   "probabilities are never rescaled silently; fix the row");
  }
  return {};
}

}  // namespace fairstep::internal
