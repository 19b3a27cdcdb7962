// Files that the engine itself writes.
#pragma once

#include <string>

#include <duckdb.h>
#include <gtest/gtest.h>

namespace fairstep::testing {

inline void run_sql(const std::string& sql) {
  duckdb_database database = nullptr;
  duckdb_connection connection = nullptr;
  ASSERT_EQ(duckdb_open(nullptr, &database), DuckDBSuccess);
  ASSERT_EQ(duckdb_connect(database, &connection), DuckDBSuccess);
  duckdb_result result{};
  EXPECT_EQ(duckdb_query(connection, sql.c_str(), &result), DuckDBSuccess) << duckdb_result_error(&result);
  duckdb_destroy_result(&result);
  duckdb_disconnect(&connection);
  duckdb_close(&database);
}

}  // namespace fairstep::testing
