// Whoever reads a log can be told to give it up: then there are no counts, and it says how far it got.
#include <atomic>
#include <fstream>
#include <stop_token>
#include <string>
#include <thread>

#include <gtest/gtest.h>

#include <fairstep/ingest/count.hpp>
#include <fairstep/ingest/internal/arrow.hpp>
#include <fairstep/ingest/internal/csv_shape.hpp>
#include <fairstep/ingest/internal/duckdb.hpp>

#include "lender.hpp"
#include "support/folder.hpp"
#include "support/models.hpp"

namespace fairstep {
namespace {

using internal::Database;
using testing::unwrap;

Database database_with(const std::stop_source& source) {
  return unwrap(Database::open({100'000'000, 1, {}, source.get_token()}));
}

TEST(Stop, AStreamEndsAfterTheChunkInHand) {
  std::stop_source source;
  const Database database = database_with(source);
  std::size_t chunks = 0;
  const auto done = database.stream("SELECT range FROM range(10000000)", [&](const auto&, std::size_t) {
    ++chunks;
    source.request_stop();
    return true;
  });
  ASSERT_FALSE(done);
  EXPECT_EQ(chunks, 1U);
}

// Nothing asked the engine to end what it was doing. Without that this query would take years.
TEST(Stop, AQueryThatTakesForeverEnds) {
  std::stop_source source;
  const Database database = database_with(source);
  std::atomic<bool> begun = false;
  std::jthread asking([&] {
    begun.wait(false);
    source.request_stop();
  });
  begun = true;
  begun.notify_all();
  const auto done = database.rows("SELECT sum(a.range + b.range)::VARCHAR FROM range(100000000) a, range(100000000) b");
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().message, "stopped before the first row of the log was counted");
}

TEST(Stop, ADatabaseThatIsOpenedTooLateAnswersNothing) {
  std::stop_source source;
  source.request_stop();
  const Database database = database_with(source);
  EXPECT_FALSE(database.stream("SELECT range FROM range(100000)", [](const auto&, std::size_t) { return true; }));
}

// Cause: a count whose time was over just when the engine took the frame said "DuckDB does not take the frame".
TEST(Stop, AFrameThatComesTooLateIsNotTaken) {
  testing::Lender lender({"person"}, {{{1}, {2}}});
  const auto batches = unwrap(internal::Batches::take(lender.stream()));
  internal::Replay replay(*batches, {{0, "person"}});
  std::stop_source source;
  const Database database = database_with(source);
  ASSERT_TRUE(database.view("before", replay.stream()));
  source.request_stop();
  const auto taken = database.view("after", replay.stream());
  ASSERT_FALSE(taken);
  EXPECT_EQ(taken.error().message, "stopped before the first row of the log was counted");
}

TEST(Stop, ALogThatIsGivenUpHasNoCounts) {
  const testing::TemporaryFolder folder;
  std::ofstream(folder / "log.csv") << "person,group,step,x,y,a\n1,a,0,low,0,1\n2,b,0,low,1,1\n";
  CountOptions options;
  std::stop_source source;
  options.stop = source.get_token();
  EXPECT_TRUE(count_log({(folder / "log.csv").string()}, options));
  source.request_stop();
  const auto counted = count_log({(folder / "log.csv").string()}, options);
  ASSERT_FALSE(counted);
  EXPECT_NE(counted.error().message.find("stopped"), std::string::npos) << counted.error().message;
  EXPECT_NE(counted.error().hint.find("nothing was written"), std::string::npos);
}

TEST(Stop, TheLookThroughACsvAsks) {
  const testing::TemporaryFolder folder;
  std::ofstream(folder / "log.csv") << "person,group,step,x,y,a\n1,a,0,low,0,1\n2,b,0,low,1,1\n";
  std::stop_source source;
  source.request_stop();
  const std::string file = (folder / "log.csv").string();
  EXPECT_TRUE(internal::look_through_csv(file, internal::FileKind::csv, {}, {}));
  EXPECT_FALSE(internal::look_through_csv(file, internal::FileKind::csv, {}, source.get_token()));
}

}  // namespace
}  // namespace fairstep
