// The numbers of a document's table, one after the other.
#pragma once

#include <vector>

#include <fairstep/check/form.hpp>
#include <fairstep/check/interval.hpp>

namespace fairstep::rigorous {

/// All numbers in lists of lists, in their order. Counts are read as Real, which has all of them; what was written as a
/// double is read as one.
template <class Number>
[[nodiscard]] std::vector<Real> numbers_in(const Json& value) {
  std::vector<Real> all;
  const auto add = [&](const auto& self, const Json& part) -> void {
    if (!part.is_array()) {
      all.push_back(part.get<Number>());
      return;
    }
    for (const Json& entry : part) self(self, entry);
  };
  add(add, value);
  return all;
}

}  // namespace fairstep::rigorous
