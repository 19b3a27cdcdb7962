#include <fairstep/optimise/backends/highs.hpp>

#include <algorithm>
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

class HighsProgram final : public LinearProgram {
 public:
  explicit HighsProgram(Simplex simplex);

  std::size_t add_variable(double low, double high, double objective, std::span<const Coefficient> column) override;
  std::size_t add_row(double low, double high, std::span<const Coefficient> row) override;
  void remove_variables(const std::vector<bool>& which) override;
  void remove_rows(const std::vector<bool>& which) override;
  void set_objective(std::size_t variable, double objective) override;
  void set_variable_bounds(std::size_t variable, double low, double high) override;
  void set_row_bounds(std::size_t row, double low, double high) override;
  void set_coefficient(std::size_t row, std::size_t variable, double value) override;
  [[nodiscard]] std::size_t variables() const override;
  [[nodiscard]] std::size_t rows() const override;
  void replace(const LpMatrix& matrix, const LpBounds& bounds) override;
  void set_bounds(const LpBounds& bounds) override;
  void stop_when(std::function<bool()> asked) override;

 private:
  [[nodiscard]] LpSolution ask() override;

  Highs highs_{};
  std::function<bool()> asked_{};
};

HighsProgram::HighsProgram(Simplex simplex) {
  highs_.setOptionValue("output_flag", false);
  highs_.setOptionValue("threads", 1);
  highs_.setOptionValue("presolve", "off");
  highs_.setOptionValue("solver", "simplex");
  highs_.setOptionValue("simplex_strategy", simplex == Simplex::primal ? 4 : 1);
  highs_.setOptionValue("primal_feasibility_tolerance", 1e-9);
  highs_.setOptionValue("dual_feasibility_tolerance", 1e-9);
  highs_.changeObjectiveSense(ObjSense::kMaximize);
}

std::size_t HighsProgram::add_variable(double low, double high, double objective, std::span<const Coefficient> column) {
  const Indices entries(column);
  highs_.addCol(objective, at_most_infinite(low), at_most_infinite(high), static_cast<HighsInt>(entries.index.size()),
                entries.index.data(), entries.value.data());
  return variables() - 1;
}

std::size_t HighsProgram::add_row(double low, double high, std::span<const Coefficient> row) {
  const Indices entries(row);
  highs_.addRow(at_most_infinite(low), at_most_infinite(high), static_cast<HighsInt>(entries.index.size()),
                entries.index.data(), entries.value.data());
  return rows() - 1;
}

void HighsProgram::remove_variables(const std::vector<bool>& which) {
  HighsBasis basis = highs_.getBasis();
  const bool keep = basis.valid && remove(which, basis.col_status, false);
  std::vector<HighsInt> mask(which.begin(), which.end());
  highs_.deleteCols(mask.data());
  if (keep) highs_.setBasis(basis);
}

void HighsProgram::remove_rows(const std::vector<bool>& which) {
  HighsBasis basis = highs_.getBasis();
  const bool keep = basis.valid && remove(which, basis.row_status, true);
  std::vector<HighsInt> mask(which.begin(), which.end());
  highs_.deleteRows(mask.data());
  if (keep) highs_.setBasis(basis);
}

void HighsProgram::set_objective(std::size_t variable, double objective) {
  highs_.changeColCost(static_cast<HighsInt>(variable), objective);
}

void HighsProgram::set_variable_bounds(std::size_t variable, double low, double high) {
  highs_.changeColBounds(static_cast<HighsInt>(variable), at_most_infinite(low), at_most_infinite(high));
}

void HighsProgram::set_row_bounds(std::size_t row, double low, double high) {
  highs_.changeRowBounds(static_cast<HighsInt>(row), at_most_infinite(low), at_most_infinite(high));
}

void HighsProgram::set_coefficient(std::size_t row, std::size_t variable, double value) {
  highs_.changeCoeff(static_cast<HighsInt>(row), static_cast<HighsInt>(variable), value);
}

std::size_t HighsProgram::variables() const { return static_cast<std::size_t>(highs_.getNumCol()); }
std::size_t HighsProgram::rows() const { return static_cast<std::size_t>(highs_.getNumRow()); }

void HighsProgram::replace(const LpMatrix& matrix, const LpBounds& bounds) {
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
  const HighsBasis basis = highs_.getBasis();
  highs_.passModel(std::move(lp));
  if (same_size && basis.valid) highs_.setBasis(basis);
}

void HighsProgram::set_bounds(const LpBounds& bounds) {
  const auto last = [](const std::vector<double>& of) { return static_cast<HighsInt>(of.size()) - 1; };
  highs_.changeColsBounds(0, last(bounds.low), at_most_infinite(bounds.low).data(),
                          at_most_infinite(bounds.high).data());
  highs_.changeRowsBounds(0, last(bounds.row_low), at_most_infinite(bounds.row_low).data(),
                          at_most_infinite(bounds.row_high).data());
}

void HighsProgram::stop_when(std::function<bool()> asked) {
  asked_ = std::move(asked);
  if (!asked_) {
    highs_.stopCallback(kCallbackSimplexInterrupt);
    return;
  }
  // What the library calls these two types depends on its version.
  highs_.setCallback([this](int, const std::string&, auto* /*state*/, auto* reply, void*) {
    reply->user_interrupt = asked_() ? 1 : 0;
  });
  highs_.startCallback(kCallbackSimplexInterrupt);
}

LpSolution HighsProgram::ask() {
  LpSolution result;
  if (highs_.run() == HighsStatus::kError) return result;
  switch (highs_.getModelStatus()) {
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
  result.objective = highs_.getInfo().objective_function_value;
  result.iterations = static_cast<std::size_t>(std::max<HighsInt>(0, highs_.getInfo().simplex_iteration_count));
  result.x = highs_.getSolution().col_value;
  result.price = highs_.getSolution().row_dual;
  return result;
}

}  // namespace

std::unique_ptr<LinearProgram> make_highs(Simplex simplex) { return std::make_unique<HighsProgram>(simplex); }

}  // namespace fairstep
