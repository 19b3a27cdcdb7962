// DuckDB's C interface in owning types. The only place, with the aggregate in scan.cpp, that knows it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <duckdb.h>

#include <fairstep/core/error.hpp>

struct ArrowArrayStream;

namespace fairstep::internal {

/// One column of a chunk: values as DuckDB lays them out, and which of them are there.
struct RawColumn {
  const void* data = nullptr;
  const std::uint64_t* validity = nullptr;  ///< a bit for each row; null if all are there

  template <class T>
  [[nodiscard]] const T* as() const {
    return static_cast<const T*>(data);
  }
  [[nodiscard]] bool has(std::size_t row) const {
    return validity == nullptr || (validity[row / 64] >> (row % 64) & 1U) != 0;
  }
};

[[nodiscard]] std::string_view view_of(const duckdb_string_t& text);

/// The columns of a chunk.
[[nodiscard]] std::vector<RawColumn> columns_of(duckdb_data_chunk chunk);

/// An in-memory database with one connection.
class Database {
 public:
  struct Settings {
    std::uint64_t memory_bytes = 0;
    unsigned threads = 1;
    std::string temporary{};  ///< folder for what does not fit into memory
    std::stop_token stop{};   ///< ends whatever is being asked, with an error that says so
  };
  [[nodiscard]] static Expected<Database> open(const Settings& settings);

  Database(Database&& other) noexcept;
  Database& operator=(Database&& other) = delete;
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;
  ~Database();

  [[nodiscard]] duckdb_connection connection() const { return connection_; }
  [[nodiscard]] const std::stop_token& stop() const { return settings_.stop; }
  [[nodiscard]] const Settings& settings() const { return settings_; }

  using Take = std::function<bool(const std::vector<RawColumn>& columns, std::size_t rows)>;
  /// Runs a query and hands over its rows in their order, chunk by chunk, without keeping them; `take` returns false to
  /// stop.
  [[nodiscard]] Expected<void> stream(const std::string& sql, const Take& take) const;
  /// Rows of a query whose columns are all VARCHAR; null values are empty.
  [[nodiscard]] Expected<std::vector<std::vector<std::string>>> rows(const std::string& sql) const;
  [[nodiscard]] Expected<void> execute(const std::string& sql) const;
  /// Makes the batches of an Arrow stream a view; the stream must outlive the database.
  [[nodiscard]] Expected<void> view(const std::string& name, ArrowArrayStream* stream) const;
  /// From now on no other files than these can be reached, nothing can be written, loaded or attached, and no setting
  /// changed.
  [[nodiscard]] Expected<void> shut(const std::vector<std::string>& files) const;
  /// An error unless this is one SELECT, of what there is.
  [[nodiscard]] Expected<void> check_query(const std::string& query) const;

 private:
  class Interrupter;

  Database();
  /// What DuckDB complains of, as far as it is about what we gave it to work with.
  [[nodiscard]] tl::unexpected<Error> trouble(const char* message) const;

  duckdb_database database_ = nullptr;
  duckdb_connection connection_ = nullptr;
  Settings settings_{};
  std::unique_ptr<Interrupter> interrupter_;
};

/// What is said of a log that was given up before its end.
[[nodiscard]] tl::unexpected<Error> stopped_after(std::int64_t rows);

/// 'text' and "name" as SQL has them.
[[nodiscard]] std::string sql_text(std::string_view text);
[[nodiscard]] std::string sql_name(std::string_view name);

}  // namespace fairstep::internal
