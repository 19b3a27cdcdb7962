#include <fairstep/optimise/backends/linear_program.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

#include <Highs.h>

namespace fairstep {
namespace {

double at_most_infinite(double value) {
  return value == kInfinity ? kHighsInf : value == -kInfinity ? -kHighsInf : value;
}

std::vector<double> at_most_infinite(std::vector<double> values) {
  for (double& value : values) value = at_most_infinite(value);
  return values;
}

struct Indices {
  explicit Indices(std::span<const Coefficient> coefficients) {
    index.reserve(coefficients.size());
    value.reserve(coefficients.size());
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
  std::function<bool()> asked{};
};

LinearProgram::LinearProgram(Simplex simplex) : solver_(std::make_unique<Solver>()) {
  Highs& highs = solver_->highs;
  highs.setOptionValue("output_flag", false);
  highs.setOptionValue("threads", 1);
  highs.setOptionValue("presolve", "off");
  highs.setOptionValue("solver", "simplex");
  highs.setOptionValue("simplex_strategy", simplex == Simplex::primal ? 4 : 1);
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

namespace {

/// Takes the marked entries out of a status; whether all of them were as they should be for the basis to stay one.
bool remove(const std::vector<bool>& which, std::vector<HighsBasisStatus>& status, bool basic) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < which.size(); ++i) {
    if (!which[i])
      status[kept++] = status[i];
    else if ((status[i] == HighsBasisStatus::kBasic) != basic)
      return false;
  }
  status.resize(kept);
  return true;
}

}  // namespace

void LinearProgram::remove_variables(const std::vector<bool>& which) {
  HighsBasis basis = solver_->highs.getBasis();
  const bool keep = basis.valid && remove(which, basis.col_status, false);
  std::vector<HighsInt> mask(which.begin(), which.end());
  solver_->highs.deleteCols(mask.data());
  if (keep) solver_->highs.setBasis(basis);
}

void LinearProgram::remove_rows(const std::vector<bool>& which) {
  HighsBasis basis = solver_->highs.getBasis();
  const bool keep = basis.valid && remove(which, basis.row_status, true);
  std::vector<HighsInt> mask(which.begin(), which.end());
  solver_->highs.deleteRows(mask.data());
  if (keep) solver_->highs.setBasis(basis);
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

std::size_t LinearProgram::variables() const { return static_cast<std::size_t>(solver_->highs.getNumCol()); }
std::size_t LinearProgram::rows() const { return static_cast<std::size_t>(solver_->highs.getNumRow()); }

void LinearProgram::replace(const LpMatrix& matrix, const LpBounds& bounds) {
  Highs& highs = solver_->highs;
  HighsLp lp;
  lp.num_col_ = static_cast<HighsInt>(bounds.low.size());
  lp.num_row_ = static_cast<HighsInt>(bounds.row_low.size());
  lp.sense_ = ObjSense::kMaximize;
  lp.col_cost_ = matrix.objective;
  lp.col_lower_ = at_most_infinite(bounds.low);
  lp.col_upper_ = at_most_infinite(bounds.high);
  lp.row_lower_ = at_most_infinite(bounds.row_low);
  lp.row_upper_ = at_most_infinite(bounds.row_high);
  HighsSparseMatrix& out = lp.a_matrix_;
  out.format_ = MatrixFormat::kRowwise;
  out.num_col_ = lp.num_col_;
  out.num_row_ = lp.num_row_;
  Indices entries(matrix.entries);
  out.index_ = std::move(entries.index);
  out.value_ = std::move(entries.value);
  out.start_.clear();
  for (const std::size_t start : matrix.row_start) out.start_.push_back(static_cast<HighsInt>(start));
  const bool same_size = variables() == bounds.low.size() && rows() == bounds.row_low.size();
  const HighsBasis basis = highs.getBasis();
  highs.passModel(std::move(lp));
  if (same_size && basis.valid) highs.setBasis(basis);
}

void LinearProgram::set_bounds(const LpBounds& bounds) {
  Highs& highs = solver_->highs;
  const auto last = [](const std::vector<double>& of) { return static_cast<HighsInt>(of.size()) - 1; };
  highs.changeColsBounds(0, last(bounds.low), at_most_infinite(bounds.low).data(),
                         at_most_infinite(bounds.high).data());
  highs.changeRowsBounds(0, last(bounds.row_low), at_most_infinite(bounds.row_low).data(),
                         at_most_infinite(bounds.row_high).data());
}

void LinearProgram::stop_when(std::function<bool()> asked) {
  Solver& solver = *solver_;
  solver.asked = std::move(asked);
  if (!solver.asked) {
    solver.highs.stopCallback(kCallbackSimplexInterrupt);
    return;
  }
  // What the library calls these two types depends on its version.
  solver.highs.setCallback([&solver](int, const std::string&, auto* /*state*/, auto* reply, void*) {
    reply->user_interrupt = solver.asked() ? 1 : 0;
  });
  solver.highs.startCallback(kCallbackSimplexInterrupt);
}

LpSolution LinearProgram::ask() {
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
  result.iterations = static_cast<std::size_t>(std::max<HighsInt>(0, highs.getInfo().simplex_iteration_count));
  result.x = highs.getSolution().col_value;
  result.price = highs.getSolution().row_dual;
  return result;
}

}  // namespace fairstep
