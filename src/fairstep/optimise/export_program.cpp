#include <fairstep/optimise/export_program.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <fairstep/core/grounds.hpp>
#include <fairstep/optimise/program/compile.hpp>

namespace fairstep {
namespace {

/// A number that reads back the same, with its sign in front: " + 0.25 ".
std::string signed_number(double value) { return fmt::format("{} {}", value < 0 ? "-" : "+", std::abs(value)); }

/// Linear and quadratic terms by variable name, added up.
struct Expression {
  std::map<std::string, double> linear{};
  std::map<std::pair<std::string, std::string>, double> quadratic{};

  void add(const std::string& variable, double coefficient) { linear[variable] += coefficient; }
  void add(const std::string& first, const std::string& second, double coefficient) {
    quadratic[std::minmax(first, second)] += coefficient;
  }

  [[nodiscard]] std::string text() const {
    std::string out;
    const auto put = [&](const std::string& term) {
      // LP readers limit the length of a line.
      if (out.size() - out.rfind('\n') > 200) out += "\n   ";
      out += term;
    };
    for (const auto& [variable, coefficient] : linear)
      if (coefficient != 0) put(fmt::format(" {} {}", signed_number(coefficient), variable));
    bool any = false;
    for (const auto& [pair, coefficient] : quadratic) {
      if (coefficient == 0) continue;
      if (!any) put(" + [");
      any = true;
      put(pair.first == pair.second ? fmt::format(" {} {} ^2", signed_number(coefficient), pair.first)
                                    : fmt::format(" {} {} * {}", signed_number(coefficient), pair.first, pair.second));
    }
    if (any) put(" ]");
    return out.empty() ? " 0 " + linear.begin()->first : out;
  }
};

struct ExportRow {
  std::string name{};
  Expression left{};
  const char* sense = "<=";
  double right = 0;
};

/// Everything a writer needs, format-free.
struct Exported {
  Expression objective{};
  std::vector<ExportRow> rows{};
  std::vector<std::pair<std::string, std::pair<double, double>>> variables{};  ///< name, range
};

std::string rho(std::size_t g, std::size_t h, std::size_t x, std::size_t y, std::size_t a) {
  return fmt::format("rho_{}_{}_{}_{}_{}", g, h, x, y, a);
}

class Exporter {
 public:
  explicit Exporter(const Program& program) : program_(program), n_(program.shape()) {
    functional_.resize(program.functionals);
    for (std::size_t g = 0; g < n_.groups; ++g)
      for (const Term& term : program.terms[g])
        each_cell([&](std::size_t x, std::size_t y, std::size_t a) {
          functional_[term.functional].add(rho(g, term.step, x, y, a), term.weight[cell_of(x, y, a)]);
        });
  }

  Exported run() {
    write_variables_and_objective();
    for (std::size_t g = 0; g < n_.groups; ++g) write_flow(g);
    for (std::size_t b = 0; b < program_.blocks.size(); ++b) write_table(b);
    for (const Parity& parity : program_.parities) write_parity(parity);
    for (const MeanRow& row : program_.rows) write_mean_row(row);
    for (const PenaltyTerm& penalty : program_.penalties) write_penalty(penalty);
    return std::move(out_);
  }

 private:
  template <class Visit>
  void each_cell(const Visit& visit) const {
    for (std::size_t x = 0; x < n_.features; ++x)
      for (std::size_t y = 0; y < kLabels; ++y)
        for (std::size_t a = 0; a < kActions; ++a) visit(x, y, a);
  }

  void write_variables_and_objective() {
    const Model& model = *program_.model;
    for (std::size_t g = 0; g < n_.groups; ++g) {
      double factor = model.share(g);
      for (std::size_t h = 0; h < n_.horizon; ++h, factor *= model.discount())
        each_cell([&](std::size_t x, std::size_t y, std::size_t a) {
          out_.variables.push_back({rho(g, h, x, y, a), {0, 1}});
          out_.objective.add(rho(g, h, x, y, a), factor * model.reward(g)[cell_of(x, y, a)]);
        });
    }
  }

  /// sum_a rho(s1,a,h+1) = sum_{s,a} rho(s,a,h) p(s1 | s,a), and the initial mass at h = 0.
  void write_flow(std::size_t g) {
    const Model& model = *program_.model;
    for (std::size_t h = 0; h < n_.horizon; ++h)
      for (std::size_t x1 = 0; x1 < n_.features; ++x1)
        for (std::size_t y1 = 0; y1 < kLabels; ++y1) {
          ExportRow row{fmt::format("flow_{}_{}_{}_{}", g, h, x1, y1), {}, "=", 0};
          for (std::size_t a = 0; a < kActions; ++a) row.left.add(rho(g, h, x1, y1, a), 1);
          if (h == 0)
            row.right = model.initial(g)[state_of(x1, y1)];
          else
            each_cell([&](std::size_t x, std::size_t y, std::size_t a) {
              row.left.add(rho(g, h - 1, x, y, a), -model.kernel(g, h - 1).row(cell_of(x, y, a))[state_of(x1, y1)]);
            });
          out_.rows.push_back(std::move(row));
        }
  }

