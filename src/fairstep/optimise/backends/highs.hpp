// Linear programs by HiGHS, which stays in highs.cpp.
#pragma once

#include <memory>

#include <fairstep/optimise/backends/linear_program.hpp>

namespace fairstep {

[[nodiscard]] std::unique_ptr<LinearProgram> make_highs(Simplex simplex);

}  // namespace fairstep
