// A master about nothing in particular, for tests of what is put into it.
#pragma once

#include <vector>

#include <gtest/gtest.h>

#include <fairstep/optimise/bound/master.hpp>
#include <fairstep/optimise/program/compile.hpp>

#include "support/models.hpp"

namespace fairstep::testing {

/// Without limits or functionals, and with one column per block that earns nothing: V = 0.
struct SmallMaster {
  SmallMaster() {
    for (std::size_t b = 0; b < program.blocks.size(); ++b) columns.push_back({0, {}});
  }
  /// After all variables are there.
  void close() {
    for (std::size_t b = 0; b < columns.size(); ++b) master.add_column(b, columns[b]);
  }
  /// The greatest sign * variable.
  double most(std::size_t variable, double sign) {
    const std::vector<Coefficient> objective{{variable, sign}};
    master.set_objective(objective);
    const LpSolution& solution = master.solve();
    master.clear_objective(objective);
    EXPECT_EQ(solution.status, LpStatus::optimal);
    return solution.objective;
  }

  Model model = hand_model();
  Program program = unwrap(compile(model, {}, {}));
  Master master{program};
  std::vector<Effect> columns{};
};

}  // namespace fairstep::testing
