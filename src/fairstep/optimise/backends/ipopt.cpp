#include <fairstep/optimise/backends/ipopt.hpp>

#include <algorithm>

#include <IpIpoptApplication.hpp>
#include <IpTNLP.hpp>

#include <fairstep/optimise/common/deadline.hpp>

namespace fairstep {
namespace {

/// Hands our program to Ipopt and keeps the last evaluation, so that the four callbacks at one x cost one evaluation.
class Adapter : public Ipopt::TNLP {
 public:
  Adapter(NonlinearProgram& program, const NlpOptions& options)
      : program_(program),
        options_(options),
        variables_(program.variable_bounds()),
        constraints_(program.constraint_bounds()),
        sparsity_(program.jacobian_sparsity()),
        hessian_(program.hessian_sparsity()),
        c_(constraints_.low.size()),
        gradient_(variables_.low.size()),
        jacobian_(sparsity_.row.size()) {}

  bool get_nlp_info(Ipopt::Index& n, Ipopt::Index& m, Ipopt::Index& nnz_jac, Ipopt::Index& nnz_hess,
                    IndexStyleEnum& style) override {
    n = static_cast<Ipopt::Index>(variables_.low.size());
    m = static_cast<Ipopt::Index>(constraints_.low.size());
    nnz_jac = static_cast<Ipopt::Index>(sparsity_.row.size());
    nnz_hess = static_cast<Ipopt::Index>(hessian_.row.size());
    style = TNLP::C_STYLE;
    return true;
  }
  bool get_bounds_info(Ipopt::Index, double* x_l, double* x_u, Ipopt::Index, double* g_l, double* g_u) override {
    std::copy(variables_.low.begin(), variables_.low.end(), x_l);
    std::copy(variables_.high.begin(), variables_.high.end(), x_u);
    std::copy(constraints_.low.begin(), constraints_.low.end(), g_l);
    std::copy(constraints_.high.begin(), constraints_.high.end(), g_u);
    return true;
  }
  bool get_starting_point(Ipopt::Index, bool, double* x, bool, double*, double*, Ipopt::Index, bool, double*) override {
    return in_time([&] {
      const std::vector<double> start = program_.start();
      std::copy(start.begin(), start.end(), x);
    });
  }
  bool eval_f(Ipopt::Index n, const double* x, bool, double& f) override {
    if (!at(n, x)) return false;
    f = f_;
    return true;
  }
  bool eval_grad_f(Ipopt::Index n, const double* x, bool, double* gradient) override {
    if (!derivatives_at(n, x)) return false;
    std::copy(gradient_.begin(), gradient_.end(), gradient);
    return true;
  }
  bool eval_g(Ipopt::Index n, const double* x, bool, Ipopt::Index, double* g) override {
    if (!at(n, x)) return false;
    std::copy(c_.begin(), c_.end(), g);
    return true;
  }
  bool eval_jac_g(Ipopt::Index n, const double* x, bool, Ipopt::Index, Ipopt::Index, Ipopt::Index* row,
                  Ipopt::Index* column, double* values) override {
    if (values == nullptr) {
      std::copy(sparsity_.row.begin(), sparsity_.row.end(), row);
      std::copy(sparsity_.column.begin(), sparsity_.column.end(), column);
    } else {
      if (!derivatives_at(n, x)) return false;
      std::copy(jacobian_.begin(), jacobian_.end(), values);
    }
    return true;
  }
  bool eval_h(Ipopt::Index n, const double* x, bool, double objective_factor, Ipopt::Index m, const double* multipliers,
              bool, Ipopt::Index count, Ipopt::Index* row, Ipopt::Index* column, double* values) override {
    if (values == nullptr) {
      std::copy(hessian_.row.begin(), hessian_.row.end(), row);
      std::copy(hessian_.column.begin(), hessian_.column.end(), column);
    } else {
      if (!at(n, x)) return false;
      return in_time([&] {
        program_.hessian(objective_factor, {multipliers, static_cast<std::size_t>(m)},
                         {values, static_cast<std::size_t>(count)});
      });
    }
    return true;
  }
  bool intermediate_callback(Ipopt::AlgorithmMode, Ipopt::Index iteration, double, double, double, double, double,
                             double, double, double, Ipopt::Index, const Ipopt::IpoptData*,
                             Ipopt::IpoptCalculatedQuantities*) override {
    iterations_ = iteration;
    return !out_of_time_ && !(options_.cancelled && options_.cancelled());
  }
  void finalize_solution(Ipopt::SolverReturn, Ipopt::Index n, const double* x, const double*, const double*,
                         Ipopt::Index, const double*, const double*, double, const Ipopt::IpoptData*,
                         Ipopt::IpoptCalculatedQuantities*) override {
    solution_.assign(x, x + n);
  }

