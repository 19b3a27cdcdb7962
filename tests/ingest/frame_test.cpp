// Frames in memory: lent, read as often as it takes, and given back. What frames of other libraries come to, and that
// it is the same as for their files, is in tests/python/module/test_frames.py.
#include <fairstep/ingest/frame.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <fairstep/ingest/internal/arrow.hpp>

#include "support/models.hpp"

namespace fairstep {
namespace {

using testing::unwrap;

/// A stream of batches of whole numbers, which counts what was lent and given back.
class Lender {
 public:
  using Row = std::vector<std::int64_t>;

  Lender(std::vector<std::string> names, const std::vector<std::vector<Row>>& batches, int trouble = 0)
      : names_(std::move(names)), trouble_(trouble) {
    for (const std::vector<Row>& rows : batches) {
      Batch& batch = batches_.emplace_back();
      batch.rows = static_cast<std::int64_t>(rows.size());
      batch.values.resize(names_.size());
      for (const Row& row : rows)
        for (std::size_t i = 0; i < names_.size(); ++i) batch.values[i].push_back(row[i]);
    }
    schemas_.resize(names_.size());
    for (std::size_t i = 0; i < names_.size(); ++i) {
      schemas_[i] = {"l", names_[i].c_str(), nullptr, 2, 0, nullptr, nullptr, [](ArrowSchema*) {}, nullptr};
      schema_children_.push_back(&schemas_[i]);
    }
    stream_ = {&Lender::get_schema, &Lender::get_next,
               [](ArrowArrayStream*) -> const char* { return "the well is dry"; }, [](ArrowArrayStream*) {}, this};
  }

  [[nodiscard]] ArrowArrayStream& stream() { return stream_; }
  [[nodiscard]] int lent() const { return lent_; }

 private:
  struct Batch {
    std::int64_t rows = 0;
    std::vector<std::vector<std::int64_t>> values{};
    std::vector<std::array<const void*, 2>> buffers{};
    std::vector<ArrowArray> columns{};
    std::vector<ArrowArray*> children{};
  };

  static int get_schema(ArrowArrayStream* stream, ArrowSchema* out) {
    auto& self = *static_cast<Lender*>(stream->private_data);
    ++self.lent_;
    *out = {"+s",
            "",
            nullptr,
            0,
            static_cast<std::int64_t>(self.names_.size()),
            self.schema_children_.data(),
            nullptr,
            [](ArrowSchema* schema) {
              --static_cast<Lender*>(schema->private_data)->lent_;
              schema->release = nullptr;
            },
            &self};
    return 0;
  }

  static int get_next(ArrowArrayStream* stream, ArrowArray* out) {
    auto& self = *static_cast<Lender*>(stream->private_data);
    if (self.trouble_ != 0 && self.next_ == 1) return self.trouble_;
    *out = ArrowArray{};
    if (self.next_ == self.batches_.size()) return 0;
    Batch& batch = self.batches_[self.next_++];
    batch.buffers.resize(batch.values.size());
    batch.columns.resize(batch.values.size());
    for (std::size_t i = 0; i < batch.values.size(); ++i) {
      batch.buffers[i] = {nullptr, batch.values[i].data()};
      batch.columns[i] = {batch.rows,         0,      0, 2, 0, batch.buffers[i].data(), nullptr, nullptr,
                          [](ArrowArray*) {}, nullptr};
      batch.children.push_back(&batch.columns[i]);
    }
    static const void* no_buffer = nullptr;
    ++self.lent_;
    *out = {batch.rows,
            0,
            0,
            1,
            static_cast<std::int64_t>(batch.values.size()),
            &no_buffer,
            batch.children.data(),
            nullptr,
            [](ArrowArray* array) {
              --static_cast<Lender*>(array->private_data)->lent_;
              array->release = nullptr;
            },
            &self};
    return 0;
  }

