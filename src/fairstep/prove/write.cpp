#include <fairstep/prove/write.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include <fairstep/io/files.hpp>
#include <fairstep/prove/check.hpp>
#include <fairstep/prove/derive.hpp>

namespace fairstep::prove {
namespace {

using rigorous::up;

/// Digits of prices; any prices prove something, and so many prove about what all would.
constexpr int kDigits = 8;
/// Prices that are a smaller share of the greatest are left out.
constexpr double kLeastPrice = 1e-8;
/// Parts of a block's tables that are gone through for one claim, at the most.
constexpr std::size_t kMostParts = 2000, kMostPartsOfEnd = 200;
/// Of a range: an end that is further off what the search found is looked at more closely, until it is as near.
constexpr Real kFarFromHoped = 0.02L, kNearHoped = 0.01L;
/// An end that moves by less than this share of its range is left where it is.
constexpr Real kWorthNarrowing = 1e-3L;
/// Ends are written down a little further out, so that other arithmetic comes to the same.
constexpr double kRoomForOthers = 1e-10;
/// Models with no more are gone through step by step: a step has a choice for each set of them.
constexpr std::size_t kFewFeatures = 8;
constexpr std::size_t kMostBeginningsOfEnd = 6'000;
constexpr int kMostTrials = 10;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

double in_digits(double price) { return std::stod(fmt::format("{:.{}g}", price, kDigits)); }

/// Outwards, with few digits.
double outwards(Real end, bool high) {
  const double grain =
      std::ldexp(1.0, std::max(-40, std::ilogb(std::max(std::abs(static_cast<double>(end)), 1e-6)) - 34));
  const double room = kRoomForOthers * std::max(1.0, std::abs(static_cast<double>(end)));
  return high ? std::ceil((static_cast<double>(end) + room) / grain) * grain
              : std::floor((static_cast<double>(end) - room) / grain) * grain;
}

Claim with_few_digits(const Claim& claim) {
  Claim result{.about = claim.about, .quantity = claim.quantity};
  double greatest = 0;
  for (const auto& [name, price] : claim.rows) greatest = std::max(greatest, std::abs(price));
  for (const auto& [name, price] : claim.ranges) greatest = std::max(greatest, std::abs(price));
  const auto take = [&](const auto& from, auto& to) {
    for (const auto& [name, price] : from)
      if (std::isfinite(price) && std::abs(price) > kLeastPrice * greatest) to.emplace_back(name, in_digits(price));
  };
  take(claim.rows, result.rows);
  take(claim.ranges, result.ranges);
  return result;
}

class Author {
 public:
  Author(const Trace& trace, const ToProve& wanted, const Model& model)
      : trace_(trace),
        wanted_(wanted),
        relations_(model, wanted.asked, trace.scale),
        beliefs_(model.shape().features > 2 * kFewFeatures ? 9 : 17),
        derivation_(model, wanted_.asked, relations_, beliefs_),
        model_(model),
        features_(model.shape().features) {}

  [[nodiscard]] std::size_t beliefs() const { return beliefs_; }

  /// The parts of a proof of this bound, or none.
  std::optional<std::vector<Part>> parts(std::optional<double> bound) {
    bound_ = bound;
    made_.clear();
    std::vector<Draft> drafts;
    const std::size_t quantities = relations_.quantities().size();
    Start start{derivation_.everywhere(), std::vector<std::size_t>(quantities, kNobody),
                std::vector<std::size_t>(quantities, kNobody), 0, true};
    drafts.emplace_back();
    std::vector<std::pair<std::size_t, Start>> open;  // drafts that are still to be written, the last one first
    open.emplace_back(0, std::move(start));
    while (!open.empty()) {
      auto [at, from] = std::move(open.back());
      open.pop_back();
      const Trace::Node& node = trace_.nodes[from.node];
      if (done(node, from, drafts[at])) continue;
      if (!node.split) return std::nullopt;
      drafts[at].split = *node.split;
      for (const bool most : {true, false}) {
        Start half = from;
        half.node = most ? node.split->at_most : node.split->at_least;
        halve(*node.split, most, half);
        (most ? drafts[at].split->at_most : drafts[at].split->at_least) = drafts.size();
        open.emplace_back(drafts.size(), std::move(half));
        drafts.emplace_back();
      }
    }
    return without_idle(drafts);
  }

