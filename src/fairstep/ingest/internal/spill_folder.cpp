#include <fairstep/ingest/internal/spill_folder.hpp>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <memory>
#include <mutex>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fairstep/ingest/spills.hpp>

namespace fairstep {
namespace internal {
namespace {

constexpr std::string_view kSpillStart = "fairstep-spill-", kSpillRandom = "XXXXXX";

bool is_spill_name(std::string_view name) {
  if (!name.starts_with(kSpillStart) || name.size() != kSpillStart.size() + kSpillRandom.size()) return false;
  name.remove_prefix(kSpillStart.size());
  return std::all_of(name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) != 0; });
}

/// The folders of this process, for a signal. Never destroyed: the thread that waits for one may outlive main's
/// statics.
struct Spills {
  std::mutex mutex{};
  std::set<std::string> paths{};
};

Spills& spills() {
  static auto* all = new Spills;
  return *all;
}

int open_folder(const char* path) { return ::open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC); }

/// The files of a folder go, then the folder. It is held by its descriptor: no link that someone puts in its place
/// leads elsewhere. The engine makes no folders within; if there is one, it is not ours.
void empty_and_remove(int descriptor, const std::string& path) {
  // A count that is being ended from another thread may go on making files for a moment.
  constexpr int attempts = 20;
  for (int i = 0; i < attempts; ++i) {
    const int copy = ::openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (copy < 0) return;
    const std::unique_ptr<DIR, int (*)(DIR*)> entries(::fdopendir(copy), ::closedir);
    if (!entries) {
      ::close(copy);
      return;
    }
    while (const dirent* entry = ::readdir(entries.get())) ::unlinkat(descriptor, entry->d_name, 0);
    if (::rmdir(path.c_str()) == 0 || errno != ENOTEMPTY) return;
  }
}

bool is_still_there(int descriptor, const char* path) {
  struct stat held{}, named{};
  return ::fstat(descriptor, &held) == 0 && ::lstat(path, &named) == 0 && held.st_dev == named.st_dev &&
         held.st_ino == named.st_ino;
}

Error no_folder(const std::string& path, const std::string& why) {
  return {fmt::format("no folder can be made there for what does not fit into memory: {}", why), {}, path, {}, true};
}

}  // namespace

void sweep_spills(const std::filesystem::path& parent) {
  std::error_code ignored;
  std::vector<std::string> found;
  for (auto entry = std::filesystem::directory_iterator(parent, ignored);
       !ignored && entry != std::filesystem::directory_iterator(); entry.increment(ignored))
    if (is_spill_name(entry->path().filename().string())) found.push_back(entry->path().string());
  for (const std::string& path : found) {
    const int descriptor = open_folder(path.c_str());
    if (descriptor < 0) continue;
    struct stat folder{};
    const bool ours = ::fstat(descriptor, &folder) == 0 && folder.st_uid == ::geteuid();
    if (ours && ::flock(descriptor, LOCK_EX | LOCK_NB) == 0) empty_and_remove(descriptor, path);
    ::close(descriptor);
  }
}

Expected<SpillFolder> SpillFolder::make(const std::filesystem::path& parent) {
  std::error_code error;
  std::filesystem::create_directories(parent, error);
  if (error) return tl::unexpected(no_folder(parent.string(), error.message()));
  sweep_spills(parent);
  // Between the making and the lock another count may take the folder for one that a crash left: then there is a next.
  constexpr int attempts = 100;
  for (int i = 0; i < attempts; ++i) {
    SpillFolder made;
    std::string name = (parent / fmt::format("{}{}", kSpillStart, kSpillRandom)).string();
    if (::mkdtemp(name.data()) == nullptr)  // of mode 0700
      return tl::unexpected(no_folder(parent.string(), std::generic_category().message(errno)));
    made.descriptor_ = open_folder(name.c_str());
    if (made.descriptor_ < 0) continue;
    // Where folders cannot be locked nobody else can lock them either, and so nobody takes this one for left behind.
    if (::flock(made.descriptor_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) continue;
    if (!is_still_there(made.descriptor_, name.c_str())) continue;
    made.path_ = std::move(name);
    const std::scoped_lock lock(spills().mutex);
    spills().paths.insert(made.path_);
    return made;
  }
  return tl::unexpected(no_folder(parent.string(), "others remove it again and again"));
}

SpillFolder::SpillFolder(SpillFolder&& other) noexcept
    : path_(std::exchange(other.path_, {})), descriptor_(std::exchange(other.descriptor_, -1)) {}

SpillFolder::~SpillFolder() {
  if (!path_.empty()) {
    const std::scoped_lock lock(spills().mutex);
    spills().paths.erase(path_);
    empty_and_remove(descriptor_, path_);
  }
  if (descriptor_ >= 0) ::close(descriptor_);
}

}  // namespace internal

void remove_spills() {
  internal::Spills& all = internal::spills();
  const std::scoped_lock lock(all.mutex);
  for (const std::string& path : all.paths) {
    const int descriptor = internal::open_folder(path.c_str());
    if (descriptor < 0) continue;
    internal::empty_and_remove(descriptor, path);
    ::close(descriptor);
  }
}

}  // namespace fairstep