  std::vector<std::string> names_;
  std::vector<Batch> batches_{};
  std::vector<ArrowSchema> schemas_{};
  std::vector<ArrowSchema*> schema_children_{};
  ArrowArrayStream stream_{};
  std::size_t next_ = 0;
  int lent_ = 0;
  int trouble_;
};

const std::vector<std::string> kNames{"unused", "person", "step", "group", "x", "y", "a", "reward"};

TEST(CountFrame, CountsByHandAndGivesEverythingBack) {
  // Person 1 of group 3 is accepted twice, person 2 of group 4 once; the batches cut person 2 in two.
  Lender lender(kNames, {{{9, 1, 0, 3, 7, 0, 1, 5}, {9, 1, 1, 3, 8, 1, 1, 2}, {9, 2, 0, 4, 7, 1, 0, 0}},
                         {{9, 2, 1, 4, 7, 1, 1, 4}}});
  {
    const Frame frame = unwrap(Frame::take(lender.stream()));
    EXPECT_EQ(frame.rows(), 4);
    EXPECT_EQ(lender.lent(), 3);  // the schema and two batches
    for (int again = 0; again < 2; ++again) {
      const Counts counts = unwrap(count_frame(frame)).counts;
      EXPECT_EQ(counts.names.groups, (std::vector<std::string>{"3", "4"}));
      EXPECT_EQ(counts.names.features, (std::vector<std::string>{"7", "8"}));
      EXPECT_EQ(counts.transitions(0, 0, 0, 1, 1, 1), 1);
      EXPECT_EQ(counts.transitions(1, 0, 1, 0, 0, 1), 1);
      EXPECT_EQ(counts.reward_sum(1, 0, 1, 1), 4);
      EXPECT_EQ(counts.log->rows, 4);
      EXPECT_EQ(counts.log->files, std::vector<std::string>{"frame"});
    }
    EXPECT_EQ(lender.lent(), 3);
  }
  EXPECT_EQ(lender.lent(), 0);
}

TEST(CountFrame, SortsPersonsThatAreOutOfOrder) {
  Lender lender(kNames, {{{9, 2, 1, 4, 7, 1, 1, 4}, {9, 1, 1, 3, 8, 1, 1, 2}},
                         {{9, 1, 0, 3, 7, 0, 1, 5}, {9, 2, 0, 4, 7, 1, 0, 0}}});
  const Frame frame = unwrap(Frame::take(lender.stream()));
  const CountedLog counted = unwrap(count_frame(frame));
  EXPECT_TRUE(counted.sorted);
  EXPECT_EQ(counted.counts.transitions(0, 0, 0, 1, 1, 1), 1);
  ASSERT_EQ(counted.counts.log->findings.size(), 1U);
  EXPECT_EQ(counted.counts.log->findings[0].anomaly, Anomaly::out_of_order);
  EXPECT_EQ(counted.counts.log->findings[0].rows, 2);
}

TEST(CountFrame, TakesOneColumnForTwoRoles) {
  Lender lender(kNames, {{{9, 1, 0, 3, 7, 0, 1, 5}, {9, 1, 1, 3, 8, 1, 1, 2}, {9, 2, 0, 4, 7, 1, 0, 0}}});
  const Frame frame = unwrap(Frame::take(lender.stream()));
  CountOptions options;
  options.columns = {{"reward", "x"}};
  EXPECT_EQ(unwrap(count_frame(frame, options)).counts.reward_sum(0, 1, 1, 1), 8);
}

TEST(CountFrame, SaysWhatIsMissing) {
  Lender lender({"person", "step"}, {{{1, 0}}});
  const auto counted = count_frame(unwrap(Frame::take(lender.stream())));
  ASSERT_FALSE(counted);
  EXPECT_EQ(counted.error().message, "there is no column \"group\" for group");
  EXPECT_EQ(counted.error().file, "frame");
}

TEST(Frame, GivesBackWhatItHasIfTheRestDoesNotCome) {
  Lender lender(kNames, {{{9, 1, 0, 3, 7, 0, 1, 5}}, {{9, 1, 1, 3, 8, 1, 1, 2}}}, 5);
  const auto frame = Frame::take(lender.stream());
  ASSERT_FALSE(frame);
  EXPECT_EQ(frame.error().message, "the frame cannot be read: the well is dry");
  EXPECT_EQ(lender.lent(), 0);
}

}  // namespace
}  // namespace fairstep
