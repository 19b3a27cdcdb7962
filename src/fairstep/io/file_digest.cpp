#include <fairstep/io/file_digest.hpp>

#include <array>
#include <cerrno>
#include <cstddef>
#include <string_view>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <fairstep/core/sha256.hpp>

namespace fairstep {

Expected<std::string> digest_of_file(const std::filesystem::path& path) {
  const auto cannot = [&](int error) {
    return fail_in_file(path.string(), fmt::format("cannot be read: {}", std::generic_category().message(error)));
  };
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return cannot(errno);
  struct Close {
    int descriptor;
    ~Close() { ::close(descriptor); }
  } const close_at_end{descriptor};
  Sha256 digest;
  std::array<char, std::size_t{1} << 16> block;
  for (;;) {
    const ssize_t got = ::read(descriptor, block.data(), block.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return cannot(errno);
    if (got == 0) return std::move(digest).finish();
    digest.add(std::string_view(block.data(), static_cast<std::size_t>(got)));
  }
}

}  // namespace fairstep