  [[nodiscard]] const std::vector<double>& solution() const { return solution_.empty() ? last_ : solution_; }
  [[nodiscard]] int iterations() const { return iterations_; }

 private:
  /// OutOfTime must not pass through a library that was built elsewhere. It is told instead that there is no number,
  /// here and wherever it turns to, which ends it.
  template <class Work>
  bool in_time(const Work& work) {
    if (out_of_time_) return false;
    try {
      work();
    } catch (const OutOfTime&) {
      out_of_time_ = true;
      return false;
    }
    return true;
  }
  bool at(Ipopt::Index n, const double* x) {
    if (known_.size() == static_cast<std::size_t>(n) && std::equal(known_.begin(), known_.end(), x)) return true;
    differentiated_ = false;
    const std::vector<double> there(x, x + n);
    known_.clear();
    if (!in_time([&] { f_ = program_.evaluate(there, c_); })) return false;
    known_ = there;
    last_ = there;
    return true;
  }
  bool derivatives_at(Ipopt::Index n, const double* x) {
    if (!at(n, x)) return false;
    if (differentiated_) return true;
    differentiated_ = in_time([&] { program_.differentiate(gradient_, jacobian_); });
    return differentiated_;
  }

  NonlinearProgram& program_;
  const NlpOptions& options_;
  NonlinearProgram::Bounds variables_, constraints_;
  NonlinearProgram::Sparsity sparsity_, hessian_;
  std::vector<double> known_{}, last_{};  ///< where it was evaluated, if that went well, and the last such place
  bool out_of_time_ = false;
  double f_ = 0;
  std::vector<double> c_, gradient_, jacobian_;
  bool differentiated_ = false;
  std::vector<double> solution_{};
  int iterations_ = 0;
};

}  // namespace

NlpSolution solve_by_ipopt(NonlinearProgram& program, const NlpOptions& options) {
  Ipopt::SmartPtr<Ipopt::IpoptApplication> app = new Ipopt::IpoptApplication(false);
  const auto set = app->Options();
  set->SetIntegerValue("print_level", 0);
  set->SetStringValue("sb", "yes");
  if (program.hessian_sparsity().row.empty()) {
    set->SetStringValue("hessian_approximation", "limited-memory");
    set->SetIntegerValue("limited_memory_max_history", 12);
  }
  set->SetNumericValue("tol", options.tolerance);
  set->SetNumericValue("constr_viol_tol", 1e-10);
  set->SetNumericValue("acceptable_tol", 1e-6);
  set->SetIntegerValue("acceptable_iter", 10);
  set->SetNumericValue("bound_relax_factor", 0);
  set->SetIntegerValue("max_iter", options.max_iterations);
  set->SetNumericValue("max_wall_time", options.max_seconds);
  set->SetStringValue("mu_strategy", "adaptive");
  set->SetStringValue("linear_solver", "mumps");
  NlpSolution result;
  if (app->Initialize() != Ipopt::Solve_Succeeded) return result;
  Ipopt::SmartPtr<Adapter> adapter = new Adapter(program, options);
  const Ipopt::ApplicationReturnStatus status = app->OptimizeTNLP(adapter);
  result.x = adapter->solution();
  result.iterations = adapter->iterations();
  switch (status) {
    case Ipopt::Solve_Succeeded:
    case Ipopt::Solved_To_Acceptable_Level:
    case Ipopt::Feasible_Point_Found:
      result.status = NlpStatus::converged;
      break;
    case Ipopt::Infeasible_Problem_Detected:
      result.status = NlpStatus::infeasible;
      break;
    case Ipopt::Maximum_Iterations_Exceeded:
    case Ipopt::Maximum_CpuTime_Exceeded:
    case Ipopt::Maximum_WallTime_Exceeded:
    case Ipopt::Search_Direction_Becomes_Too_Small:
    case Ipopt::User_Requested_Stop:
      result.status = NlpStatus::stopped;
      break;
    default:
      result.status = NlpStatus::failed;
  }
  return result;
}

}  // namespace fairstep
