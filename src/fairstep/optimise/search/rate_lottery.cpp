#include <fairstep/optimise/search/rate_lottery.hpp>

#include <algorithm>
#include <cmath>
#include <optional>

namespace fairstep {
namespace {

/// Rounds of tangents at the most; a few are enough.
constexpr int kTangentRounds = 50;

}  // namespace

BlockPart part_of(const Program& program, std::size_t block) {
  BlockPart part;
  part.program.model = program.model;
  part.program.backends = program.backends;
  part.program.rules = program.rules;
  part.program.blocks = {program.blocks[block]};
  part.program.boxes = {program.boxes[block]};
  part.program.terms.resize(program.terms.size());
  // The functionals of this block alone, numbered anew.
  std::vector<std::optional<std::size_t>> number(program.functionals);
  for (const std::size_t g : program.blocks[block].groups)
    for (const Term& term : program.terms[g]) {
      auto& known = number[term.functional];
      if (!known) known = part.program.functionals++;
      part.program.terms[g].push_back({*known, term.step, term.weight});
    }
  std::vector<Toll>& tolls = part.program.tolls;
  for (std::size_t i = 0; i < program.penalties.size(); ++i)
    for (const double sign : {1.0, -1.0}) {
      Mean mean = sign > 0 ? program.penalties[i].first : program.penalties[i].second;
      if (!number[mean.numerator]) continue;
      mean.numerator = *number[mean.numerator];
      if (mean.denominator) mean.denominator = number[*mean.denominator];
      const auto known = std::find_if(tolls.begin(), tolls.end(),
                                      [&](const Toll& toll) { return toll.mean.numerator == mean.numerator; });
      part.shares.push_back({i, static_cast<std::size_t>(known - tolls.begin()), sign});
      if (known == tolls.end()) tolls.push_back({std::move(mean), 0});
    }
  return part;
}

void BlockPart::set_tolls(const std::vector<double>& price) {
  for (Toll& toll : program.tolls) toll.price = 0;
  for (const Share& share : shares) program.tolls[share.toll].price += share.sign * price[share.penalty];
}

RateLottery::RateLottery(const Program& program, const std::vector<BlockPart>& parts, const Deadline& deadline)
    : program_(program), parts_(parts), deadline_(deadline), lp_(program.backends->linear()) {
  lp_->stop_when(deadline_.over_now());
  for (std::size_t b = 0; b < parts.size(); ++b) convexity_.push_back(lp_->add_row(1, 1));
  for (std::size_t i = 0; i < program.penalties.size(); ++i) {
    difference_row_.push_back(lp_->add_row(0, 0));
    const Coefficient itself{difference_row_.back(), -1.0};
    difference_.push_back(lp_->add_variable(-kInfinity, kInfinity, 0, {&itself, 1}));
    square_.push_back(lp_->add_variable(0, kInfinity, -1));
  }
}

void RateLottery::add(std::size_t block, std::vector<double> table) {
  const Program& part = parts_[block].program;
  Workspace work(part.shape());
  const Effect effect = effect_of(part, 0, table, work);
  std::vector<double> rate(program_.penalties.size(), 0.0);
  for (const BlockPart::Share& share : parts_[block].shares) {
    const double mean = mean_of(part.tolls[share.toll].mean, effect.functional);
    if (!std::isnan(mean)) rate[share.penalty] += share.sign * mean;
  }
  std::vector<Coefficient> entries{{convexity_[block], 1.0}};
  for (std::size_t i = 0; i < rate.size(); ++i) entries.push_back({difference_row_[i], rate[i]});
  variable_.push_back(lp_->add_variable(0, kInfinity, effect.value, entries));
  tables_.push_back({block, std::move(table)});
}

/// square >= weight (2 c z - c^2) for every c.
void RateLottery::add_tangent(std::size_t i, double z) {
  const double weight = program_.penalties[i].weight;
  const Coefficient entries[] = {{square_[i], 1.0}, {difference_[i], -2 * weight * z}};
  lp_->add_row(-weight * z * z, kInfinity, entries);
}

bool RateLottery::solve(double precision) {
  for (int round = 0;; ++round) {
    last_ = lp_->solve();
    deadline_.spend(10 + last_.iterations);
    if (last_.status != LpStatus::optimal) return false;
    bool sharper = false;
    for (std::size_t i = 0; i < difference_.size(); ++i) {
      const double z = last_.x[difference_[i]];
      const double missing = program_.penalties[i].weight * z * z - last_.x[square_[i]];
      if (missing <= precision / static_cast<double>(difference_.size())) continue;
      add_tangent(i, z);
      sharper = true;
    }
    if (!sharper || round == kTangentRounds || deadline_.passed()) return true;
  }
}

std::vector<double> RateLottery::prices() const {
  std::vector<double> price;
  for (const std::size_t row : difference_row_) price.push_back(last_.price[row]);
  return price;
}

/// A table that came after the last solution is not in use.
double RateLottery::use(std::size_t i) const { return variable_[i] < last_.x.size() ? last_.x[variable_[i]] : 0.0; }

std::vector<std::vector<double>> RateLottery::in_use(std::size_t block) const {
  std::vector<std::vector<double>> tables;
  for (std::size_t i = 0; i < tables_.size(); ++i)
    if (tables_[i].block == block && use(i) > 1e-9) tables.push_back(tables_[i].table);
  return tables;
}

std::vector<std::vector<double>> RateLottery::tables_of(std::size_t block) const {
  std::vector<std::vector<double>> tables;
  for (const TableOf& one : tables_)
    if (one.block == block) tables.push_back(one.table);
  return tables;
}

std::vector<Ticket> RateLottery::lottery() const {
  std::vector<Ticket> tickets;
  for (std::size_t i = 0; i < tables_.size(); ++i) tickets.push_back({tables_[i].block, use(i), tables_[i].table});
  return tickets;
}

Tables RateLottery::average() const { return average_of(program_, lottery()); }

Dispute RateLottery::most_disputed(std::span<const Box> boxes) const {
  return fairstep::most_disputed(program_, boxes, average(), lottery());
}

}  // namespace fairstep
