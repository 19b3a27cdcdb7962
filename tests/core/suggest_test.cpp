#include <fairstep/core/suggest.hpp>

#include <array>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace fairstep {
namespace {

constexpr std::array<std::string_view, 5> kKeys{"horizon", "groups", "transition", "reward", "reward_noise"};

TEST(DidYouMean, SuggestsWhatIsASlipAway) {
  EXPECT_EQ(nearest("horizn", kKeys), "horizon");    // left out
  EXPECT_EQ(nearest("horizzon", kKeys), "horizon");  // doubled
  EXPECT_EQ(nearest("hroizon", kKeys), "horizon");   // swapped
  EXPECT_EQ(nearest("Horizon", kKeys), "horizon");   // case
  EXPECT_EQ(nearest("transitions", kKeys), "transition");
  EXPECT_EQ(nearest("rewardnoise", kKeys), "reward_noise");
  EXPECT_EQ(did_you_mean("rewrad", kKeys), "did you mean \"reward\"?");
}

TEST(DidYouMean, SaysNothingAboutAnotherWord) {
  EXPECT_EQ(nearest("colour", kKeys), "");
  EXPECT_EQ(nearest("", kKeys), "");
  EXPECT_EQ(nearest(std::string(100'000, 'x'), kKeys), "");
  EXPECT_EQ(nearest("horizon", {}), "");
  EXPECT_EQ(did_you_mean("colour", kKeys), "");
}

TEST(DidYouMean, TakesTheNearerOfTwo) {
  constexpr std::array<std::string_view, 2> verbs{"evaluate", "validate"};
  EXPECT_EQ(nearest("valuate", verbs), "evaluate");  // one letter missing, against two changed
  EXPECT_EQ(nearest("validat", verbs), "validate");
}

TEST(Alternatives, AreListedInQuotes) {
  EXPECT_EQ(alternatives({}), "");
  EXPECT_EQ(alternatives(std::array<std::string_view, 1>{"dp"}), "\"dp\"");
  EXPECT_EQ(alternatives(std::array<std::string_view, 3>{"no", "drop", "keep"}), "\"no\", \"drop\" or \"keep\"");
}

}  // namespace
}  // namespace fairstep