  /// The policy sees x only: rho(x,1,1) rho(x,0,0) = rho(x,0,1) rho(x,1,0). Floors are linear in rho. A table that
  /// several groups share is a variable of its own, rho(x,y,1) = pi (rho(x,y,0) + rho(x,y,1)); so is one with rules,
  /// which are linear in it.
  void write_table(std::size_t b) {
    const Block& block = program_.blocks[b];
    const bool ruled = program_.rules.any();
    const bool shared = block.groups.size() > 1 || ruled;
    const auto entry = [&](std::size_t h, std::size_t x) {
      return ruled ? fmt::format("pi_{}_{}_{}", block.groups.front(), h, x) : fmt::format("pi_{}_{}", h, x);
    };
    for (std::size_t h = 0; h < n_.horizon; ++h)
      for (std::size_t x = 0; x < n_.features; ++x) {
        const std::size_t at = h * n_.features + x;
        const double lo = program_.boxes[b].lo[at], hi = program_.boxes[b].hi[at];
        const std::string pi = entry(h, x);
        if (shared) out_.variables.push_back({pi, {lo, hi}});
        for (const std::size_t g : block.groups) {
          if (shared) {
            for (std::size_t y = 0; y < kLabels; ++y) {
              ExportRow row{fmt::format("table_{}_{}_{}_{}", g, h, x, y), {}, "=", 0};
              row.left.add(rho(g, h, x, y, 1), 1);
              row.left.add(pi, rho(g, h, x, y, 0), -1);
              row.left.add(pi, rho(g, h, x, y, 1), -1);
              out_.rows.push_back(std::move(row));
            }
            continue;
          }
          ExportRow blind{fmt::format("blind_{}_{}_{}", g, h, x), {}, "=", 0};
          blind.left.add(rho(g, h, x, 1, 1), rho(g, h, x, 0, 0), 1);
          blind.left.add(rho(g, h, x, 0, 1), rho(g, h, x, 1, 0), -1);
          out_.rows.push_back(std::move(blind));
          for (std::size_t y = 0; y < kLabels; ++y) {
            if (lo > 0)
              write_floor(fmt::format("floor_{}_{}_{}_{}", g, h, x, y), rho(g, h, x, y, 1), rho(g, h, x, y, 0), lo);
            if (hi < 1)
              write_floor(fmt::format("ceiling_{}_{}_{}_{}", g, h, x, y), rho(g, h, x, y, 0), rho(g, h, x, y, 1),
                          1 - hi);
          }
        }
      }
    if (!ruled) return;
    const std::size_t features = n_.features;
    for (const TableRules::Row& rule : program_.rules.rows()) {
      ExportRow row{fmt::format("{}_{}_{}", rule.equal ? "same" : "rises", block.groups.front(), out_.rows.size()),
                    {},
                    rule.equal ? "=" : ">=",
                    0};
      row.left.add(entry(rule.higher / features, rule.higher % features), 1);
      row.left.add(entry(rule.lower / features, rule.lower % features), -1);
      out_.rows.push_back(std::move(row));
    }
  }

  /// at least `share` of the mass in the first of two cells
  void write_floor(const std::string& name, const std::string& kept, const std::string& other, double share) {
    ExportRow row{name, {}, ">=", 0};
    row.left.add(kept, 1 - share);
    row.left.add(other, -share);
    out_.rows.push_back(std::move(row));
  }

  /// |N_i / D_i - N_j / D_j| <= d, multiplied out where the denominators vary: N_i D_j - N_j D_i <= d D_i D_j.
  void write_parity(const Parity& parity) {
    for (std::size_t i = 0; i < parity.means.size(); ++i)
      for (std::size_t j = 0; j < parity.means.size(); ++j) {
        if (i == j && !parity.two_sided()) continue;
        const Mean &first = parity.means[i], &second = parity.lower_of(j);
        ExportRow row{fmt::format("parity_{}_{}_{}_{}", out_.rows.size(), parity.step, i, j), {}, "<=", 0};
        add_product(row.left, first.numerator, second.denominator, 1);
        add_product(row.left, second.numerator, first.denominator, -1);
        if (!first.denominator && !second.denominator) {
          row.right = parity.limit;
        } else if (first.denominator && second.denominator) {
          add_product(row.left, *first.denominator, second.denominator, -parity.limit);
        } else {
          add_product(row.left, first.denominator ? *first.denominator : *second.denominator, std::nullopt,
                      -parity.limit);
        }
        out_.rows.push_back(std::move(row));
      }
  }