 private:
  static constexpr std::size_t kNobody = std::numeric_limits<std::size_t>::max();

  /// A claim that holds, and the claims that it rests on.
  struct Made {
    Claim claim{};
    std::vector<std::size_t> rests_on{};
  };
  /// Where a part begins: [quantity] which claim an end is from.
  struct Start {
    Place place{};
    std::vector<std::size_t> low{}, high{};
    std::size_t node = 0;
    bool new_boxes = false;
  };
  struct Draft {
    std::vector<std::size_t> claims{};    ///< in made_
    std::vector<std::size_t> rests_on{};  ///< that nothing is left
    std::optional<Part::Split> split{};
  };

  void halve(const Part::Split& split, bool most, Start& start) const {
    if (split.limit) {
      const std::size_t t = relations_.rate(*split.limit);
      (most ? start.place.high : start.place.low)[t] = split.at;
      (most ? start.high : start.low)[t] = kNobody;
      start.new_boxes = false;
      return;
    }
    Bounds& box = start.place.box[split.block];
    (most ? box.hi : box.lo)[split.step * features_ + split.feature] = split.at;
    derivation_.narrow_rates(start.place);
    start.new_boxes = true;
  }

  [[nodiscard]] static std::vector<std::size_t> sources(const Start& at, const Uses& uses) {
    std::vector<std::size_t> all;
    for (std::size_t q = 0; q < uses.low.size(); ++q) {
      if (uses.low[q] && at.low[q] != kNobody) all.push_back(at.low[q]);
      if (uses.high[q] && at.high[q] != kNobody) all.push_back(at.high[q]);
    }
    return all;
  }
  [[nodiscard]] Uses no_uses() const {
    const std::vector<bool> none(relations_.quantities().size(), false);
    return {none, none};
  }

  bool empty(const Start& at, Draft& draft) const {
    Uses uses = no_uses();
    if (!derivation_.is_empty(at.place, &uses)) return false;
    draft.rests_on = sources(at, uses);
    return true;
  }

  /// Whether nothing is left of the part.
  bool done(const Trace::Node& node, Start& at, Draft& draft) {
    if (empty(at, draft)) return true;
    if (at.new_boxes) {
      for (std::size_t q = 0; q < relations_.quantities().size(); ++q) {
        const Quantity::Kind kind = relations_.quantities()[q].kind;
        if (kind != Quantity::Kind::whole && kind != Quantity::Kind::difference) continue;
        for (const Claim::About about : {Claim::About::high, Claim::About::low})
          if (attempt({{.about = about, .quantity = relations_.name_of(q)}, kInfinity}, at, draft)) return true;
      }
    }
    const Trace::Step* last = nullptr;
    for (const Trace::Step& step : node.steps) {
      if (attempt(step, at, draft)) return true;
      if (step.claim.about == Claim::About::value) last = &step;
    }
    // ranges may have become narrower since
    return last != nullptr && last != &node.steps.back() && attempt(*last, at, draft);
  }

