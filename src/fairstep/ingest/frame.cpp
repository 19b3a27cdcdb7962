#include <fairstep/ingest/frame.hpp>

#include <utility>

#include <fairstep/ingest/internal/arrow.hpp>

namespace fairstep {

Expected<Frame> Frame::take(ArrowArrayStream& stream) {
  auto batches = internal::Batches::take(stream);
  if (!batches) return tl::unexpected(batches.error());
  return Frame(std::move(*batches));
}

std::int64_t Frame::rows() const {
  std::int64_t rows = 0;
  for (const ArrowArray& array : batches_->arrays()) rows += array.length;
  return rows;
}

}  // namespace fairstep
