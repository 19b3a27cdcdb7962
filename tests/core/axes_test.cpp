#include <fairstep/core/axes.hpp>

#include <array>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace fairstep {
namespace {

const std::vector<std::string> kGroups{"white", "black"};

TEST(Axes, ALayoutAndAShapeGiveTheExtents) {
  const Shape shape{3, 8, 5};  // groups, steps, features
  EXPECT_EQ(extents_of(kTransitionAxes, shape), (std::array<std::size_t, 6>{3, 5, 2, 2, 5, 2}));
  EXPECT_EQ(extents_of(kVisitsAxes, shape), (std::array<std::size_t, 5>{3, 8, 5, 2, 2}));
  EXPECT_EQ(extents_of(kAcceptAxes, shape), (std::array<std::size_t, 3>{3, 8, 5}));
  EXPECT_EQ(extents_of(kFirstStepAxes, shape), (std::array<std::size_t, 2>{3, 8}));
}

TEST(Axes, AnEntryIsNamedByItsAxesAndTheGroupByItsName) {
  const std::array<std::size_t, 6> index{1, 2, 0, 1, 4, 1};
  EXPECT_EQ(brackets(kTransitionAxes, index, kGroups), "[g=black,x=2,y=0,a=1,x1=4,y1=1]");
  EXPECT_EQ(brackets(kTransitionAxes, std::span(index).first(2), kGroups), "[g=black,x=2]");
  EXPECT_EQ(brackets(kTransitionAxes, {}, kGroups), "");
  EXPECT_EQ(brackets(kTransitionAxes, std::span(index).first(1), {}), "[g=1]");
  EXPECT_EQ(brackets(kSharedAcceptAxes, std::array<std::size_t, 2>{7, 1}, kGroups), "[h=7,x=1]");
}

TEST(Axes, AnEntryHasAPointer) {
  EXPECT_EQ(pointer_to(std::array<std::size_t, 3>{1, 20, 0}), "/1/20/0");
  EXPECT_EQ(pointer_to({}), "");
}

TEST(Axes, EveryAxisSaysWhatItsLengthCounts) {
  std::string nouns;
  for (const Axis axis : {Axis::g, Axis::h, Axis::x, Axis::y, Axis::a, Axis::x1, Axis::y1}) {
    nouns += name_of(axis);
    nouns += ":";
    nouns += noun_of(axis);
    nouns += " ";
  }
  EXPECT_EQ(nouns, "g:groups h:steps x:features y:labels a:actions x1:features y1:labels ");
}

}  // namespace
}  // namespace fairstep