  /// Works out what a step proves, and keeps it if it is of use. Whether nothing is left then.
  bool attempt(const Trace::Step& step, Start& at, Draft& draft) {
    Made made{with_few_digits(step.claim), {}};
    Claim& claim = made.claim;
    const bool closes = claim.about == Claim::About::value || claim.about == Claim::About::nothing;
    if ((claim.about == Claim::About::nothing) != !bound_ && closes) return false;
    const auto sum = derivation_.sum_of(claim, "");
    if (!sum) return false;
    Uses uses = no_uses();
    const Derivation::Left left = derivation_.left_by(*sum, at.place, bound_, &uses);
    if (!std::isfinite(left.rest)) return false;
    // what is of use at all, which a tree of tables can help to reach
    // Doubles are off by more where prices are greater.
    Real room = 0;
    for (const auto* prices : {&claim.rows, &claim.ranges})
      for (const auto& [name, price] : *prices) room += kRoomForOthers / 10 * std::abs(price);
    const Real need = closes ? (bound_ ? Real{*bound_} : -Real{1e-12}) - room
                      : claim.about == Claim::About::high
                          ? at.place.high[*sum->target] - kWorthNarrowing * width(at, *sum->target)
                          : -(at.place.low[*sum->target] + kWorthNarrowing * width(at, *sum->target));
    Search search(*this, left, at.place);
    // What the search has by looking closer than a policy that remembers does, a tree of tables has as well.
    const Real width_now = sum->target && !closes ? width(at, *sum->target) : Real{0};
    const Real hoped = Real{step.bound} + kNearHoped * width_now;
    if (search.most() > need || (!closes && search.most() > Real{step.bound} + kFarFromHoped * width_now)) {
      if (features_ <= kFewFeatures)
        search.settle(closes ? Real{0} : kNearHoped * width_now, need,
                      closes ? kMostBeginnings / 20 : kMostBeginningsOfEnd);
      else
        search.run(closes ? need : std::min(need, hoped), closes ? kMostParts : kMostPartsOfEnd);
    }
    const Real most = search.most();
    if (!(most <= need)) return false;
    made.rests_on = sources(at, uses);
    claim.tables = search.tables();
    if (closes) {
      draft.rests_on = {made_.size()};
      draft.claims.push_back(made_.size());
      made_.push_back(std::move(made));
      return true;
    }
    const bool high = claim.about == Claim::About::high;
    claim.to = outwards(high ? most + room : -(most + room), high);
    Real& end = high ? at.place.high[*sum->target] : at.place.low[*sum->target];
    if (high ? Real{claim.to} >= end : Real{claim.to} <= end) return false;
    end = claim.to;
    (high ? at.high : at.low)[*sum->target] = made_.size();
    draft.claims.push_back(made_.size());
    made_.push_back(std::move(made));
    return empty(at, draft);
  }

  [[nodiscard]] static Real width(const Start& at, std::size_t q) {
    const Real width = at.place.high[q] - at.place.low[q];
    return std::isfinite(width) ? std::max(width, Real{0}) : Real{1};
  }

  /// What a table in the box earns that is hard to better: step by step each entry is put where it earns most, until
  /// nothing changes. Rounded as it comes.
  double good_table(std::size_t block, const Derivation::Left& left, const Bounds& box) {
    const auto& groups = derivation_.blocks()[block];
    static_cast<void>(derivation_.remembering(block, left, box, values_));
    std::vector<double> in_favour(box.lo.size(), 0.0), against(box.lo.size(), 0.0), table(box.lo.size());
    for (std::size_t k = 0; k < groups.size(); ++k)
      derivation_.beliefs_of(groups[k]).add_votes(values_[k], box.lo, box.hi, in_favour, against);
    for (std::size_t i = 0; i < table.size(); ++i) table[i] = in_favour[i] > against[i] ? box.hi[i] : box.lo[i];
    double best = climb(block, left, box, std::move(table));
    for (const std::vector<double>* end : {&box.lo, &box.hi}) best = std::max(best, climb(block, left, box, *end));
    return best;
  }

