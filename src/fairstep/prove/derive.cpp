#include <fairstep/prove/derive.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

namespace fairstep::prove {
namespace {

using rigorous::up;
using Kind = Quantity::Kind;

/// Sums of probabilities may miss 1, so rates may lie beyond the entries of a table by so much.
constexpr double kBeyondEntries = 1e-6;
/// Nothing that is added up from prices overflows.
constexpr double kGreatestPrice = 1e15;

/// The most that a price makes of what lies in a range.
Real worst(const Interval& price, const Interval& range) { return (price * range).high; }

}  // namespace

/// The ends of ranges as they are now, by claims and by what else is known.
class Derivation::Ends {
 public:
  Ends(const Derivation& all, const Place& place, Uses* uses) : all_(all), place_(place), uses_(uses) {}

  [[nodiscard]] Interval of(std::size_t q) const { return {low(q), high(q)}; }

  [[nodiscard]] Real low(std::size_t q) const {
    const Quantity& quantity = all_.relations_.quantities()[q];
    if (quantity.kind == Kind::product || quantity.kind == Kind::product_of_difference) return product(q).low;
    if (quantity.kind == Kind::difference) {
      const auto [i, j] = wholes(quantity);
      const Interval si(scale(quantity.limit, quantity.i)), sj(scale(quantity.limit, quantity.j));
      const Real known = (si * Interval(plain_low(i)) - sj * Interval(plain_high(j))).low;
      if (known >= place_.low[q]) {
        static_cast<void>(low(i));
        static_cast<void>(high(j));
        return known;
      }
    }
    if (uses_ != nullptr) uses_->low[q] = true;
    return place_.low[q];
  }
  [[nodiscard]] Real high(std::size_t q) const {
    const Quantity& quantity = all_.relations_.quantities()[q];
    if (quantity.kind == Kind::product || quantity.kind == Kind::product_of_difference) return product(q).high;
    if (quantity.kind == Kind::difference) {
      const auto [i, j] = wholes(quantity);
      const Interval si(scale(quantity.limit, quantity.i)), sj(scale(quantity.limit, quantity.j));
      const Real known = (si * Interval(plain_high(i)) - sj * Interval(plain_low(j))).high;
      if (known <= place_.high[q]) {
        static_cast<void>(high(i));
        static_cast<void>(low(j));
        return known;
      }
    }
    if (uses_ != nullptr) uses_->high[q] = true;
    return place_.high[q];
  }
  /// t and D, or t and d.
  [[nodiscard]] std::pair<std::size_t, std::size_t> factors(std::size_t product) const {
    const Relations& r = all_.relations_;
    return {r.rate(r.quantities()[product].limit), Relations::other_factor(product)};
  }
  [[nodiscard]] std::pair<std::size_t, std::size_t> wholes(const Quantity& difference) const {
    const Relations& r = all_.relations_;
    return {r.whole(difference.limit, difference.i), r.whole(difference.limit, difference.j)};
  }
  [[nodiscard]] double scale(std::size_t limit, std::size_t i) const { return all_.relations_.scale(limit, i); }

 private:
  [[nodiscard]] Real plain_low(std::size_t q) const { return place_.low[q]; }
  [[nodiscard]] Real plain_high(std::size_t q) const { return place_.high[q]; }
  [[nodiscard]] Interval product(std::size_t q) const {
    const auto [a, b] = factors(q);
    return of(a) * of(b);
  }

