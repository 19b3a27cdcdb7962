// Of a table that is drawn: a cell by its row and the key of its column.
#pragma once

#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

#include <fairstep/report/internal/figure.hpp>

namespace fairstep::report::test {

inline const Cell& cell(const Table& table, std::size_t row, const std::string& key) {
  for (std::size_t i = 0; i < table.columns.size(); ++i)
    if (table.columns[i].key == key) return table.rows.at(row).at(i);
  throw std::runtime_error("no column " + key);
}
inline double number(const Table& table, std::size_t row, const std::string& key) {
  return std::get<double>(cell(table, row, key));
}
inline std::string words(const Table& table, std::size_t row, const std::string& key) {
  return std::get<std::string>(cell(table, row, key));
}

/// The numbers of the rows whose first cell says so, in their order.
inline std::vector<double> numbers_of(const Table& table, const std::string& first, const std::string& key) {
  std::vector<double> found;
  for (std::size_t row = 0; row < table.rows.size(); ++row)
    if (std::get<std::string>(table.rows[row][0]) == first) found.push_back(number(table, row, key));
  return found;
}

/// A parameter of a panel that is a number.
inline double parameter(const Panel& panel, const std::string& name) {
  for (const auto& [known, value] : panel.parameters)
    if (known == name) return std::get<double>(value);
  throw std::runtime_error("no parameter " + name);
}

}  // namespace fairstep::report::test
