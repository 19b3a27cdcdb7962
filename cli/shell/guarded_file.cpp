#include "shell/guarded_file.hpp"

#include <system_error>
#include <utility>

namespace fairstep::cli {
namespace {

constexpr std::size_t kBuffer = std::size_t{1} << 20;

}  // namespace

GuardedFile::GuardedFile(OutputFile file, std::unique_ptr<UnfinishedFile> unfinished)
    : unfinished_(std::move(unfinished)), file_(std::move(file)) {
  buffer_.reserve(2 * kBuffer);
}

Expected<GuardedFile> GuardedFile::open(const std::filesystem::path& path) {
  Expected<OutputFile> file = fail("not opened");
  std::unique_ptr<UnfinishedFile> unfinished;
  std::error_code ignored;
  const auto there = std::filesystem::status(path, ignored);
  if (std::filesystem::exists(there) && !std::filesystem::is_regular_file(there)) {
    file = OutputFile::open(path);  // a pipe may make us wait for its reader, and has no temporary file
  } else {
    unfinished = std::make_unique<UnfinishedFile>([&] {
      file = OutputFile::open(path);
      return file ? file->temporary().string() : std::string();
    });
  }
  if (!file) return tl::unexpected(file.error());
  return GuardedFile(std::move(*file), std::move(unfinished));
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
  if (unfinished_ == nullptr) return file_.commit();
  Expected<void> committed;
  unfinished_->finish([&] {
    committed = file_.commit();
    return committed.has_value();
  });
  return committed;
}

Expected<void> GuardedFile::commit_all(std::vector<GuardedFile>& files) {
  std::vector<OutputFile*> outputs;
  std::vector<UnfinishedFile*> unfinished;
  for (GuardedFile& file : files) {
    if (auto ok = file.file_.write(std::exchange(file.buffer_, {})); !ok) return ok;
    outputs.push_back(&file.file_);
    if (file.unfinished_ != nullptr) unfinished.push_back(file.unfinished_.get());
  }
  Expected<void> committed;
  UnfinishedFile::finish_all(unfinished, [&] {
    committed = OutputFile::commit_all(outputs);
    return committed.has_value();
  });
  return committed;
}

Expected<void> write_all_guarded(const std::vector<std::pair<std::string, std::string>>& texts) {
  std::vector<GuardedFile> files;
  for (const auto& [path, text] : texts) {
    auto file = GuardedFile::open(path);
    if (!file) return tl::unexpected(file.error());
    if (auto ok = file->write(text); !ok) return ok;
    files.push_back(std::move(*file));
  }
  return GuardedFile::commit_all(files);
}

Expected<void> write_guarded(const std::filesystem::path& path, std::string_view text) {
  auto file = GuardedFile::open(path);
  if (!file) return tl::unexpected(file.error());
  if (auto ok = file->write(text); !ok) return ok;
  return file->commit();
}

}  // namespace fairstep::cli
