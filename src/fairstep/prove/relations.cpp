#include <fairstep/prove/relations.hpp>

#include <utility>

#include <fmt/format.h>

namespace fairstep::prove {
namespace {

std::vector<Rate> rates_of(Notion notion) {
  switch (notion) {
    case Notion::dp:
      return {Rate::accept};
    case Notion::eqopt:
      return {Rate::tpr};
    case Notion::eqodds:
      return {Rate::tpr, Rate::fpr};
  }
  return {};
}

/// [h][x,y] where people of the group may be under some policy.
std::vector<std::vector<bool>> reachable(const Model& model, std::size_t g) {
  const Shape& n = model.shape();
  std::vector<std::vector<bool>> reached(n.horizon, std::vector<bool>(n.states()));
  for (std::size_t s = 0; s < n.states(); ++s) reached[0][s] = model.initial(g)[s] > 0;
  for (std::size_t h = 1; h < n.horizon; ++h)
    for (std::size_t cell = 0; cell < n.cells(); ++cell) {
      if (!reached[h - 1][cell / kActions]) continue;
      const double* row = model.kernel(g, h - 1).row(cell);
      for (std::size_t s = 0; s < n.states(); ++s)
        if (row[s] > 0) reached[h][s] = true;
    }
  return reached;
}

enum class Event { never, fixed, varies };

Event event_of(Rate rate, const std::vector<bool>& reached, std::size_t step) {
  bool in = false, out = false;
  for (std::size_t s = 0; s < reached.size(); ++s)
    if (reached[s]) (is_about(rate, s % kLabels) ? in : out) = true;
  if (!in) return Event::never;
  return step == 0 || !out ? Event::fixed : Event::varies;
}

}  // namespace

std::vector<Limit> limits_of(const Model& model, const Asked& asked) {
  const Shape& n = model.shape();
  std::vector<std::vector<std::vector<bool>>> reached;
  for (std::size_t g = 0; g < n.groups; ++g) reached.push_back(reachable(model, g));
  std::vector<Limit> limits;
  for (const StepwiseParity& parity : asked.parity)
    for (std::size_t h = 0; h < n.horizon; ++h)
      for (const Rate rate : rates_of(parity.notion)) {
        Limit limit{rate, h, limit_at(parity, h), {}, {}};
        for (std::size_t g = 0; g < n.groups; ++g) {
          const Event event = event_of(rate, reached[g][h], h);
          if (event == Event::never) continue;
          Interval fixed(0);
          if (event == Event::fixed && h > 0) fixed = Interval(1);
          if (event == Event::fixed && h == 0)
            for (std::size_t s = 0; s < n.states(); ++s)
              if (is_about(rate, s % kLabels)) fixed = fixed + Interval(model.initial(g)[s]);
          limit.groups.push_back(g);
          limit.fixed.push_back(fixed);
        }
        if (limit.groups.size() > 1) limits.push_back(std::move(limit));
      }
  return limits;
}

std::vector<std::vector<std::size_t>> blocks_of(const Model& model, const Asked& asked) {
  std::vector<std::vector<std::size_t>> blocks(asked.group_independent ? 1 : model.shape().groups);
  for (std::size_t g = 0; g < model.shape().groups; ++g) blocks[asked.group_independent ? 0 : g].push_back(g);
  return blocks;
}

Relations::Relations(const Model& model, const Asked& asked, std::vector<std::vector<double>> scale)
    : limits_(limits_of(model, asked)), scale_(std::move(scale)) {
  add("V", Quantity{Quantity::Kind::value});
  add("cutoff", Row{Row::Kind::cutoff});
  for (std::size_t h = 0; h < asked.capacity.size(); ++h) {
    add(fmt::format("A {}", h), Quantity{Quantity::Kind::accepted, 0, 0, 0, h});
    add(fmt::format("capacity {}", h), Row{Row::Kind::capacity, 0, 0, 0, quantities_.size() - 1});
  }
  for (std::size_t l = 0; l < limits_.size(); ++l) {
    const Limit& limit = limits_[l];
    rate_.push_back(quantities_.size());
    part_.emplace_back();
    add(fmt::format("t {}", l), Quantity{Quantity::Kind::rate, l});
    const auto add_envelope = [&](const std::string& name, const Quantity& product) {
      add(name, product);
      for (std::size_t side = 0; side < 4; ++side)
        add(fmt::format("{} {}", name, side),
            Row{Row::Kind::envelope, l, product.i, product.j, quantities_.size() - 1, side});
    };
    for (std::size_t i = 0; i < limit.groups.size(); ++i) {
      part_[l].push_back(quantities_.size());
      add(fmt::format("N {} {}", l, i), Quantity{Quantity::Kind::part, l, i});
      if (!limit.is_fixed(i)) {
        add(fmt::format("D {} {}", l, i), Quantity{Quantity::Kind::whole, l, i});
        add_envelope(fmt::format("w {} {}", l, i), Quantity{Quantity::Kind::product, l, i});
      }
      add(fmt::format("up {} {}", l, i), Row{Row::Kind::up, l, i});
      add(fmt::format("low {} {}", l, i), Row{Row::Kind::low, l, i});
    }
    for (std::size_t i = 0; i < limit.groups.size(); ++i)
      for (std::size_t j = i + 1; j < limit.groups.size(); ++j) {
        if (limit.is_fixed(i) && limit.is_fixed(j))
          add(fmt::format("pair {} {} {}", l, i, j), Row{Row::Kind::pair, l, i, j});
        if (limit.is_fixed(i) || limit.is_fixed(j)) continue;
        add(fmt::format("d {} {} {}", l, i, j), Quantity{Quantity::Kind::difference, l, i, j});
        add_envelope(fmt::format("e {} {} {}", l, i, j), Quantity{Quantity::Kind::product_of_difference, l, i, j});
      }
  }
}

void Relations::add(const std::string& name, const Quantity& quantity) {
  quantity_called_.emplace(name, quantities_.size());
  quantities_.push_back(quantity);
  names_.push_back(name);
}

void Relations::add(const std::string& name, const Row& row) {
  row_called_.emplace(name, rows_.size());
  rows_.push_back(row);
}

}  // namespace fairstep::prove
