#include <fairstep/experiment/internal/parallel.hpp>

#include <atomic>
#include <stdexcept>
#include <stop_token>
#include <vector>

#include <gtest/gtest.h>

namespace fairstep::internal {
namespace {

TEST(ForEachIndex, DoesEveryIndexOnceOnAnyNumberOfThreads) {
  for (const unsigned threads : {0U, 1U, 2U, 7U, 50U}) {
    std::vector<std::atomic<int>> times(40);
    for_each_index(times.size(), threads, {}, [&](std::size_t i) { ++times[i]; });
    for (const auto& count : times) EXPECT_EQ(count, 1) << threads;
  }
}

TEST(ForEachIndex, HasNothingToDoForNone) {
  for_each_index(0, 3, {}, [](std::size_t) { FAIL(); });
}

TEST(ForEachIndex, GoesInOrderOnOneThread) {
  std::vector<std::size_t> order;
  for_each_index(5, 1, {}, [&](std::size_t i) { order.push_back(i); });
  EXPECT_EQ(order, (std::vector<std::size_t>{0, 1, 2, 3, 4}));
}

TEST(ForEachIndex, BeginsNothingAfterAStop) {
  std::stop_source stop;
  std::vector<std::size_t> begun;
  for_each_index(10, 1, stop.get_token(), [&](std::size_t i) {
    begun.push_back(i);
    if (i == 2) stop.request_stop();
  });
  EXPECT_EQ(begun, (std::vector<std::size_t>{0, 1, 2}));
}

TEST(ForEachIndex, ThrowsWhatTheWorkThrewOnceAllHaveEnded) {
  for (const unsigned threads : {1U, 3U}) {
    std::atomic<int> begun{0}, ended{0};
    EXPECT_THROW(for_each_index(1000, threads, {},
                                [&](std::size_t i) {
                                  ++begun;
                                  if (i == 4) throw std::runtime_error("no");
                                  ++ended;
                                }),
                 std::runtime_error);
    EXPECT_EQ(begun, ended + 1);
    if (threads == 1) {
      EXPECT_EQ(begun, 5);  // nothing is begun after it
    }
  }
}

}  // namespace
}  // namespace fairstep::internal
