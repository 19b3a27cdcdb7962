#include <fairstep/io/output_file.hpp>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace fairstep {
namespace {

namespace fs = std::filesystem;

Error trouble_with(const fs::path& path, Text message, Text hint = {}) {
  return {std::move(message), {}, path.string(), std::move(hint)};
}

Error trouble_with(const fs::path& path, int error) {
  if (error == ENOENT)
    return trouble_with(path, fmt::format("cannot be written: there is no folder \"{}\"", path.parent_path().string()));
  return trouble_with(path, fmt::format("cannot be written: {}", std::generic_category().message(error)));
}

/// The descriptor that /dev/stdout and its like stand for. Opening them anew would lose the place in a shared file.
std::optional<int> standard_descriptor(const fs::path& path) {
  const std::string name = path.string();
  if (name == "/dev/stdout") return STDOUT_FILENO;
  if (name == "/dev/stderr") return STDERR_FILENO;
  constexpr std::string_view folder = "/dev/fd/";
  if (!name.starts_with(folder)) return std::nullopt;
  int number = -1;
  const char* end = name.data() + name.size();
  const auto [stop, error] = std::from_chars(name.data() + folder.size(), end, number);
  if (error != std::errc{} || stop != end || number < 0) return std::nullopt;
  return number;
}

/// Where a chain of symbolic links ends, whether or not something is there.
Expected<fs::path> follow_links(const fs::path& path) {
  constexpr int longest = 40;
  fs::path target = path;
  std::error_code error;
  for (int i = 0; i < longest; ++i) {
    if (!fs::is_symlink(fs::symlink_status(target, error))) return target;
    const fs::path next = fs::read_symlink(target, error);
    if (error) return tl::unexpected(trouble_with(path, error.value()));
    target = next.is_absolute() ? next : target.parent_path() / next;
  }
  return tl::unexpected(trouble_with(path, ELOOP));
}

fs::path folder_of(const fs::path& path) { return path.has_parent_path() ? path.parent_path() : fs::path("."); }

constexpr std::string_view kTemporaryStart = ".fairstep-", kTemporaryEnd = ".tmp";

/// Creates a file of a new name in a folder; returns its descriptor, or -1 with errno.
int create_temporary(const fs::path& folder, mode_t mode, fs::path& name) {
  constexpr int attempts = 1000;
  for (int i = 0; i < attempts; ++i) {
    name = folder / fmt::format("{}{}-{}{}", kTemporaryStart, ::getpid(), i, kTemporaryEnd);
    const int descriptor = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (descriptor >= 0 || errno != EEXIST) return descriptor;
  }
  return -1;
}

/// Makes a rename last; folders that cannot be flushed are left to the system.
bool flush_folder(const fs::path& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return true;
  const bool flushed = ::fsync(descriptor) == 0 || errno == EINVAL || errno == ENOTSUP;
  const int error = errno;
  ::close(descriptor);
  errno = error;
  return flushed;
}

}  // namespace

Expected<OutputFile> OutputFile::open(const fs::path& path) {
  OutputFile file;
  file.path_ = path;
  if (path.empty()) return tl::unexpected(trouble_with(path, "the file to write has no name"));
  if (const auto descriptor = standard_descriptor(path)) {
    file.descriptor_ = ::fcntl(*descriptor, F_DUPFD_CLOEXEC, 0);
    if (file.descriptor_ < 0) return file.fail_with(errno);
    return file;
  }

  struct stat there{};
  const bool exists = ::stat(path.c_str(), &there) == 0;
  if (exists && S_ISDIR(there.st_mode))
    return tl::unexpected(trouble_with(path, "cannot be written: it is a folder, expected the name of a file"));
  if (exists && !S_ISREG(there.st_mode)) {
    file.descriptor_ = ::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
    if (file.descriptor_ < 0) return file.fail_with(errno);
    return file;
  }
  // A rename would go through where writing may not; a file that is protected stays as it is.
  if (exists && ::faccessat(AT_FDCWD, path.c_str(), W_OK, AT_EACCESS) != 0) return file.fail_with(errno);

  auto target = follow_links(path);
  if (!target) return tl::unexpected(std::move(target.error()));
  file.target_ = std::move(*target);
  // As the umask allows, or as the file that is there: at no time may more people read the new one.
  const mode_t mode = exists ? there.st_mode & 0777U : 0666U;
  file.descriptor_ = create_temporary(folder_of(file.target_), mode, file.temporary_);
  if (file.descriptor_ < 0) {
    const int error = errno;
    file.temporary_.clear();  // not ours
    return file.fail_with(error);
  }
  if (exists && ::fchmod(file.descriptor_, there.st_mode & 0777U) != 0) return file.fail_with(errno);
  return file;
}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : path_(std::move(other.path_)),
      target_(std::move(other.target_)),
      temporary_(std::exchange(other.temporary_, {})),
      descriptor_(std::exchange(other.descriptor_, -1)) {}

