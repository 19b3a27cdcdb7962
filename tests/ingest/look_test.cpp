// What is known of a log before any of its rows is read.
#include <fairstep/ingest/internal/look.hpp>

#include <cstddef>
#include <fstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "run_sql.hpp"
#include "support/folder.hpp"
#include "support/models.hpp"

namespace fairstep::internal {
namespace {

using testing::run_sql;
using testing::unwrap;

class Look : public ::testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& text) const {
    const std::string path = (folder / name).string();
    std::ofstream(path) << text;
    return path;
  }
  [[nodiscard]] Expected<LogFiles> look(const std::vector<std::string>& files, const CountOptions& options = {}) const {
    return look_at(database, files, options);
  }

  testing::TemporaryFolder folder;
  Database database = unwrap(Database::open({.memory_bytes = 100'000'000}));
};

std::string column_name(const LogFiles& log, Role role) { return log.column[static_cast<std::size_t>(role)]; }
ValueType column_type(const LogFiles& log, Role role) { return log.type[static_cast<std::size_t>(role)]; }

TEST_F(Look, ColumnsHaveTheirRolesNameOrTheOneTheyAreGiven) {
  CountOptions options;
  options.columns = {{"person", "customer"}};
  const LogFiles log = unwrap(look({write("a.csv", "step,customer,group,x,a,y,note\n0,1,a,0,1,1,\n")}, options));
  EXPECT_FALSE(log.parquet);
  EXPECT_EQ(log.header, (std::vector<std::string>{"step", "customer", "group", "x", "a", "y", "note"}));
  EXPECT_EQ(column_name(log, Role::person), "customer");
  EXPECT_EQ(column_name(log, Role::y), "y");
  EXPECT_EQ(column_type(log, Role::person), ValueType::text);
  EXPECT_EQ(column_type(log, Role::reward), ValueType::absent);  // it may be nowhere
}

TEST_F(Look, AMisspeltColumnIsNamedWithTheNearestOne) {
  CountOptions options;
  options.columns = {{"person", "custmer"}};
  const auto log = look({write("a.csv", "step,customer,group,x,a,y\n0,1,a,0,1,1\n")}, options);
  ASSERT_FALSE(log);
  EXPECT_EQ(log.error().message, "there is no column \"custmer\" for person");
  EXPECT_EQ(log.error().hint, "did you mean \"customer\"?");
  EXPECT_EQ(log.error().file, (folder / "a.csv").string());
}

TEST_F(Look, LabelsMayBeNowhereOnlyIfTheirAbsenceIsDropped) {
  const std::string file = write("a.csv", "person,step,group,x,a\n1,0,a,0,1\n");
  const auto refused = look({file});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, "there is no column \"y\" for y");
  CountOptions options;
  options.censoring = Censoring::drop;
  EXPECT_EQ(column_type(unwrap(look({file}, options)), Role::y), ValueType::absent);
}

TEST_F(Look, FilesOfOtherColumnsOrOfAnotherKindDoNotGoTogether) {
  const std::string first = write("a.csv", "person,step,group,x,a,y\n1,0,a,0,1,1\n");
  const std::string second = write("b.csv", "person,step,group,x,y,a\n2,0,a,0,1,1\n");
  const auto other = look({first, second});
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().message, "the columns are not those of " + first);
  EXPECT_EQ(other.error().file, second);

  const std::string parquet = (folder / "c.parquet").string();
  run_sql("COPY (SELECT 1 AS person) TO '" + parquet + "' (FORMAT parquet)");
  const auto kind = look({first, parquet});
  ASSERT_FALSE(kind);
  EXPECT_EQ(kind.error().message, fmt::format("this is Parquet and {} is CSV, expected files of one kind", first));
  EXPECT_EQ(kind.error().file, parquet);
}

// A star in a name is a star. Where it stood for others, their rows would be counted too.
TEST_F(Look, ANameWithAStarIsAFileAndNoPattern) {
  const std::string star = write("a*.csv", "person,step,group,x,a,y\n1,0,a,0,1,1\n");
  write("ab.csv", "person,step,group,x,a,y\n2,0,b,0,1,1\n");
  const LogFiles log = unwrap(look({star}));
  const auto rows = unwrap(database.rows("SELECT \"group\" FROM " + source(log, 0)));
  EXPECT_EQ(rows, (std::vector<std::vector<std::string>>{{"a"}}));
}

TEST_F(Look, ColumnsOfParquetAreReadAsWhatTheyAre) {
  const std::string file = (folder / "a.parquet").string();
  run_sql(
      "COPY (SELECT 7::INTEGER AS person, 0::SMALLINT AS step, 'a' AS \"group\", 3::BIGINT AS x, true AS a, 1::DOUBLE "
      "AS y, 2.50::DECIMAL(9, 2) AS reward) TO '" +
      file + "' (FORMAT parquet)");
  const LogFiles log = unwrap(look({file}));
  EXPECT_TRUE(log.parquet);
  EXPECT_EQ(column_type(log, Role::person), ValueType::integer);
  EXPECT_EQ(column_type(log, Role::step), ValueType::integer32);
  EXPECT_EQ(column_type(log, Role::group), ValueType::text);
  EXPECT_EQ(column_type(log, Role::x), ValueType::integer);
  EXPECT_EQ(column_type(log, Role::a), ValueType::text);  // true and false are names of values
  EXPECT_EQ(column_type(log, Role::y), ValueType::real);
  EXPECT_EQ(column_type(log, Role::reward), ValueType::real);
}

}  // namespace
}  // namespace fairstep::internal