  const Derivation& all_;
  const Place& place_;
  Uses* uses_;
};

Derivation::Derivation(const Model& model, const Asked& asked, const Relations& relations, std::size_t beliefs)
    : model_(model), asked_(asked), relations_(relations), blocks_(blocks_of(model, asked)) {
  block_of_.resize(model.shape().groups);
  for (std::size_t b = 0; b < blocks_.size(); ++b)
    for (const std::size_t g : blocks_[b]) block_of_[g] = b;
  for (std::size_t g = 0; g < model.shape().groups; ++g) beliefs_.emplace_back(model, g, beliefs);
  most_people_ = 1 + 2 * Real{kSumTolerance} * static_cast<Real>(model.shape().horizon + 1);
}

Place Derivation::everywhere() const {
  Place place;
  const std::size_t entries = model_.shape().horizon * model_.shape().features;
  place.box.assign(blocks_.size(), {std::vector<double>(entries, asked_.floor),
                                    std::vector<double>(entries, asked_.two_sided ? 1 - asked_.floor : 1.0)});
  constexpr Real kNoEnd = std::numeric_limits<Real>::infinity();
  for (const Quantity& quantity : relations_.quantities()) {
    Interval range(-kNoEnd, kNoEnd);
    if (quantity.kind == Kind::whole || quantity.kind == Kind::accepted) range = {0, most_people_};
    if (quantity.kind == Kind::part) {
      const Limit& limit = relations_.limits()[quantity.limit];
      range = {0, limit.is_fixed(quantity.i) ? (Interval(most_people_) / limit.fixed[quantity.i]).high : most_people_};
    }
    place.low.push_back(range.low);
    place.high.push_back(range.high);
  }
  narrow_rates(place);
  return place;
}

void Derivation::narrow_rates(Place& place) const {
  const std::size_t features = model_.shape().features;
  for (std::size_t q = 0; q < relations_.quantities().size(); ++q) {
    if (relations_.quantities()[q].kind != Kind::rate) continue;
    const Limit& limit = relations_.limits()[relations_.quantities()[q].limit];
    double least = 1, most = 0;
    for (const std::size_t g : limit.groups)
      for (std::size_t x = 0; x < features; ++x) {
        const Bounds& box = place.box[block_of_[g]];
        least = std::min(least, box.lo[limit.step * features + x]);
        most = std::max(most, box.hi[limit.step * features + x]);
      }
    place.low[q] = std::max(place.low[q], Real{least - kBeyondEntries});
    place.high[q] = std::min(place.high[q], Real{most + kBeyondEntries});
  }
}

bool Derivation::is_empty(const Place& place, Uses* uses) const {
  const Ends ends(*this, place, nullptr);
  for (std::size_t q = 0; q < relations_.quantities().size(); ++q) {
    const Kind kind = relations_.quantities()[q].kind;
    if (kind == Kind::product || kind == Kind::product_of_difference || ends.low(q) <= ends.high(q)) continue;
    const Ends marked(*this, place, uses);
    static_cast<void>(marked.low(q));
    static_cast<void>(marked.high(q));
    return true;
  }
  return false;
}

Expected<Derivation::Sum> Derivation::sum_of(const Claim& claim, const std::string& pointer) const {
  Sum sum;
  if (claim.about == Claim::About::high || claim.about == Claim::About::low) {
    sum.target = relations_.quantity(claim.quantity);
    if (*sum.target == relations_.quantities().size())
      return fail(fmt::format("there is no {}", claim.quantity), pointer + "/of");
    const Kind kind = relations_.quantities()[*sum.target].kind;
    if (kind != Kind::rate && kind != Kind::whole && kind != Kind::difference)
      return fail(fmt::format("the range of {} follows from others'", claim.quantity), pointer + "/of");
    sum.sign = claim.about == Claim::About::high ? 1 : -1;
  } else if (claim.about == Claim::About::value) {
    sum.target = Relations::kValue;
  }
  for (const auto* prices : {&claim.rows, &claim.ranges})
    for (const auto& [name, price] : *prices)
      if (!(std::abs(price) <= kGreatestPrice))
        return fail(fmt::format("{} has a price of {}, expected at most {}", name, price, kGreatestPrice), pointer);
  for (const auto& [name, price] : claim.rows) {
    const std::size_t row = relations_.row(name);
    if (row == relations_.rows().size()) return fail(fmt::format("there is no row {}", name), pointer + "/rows");
    const Row& found = relations_.rows()[row];
    const bool from_below = found.kind == Row::Kind::cutoff || found.kind == Row::Kind::low ||
                            (found.kind == Row::Kind::envelope && found.side < 2);
    if (found.kind != Row::Kind::pair && (from_below ? price > 0 : price < 0))
      return fail(fmt::format("row {} is limited from {} alone, and its price is {}", name,
                              from_below ? "below" : "above", price),
                  pointer + "/rows");
    sum.rows.emplace_back(row, price);
  }
  for (const auto& [name, price] : claim.ranges) {
    const std::size_t q = relations_.quantity(name);
    if (q == relations_.quantities().size() || relations_.quantities()[q].kind == Kind::value)
      return fail(fmt::format("there is no range of {}", name), pointer + "/ranges");
    sum.ranges.emplace_back(q, price);
  }
  return sum;
}

Derivation::Left Derivation::left_by(const Sum& sum, const Place& place, std::optional<double> bound,
                                     Uses* uses) const {
  const Ends ends(*this, place, uses);
  const std::vector<Quantity>& quantities = relations_.quantities();
  std::vector<Interval> left(quantities.size());
  Left result;
  const auto add = [&](Real more) { result.rest = up(result.rest + more); };
  const auto take = [&](std::size_t q, const Interval& amount) { left[q] = left[q] - amount; };
  if (sum.target) left[*sum.target] = Interval(sum.sign);
  for (const auto& [r, price] : sum.rows) {
    const Row& row = relations_.rows()[r];
    const Interval y(price);
    if (row.kind == Row::Kind::cutoff) {
      add((y * Interval(*bound)).high);
      take(Relations::kValue, y);
      continue;
    }
    if (row.kind == Row::Kind::capacity) {
      add((y * (Interval(asked_.capacity[quantities[row.product].step]) + Interval(kTolerance))).high);
      take(row.product, y);
      continue;
    }
    const Limit& limit = relations_.limits()[row.limit];
    const Interval allowed = Interval(limit.limit) + Interval(kTolerance);
    const Interval half = allowed * Interval(0.5L);
    const std::size_t t = relations_.rate(row.limit);
    switch (row.kind) {
      case Row::Kind::pair:
        add((Interval(std::abs(price)) * allowed).high);
        take(relations_.part(row.limit, row.i), y);
        take(relations_.part(row.limit, row.j), Interval(-price));
        break;
      case Row::Kind::up:
      case Row::Kind::low: {
        take(relations_.part(row.limit, row.i), y);
        if (limit.is_fixed(row.i)) {
          add((Interval(std::abs(price)) * half).high);
          take(t, Interval(-price));
          break;
        }
        take(relations_.product(row.limit, row.i), Interval(-price));
        take(relations_.whole(row.limit, row.i), Interval(-std::abs(price)) * half);
        break;
      }
      case Row::Kind::envelope: {
        const auto [a, b] = ends.factors(row.product);
        const Interval at_a(row.side == 0 || row.side == 2 ? ends.low(a) : ends.high(a));
        const Interval at_b(row.side == 0 || row.side == 3 ? ends.low(b) : ends.high(b));
        // w - at_b a - at_a b against - at_a at_b
        add((y * (Interval(0) - at_a * at_b)).high);
        take(row.product, y);
        take(a, Interval(0) - y * at_b);
        take(b, Interval(0) - y * at_a);
        break;
      }
      case Row::Kind::cutoff:
      case Row::Kind::capacity:
        break;
    }
  }
  for (const auto& [q, price] : sum.ranges) {
    add(worst(Interval(price), ends.of(q)));
    take(q, Interval(price));
  }
  // What is left of differences is left of what they are differences of.
  for (std::size_t q = 0; q < quantities.size(); ++q) {
    const Quantity& quantity = quantities[q];
    if (quantity.kind != Kind::difference && quantity.kind != Kind::product_of_difference) continue;
    if (left[q].low == 0 && left[q].high == 0) continue;
    const auto of = [&](std::size_t i) {
      return quantity.kind == Kind::difference ? relations_.whole(quantity.limit, i)
                                               : relations_.product(quantity.limit, i);
    };
    take(of(quantity.i), Interval(0) - left[q] * Interval(relations_.scale(quantity.limit, quantity.i)));
    take(of(quantity.j), left[q] * Interval(relations_.scale(quantity.limit, quantity.j)));
  }

  const Shape& n = model_.shape();
  std::vector<std::vector<Interval>> event(n.groups, std::vector<Interval>(n.horizon * kLabels * kActions));
  for (std::size_t q = 0; q < quantities.size(); ++q) {
    const Quantity& quantity = quantities[q];
    const bool nothing = left[q].low == 0 && left[q].high == 0;
    if (nothing || quantity.kind == Kind::value || quantity.kind == Kind::difference ||
        quantity.kind == Kind::product_of_difference)
      continue;
    if (quantity.kind == Kind::rate || quantity.kind == Kind::product) {
      // one end is enough, unless rounding leaves the sign open
      if (left[q].low >= 0)
        add((left[q] * Interval(ends.high(q))).high);
      else if (left[q].high <= 0)
        add((left[q] * Interval(ends.low(q))).high);
      else
        add(worst(left[q], ends.of(q)));
      continue;
    }
    if (quantity.kind == Kind::accepted) {
      for (std::size_t g = 0; g < n.groups; ++g)
        for (std::size_t y = 0; y < kLabels; ++y) {
          Interval& sum_here = event[g][(quantity.step * kLabels + y) * kActions + 1];
          sum_here = sum_here + left[q] * Interval(model_.share(g));
        }
      continue;
    }
    const Limit& limit = relations_.limits()[quantity.limit];
    const Interval amount =
        quantity.kind == Kind::part && limit.is_fixed(quantity.i) ? left[q] / limit.fixed[quantity.i] : left[q];
    for (std::size_t y = 0; y < kLabels; ++y)
      for (std::size_t a = 0; a < kActions; ++a) {
        if (!is_about(limit.rate, y) || (quantity.kind == Kind::part && a == 0)) continue;
        Interval& sum_here = event[limit.groups[quantity.i]][(limit.step * kLabels + y) * kActions + a];
        sum_here = sum_here + amount;
      }
  }
  for (std::size_t g = 0; g < n.groups; ++g) {
    std::vector<Interval> pay(n.horizon * n.cells());
    Interval factor = left[Relations::kValue] * Interval(model_.share(g));
    for (std::size_t h = 0; h < n.horizon; ++h, factor = factor * Interval(model_.discount()))
      for (std::size_t cell = 0; cell < n.cells(); ++cell)
        pay[h * n.cells() + cell] =
            factor * Interval(model_.reward(g)[cell]) + event[g][h * kLabels * kActions + cell % (kLabels * kActions)];
    result.pay.push_back(std::move(pay));
  }
  return result;
}

Real Derivation::remembering(std::size_t block, const Left& left, const Bounds& box,
                             std::vector<Beliefs::Values>& values) const {
  values.resize(blocks_[block].size());
  Real sum = 0;
  for (std::size_t k = 0; k < blocks_[block].size(); ++k) {
    const std::size_t g = blocks_[block][k];
    sum = up(sum + beliefs_[g].most(left.pay[g], box.lo, box.hi, values[k]));
  }
  return sum;
}

Expected<Real> Derivation::most_of(std::size_t block, const Left& left, const Bounds& box, const Claim::Tables& tables,
                                   const std::string& pointer) const {
  if (tables.most) {
    const auto settled = settle(block, left, box, *tables.most, kMostBeginnings);
    if (!settled) return fail("are too many to go through", pointer);
    if (!*settled) return fail(fmt::format("does not follow: a table earns more than {}", *tables.most), pointer);
    return Real{*tables.most};
  }
  const std::vector<int>& tree = tables.tree;
  std::vector<Beliefs::Values> values;
  if (tree.empty()) return remembering(block, left, box, values);
  // Those boxes that are still to be gone through; what comes next in the tree is about the last of them.
  std::vector<Bounds> open{box};
  Real most = -std::numeric_limits<Real>::infinity();
  for (const int entry : tree) {
    if (open.empty()) return fail("goes on after its end", pointer);
    Bounds here = std::move(open.back());
    open.pop_back();
    if (entry == -1) {
      most = std::max(most, remembering(block, left, here, values));
      continue;
    }
    const auto at = static_cast<std::size_t>(entry);
    if (entry < 0 || at >= here.lo.size()) return fail(fmt::format("has an entry {}, which is none", entry), pointer);
    open.push_back(here);
    open.back().lo[at] = here.hi[at];
    open.push_back(std::move(here));
    open.back().hi[at] = open.back().lo[at];
  }
  if (!open.empty()) return fail("ends before all tables are gone through", pointer);
  return most;
}

Expected<Real> Derivation::most(const Claim& claim, const Place& place, std::optional<double> bound,
                                const std::string& pointer) const {
  const auto sum = sum_of(claim, pointer);
  if (!sum) return tl::unexpected(sum.error());
  if (!bound && std::any_of(sum->rows.begin(), sum->rows.end(),
                            [&](const auto& one) { return relations_.rows()[one.first].kind == Row::Kind::cutoff; }))
    return fail("there is no cutoff where no policy keeps the limits", pointer + "/rows");
  const Left left = left_by(*sum, place, bound, nullptr);
  Real total = left.rest;
  static const Claim::Tables kAtOnce;
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    const auto most =
        most_of(b, left, place.box[b], claim.tables.empty() ? kAtOnce : claim.tables[b], pointer + "/tables");
    if (!most) return tl::unexpected(most.error());
    total = up(total + *most);
  }
  return total;
}

}  // namespace fairstep::prove