  /// From one table.
  [[nodiscard]] double climb(std::size_t block, const Derivation::Left& left, const Bounds& box,
                             std::vector<double> table) const {
    const Shape& n = model_.shape();
    const auto& groups = derivation_.blocks()[block];
    double value = 0;
    constexpr int kMostSweeps = 30;
    for (int sweep = 0; sweep < kMostSweeps; ++sweep) {
      std::vector<std::vector<double>> mass(groups.size()), later(groups.size(), std::vector<double>(n.states(), 0.0));
      for (std::size_t k = 0; k < groups.size(); ++k) {
        mass[k].assign(n.horizon * n.states(), 0.0);
        std::copy(model_.initial(groups[k]).begin(), model_.initial(groups[k]).end(), mass[k].begin());
        for (std::size_t h = 0; h + 1 < n.horizon; ++h)
          for (std::size_t cell = 0; cell < n.cells(); ++cell) {
            const double p = table[h * n.features + cell / (kLabels * kActions)];
            const double moved = mass[k][h * n.states() + cell / kActions] * (cell % kActions == 1 ? p : 1 - p);
            if (moved != 0) model_.kernel(groups[k], h).push(cell, moved, mass[k].data() + (h + 1) * n.states());
          }
      }
      bool changed = false;
      std::vector<double> q(n.cells() * groups.size());
      for (std::size_t h = n.horizon; h-- > 0;) {
        for (std::size_t k = 0; k < groups.size(); ++k)
          for (std::size_t cell = 0; cell < n.cells(); ++cell) {
            const Interval& pay = left.pay[groups[k]][h * n.cells() + cell];
            q[k * n.cells() + cell] =
                static_cast<double>(pay.high) +
                (h + 1 < n.horizon ? model_.kernel(groups[k], h).expect(cell, later[k].data()) : 0.0);
          }
        for (std::size_t x = 0; x < n.features; ++x) {
          double gain = 0;
          for (std::size_t k = 0; k < groups.size(); ++k)
            for (std::size_t y = 0; y < kLabels; ++y) {
              const double* at = q.data() + k * n.cells() + cell_of(x, y, 0);
              gain += mass[k][h * n.states() + state_of(x, y)] * (at[1] - at[0]);
            }
          double& p = table[h * n.features + x];
          const double better = gain > 0 ? box.hi[h * n.features + x] : box.lo[h * n.features + x];
          if (better != p && gain != 0) {
            p = better;
            changed = true;
          }
          for (std::size_t k = 0; k < groups.size(); ++k)
            for (std::size_t y = 0; y < kLabels; ++y) {
              const double* at = q.data() + k * n.cells() + cell_of(x, y, 0);
              later[k][state_of(x, y)] = (1 - p) * at[0] + p * at[1];
            }
        }
      }
      value = 0;
      for (std::size_t k = 0; k < groups.size(); ++k)
        for (std::size_t s = 0; s < n.states(); ++s) value += model_.initial(groups[k])[s] * later[k][s];
      if (!changed) break;
    }
    return value;
  }

  /// What tables earn at the most, block by block: entries are settled where memory matters most, in the part of a
  /// block's tables that earns most.
  class Search {
   public:
    Search(Author& author, const Derivation::Left& left, const Place& place) : author_(author), left_(left) {
      for (std::size_t b = 0; b < place.box.size(); ++b) {
        blocks_.emplace_back();
        add(b, place.box[b]);
      }
    }

    [[nodiscard]] Real most() const {
      Real sum = left_.rest;
      for (const Block& block : blocks_)
        sum = up(sum + (block.settled ? Real{*block.settled} : block.open.front().first));
      return sum;
    }

    /// Until no more than `enough` is to be had, or memory is worth nothing, or after so many parts.
    void run(Real enough, std::size_t most_parts) {
      for (std::size_t parts = 0; parts < most_parts && most() > enough; parts += 2) {
        std::size_t block = blocks_.size();
        double score = 0;
        for (std::size_t b = 0; b < blocks_.size(); ++b) {
          const Node& node = blocks_[b].nodes[blocks_[b].open.front().second];
          if (node.score <= score) continue;
          score = node.score;
          block = b;
        }
        if (block == blocks_.size()) return;
        split(block);
      }
    }

