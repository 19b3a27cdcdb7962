#include <fairstep/ingest/internal/blocks.hpp>

#include <array>
#include <cerrno>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <fairstep/core/mention.hpp>

namespace fairstep::internal {
namespace {

constexpr std::size_t kBlock = std::size_t{1} << 18;

tl::unexpected<Error> unusable(const std::string& file, Text message, Text hint = {}) {
  return tl::unexpected(Error{std::move(message), {}, file, std::move(hint)});
}

/// A descriptor that is closed at the end.
class Input {
 public:
  explicit Input(const std::string& file) : descriptor_(::open(file.c_str(), O_RDONLY | O_CLOEXEC)) {}
  ~Input() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  Input(const Input&) = delete;
  Input& operator=(const Input&) = delete;

  [[nodiscard]] bool is_open() const { return descriptor_ >= 0; }
  /// How many bytes came, 0 at the end, less on an error.
  ssize_t read(char* bytes, std::size_t most) const {
    while (true) {
      const ssize_t got = ::read(descriptor_, bytes, most);
      if (got >= 0 || errno != EINTR) return got;
    }
  }

 private:
  int descriptor_;
};

tl::unexpected<Error> unreadable(const std::string& file) {
  return unusable(file, fmt::format("the file cannot be read: {}", std::generic_category().message(errno)));
}

const char* what_it_is(mode_t mode) {
  if (S_ISFIFO(mode)) return "a pipe";
  if (S_ISSOCK(mode)) return "a socket";
  if (S_ISDIR(mode)) return "a folder";
  return "a device";
}

/// zlib's stream, which is ended with it.
struct Inflation {
  z_stream stream{};
  bool started = false;
  Inflation() { started = inflateInit2(&stream, 15 + 16) == Z_OK; }  // the largest window, and gzip alone
  ~Inflation() {
    if (started) inflateEnd(&stream);
  }
  Inflation(const Inflation&) = delete;
  Inflation& operator=(const Inflation&) = delete;
};

constexpr const char* kWhole = "get the file anew; a part of a log is not counted";

struct Refusal {
  std::string message{};
  Text hint{};
};

/// What a file is by its first bytes if it is no log for us, and what to do about it.
std::optional<Refusal> refused_kind(const std::string& file, std::string_view start) {
  if (start.starts_with("\x28\xB5\x2F\xFD"))
    return Refusal{"this is packed by Zstandard, expected gzip or plain text",
                   fmt::format("unpack it: zstd -d {}", file)};
  if (start.starts_with("BZh"))
    return Refusal{"this is packed by bzip2, expected gzip or plain text", fmt::format("unpack it: bunzip2 {}", file)};
  if (start.starts_with("\xFD"
                        "7zXZ"))
    return Refusal{"this is packed by xz, expected gzip or plain text", fmt::format("unpack it: unxz {}", file)};
  const bool workbook = file.ends_with(".xlsx") || file.ends_with(".ods");
  if ((start.starts_with("PK\x03\x04") && workbook) || start.starts_with("\xD0\xCF\x11\xE0"))
    return Refusal{"this is a workbook of a spreadsheet, expected CSV or Parquet",
                   "save the sheet as CSV in UTF-8, or read it by pandas.read_excel and count the frame in Python"};
  if (start.starts_with("PK\x03\x04"))
    return Refusal{"this is a zip archive, expected CSV, gzip or Parquet",
                   fmt::format("take the log out of it: unzip -p {} > log.csv", file)};
  if (start.starts_with("{") && file.ends_with(".json"))
    return Refusal{
        "this is a JSON document, expected a log: CSV or Parquet",
        "counts that were made before are for " + verb("fit") + ", " + verb("audit") + " and " + verb("certify")};
  if (start.starts_with("\xFF\xFE") || start.starts_with("\xFE\xFF"))
    return Refusal{"this is UTF-16, expected UTF-8",
                   fmt::format("convert it: iconv -f UTF-16 -t UTF-8 {} > utf8.csv", file)};
  return std::nullopt;
}

}  // namespace

Expected<FileKind> kind_of(const std::string& file) {
  struct stat there{};
  if (::stat(file.c_str(), &there) != 0) return unreadable(file);
  if (!S_ISREG(there.st_mode))  // not even opened: a pipe would make us wait, and lose what we look at
    return unusable(file, fmt::format("this is {}, expected a file", what_it_is(there.st_mode)),
                    "a log is read more than once; write it to a file first");
  const Input input(file);
  if (!input.is_open()) return unreadable(file);
  std::array<char, 6> bytes{};
  const ssize_t got = input.read(bytes.data(), bytes.size());
  if (got < 0) return unreadable(file);
  const std::string_view start(bytes.data(), static_cast<std::size_t>(got));
  if (start.starts_with("PAR1")) return FileKind::parquet;
  if (start.starts_with("\x1F\x8B")) return FileKind::gzip;
  if (auto known = refused_kind(file, start)) return unusable(file, known->message, known->hint);
  if (file.ends_with(".gz") && !start.empty())
    return unusable(file, "this is no gzip file, although its name ends in .gz", kWhole);
  if (file.ends_with(".gz")) return unusable(file, "the file is empty, expected gzip", kWhole);
  return FileKind::csv;
}

Expected<void> each_block(const std::string& file, FileKind kind, const std::function<bool(std::string_view)>& take) {
  const Input input(file);
  if (!input.is_open()) return unreadable(file);
  std::vector<char> packed(kBlock), plain(kBlock);
  Inflation inflation;
  if (!inflation.started) return unusable(file, "gzip cannot be unpacked: zlib does not start");
  z_stream& stream = inflation.stream;
  bool between = false;  // a member has ended; another may follow
  while (true) {
    const ssize_t got = input.read(packed.data(), packed.size());
    if (got < 0) return unreadable(file);
    if (got == 0) break;
    if (kind != FileKind::gzip) {
      if (!take({packed.data(), static_cast<std::size_t>(got)})) return {};
      continue;
    }
    stream.next_in = reinterpret_cast<Bytef*>(packed.data());
    stream.avail_in = static_cast<uInt>(got);
    do {
      if (std::exchange(between, false)) inflateReset(&stream);
      stream.next_out = reinterpret_cast<Bytef*>(plain.data());
      stream.avail_out = static_cast<uInt>(plain.size());
      const int state = inflate(&stream, Z_NO_FLUSH);
      if (state != Z_OK && state != Z_STREAM_END && state != Z_BUF_ERROR)
        return unusable(
            file,
            fmt::format("the gzip file is damaged: {}", stream.msg != nullptr ? stream.msg : "it cannot be unpacked"),
            kWhole);
      if (!take({plain.data(), plain.size() - stream.avail_out})) return {};
      between = state == Z_STREAM_END;
    } while (stream.avail_in > 0 || (stream.avail_out == 0 && !between));
  }
  if (kind == FileKind::gzip && !between) return unusable(file, "the gzip file is cut off before its end", kWhole);
  return {};
}

}  // namespace fairstep::internal
