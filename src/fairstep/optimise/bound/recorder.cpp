#include <fairstep/optimise/bound/recorder.hpp>

#include <charconv>
#include <string>
#include <utility>

namespace fairstep {

using prove::Claim;

Recorder::Recorder(const Master& master, const Formulation& formulation, std::size_t features, double unit,
                   prove::Trace& trace)
    : master_(master), formulation_(formulation), features_(features), unit_(unit), trace_(trace) {
  trace_.nodes.assign(1, {});
  trace_.scale = formulation.names().scale;
}

std::size_t Recorder::split(const prove::Part::Split& split) {
  const std::size_t first = trace_.nodes.size();
  trace_.nodes.resize(first + 2);
  trace_.nodes[node_].split = split;
  trace_.nodes[node_].split->at_most = first;
  trace_.nodes[node_].split->at_least = first + 1;
  return first;
}

std::size_t Recorder::split_rate(std::size_t variable, double at) {
  const std::string& name = formulation_.names().variable.at(variable);  // t and a number
  std::size_t limit = 0;
  std::from_chars(name.data() + 2, name.data() + name.size(), limit);
  return split({.limit = limit, .at = at});
}

std::size_t Recorder::split_entry(std::size_t block, std::size_t entry, double at) {
  return split({.limit = {}, .block = block, .step = entry / features_, .feature = entry % features_, .at = at});
}

void Recorder::value(std::span<const Coefficient> objective, const Prices& prices, double bound) {
  add({.about = Claim::About::value}, objective, prices, bound, unit_);
}

void Recorder::nothing(std::span<const Coefficient> objective, const Prices& prices, double bound) {
  add({.about = Claim::About::nothing}, objective, prices, bound, 1);
}

void Recorder::end(std::size_t variable, int sign, std::span<const Coefficient> objective, const Prices& prices,
                   double bound) {
  const auto& names = formulation_.names().variable;
  const auto name = names.find(variable);
  if (name == names.end()) return;
  add({.about = sign == 1 ? Claim::About::high : Claim::About::low, .quantity = name->second}, objective, prices, bound,
      1);
}

/// `unit` is what a unit of the claim's quantity is in that of the proof.
void Recorder::add(Claim claim, std::span<const Coefficient> objective, const Prices& prices, double bound,
                   double unit) {
  const Formulation::Names& names = formulation_.names();
  std::vector<double> left(master_.variables(), 0.0);
  for (const Coefficient& c : objective) left[c.index] += c.value;
  for (std::size_t j = 0; j < prices.functional.size(); ++j) left[Master::functional(j)] += prices.functional[j];
  for (std::size_t r = 0; r < prices.row.size(); ++r) {
    const double price = prices.row[r];
    const Master::Row& row = master_.rows()[r];
    if (!counts(price, row)) continue;
    for (const Coefficient& c : row.entries) left[c.index] -= price * c.value;
    const auto name = names.row.find(r);
    if (name != names.row.end())
      claim.rows.emplace_back(name->second, unit * price / (name->second == "cutoff" ? unit_ : 1));
  }
  for (const auto& [variable, name] : names.variable)
    if (left[variable] != 0 && name[0] != 't' && name[0] != 'w') claim.ranges.emplace_back(name, unit * left[variable]);
  trace_.nodes[node_].steps.push_back({std::move(claim), unit * bound});
}

}  // namespace fairstep