  /// A quotient in a general row is a variable mu with N = mu D.
  void write_mean_row(const MeanRow& mean_row) {
    ExportRow row{fmt::format("row_{}_{}", out_.rows.size(), mean_row.step), {}, "<=", mean_row.upper};
    for (std::size_t i = 0; i < mean_row.means.size(); ++i) {
      const Mean& mean = mean_row.means[i];
      if (!mean.denominator) {
        add_product(row.left, mean.numerator, std::nullopt, mean_row.coefficient[i]);
        continue;
      }
      row.left.add(quotient(mean), mean_row.coefficient[i]);
    }
    out_.rows.push_back(std::move(row));
  }

  /// A variable mu with N = mu D.
  std::string quotient(const Mean& mean) {
    std::string mu = fmt::format("mu_{}", mean.numerator);
    if (std::any_of(out_.variables.begin(), out_.variables.end(), [&](const auto& v) { return v.first == mu; }))
      return mu;
    out_.variables.push_back({mu, {-1e20, 1e20}});
    ExportRow row{fmt::format("quotient_{}", mean.numerator), functional_[mean.numerator], "=", 0};
    for (const auto& [variable, weight] : functional_[*mean.denominator].linear) row.left.add(mu, variable, -weight);
    out_.rows.push_back(std::move(row));
    return mu;
  }

  /// The objective loses lambda cost, cost >= gap^2, where gap is N_i / D_i - N_j / D_j or, multiplied out,
  /// N_i D_j - N_j D_i.
  void write_penalty(const PenaltyTerm& penalty) {
    const std::size_t number = out_.rows.size();
    const std::string gap = fmt::format("gap_{}", number), cost = fmt::format("cost_{}", number);
    out_.variables.push_back({gap, {-1, 1}});
    out_.variables.push_back({cost, {0, 1}});
    out_.objective.add(cost, -penalty.weight);
    ExportRow difference{fmt::format("difference_{}_{}", number, penalty.step), {}, "=", 0};
    difference.left.add(gap, -1);
    for (const auto& [mean, other, sign] :
         {std::tuple{&penalty.first, &penalty.second, 1.0}, {&penalty.second, &penalty.first, -1.0}}) {
      if (penalty.multiplied_out || !mean->denominator)
        add_product(difference.left, mean->numerator, penalty.multiplied_out ? other->denominator : std::nullopt, sign);
      else
        difference.left.add(quotient(*mean), sign);
    }
    out_.rows.push_back(std::move(difference));
    ExportRow square{fmt::format("square_{}_{}", number, penalty.step), {}, "<=", 0};
    square.left.add(gap, gap, 1);
    square.left.add(cost, -1);
    out_.rows.push_back(std::move(square));
  }

  void add_product(Expression& to, std::size_t first, std::optional<std::size_t> second, double factor) const {
    for (const auto& [variable, weight] : functional_[first].linear) {
      if (weight == 0) continue;
      if (!second) {
        to.add(variable, factor * weight);
        continue;
      }
      for (const auto& [other, other_weight] : functional_[*second].linear)
        if (other_weight != 0) to.add(variable, other, factor * weight * other_weight);
    }
  }

