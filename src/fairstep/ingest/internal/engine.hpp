// What the engine may use while it counts: memory, threads, and a folder of its own for what does not fit.
#pragma once

#include <fairstep/core/error.hpp>
#include <fairstep/ingest/count.hpp>
#include <fairstep/ingest/internal/duckdb.hpp>
#include <fairstep/ingest/internal/spill_folder.hpp>

namespace fairstep::internal {

/// For one count; the folder goes with it.
class Engine {
 public:
  /// An error if the options contradict themselves, or if the folder that was asked for cannot be made. Without the
  /// system's there is a count as long as memory lasts.
  [[nodiscard]] static Expected<Engine> make(const CountOptions& options);

  [[nodiscard]] const Database::Settings& settings() const { return settings_; }

 private:
  Engine(SpillFolder spills, const CountOptions& options);

  SpillFolder spills_;
  Database::Settings settings_;
};

}  // namespace fairstep::internal
