// The structures of the Arrow C data and stream interfaces, whose layout is fixed, and batches that can be read again
// and again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <fairstep/core/error.hpp>

extern "C" {

struct ArrowSchema {
  const char* format;
  const char* name;
  const char* metadata;
  std::int64_t flags;
  std::int64_t n_children;
  ArrowSchema** children;
  ArrowSchema* dictionary;
  void (*release)(ArrowSchema*);
  void* private_data;
};

struct ArrowArray {
  std::int64_t length;
  std::int64_t null_count;
  std::int64_t offset;
  std::int64_t n_buffers;
  std::int64_t n_children;
  const void** buffers;
  ArrowArray** children;
  ArrowArray* dictionary;
  void (*release)(ArrowArray*);
  void* private_data;
};

struct ArrowArrayStream {
  int (*get_schema)(ArrowArrayStream*, ArrowSchema* out);
  int (*get_next)(ArrowArrayStream*, ArrowArray* out);
  const char* (*get_last_error)(ArrowArrayStream*);
  void (*release)(ArrowArrayStream*);
  void* private_data;
};

}  // extern "C"

namespace fairstep::internal {

/// Everything that a stream had.
class Batches {
 public:
  [[nodiscard]] static Expected<std::shared_ptr<const Batches>> take(ArrowArrayStream& stream);

  Batches() = default;
  Batches(const Batches&) = delete;
  Batches& operator=(const Batches&) = delete;
  ~Batches();

  [[nodiscard]] const ArrowSchema& schema() const { return schema_; }
  [[nodiscard]] const std::vector<ArrowArray>& arrays() const { return arrays_; }

 private:
  ArrowSchema schema_{};
  std::vector<ArrowArray> arrays_{};
};

/// A stream over some columns of batches, which lend what they have: whoever reads may release everything, and nothing
/// is freed. Once read to its end it begins anew. Both must outlive their readers.
class Replay {
 public:
  struct Column {
    std::size_t place = 0;  ///< in the batches
    std::string name{};     ///< in the stream
  };
  Replay(const Batches& batches, std::vector<Column> columns);
  Replay(const Replay&) = delete;
  Replay& operator=(const Replay&) = delete;

  [[nodiscard]] ArrowArrayStream* stream() { return &stream_; }

 private:
  static int get_schema(ArrowArrayStream* stream, ArrowSchema* out);
  static int get_next(ArrowArrayStream* stream, ArrowArray* out);

  const Batches* batches_;
  std::vector<Column> columns_;
  std::vector<ArrowSchema> schemas_{};  ///< [column]
  std::vector<ArrowSchema*> schema_children_{};
  std::vector<std::vector<ArrowArray*>> children_{};  ///< [batch][column]
  std::size_t next_ = 0;
  ArrowArrayStream stream_{};
};

}  // namespace fairstep::internal