  const Program& program_;
  const Shape& n_;
  std::vector<Expression> functional_{};
  Exported out_{};
};

Expected<Exported> exported(const Model& model, const Fairness& fairness, const PolicyClass& policies,
                            const std::optional<SquaredGaps>& penalty) {
  if (policies.deterministic)
    return fail("a deterministic policy cannot be exported: the program has no integer variables", {},
                "export without " + option("deterministic"));
  if (policies.threshold)
    return fail("a threshold policy cannot be exported: where it is cut takes integer variables", {},
                "export " + flag("monotone") + ", whose optimum no threshold policy exceeds");
  auto program = penalty ? compile_penalty(model, fairness, policies, penalty->lambda, penalty->form)
                         : compile(model, fairness, policies);
  if (!program) return tl::unexpected(program.error());
  return Exporter(*program).run();
}

/// What the model says of itself if it is an estimate, in comments of which no line is long.
std::string caveats_in_comments(const Model& model, std::string_view mark) {
  const auto& grounds = model.spec().rests_on;
  if (!grounds) return {};
  constexpr std::size_t kWidth = 120;
  std::string out = fmt::format("{} The model is an estimate.\n", mark);
  for (const std::string& sentence : caveats(*grounds, model.names().groups)) {
    std::string line(mark);
    for (std::size_t from = 0; from < sentence.size();) {
      const std::size_t to = std::min(sentence.find(' ', from), sentence.size());
      if (line.size() > mark.size() && line.size() + to - from >= kWidth) {
        out += line + '\n';
        line = mark;
      }
      line.append(1, ' ').append(sentence, from, to - from);
      from = to + 1;
    }
    out += line + '\n';
  }
  return out;
}

}  // namespace

Expected<std::string> to_lp(const Model& model, const Fairness& fairness, const PolicyClass& policies,
                            const std::optional<SquaredGaps>& penalty) {
  auto program = exported(model, fairness, policies, penalty);
  if (!program) return tl::unexpected(program.error());
  std::string out = "\\ Occupancy measures rho_g_h_x_y_a: P(x, y, a at step h | group g)\n";
  out += caveats_in_comments(model, "\\") + "Maximize\n value:" + program->objective.text() + "\nSubject To\n";
  for (const ExportRow& row : program->rows)
    out += fmt::format(" {}:{} {} {}\n", row.name, row.left.text(), row.sense, row.right);
  out += "Bounds\n";
  for (const auto& [name, range] : program->variables)
    out += range.first <= -1e20 ? fmt::format(" {} free\n", name)
                                : fmt::format(" {} <= {} <= {}\n", range.first, name, range.second);
  return out + "End\n";
}

Expected<std::string> to_mps(const Model& model, const Fairness& fairness, const PolicyClass& policies,
                             const std::optional<SquaredGaps>& penalty) {
  auto program = exported(model, fairness, policies, penalty);
  if (!program) return tl::unexpected(program.error());
  const auto quadratic = std::find_if(program->rows.begin(), program->rows.end(), [](const ExportRow& row) {
    return std::any_of(row.left.quadratic.begin(), row.left.quadratic.end(),
                       [](const auto& q) { return q.second != 0; });
  });
  // Free MPS with QCMATRIX sections, which CPLEX, Gurobi and SCIP read.
  std::string out = caveats_in_comments(model, "*") + "NAME fairstep\nOBJSENSE\n    MAX\nROWS\n N value\n";
  for (const ExportRow& row : program->rows)
    out += fmt::format(" {} {}\n", row.sense[0] == '=' ? "E" : row.sense[0] == '<' ? "L" : "G", row.name);
  std::map<std::string, std::vector<std::pair<std::string, double>>> columns;
  for (const auto& [variable, coefficient] : program->objective.linear)
    if (coefficient != 0) columns[variable].emplace_back("value", coefficient);
  for (const ExportRow& row : program->rows)
    for (const auto& [variable, coefficient] : row.left.linear)
      if (coefficient != 0) columns[variable].emplace_back(row.name, coefficient);
  out += "COLUMNS\n";
  for (const auto& [name, range] : program->variables) {
    if (columns[name].empty()) columns[name].emplace_back("value", 0);
    for (const auto& [row, coefficient] : columns[name]) out += fmt::format("    {} {} {}\n", name, row, coefficient);
  }
  out += "RHS\n";
  for (const ExportRow& row : program->rows)
    if (row.right != 0) out += fmt::format("    rhs {} {}\n", row.name, row.right);
  out += "BOUNDS\n";
  for (const auto& [name, range] : program->variables) {
    if (range.first <= -1e20) {
      out += fmt::format(" FR bound {}\n", name);
      continue;
    }
    if (range.first != 0) out += fmt::format(" LO bound {} {}\n", name, range.first);
    out += fmt::format(" UP bound {} {}\n", name, range.second);
  }
  if (quadratic != program->rows.end())
    for (const ExportRow& row : program->rows) {
      if (row.left.quadratic.empty()) continue;
      out += fmt::format("QCMATRIX {}\n", row.name);
      for (const auto& [pair, coefficient] : row.left.quadratic) {
        if (coefficient == 0) continue;
        // The matrix is symmetric: an off-diagonal product stands twice, half each.
        if (pair.first == pair.second) {
          out += fmt::format("    {} {} {}\n", pair.first, pair.second, coefficient);
        } else {
          out += fmt::format("    {} {} {}\n", pair.first, pair.second, coefficient / 2);
          out += fmt::format("    {} {} {}\n", pair.second, pair.first, coefficient / 2);
        }
      }
    }
  return out + "ENDATA\n";
}

}  // namespace fairstep
