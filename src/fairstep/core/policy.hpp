// Who is accepted: P(a=1) for each group, step and feature, or for each step and feature whatever the group.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include <fairstep/core/error.hpp>
#include <fairstep/core/model.hpp>
#include <fairstep/core/shape.hpp>
#include <fairstep/core/tensor.hpp>

namespace fairstep {

class Policy {
 public:
  /// A policy that may treat groups differently; accept is [g,h,x], each entry a probability.
  /// `groups` are the names it was made for; empty means any.
  [[nodiscard]] static Expected<Policy> make(Tensor<double, 3> accept, std::vector<std::string> groups = {});
  /// A policy that does not look at the group; accept is [h,x].
  [[nodiscard]] static Expected<Policy> make_group_independent(const Tensor<double, 2>& accept);

  [[nodiscard]] bool group_independent() const { return group_independent_; }
  /// The number of groups it is for; 1 if it does not look at the group.
  [[nodiscard]] std::size_t groups() const { return accept_.extents()[0]; }
  [[nodiscard]] std::size_t horizon() const { return accept_.extents()[1]; }
  [[nodiscard]] std::size_t features() const { return accept_.extents()[2]; }
  [[nodiscard]] const std::vector<std::string>& group_names() const { return group_names_; }

  [[nodiscard]] double accept(std::size_t g, std::size_t h, std::size_t x) const { return accept_(row(g), h, x); }
  /// [g,h,x], one group if it does not look at the group.
  [[nodiscard]] const Tensor<double, 3>& table() const { return accept_; }
  /// [h,x] of group g.
  [[nodiscard]] std::span<const double> group(std::size_t g) const { return accept_.block(row(g)); }

  /// An error unless the policy answers every (g,h,x) of the model, for the model's own groups.
  [[nodiscard]] Expected<void> check_fits(const Model& model) const;

  friend bool operator==(const Policy&, const Policy&) = default;

 private:
  Policy() = default;
  [[nodiscard]] std::size_t row(std::size_t g) const { return group_independent_ ? 0 : g; }

  Tensor<double, 3> accept_{};  ///< [g,h,x], one group if group_independent_
  bool group_independent_ = false;
  std::vector<std::string> group_names_{};
};

}  // namespace fairstep
