// The FICO model's marginals against the files of data/fico, read here by a second way: at run time, in exact
// hundredths, with the nearest level found by its distance.
#include <array>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <fairstep/environments/environments.hpp>

#include "support/models.hpp"

namespace fairstep {
namespace {

using testing::unwrap;

/// "12.5" -> 1250, "7" -> 700.
std::int64_t hundredths(const std::string& text) {
  std::int64_t value = 0;
  int decimals = -1;
  for (const char c : text) {
    if (c == '.' && decimals < 0) {
      decimals = 0;
    } else if (c >= '0' && c <= '9' && decimals < 2) {
      value = 10 * value + (c - '0');
      if (decimals >= 0) ++decimals;
    } else {
      throw std::runtime_error("not a number with up to two decimals: " + text);
    }
  }
  for (int i = std::max(decimals, 0); i < 2; ++i) value *= 10;
  return value;
}

/// Column name -> the fields below it.
std::map<std::string, std::vector<std::string>> read_columns(const std::string& name) {
  std::ifstream file(std::string(FAIRSTEP_SOURCE_DIR) + "/data/fico/" + name);
  if (!file) throw std::runtime_error("cannot open " + name);
  const auto split = [](std::string line) {
    if (line.ends_with('\r')) line.pop_back();  // two of the files come with the line ends of DOS
    std::vector<std::string> fields;
    std::istringstream stream(line);
    for (std::string field; std::getline(stream, field, ',');) fields.push_back(field);
    return fields;
  };
  std::string line;
  std::getline(file, line);
  const std::vector<std::string> header = split(line);
  std::map<std::string, std::vector<std::string>> columns;
  while (std::getline(file, line)) {
    const std::vector<std::string> fields = split(line);
    for (std::size_t i = 0; i < header.size(); ++i) columns[header[i]].push_back(fields.at(i));
  }
  return columns;
}

/// The level with the least |score - level|, the higher one of two.
std::size_t nearest_level(std::int64_t score) {
  std::size_t best = 0;
  for (std::size_t level = 1; level < 5; ++level)
    if (std::llabs(score - 2500 * static_cast<std::int64_t>(level)) <=
        std::llabs(score - 2500 * static_cast<std::int64_t>(best)))
      best = level;
  return best;
}

struct Marginals {
  std::array<std::int64_t, 5> people{};     ///< of 10^4
  std::array<std::int64_t, 5> qualified{};  ///< of 10^8
};

Marginals marginals_of(const std::string& column) {
  const auto cdf = read_columns("transrisk_cdf_by_race_ssa.csv");
  const auto performance = read_columns("transrisk_performance_by_race_ssa.csv");
  Marginals result;
  std::int64_t before = 0;
  for (std::size_t i = 0; i < cdf.at("Score").size(); ++i) {
    if (cdf.at("Score")[i] != performance.at("Score").at(i)) throw std::runtime_error("the scores differ");
    const std::size_t level = nearest_level(hundredths(cdf.at("Score")[i]));
    const std::int64_t people = hundredths(cdf.at(column)[i]) - before;
    before += people;
    result.people[level] += people;
    result.qualified[level] += people * (10000 - hundredths(performance.at(column)[i]));
  }
  return result;
}

const std::map<std::string, std::string> kColumns{
    {"white", "Non- Hispanic white"}, {"black", "Black"}, {"hispanic", "Hispanic"}, {"asian", "Asian"}};

TEST(FicoData, InitialDistributionIsThatOfTheFiles) {
  const Model model = unwrap(make_fico({.groups = {"white", "black", "hispanic", "asian"}}));
  for (std::size_t g = 0; g < 4; ++g) {
    const Marginals expected = marginals_of(kColumns.at(model.names().groups[g]));
    std::int64_t everybody = 0;
    for (std::size_t x = 0; x < 5; ++x) {
      SCOPED_TRACE(model.names().groups[g] + " " + model.names().features[x]);
      const auto unqualified = 10000 * expected.people[x] - expected.qualified[x];
      EXPECT_DOUBLE_EQ(model.spec().initial(g, x, 1), static_cast<double>(expected.qualified[x]) / 1e8);
      EXPECT_DOUBLE_EQ(model.spec().initial(g, x, 0), static_cast<double>(unqualified) / 1e8);
      everybody += expected.people[x];
    }
    EXPECT_EQ(everybody, 10000);
  }
}

TEST(FicoData, TheNextLabelIsDrawnAsInTheFiles) {
  const Model model = unwrap(make_fico({.groups = {"asian", "black"}}));
  for (std::size_t g = 0; g < 2; ++g) {
    const Marginals expected = marginals_of(kColumns.at(model.names().groups[g]));
    for (std::size_t x1 = 0; x1 < 5; ++x1) {
      const double qualified =
          static_cast<double>(expected.qualified[x1]) / (1e4 * static_cast<double>(expected.people[x1]));
      const double to_1 = model.spec().transition(g, 2, 0, 1, x1, 1);
      const double to_0 = model.spec().transition(g, 2, 0, 1, x1, 0);
      EXPECT_NEAR(to_1 / (to_0 + to_1), qualified, 1e-15);
    }
  }
}

TEST(FicoData, SharesAreThoseOfTheGroupsInUse) {
  const auto totals = read_columns("totals.csv");
  const auto people = [&](const std::string& group) {
    return static_cast<double>(hundredths(totals.at(kColumns.at(group)).at(0))) / 100;
  };
  const Model model = unwrap(make_fico({.groups = {"hispanic", "asian", "white"}}));
  const double all = people("hispanic") + people("asian") + people("white");
  for (std::size_t g = 0; g < 3; ++g) EXPECT_DOUBLE_EQ(model.share(g), people(model.names().groups[g]) / all);
}

}  // namespace
}  // namespace fairstep
