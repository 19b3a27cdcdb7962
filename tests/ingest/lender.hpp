// Frames of whole numbers, lent as other libraries lend theirs.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <fairstep/ingest/internal/arrow.hpp>

namespace fairstep::testing {

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

}  // namespace fairstep::testing