    /// Step by step, until no more than what a good table earns and its share of `room` is to be had; `room` is what is
    /// left up to `need`, if that is 0, and becomes larger where there would be too much to go through.
    void settle(Real room, Real need, std::size_t beginnings) {
      std::vector<Real> good;
      for (std::size_t b = 0; b < blocks_.size(); ++b)
        good.push_back(Real{author_.good_table(b, left_, blocks_[b].nodes[0].box)});
      for (int again = 0; again < kMostTrials; ++again) {
        Real reached = left_.rest;
        for (const Real one : good) reached += one;
        if (!(reached < need)) return;
        const Real most_room = (need - reached) * (1 - 1e-3L);
        const Real each = (room == 0 ? most_room : std::min(room, most_room)) / static_cast<Real>(blocks_.size());
        bool done = true, too_many = false;
        for (std::size_t b = 0; b < blocks_.size() && done; ++b) {
          const Real enough = good[b] + each;
          if (blocks_[b].open.front().first <= enough) continue;
          blocks_[b].settled = outwards(enough, true);
          const auto settled =
              author_.derivation_.settle(b, left_, blocks_[b].nodes[0].box, *blocks_[b].settled, beginnings);
          done = settled.value_or(false);
          too_many = !settled.has_value();
          if (!done) good[b] += too_many ? Real{0} : each;  // some table is better
        }
        if (done) return;
        for (Block& block : blocks_) block.settled.reset();
        if (too_many && (room == 0 || room >= most_room)) return;
        if (too_many) room *= 8;
      }
      for (Block& block : blocks_) block.settled.reset();
    }

    /// None if no block was looked at more closely.
    [[nodiscard]] std::vector<Claim::Tables> tables() const {
      if (std::all_of(blocks_.begin(), blocks_.end(),
                      [](const Block& block) { return block.nodes.size() == 1 && !block.settled; }))
        return {};
      std::vector<Claim::Tables> tables;
      for (const Block& block : blocks_) {
        tables.push_back({{}, block.settled});
        std::vector<std::size_t> rest{0};
        while (!rest.empty() && block.nodes.size() > 1) {
          const Node& node = block.nodes[rest.back()];
          rest.pop_back();
          tables.back().tree.push_back(node.low == 0 ? -1 : static_cast<int>(node.entry));
          if (node.low == 0) continue;
          rest.push_back(node.high);
          rest.push_back(node.low);
        }
      }
      return tables;
    }

   private:
    struct Node {
      Bounds box{};
      std::size_t entry = 0;  ///< where memory matters most, and how much
      double score = 0;
      std::size_t low = 0, high = 0;  ///< its halves, if it has any
    };
    struct Block {
      std::vector<Node> nodes{};
      std::vector<std::pair<Real, std::size_t>> open{};  ///< a heap of those without halves, by what they earn
      std::optional<double> settled{};                   ///< instead: what is shown step by step
    };

    void add(std::size_t b, Bounds box) {
      Block& block = blocks_[b];
      const Real most = author_.derivation_.remembering(b, left_, box, author_.values_);
      block.open.emplace_back(most, block.nodes.size());
      std::push_heap(block.open.begin(), block.open.end());
      block.nodes.push_back({std::move(box)});
      dispute(b, block.nodes.back());
    }

    /// The entry that a policy which remembers would settle both ways.
    void dispute(std::size_t b, Node& node) const {
      std::vector<double> in_favour(node.box.lo.size(), 0.0), against(node.box.lo.size(), 0.0);
      const auto& groups = author_.derivation_.blocks()[b];
      for (std::size_t k = 0; k < groups.size(); ++k)
        author_.derivation_.beliefs_of(groups[k]).add_votes(author_.values_[k], node.box.lo, node.box.hi, in_favour,
                                                            against);
      for (std::size_t i = 0; i < node.box.lo.size(); ++i) {
        const double less = std::min(in_favour[i], against[i]);
        const double here = less > 0 ? less + 0.1 * std::max(in_favour[i], against[i]) : 0;
        if (node.box.lo[i] == node.box.hi[i] || here <= node.score) continue;
        node.score = here;
        node.entry = i;
      }
    }

