// Every band in an audit's pages holds as it is shown, whatever the numbers behind it.
#include <cstddef>
#include <regex>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <fairstep/audit/audit.hpp>

#include "support/counts.hpp"
#include "support/edges_of_rounding.hpp"
#include "support/models.hpp"

namespace fairstep {
namespace {

using testing::is_at_least;
using testing::is_at_most;
using testing::unwrap;

/// An audit of hardly anybody, in which all bands are this one.
Audit with_band(const Range& band) {
  const Names names{{"a", "b"}, {"x"}};
  CountsSpec counts = CountsSpec::zeros(1, names);
  for (std::size_t g = 0; g < 2; ++g) {
    counts.first(g, 0, 1) = 4;
    counts.visits(g, 0, 0, 1, 1) = 2;
    counts.visits(g, 0, 0, 1, 0) = 2;
  }
  Audit made = unwrap(audit(testing::made(counts)));
  for (AuditedRate& rate : made.rates)
    for (std::size_t g = 0; g < 2; ++g) rate.steps(g, 0).band = band;
  for (PairGap& pair : made.pairs) {
    pair.band = band;
    pair.differ = band.low > 0;
  }
  made.ratios.clear();  // theirs go both ways
  for (NotionGap& gap : made.gaps) gap.band = band;
  PolicyAudit policy;
  policy.accept = Tensor<double, 2>({2, 1});
  policy.accept_band = Tensor<Range, 2>({2, 1});
  for (std::size_t g = 0; g < 2; ++g) policy.accept_band(g, 0) = band;
  policy.gaps.push_back({Notion::dp, 0, 0.5, band.high});
  made.policy = policy;
  return made;
}

TEST(BoundsShown, InPagesOfAnAuditHold) {
  const std::regex bands(R"((-?[0-9.]+) to (-?[0-9.]+)(?=[ )<,]))"), most("at most ([0-9.]*[0-9])");
  const std::vector<double> lows = testing::edges_of_rounding(60, 4), highs = testing::edges_of_rounding(60, 5);
  for (std::size_t i = 0; i < lows.size(); ++i) {
    const Range band{lows[i] - (i % 2 == 0 ? 0.5 : 0), highs[i]};
    const Audit made = with_band(band);
    for (const std::string& page :
         {to_markdown(made, {"data", "policy", "1", {}}), to_html(made, {"data", "policy", "1", {}})}) {
      // Charts speak of where a line goes, which is no band.
      const std::string text = std::regex_replace(page, std::regex("<svg[^]*?</svg>"), "");
      std::size_t seen = 0;
      for (std::sregex_iterator found(text.begin(), text.end(), bands), end; found != end; ++found, ++seen) {
        EXPECT_TRUE(is_at_most((*found)[1], band.low)) << found->str();
        EXPECT_TRUE(is_at_least((*found)[2], band.high)) << found->str();
        EXPECT_TRUE(band.low <= 0 || std::stod((*found)[1]) != 0) << "a band that leaves 0 out is seen to do so";
      }
      EXPECT_GE(seen, 3U + 2 + 4 + 2);
      std::smatch claim;
      ASSERT_TRUE(std::regex_search(text, claim, most));
      EXPECT_TRUE(is_at_least(claim[1], band.high)) << claim.str();
    }
  }
}

}  // namespace
}  // namespace fairstep
