#include <fairstep/optimise/bound/master.hpp>

#include <vector>

#include <gtest/gtest.h>

#include "optimise/bound/small_master.hpp"

namespace fairstep {
namespace {

// HiGHS takes no number above 1e15. A row that it refused was missing there, and prices were read past their end.
TEST(Master, RowsThatAreTooLargeForTheLibraryKeepTheirPlace) {
  testing::SmallMaster small;
  Master& master = small.master;
  const std::size_t x = master.add_variable(0, 5);
  small.close();
  const std::size_t refused = master.add_row(-kInfinity, 1, {{x, 1e300}});
  const std::size_t taken = master.add_row(-kInfinity, 3, {{x, 2.0}});
  EXPECT_DOUBLE_EQ(small.most(x, 1), 1.5);
  ASSERT_TRUE(master.knew_row(refused) && master.knew_row(taken));
  EXPECT_EQ(master.price_of_row(refused), 0);
  EXPECT_DOUBLE_EQ(master.price_of_row(taken), 0.5);
  master.set_entry(refused, 0, 1e301);
  master.set_row(refused, 7, kInfinity);  // an empty row that must be at least 7 would leave nothing
  EXPECT_DOUBLE_EQ(small.most(x, 1), 1.5);
  master.set_row(taken, -kInfinity, 2);
  EXPECT_DOUBLE_EQ(small.most(x, 1), 1);
}

TEST(Master, ColumnsThatAreTooLargeForTheLibraryKeepTheirPlace) {
  testing::SmallMaster small;
  small.close();
  const std::size_t refused = small.master.add_column(0, {1e300, {}});
  const std::size_t taken = small.master.add_column(0, {2.0, {}});
  EXPECT_DOUBLE_EQ(small.most(Master::kValue, 1), 2);
  EXPECT_EQ(small.master.use_of(refused), 0);
  EXPECT_DOUBLE_EQ(small.master.use_of(taken), 1);
}

}  // namespace
}  // namespace fairstep