    void split(std::size_t b) {
      Block& block = blocks_[b];
      std::pop_heap(block.open.begin(), block.open.end());
      const std::size_t at = block.open.back().second;
      block.open.pop_back();
      const std::size_t e = block.nodes[at].entry;
      Bounds refusing = block.nodes[at].box, accepting = std::move(block.nodes[at].box);
      refusing.hi[e] = refusing.lo[e];
      accepting.lo[e] = accepting.hi[e];
      block.nodes[at].low = block.nodes.size();
      block.nodes[at].high = block.nodes.size() + 1;
      add(b, std::move(refusing));
      add(b, std::move(accepting));
    }

    Author& author_;
    const Derivation::Left& left_;
    std::vector<Block> blocks_{};
  };

  /// Claims that nothing rests on are left out.
  [[nodiscard]] std::vector<Part> without_idle(const std::vector<Draft>& drafts) const {
    std::vector<bool> needed(made_.size(), false);
    for (const Draft& draft : drafts)
      for (const std::size_t claim : draft.rests_on) needed[claim] = true;
    for (std::size_t i = made_.size(); i-- > 0;)
      if (needed[i])
        for (const std::size_t claim : made_[i].rests_on) needed[claim] = true;
    std::vector<Part> parts;
    for (const Draft& draft : drafts) {
      Part part{{}, draft.split};
      for (const std::size_t claim : draft.claims)
        if (needed[claim]) part.claims.push_back(made_[claim].claim);
      parts.push_back(std::move(part));
    }
    return parts;
  }

  const Trace& trace_;
  const ToProve& wanted_;
  Relations relations_;
  std::size_t beliefs_;
  Derivation derivation_;
  const Model& model_;
  std::size_t features_;
  std::optional<double> bound_{};
  std::vector<Made> made_{};  ///< each rests on earlier ones
  std::vector<Beliefs::Values> values_{};
};

}  // namespace

Expected<Proof> write_proof(const Trace& trace, const ToProve& wanted, const Model& model,
                            const std::string& model_sha256) {
  Proof proof{.model_sha256 = model_sha256, .asked = wanted.asked, .scale = trace.scale};
  Author author(trace, wanted, model);
  proof.beliefs = author.beliefs();
  std::vector<std::optional<double>> bounds;
  if (wanted.policy) {
    proof.policy = fairstep::to_text(*wanted.policy);
    const double size = std::max(std::abs(wanted.value), std::abs(wanted.bound));
    proof.value = std::stod(fmt::format("{:.12g}", wanted.value - kRoomForOthers * 10 * size));
    for (const double share : {0.0, 0.05, 0.3, 1.0}) {
      const double more = std::max(1e-9 * size, share * wanted.allowed);
      bounds.emplace_back(std::stod(fmt::format("{:.12g}", std::max(wanted.bound, wanted.value) + more)));
    }
  } else {
    bounds.emplace_back(std::nullopt);
  }
  for (const std::optional<double>& bound : bounds) {
    auto parts = author.parts(bound);
    if (!parts) continue;
    proof.bound = bound;
    proof.parts = std::move(*parts);
    proof.statement = statement_of(proof, model);
    if (const auto ok = check_proof(proof, model, model_sha256); !ok) {
      Error error = ok.error();
      error.message = Text("the proof that was written does not hold: ").append(error.message);
      error.ours = true;
      return tl::unexpected(std::move(error));
    }
    return proof;
  }
  return fail("what the search found out could not be made a proof that can be checked");
}

}  // namespace fairstep::prove
