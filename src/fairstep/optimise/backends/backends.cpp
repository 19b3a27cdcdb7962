#include <fairstep/optimise/backends/backends.hpp>

#include <fairstep/optimise/backends/highs.hpp>
#include <fairstep/optimise/backends/ipopt.hpp>

namespace fairstep {
namespace {

class Libraries final : public Backends {
 public:
  [[nodiscard]] std::unique_ptr<LinearProgram> linear(Simplex simplex) const override { return make_highs(simplex); }
  [[nodiscard]] NlpSolution solve(NonlinearProgram& program, const NlpOptions& options) const override {
    return solve_by_ipopt(program, options);
  }
};

}  // namespace

const Backends& libraries() {
  static const Libraries both;
  return both;
}

}  // namespace fairstep
