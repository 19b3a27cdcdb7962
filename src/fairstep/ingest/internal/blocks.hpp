// A file block by block, as it is or unpacked. What is packed is checked to the last byte: DuckDB, which reads it
// later, takes a file that was cut off or damaged for one that ends there.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include <fairstep/core/error.hpp>

namespace fairstep::internal {

enum class FileKind { csv, gzip /* of CSV */, parquet };

/// By its first bytes. An Error for what is no file that can be read again and again, or is packed in another way.
[[nodiscard]] Expected<FileKind> kind_of(const std::string& file);

/// Calls `take` with one block after the other until it returns false. Of gzip, every member must be there to its end,
/// and its length and CRC-32 must be what its last bytes say.
[[nodiscard]] Expected<void> each_block(const std::string& file, FileKind kind,
                                        const std::function<bool(std::string_view)>& take);

}  // namespace fairstep::internal
