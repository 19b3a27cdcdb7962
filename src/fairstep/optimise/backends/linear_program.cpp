#include <fairstep/optimise/backends/internal/linear_program.hpp>

#include <Highs.h>

namespace fairstep {
namespace {

double at_most_infinite(double value) {
  return value == kInfinity ? kHighsInf : value == -kInfinity ? -kHighsInf : value;
}

struct Indices {
  explicit Indices(std::span<const Coefficient> coefficients) {
    for (const Coefficient& c : coefficients) {
      index.push_back(static_cast<HighsInt>(c.index));
      value.push_back(c.value);
    }
  }
  std::vector<HighsInt> index{};
  std::vector<double> value{};
};

}  // namespace

struct LinearProgram::Solver {
  Highs highs{};
};

LinearProgram::LinearProgram() : solver_(std::make_unique<Solver>()) {
  Highs& highs = solver_->highs;
  highs.setOptionValue("output_flag", false);
  highs.setOptionValue("threads", 1);
  highs.setOptionValue("presolve", "off");
  highs.setOptionValue("solver", "simplex");
  // New columns and new objectives leave the last basis primal feasible.
  highs.setOptionValue("simplex_strategy", 4);
  highs.setOptionValue("primal_feasibility_tolerance", 1e-9);
  highs.setOptionValue("dual_feasibility_tolerance", 1e-9);
  highs.changeObjectiveSense(ObjSense::kMaximize);
}
LinearProgram::~LinearProgram() = default;
LinearProgram::LinearProgram(LinearProgram&&) noexcept = default;
LinearProgram& LinearProgram::operator=(LinearProgram&&) noexcept = default;

std::size_t LinearProgram::add_variable(double low, double high, double objective,
                                        std::span<const Coefficient> column) {
  const Indices entries(column);
  solver_->highs.addCol(objective, at_most_infinite(low), at_most_infinite(high),
                        static_cast<HighsInt>(entries.index.size()), entries.index.data(), entries.value.data());
  return variables() - 1;
}

std::size_t LinearProgram::add_row(double low, double high, std::span<const Coefficient> row) {
  const Indices entries(row);
  solver_->highs.addRow(at_most_infinite(low), at_most_infinite(high), static_cast<HighsInt>(entries.index.size()),
                        entries.index.data(), entries.value.data());
  return rows() - 1;
}

void LinearProgram::set_objective(std::size_t variable, double objective) {
  solver_->highs.changeColCost(static_cast<HighsInt>(variable), objective);
}

void LinearProgram::set_variable_bounds(std::size_t variable, double low, double high) {
  solver_->highs.changeColBounds(static_cast<HighsInt>(variable), at_most_infinite(low), at_most_infinite(high));
}

void LinearProgram::set_row_bounds(std::size_t row, double low, double high) {
  solver_->highs.changeRowBounds(static_cast<HighsInt>(row), at_most_infinite(low), at_most_infinite(high));
}

void LinearProgram::set_coefficient(std::size_t row, std::size_t variable, double value) {
  solver_->highs.changeCoeff(static_cast<HighsInt>(row), static_cast<HighsInt>(variable), value);
}

void LinearProgram::set_time_limit(double seconds) { solver_->highs.setOptionValue("time_limit", seconds); }

std::size_t LinearProgram::variables() const { return static_cast<std::size_t>(solver_->highs.getNumCol()); }
std::size_t LinearProgram::rows() const { return static_cast<std::size_t>(solver_->highs.getNumRow()); }

void LinearProgram::start_from(const LinearProgram& other) {
  const HighsBasis& basis = other.solver_->highs.getBasis();
  if (basis.valid && variables() == other.variables() && rows() == other.rows()) solver_->highs.setBasis(basis);
}

LpSolution LinearProgram::solve() {
  Highs& highs = solver_->highs;
  LpSolution result;
  if (highs.run() == HighsStatus::kError) return result;
  switch (highs.getModelStatus()) {
    case HighsModelStatus::kOptimal:
      result.status = LpStatus::optimal;
      break;
    case HighsModelStatus::kInfeasible:
      result.status = LpStatus::infeasible;
      return result;
    case HighsModelStatus::kUnbounded:
    case HighsModelStatus::kUnboundedOrInfeasible:
      result.status = LpStatus::unbounded;
      return result;
    default:
      return result;
  }
  result.objective = highs.getInfo().objective_function_value;
  result.x = highs.getSolution().col_value;
  result.price = highs.getSolution().row_dual;
  return result;
}

}  // namespace fairstep
