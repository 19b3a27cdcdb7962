#include <fairstep/optimise/bound/tangents.hpp>

#include <gtest/gtest.h>

#include "optimise/bound/small_master.hpp"

namespace fairstep {
namespace {

using testing::SmallMaster;

/// The least e >= 2 z^2, with tangents wherever the last solution is off.
double least(SmallMaster& small, Tangents& tangents, std::size_t e) {
  double found = -small.most(e, -1);
  for (int round = 0; round < 50 && tangents.add_where_off(1e-9); ++round) found = -small.most(e, -1);
  return found;
}

TEST(Tangents, LiftASquareToItsTrueHeight) {
  // q = z = 3/5: 2 * 9/25 = 18/25.
  SmallMaster small;
  const std::size_t q = small.master.add_variable(-1, 1), e = small.master.add_variable(0, 10);
  small.master.add_row(0.6, 0.6, {{q, 1.0}});
  Tangents tangents(small.master);
  tangents.add_square({q, e, std::nullopt, 1, 2});
  small.close();
  EXPECT_NEAR(least(small, tangents, e), 0.72, 1e-8);
}

TEST(Tangents, OfAQuotientLieBelowTheChordOfItsScale) {
  // q = z S = 3/5 and S = 1 in [1/2, 2], so z = 3/5 as well. S^2 is at most its chord, 5/2 S - 1 = 3/2: the best
  // tangent is 2 * (9/25) / (3/2) = 12/25. With S known to be 1 the chord is S^2, and it is 18/25.
  SmallMaster small;
  const std::size_t q = small.master.add_variable(-1, 1), e = small.master.add_variable(0, 10);
  const std::size_t scale = small.master.add_variable(0.5, 2);
  small.master.add_row(0.6, 0.6, {{q, 1.0}});
  small.master.add_row(1, 1, {{scale, 1.0}});
  Tangents tangents(small.master);
  tangents.add_square({q, e, scale, 1, 2});
  small.close();
  EXPECT_NEAR(least(small, tangents, e), 0.48, 1e-8);
  small.master.set_range(scale, 1, 1);
  tangents.rewrite(scale);
  EXPECT_NEAR(least(small, tangents, e), 0.72, 1e-8);
}

TEST(Tangents, ThatDoNotBindAreForgottenAndNothingChanges) {
  SmallMaster small;
  const std::size_t q = small.master.add_variable(-1, 1), e = small.master.add_variable(0, 10);
  small.master.add_row(0.6, 0.6, {{q, 1.0}});
  Tangents tangents(small.master);
  tangents.add_square({q, e, std::nullopt, 1, 2});
  for (const double c : {-0.9, 0.1, 0.6, 0.9}) tangents.add(0, c);
  small.close();
  EXPECT_NEAR(-small.most(e, -1), 0.72, 1e-8);
  tangents.forget();
  EXPECT_EQ(small.master.rows().size(), 2U);  // the one above, and the tangent at 3/5
  EXPECT_NEAR(-small.most(e, -1), 0.72, 1e-8);
  tangents.add(0, 0.5);  // and there is room for more
  EXPECT_NEAR(-small.most(e, -1), 0.72, 1e-8);
}

}  // namespace
}  // namespace fairstep
