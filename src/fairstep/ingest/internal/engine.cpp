#include <fairstep/ingest/internal/engine.hpp>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fairstep/ingest/internal/plan.hpp>

namespace fairstep::internal {
namespace {

/// Without a folder that was asked for there is no count; without the system's there is one as long as memory lasts.
Expected<SpillFolder> spill_folder_for(const CountOptions& options) {
  if (!options.temporary_directory.empty()) return SpillFolder::make(options.temporary_directory);
  std::error_code error;
  const std::filesystem::path usual = std::filesystem::temp_directory_path(error);
  if (error) return SpillFolder();
  auto made = SpillFolder::make(usual);
  return made ? std::move(made) : SpillFolder();
}

unsigned threads_for(const CountOptions& options) {
  constexpr std::uint64_t for_a_thread = 40'000'000;  // with less for each, a sort runs out of memory
  const std::uint64_t threads = std::min<std::uint64_t>(options.threads, options.memory_bytes / for_a_thread);
  return static_cast<unsigned>(std::max<std::uint64_t>(1, threads));
}

}  // namespace

Engine::Engine(SpillFolder spills, const CountOptions& options)
    : spills_(std::move(spills)), settings_{options.memory_bytes, threads_for(options), spills_.path(), options.stop} {}

Expected<Engine> Engine::make(const CountOptions& options) {
  if (auto ok = check_options(options); !ok) return tl::unexpected(ok.error());
  auto spills = spill_folder_for(options);
  if (!spills) return tl::unexpected(spills.error());
  return Engine(std::move(*spills), options);
}

}  // namespace fairstep::internal
