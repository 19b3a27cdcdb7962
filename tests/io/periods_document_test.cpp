// Periods in files: a list of names and first steps beside the tables that have one axis more.
#include <cstddef>
#include <string>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include <fairstep/core/counts.hpp>
#include <fairstep/core/model.hpp>
#include <fairstep/core/periods.hpp>
#include <fairstep/io/files.hpp>

#include "support/changing.hpp"
#include "support/models.hpp"

namespace fairstep {
namespace {

using testing::changing_model;
using testing::unwrap;

const Periods kTwoPeriods{{{"before", 0}, {"after \"the rule\"", 2}}};

const std::string kPeriodsWritten =
    "  \"periods\": [\n"
    "    {\"name\": \"before\", \"first_step\": 0},\n"
    "    {\"name\": \"after \\\"the rule\\\"\", \"first_step\": 2}\n"
    "  ],\n";

Model model_of_periods(const Periods& periods) { return changing_model(1, 2, 2, 5, periods); }

TEST(PeriodsDocument, AreAListWithALineForEach) {
  const std::string text = to_text(model_of_periods(kTwoPeriods));
  EXPECT_NE(text.find(kPeriodsWritten), std::string::npos) << text;
  const Model read = std::get<Model>(unwrap(parse_document(text)));
  EXPECT_EQ(read.spec(), model_of_periods(kTwoPeriods).spec());
  EXPECT_EQ(to_text(read), text);
}

TEST(PeriodsDocument, ThatAreOneHaveNoKey) {
  // Files of a kernel for all steps are what they were before there were periods.
  EXPECT_EQ(to_text(model_of_periods({})).find("periods"), std::string::npos);
}

TEST(PeriodsDocument, OfCountsComeBackWithTheirTables) {
  // One person of group a, accepted at every step, who moves from low to high between steps 1 and 2.
  CountsSpec counts = CountsSpec::zeros(4, {{"a", "b"}, {"low", "high"}}, kTwoPeriods);
  counts.first(0, 0, 1) = 1;
  for (std::size_t h = 0; h < 4; ++h) counts.visits(0, h, h < 2 ? 0 : 1, 1, 1) = 1;
  for (std::size_t h = 0; h < 3; ++h)
    counts.kernel(0, kTwoPeriods.of(h))[cell_of(h < 2 ? 0 : 1, 1, 1) * 4 + state_of(h < 1 ? 0 : 1, 1)] += 1;
  counts.sum_over_periods();
  const Counts written = unwrap(Counts::make(counts));
  const std::string text = to_text(written);
  EXPECT_NE(text.find(kPeriodsWritten), std::string::npos) << text;
  EXPECT_EQ(std::get<Counts>(unwrap(parse_document(text))), written);
}

struct BadPeriods {
  std::string list, says, pointer;
};

class BadPeriodsDocument : public ::testing::TestWithParam<BadPeriods> {};

TEST_P(BadPeriodsDocument, IsRefusedWithItsPlace) {
  const auto& [list, says, pointer] = GetParam();
  std::string text = to_text(model_of_periods(kTwoPeriods));
  text.replace(text.find(kPeriodsWritten), kPeriodsWritten.size(), "  \"periods\": " + list + ",\n");
  const auto read = parse_document(text);
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().message, says);
  EXPECT_EQ(read.error().pointer, pointer);
}

INSTANTIATE_TEST_SUITE_P(
    All, BadPeriodsDocument,
    ::testing::Values(
        BadPeriods{"{}", "periods is an object, expected a list of one period or more", "/periods"},
        BadPeriods{"[]", "periods is empty, expected a list of one period or more", "/periods"},
        BadPeriods{"null", "periods is null, expected a list of one period or more", "/periods"},
        BadPeriods{"[7]", "periods[0] is 7, expected an object", "/periods/0"},
        BadPeriods{R"([{"name": "a"}])", "missing key \"first_step\" in periods[0]", "/periods/0"},
        BadPeriods{R"([{"name": 3, "first_step": 0}])", "periods[0].name is 3, expected a text", "/periods/0/name"},
        BadPeriods{R"([{"name": "a", "first_step": -1}])",
                   "periods[0].first_step is -1, expected a whole number of 0 or more", "/periods/0/first_step"},
        BadPeriods{R"([{"name": "a", "first_step": 0, "last_step": 1}])", "unknown key \"last_step\" in periods[0]",
                   "/periods/0/last_step"},
        BadPeriods{R"([{"name": "a", "first_step": 1}])", "periods[0] begins at step 1, expected 0",
                   "/periods/0/first_step"},
        BadPeriods{R"([{"name": "a", "first_step": 0}, {"name": "a", "first_step": 2}])",
                   "periods[1] is \"a\" again, expected different names", "/periods/1"},
        // The table has two kernels for each group.
        BadPeriods{
            R"([{"name": "a", "first_step": 0}, {"name": "b", "first_step": 1}, {"name": "c", "first_step": 2}])",
            "transition[g=g0] has 2 entries, expected 3 (periods)", "/transition/0"}));

}  // namespace
}  // namespace fairstep
