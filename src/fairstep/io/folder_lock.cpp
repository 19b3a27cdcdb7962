#include <fairstep/io/folder_lock.hpp>

#include <algorithm>
#include <cerrno>
#include <string>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace fairstep {
namespace {

/// A lock file holds the number of a process and nothing else. Anything else is not ours to write to, nor is a file
/// that has another name as well.
bool is_ours(int descriptor) {
  struct stat file{};
  if (::fstat(descriptor, &file) != 0 || !S_ISREG(file.st_mode) || file.st_nlink > 1) return false;
  char text[32];
  const ssize_t length = ::pread(descriptor, text, sizeof text, 0);
  return length >= 0 && length < static_cast<ssize_t>(sizeof text) &&
         std::all_of(text, text + length, [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

Expected<FolderLock> FolderLock::take(const std::filesystem::path& folder) {
  const std::filesystem::path path = folder / kName;
  // Neither through a link nor waiting for a pipe that someone else put there.
  const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0644);
  if (descriptor < 0 && errno != ELOOP && errno != ENXIO && errno != EISDIR)
    return fail_in_file(folder, std::generic_category().message(errno));
  FolderLock lock(descriptor);
  if (descriptor < 0 || !is_ours(descriptor)) {
    auto strange = fail_in_file(folder, fmt::format("its file {} is none of fairstep's, and is left as it is", kName));
    strange.value().hint = "use another folder, or remove that file if nobody needs it";
    return strange;
  }
  if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK) return fail_in_file(folder, std::generic_category().message(errno));
    char holder[32] = {};
    const ssize_t length = ::pread(descriptor, holder, sizeof(holder) - 1, 0);
    const std::string number(holder, length > 0 ? static_cast<std::size_t>(length) : 0);
    return fail_in_file(folder, number.empty() ? "the folder is in use by another process"
                                               : fmt::format("the folder is in use by process {}", number));
  }
  // Who holds it, for the message above; without it the lock holds all the same.
  const std::string number = std::to_string(::getpid());
  if (::ftruncate(descriptor, 0) == 0) [[maybe_unused]]
    const ssize_t written = ::pwrite(descriptor, number.data(), number.size(), 0);
  return lock;
}

FolderLock::FolderLock(FolderLock&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

FolderLock& FolderLock::operator=(FolderLock&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

FolderLock::~FolderLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

}  // namespace fairstep
