#include <fairstep/ingest/internal/duckdb.hpp>

#include <cstddef>
#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/models.hpp"

namespace fairstep::internal {
namespace {

using testing::unwrap;

const Database::Settings kSmall{.memory_bytes = 100'000'000};

TEST(Database, HandsOverEveryRowInItsOrderWithWhatIsNotThere) {
  const Database database = unwrap(Database::open(kSmall));
  std::int64_t next = 0;
  const auto done = database.stream("SELECT i, CASE WHEN i % 3 > 0 THEN i END FROM range(10000) t(i)",
                                    [&](const std::vector<RawColumn>& columns, std::size_t rows) {
                                      for (std::size_t row = 0; row < rows; ++row, ++next) {
                                        EXPECT_EQ(columns[0].as<std::int64_t>()[row], next);
                                        EXPECT_EQ(columns[1].has(row), next % 3 > 0);
                                      }
                                      return true;
                                    });
  EXPECT_TRUE(done);
  EXPECT_EQ(next, 10'000);
}

TEST(Database, StopsWhereItsTakerHasEnough) {
  const Database database = unwrap(Database::open(kSmall));
  std::size_t chunks = 0;
  const auto done = database.stream("SELECT i FROM range(100000) t(i)",
                                    [&](const std::vector<RawColumn>&, std::size_t) { return ++chunks < 3; });
  EXPECT_TRUE(done);
  EXPECT_EQ(chunks, 3U);
}

TEST(Database, GivesTextWithWhatIsNullAsEmpty) {
  const Database database = unwrap(Database::open(kSmall));
  const auto rows = unwrap(database.rows("SELECT * FROM (VALUES ('a', NULL), ('', 'longer than twelve letters'))"));
  EXPECT_EQ(rows, (std::vector<std::vector<std::string>>{{"a", ""}, {"", "longer than twelve letters"}}));
}

TEST(Database, TextsAndNamesAreNoMoreThanThat) {
  EXPECT_EQ(sql_text("it's"), "'it''s'");
  EXPECT_EQ(sql_name("a\"b"), "\"a\"\"b\"");
  const Database database = unwrap(Database::open(kSmall));
  const std::string odd = "x\"; DROP TABLE t; --'";
  const auto rows = unwrap(database.rows("SELECT " + sql_text(odd) + " AS " + sql_name(odd)));
  EXPECT_EQ(rows, (std::vector<std::vector<std::string>>{{odd}}));
}

TEST(Database, ToldToStopItSaysThatNothingWasCounted) {
  std::stop_source stop;
  stop.request_stop();
  Database::Settings settings = kSmall;
  settings.stop = stop.get_token();
  const Database database = unwrap(Database::open(settings));
  const auto done = database.stream("SELECT i FROM range(100000) t(i)",
                                    [](const std::vector<RawColumn>&, std::size_t) { return true; });
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().message, "stopped before the first row of the log was counted");
}

}  // namespace
}  // namespace fairstep::internal