OutputFile& OutputFile::operator=(OutputFile&& other) noexcept {
  if (this == &other) return *this;
  abandon();
  path_ = std::move(other.path_);
  target_ = std::move(other.target_);
  temporary_ = std::exchange(other.temporary_, {});
  descriptor_ = std::exchange(other.descriptor_, -1);
  return *this;
}

OutputFile::~OutputFile() { abandon(); }

void OutputFile::abandon() noexcept {
  if (descriptor_ >= 0) ::close(std::exchange(descriptor_, -1));
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
  temporary_.clear();
}

tl::unexpected<Error> OutputFile::fail_with(int error) const { return tl::unexpected(trouble_with(path_, error)); }

Expected<void> OutputFile::write(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor_, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return fail_with(errno);
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}

Expected<void> OutputFile::settle() {
  if (!temporary_.empty() && ::fsync(descriptor_) != 0) return fail_with(errno);
  if (::close(std::exchange(descriptor_, -1)) != 0) return fail_with(errno);
  return {};
}

Expected<void> OutputFile::commit() {
  if (auto ok = settle(); !ok) return ok;
  if (temporary_.empty()) return {};
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) return fail_with(errno);
  temporary_.clear();
  if (!flush_folder(folder_of(target_))) return fail_with(errno);
  return {};
}

Expected<void> OutputFile::commit_all(const std::vector<OutputFile*>& files) {
  if (files.size() == 1) return files.front()->commit();
  for (OutputFile* file : files)
    if (auto ok = file->settle(); !ok) return ok;
  // What was there before has a second name until all is done.
  struct Before {
    fs::path target{}, kept{};
    bool empty = false;   ///< there was nothing
    bool placed = false;  ///< the new file is there
    ~Before() {
      if (!kept.empty()) ::unlink(kept.c_str());
    }
    void restore() {
      if (placed && empty) ::unlink(target.c_str());
      if (placed && !kept.empty() && ::rename(kept.c_str(), target.c_str()) == 0) kept.clear();
    }
  };
  std::vector<Before> before(files.size());
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (files[i]->temporary_.empty()) continue;
    before[i].target = files[i]->target_;
    const fs::path kept = fs::path(files[i]->temporary_).replace_extension(".old.tmp");
    if (::link(files[i]->target_.c_str(), kept.c_str()) == 0)
      before[i].kept = kept;
    else
      before[i].empty = errno == ENOENT;
  }
  const auto undo = [&](const OutputFile& file) {
    const int error = errno;
    for (Before& one : before) one.restore();
    return file.fail_with(error);
  };
  // One right after the other, and nothing between: whatever kills us then leaves the new file beside the old one.
  for (std::size_t i = 0; i < files.size(); ++i) {
    OutputFile& file = *files[i];
    if (file.temporary_.empty()) continue;
    before[i].placed = ::rename(file.temporary_.c_str(), file.target_.c_str()) == 0;
    if (!before[i].placed) return undo(file);
    file.temporary_.clear();
  }
  for (std::size_t i = 0; i < files.size(); ++i)
    if (before[i].placed && !flush_folder(folder_of(files[i]->target_))) return undo(*files[i]);
  return {};
}

void remove_unfinished(const fs::path& folder) {
  std::error_code ignored;
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with(kTemporaryStart) && name.ends_with(kTemporaryEnd)) found.push_back(entry.path());
  }
  for (const fs::path& file : found) fs::remove(file, ignored);
}

}  // namespace fairstep
