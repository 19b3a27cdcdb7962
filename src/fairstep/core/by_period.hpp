// A table of rows for each period of time (core/periods.hpp), in most cases for one: [g,...] of all steps.
//
// Where there are several periods they come after the group, [g,k,...]. Whoever knows of one kernel only reads the
// table as that of all steps; asking so of a table of several periods is a bug of the caller, and throws rather than
// take one period for all.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <stdexcept>
#include <utility>

#include <fairstep/core/tensor.hpp>

namespace fairstep {

template <class T, std::size_t Rank>
class ByPeriod {
 public:
  using Table = Tensor<T, Rank>;

  ByPeriod() = default;
  /// The same at all steps, [g,...].
  ByPeriod(Table all_steps) : rows_(std::move(all_steps)) {}  // NOLINT(google-explicit-constructor)
  /// `extents` are those of one period.
  ByPeriod(Table::Extents extents, std::size_t periods, const T& fill = T{}) : periods_(periods) {
    extents[0] *= periods;
    rows_ = Table(extents, fill);
  }
  /// [g,k,...]
  explicit ByPeriod(const Tensor<T, Rank + 1>& table) : periods_(table.extents()[1]) {
    typename Table::Extents extents{};
    std::copy(table.extents().begin() + 1, table.extents().end(), extents.begin());
    extents[0] = table.extents()[0] * periods_;
    rows_ = Table(extents);
    std::copy(table.flat().begin(), table.flat().end(), rows_.flat().begin());
  }

  [[nodiscard]] std::size_t periods() const { return periods_; }
  [[nodiscard]] bool pooled() const { return periods_ == 1; }
  [[nodiscard]] bool empty() const { return rows_.empty(); }
  /// Of one period.
  [[nodiscard]] Table::Extents extents_of_one() const {
    auto extents = rows_.extents();
    extents[0] /= periods_;
    return extents;
  }
  /// The entries of all periods, in the order of [g,k,...].
  [[nodiscard]] std::span<T> all() { return rows_.flat(); }
  [[nodiscard]] std::span<const T> all() const { return rows_.flat(); }
  /// What is under a group, a period and some more indices.
  template <class... Index>
  [[nodiscard]] std::span<T> of(std::size_t g, std::size_t k, Index... leading) {
    return rows_.block(g * periods_ + k, leading...);
  }
  template <class... Index>
  [[nodiscard]] std::span<const T> of(std::size_t g, std::size_t k, Index... leading) const {
    return rows_.block(g * periods_ + k, leading...);
  }
  /// All periods of a group, one after the other.
  [[nodiscard]] std::span<const T> of_group(std::size_t g) const {
    const std::size_t size = rows_.block(g).size() * periods_;
    return rows_.flat().subspan(g * size, size);
  }
  /// [g,k,...]
  [[nodiscard]] Tensor<T, Rank + 1> with_periods() const {
    typename Tensor<T, Rank + 1>::Extents extents{};
    const auto one = extents_of_one();
    std::copy(one.begin() + 1, one.end(), extents.begin() + 2);
    extents[0] = one[0];
    extents[1] = periods_;
    Tensor<T, Rank + 1> table(extents);
    std::copy(all().begin(), all().end(), table.flat().begin());
    return table;
  }

  /// The one of all steps.
  [[nodiscard]] Table& pooled_table() { return (require_one(), rows_); }
  [[nodiscard]] const Table& pooled_table() const { return (require_one(), rows_); }
  [[nodiscard]] Table::Extents extents() const { return pooled_table().extents(); }
  [[nodiscard]] std::size_t size() const { return pooled_table().size(); }
  template <class... Index>
  [[nodiscard]] T& operator()(Index... index) {
    return pooled_table()(index...);
  }
  template <class... Index>
  [[nodiscard]] const T& operator()(Index... index) const {
    return pooled_table()(index...);
  }
  template <class... Index>
  [[nodiscard]] std::span<T> block(Index... leading) {
    return pooled_table().block(leading...);
  }
  template <class... Index>
  [[nodiscard]] std::span<const T> block(Index... leading) const {
    return pooled_table().block(leading...);
  }
  [[nodiscard]] std::span<T> flat() { return pooled_table().flat(); }
  [[nodiscard]] std::span<const T> flat() const { return pooled_table().flat(); }

  friend bool operator==(const ByPeriod&, const ByPeriod&) = default;

 private:
  void require_one() const {
    if (periods_ != 1) throw std::logic_error("one kernel of all steps was asked for, and there are several");
  }

  std::size_t periods_ = 1;
  Table rows_{};  ///< [g,k] make its first axis
};

}  // namespace fairstep
