// What the counts inside a certificate tell about the order of things, and whether that adds up to the rest of them.
#pragma once

#include <cstddef>
#include <vector>

#include <fairstep/check/documents.hpp>
#include <fairstep/core/error.hpp>

namespace fairstep::rigorous {

/// Tables are exact: all sums of them are below 2^64.
using Row = std::vector<long double>;
using Rows = std::vector<Row>;

/// One group's tables: cells are 4x + 2y + a, states 2x + y. What the counts do not have is empty.
struct People {
  std::size_t horizon = 0, states = 0, cells = 0;
  Rows visits{};                       ///< [h][cell]
  Row first{};                         ///< [s]
  Rows next{};                         ///< [cell][s] over all steps
  Rows next_in{};                      ///< [k,cell][s] in each period
  std::vector<std::size_t> starts{0};  ///< [k] first steps of the periods
  bool changes = false;                ///< there are periods with names
  Row left{};                          ///< [cell] seen to go on
  Row came{};                          ///< [s]
  Rows departures{};                   ///< [h][cell]
  Rows arrivals{};                     ///< [h][s]
  Rows pairs{};                        ///< [cell before][cell]
  Rows after{};                        ///< [cell before][s]
  Rows unseen{};                       ///< [class before][cell]
  Rows window_departures{}, window_arrivals{};
};
[[nodiscard]] People people_of(const Documents& documents, std::size_t g);

[[nodiscard]] Row sum_of(const Rows& rows, std::size_t length);
[[nodiscard]] long double total_of(const Row& row);

/// An error if the tables of the history do not add up to those of the counts.
[[nodiscard]] Expected<void> check_history(const Documents& documents);

}  // namespace fairstep::rigorous
