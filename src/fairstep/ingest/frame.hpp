// A log that is in memory already, as data frames hand it over: through the Arrow C stream interface. pandas, Polars,
// PyArrow and DuckDB relations all speak it. Nothing is copied: the batches stay where their owner has them.
#pragma once

#include <cstdint>
#include <memory>

#include <fairstep/core/error.hpp>
#include <fairstep/core/part.hpp>
#include <fairstep/ingest/count.hpp>

struct ArrowArrayStream;  // of the Arrow C stream interface, whoever defines it

namespace fairstep {

namespace internal {
class Batches;
}

class Frame {
 public:
  /// Takes every batch out of the stream and keeps it; the stream itself stays its owner's to release.
  [[nodiscard]] static Expected<Frame> take(ArrowArrayStream& stream);

  [[nodiscard]] std::int64_t rows() const;
  [[nodiscard]] const internal::Batches& batches() const { return *batches_; }

 private:
  explicit Frame(std::shared_ptr<const internal::Batches> batches) : batches_(std::move(batches)) {}

  std::shared_ptr<const internal::Batches> batches_;
};

/// What `count_log` does to files. In the counts' record the frame is the file `frame`.
[[nodiscard]] Expected<CountedLog> count_frame(const Frame& frame, const CountOptions& options = {});

/// What `split_log` does to files.
[[nodiscard]] Expected<SplitLog> split_frame(const Frame& frame, const Split& split, const CountOptions& options = {});

}  // namespace fairstep
