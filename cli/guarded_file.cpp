#include "guarded_file.hpp"

#include <utility>

namespace fairstep::cli {
namespace {

constexpr std::size_t kBuffer = std::size_t{1} << 20;

}  // namespace

GuardedFile::GuardedFile(OutputFile file)
    : unfinished_(std::make_unique<UnfinishedFile>(file.temporary().string())), file_(std::move(file)) {
  buffer_.reserve(2 * kBuffer);
}

Expected<GuardedFile> GuardedFile::open(const std::filesystem::path& path) {
  auto file = OutputFile::open(path);
  if (!file) return tl::unexpected(file.error());
  return GuardedFile(std::move(*file));
}

Expected<void> GuardedFile::write(std::string_view text) {
  buffer_ += text;
  if (buffer_.size() < kBuffer) return {};
  auto written = file_.write(buffer_);
  buffer_.clear();
  return written;
}

Expected<void> GuardedFile::commit() {
  if (auto ok = file_.write(std::exchange(buffer_, {})); !ok) return ok;
  Expected<void> committed;
  unfinished_->finish([&] { committed = file_.commit(); });
  return committed;
}

Expected<void> write_guarded(const std::filesystem::path& path, std::string_view text) {
  auto file = GuardedFile::open(path);
  if (!file) return tl::unexpected(file.error());
  if (auto ok = file->write(text); !ok) return ok;
  return file->commit();
}

}  // namespace fairstep::cli
