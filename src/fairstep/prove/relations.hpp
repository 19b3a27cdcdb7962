// What holds for every policy: rows over the value V and, for each limit l (a rate at a step) and each i-th group of
// it,
//   N l i    the share of the group that is in the rate's event and accepted; D l i the share that is in the event
//            (N is divided by D, and D is 1, where no policy can change it)
//   t l      a rate that all groups' rates are within half of the limit of
//   A h      of all people, those who are accepted at step h
//   w l i    t * D;   d l i j  D_i scaled less D_j scaled;   e l i j  t * d
// Rows, each with the range its sum lies in:
//   cutoff       V >= the bound: nothing else matters
//   capacity h   A <= the capacity
//   pair l i j   N_i - N_j within the limit, where both D are 1
//   up l i       N - w - half D <= 0, or N - t <= half of the limit where D is 1
//   low l i      N - w + half D >= 0, or N - t >= minus half of it
//   w l i k      the k-th side of the envelope of w = t * D over the ranges of t and D; e l i j k that of e = t * d:
//                (t-t0)(D-D0) >= 0, (t-t1)(D-D1) >= 0, (t-t0)(D-D1) <= 0, (t-t1)(D-D0) <= 0, multiplied out
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fairstep/core/model.hpp>
#include <fairstep/prove/beliefs.hpp>
#include <fairstep/prove/proof.hpp>

namespace fairstep::prove {

/// Limits are kept if they are kept to within this.
inline constexpr double kTolerance = 1e-8;

/// P(a=1) of everybody, of the qualified, or of the unqualified.
enum class Rate { accept, tpr, fpr };
/// Whether the rate is about people with this label.
[[nodiscard]] inline bool is_about(Rate rate, std::size_t y) {
  return rate == Rate::accept || y == (rate == Rate::tpr ? 1U : 0U);
}

/// Groups are compared by a rate at a step.
struct Limit {
  Rate rate{};
  std::size_t step = 0;
  double limit = 0;
  std::vector<std::size_t> groups{};  ///< who have the rate, whatever the policy
  std::vector<Interval> fixed{};      ///< [i] the denominator, where no policy changes it; 0 where one may
  [[nodiscard]] bool is_fixed(std::size_t i) const { return fixed[i].high > 0; }
};

[[nodiscard]] std::vector<Limit> limits_of(const Model& model, const Asked& asked);
/// [block] the groups that share a table.
[[nodiscard]] std::vector<std::vector<std::size_t>> blocks_of(const Model& model, const Asked& asked);

struct Quantity {
  enum class Kind { value, accepted, rate, part, whole, product, difference, product_of_difference };
  Kind kind{};
  std::size_t limit = 0, i = 0, j = 0;
  std::size_t step = 0;  ///< of `accepted`
};

struct Row {
  enum class Kind { cutoff, capacity, pair, up, low, envelope };
  Kind kind{};
  std::size_t limit = 0, i = 0, j = 0;
  std::size_t product = 0, side = 0;  ///< of an envelope; of a capacity, `product` is what it limits
};

class Relations {
 public:
  Relations(const Model& model, const Asked& asked, std::vector<std::vector<double>> scale);

  [[nodiscard]] const std::vector<Limit>& limits() const { return limits_; }
  [[nodiscard]] double scale(std::size_t limit, std::size_t i) const { return scale_[limit][i]; }
  [[nodiscard]] const std::vector<Quantity>& quantities() const { return quantities_; }
  [[nodiscard]] const std::vector<Row>& rows() const { return rows_; }
  static constexpr std::size_t kValue = 0;  ///< the quantity V
  [[nodiscard]] std::size_t rate(std::size_t limit) const { return rate_[limit]; }
  /// The quantities N, D (none if it is fixed) and w of a limit's i-th group.
  [[nodiscard]] std::size_t part(std::size_t limit, std::size_t i) const { return part_[limit][i]; }
  [[nodiscard]] std::size_t whole(std::size_t limit, std::size_t i) const { return part(limit, i) + 1; }
  [[nodiscard]] std::size_t product(std::size_t limit, std::size_t i) const { return part(limit, i) + 2; }
  /// What a product w or e multiplies t by: the quantity that is named before it.
  [[nodiscard]] static std::size_t other_factor(std::size_t product) { return product - 1; }
  /// By its name; as many as there are if there is none.
  [[nodiscard]] std::size_t quantity(const std::string& name) const { return find(quantity_called_, name); }
  [[nodiscard]] std::size_t row(const std::string& name) const { return find(row_called_, name); }
  [[nodiscard]] const std::string& name_of(std::size_t quantity) const { return names_[quantity]; }

 private:
  static std::size_t find(const std::map<std::string, std::size_t>& names, const std::string& name) {
    const auto found = names.find(name);
    return found == names.end() ? names.size() : found->second;
  }
  void add(const std::string& name, const Quantity& quantity);
  void add(const std::string& name, const Row& row);

  std::vector<Limit> limits_;
  std::vector<std::vector<double>> scale_;
  std::vector<Quantity> quantities_{};
  std::vector<Row> rows_{};
  std::vector<std::string> names_{};  ///< [quantity]
  std::map<std::string, std::size_t> quantity_called_{}, row_called_{};
  std::vector<std::size_t> rate_{};               ///< [limit]
  std::vector<std::vector<std::size_t>> part_{};  ///< [limit][i]
};

}  // namespace fairstep::prove
