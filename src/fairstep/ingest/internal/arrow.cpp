#include <fairstep/ingest/internal/arrow.hpp>

#include <cstring>
#include <string>

#include <fmt/format.h>

namespace fairstep::internal {
namespace {

std::string reason(ArrowArrayStream& stream, int code) {
  const char* said = stream.get_last_error != nullptr ? stream.get_last_error(&stream) : nullptr;
  return said != nullptr ? said : std::strerror(code);
}

}  // namespace

Expected<std::shared_ptr<const Batches>> Batches::take(ArrowArrayStream& stream) {
  auto batches = std::make_shared<Batches>();
  if (const int code = stream.get_schema(&stream, &batches->schema_); code != 0)
    return fail(fmt::format("the frame does not say what columns it has: {}", reason(stream, code)));
  if (std::strcmp(batches->schema_.format, "+s") != 0)
    return fail("this is a single column, expected a frame with columns");
  while (true) {
    ArrowArray array{};
    if (const int code = stream.get_next(&stream, &array); code != 0)
      return fail(fmt::format("the frame cannot be read: {}", reason(stream, code)));
    if (array.release == nullptr) return batches;
    batches->arrays_.push_back(array);
  }
}

Batches::~Batches() {
  for (ArrowArray& array : arrays_)
    if (array.release != nullptr) array.release(&array);
  if (schema_.release != nullptr) schema_.release(&schema_);
}

Replay::Replay(const Batches& batches, std::vector<Column> columns)
    : batches_(&batches), columns_(std::move(columns)), children_(batches.arrays().size()) {
  for (const Column& column : columns_) {
    schemas_.push_back(*batches.schema().children[column.place]);
    schemas_.back().name = column.name.c_str();
    for (std::size_t batch = 0; batch < children_.size(); ++batch)
      children_[batch].push_back(batches.arrays()[batch].children[column.place]);
  }
  for (ArrowSchema& schema : schemas_) {
    schema.release = [](ArrowSchema* lent) { lent->release = nullptr; };
    schema_children_.push_back(&schema);
  }
  stream_.get_schema = get_schema;
  stream_.get_next = get_next;
  stream_.get_last_error = [](ArrowArrayStream*) -> const char* { return nullptr; };
  stream_.release = [](ArrowArrayStream* stream) { stream->release = nullptr; };
  stream_.private_data = this;
}

int Replay::get_schema(ArrowArrayStream* stream, ArrowSchema* out) {
  Replay& self = *static_cast<Replay*>(stream->private_data);
  *out = self.batches_->schema();
  out->n_children = static_cast<std::int64_t>(self.columns_.size());
  out->children = self.schema_children_.data();
  out->release = [](ArrowSchema* schema) { schema->release = nullptr; };
  return 0;
}

int Replay::get_next(ArrowArrayStream* stream, ArrowArray* out) {
  Replay& self = *static_cast<Replay*>(stream->private_data);
  if (self.next_ == self.children_.size()) {
    self.next_ = 0;
    *out = ArrowArray{};
    return 0;
  }
  *out = self.batches_->arrays()[self.next_];
  out->n_children = static_cast<std::int64_t>(self.columns_.size());
  out->children = self.children_[self.next_].data();
  out->release = [](ArrowArray* array) { array->release = nullptr; };
  ++self.next_;
  return 0;
}

}  // namespace fairstep::internal
