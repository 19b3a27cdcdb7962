// A folder of its own for a test, gone with it, and rights to try there.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <set>
#include <stdexcept>
#include <string>
#include <system_error>

#include <sys/types.h>
#include <unistd.h>

namespace fairstep::testing {

class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "fairstep-test-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
  /// The names of everything in it.
  [[nodiscard]] std::set<std::string> entries() const {
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(path_)) names.insert(entry.path().filename().string());
    return names;
  }

 private:
  std::filesystem::path path_;
};

/// While this lives, root has only the rights that anybody has; for others nothing changes.
class AsAnybody {
 public:
  AsAnybody() : was_(::geteuid()) {
    constexpr uid_t nobody = 65534;
    if (was_ == 0 && ::seteuid(nobody) != 0) throw std::runtime_error("root cannot become nobody");
  }
  ~AsAnybody() {
    if (::seteuid(was_) != 0) std::abort();
  }
  AsAnybody(const AsAnybody&) = delete;
  AsAnybody& operator=(const AsAnybody&) = delete;

 private:
  uid_t was_;
};

}  // namespace fairstep::testing
