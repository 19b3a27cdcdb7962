// A cell [g,x,y,a] in Python.
#pragma once

#include <cstddef>
#include <tuple>

#include <fairstep/estimate/estimate.hpp>

namespace fairstep::python {

using CellTuple = std::tuple<std::size_t, std::size_t, std::size_t, std::size_t>;

inline CellTuple tuple_of(const Cell& cell) { return {cell.g, cell.x, cell.y, cell.a}; }

}  // namespace fairstep::python
