// Smooth programs by Ipopt, which stays in ipopt.cpp.
#pragma once

#include <fairstep/optimise/backends/nonlinear_program.hpp>

namespace fairstep {

[[nodiscard]] NlpSolution solve_by_ipopt(NonlinearProgram& program, const NlpOptions& options);

}  // namespace fairstep
