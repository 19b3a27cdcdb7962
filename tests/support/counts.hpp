// Counts that tests make from tables of their own.
#pragma once

#include <cstddef>
#include <utility>

#include <fairstep/core/counts.hpp>

#include "support/models.hpp"

namespace fairstep::testing {

/// Counts that a test knows to be possible.
inline Counts made(CountsSpec spec) { return unwrap(Counts::make(std::move(spec))); }

/// The same counts but for what `change` does to their tables.
template <class Change>
Counts changed(const Counts& counts, const Change& change) {
  CountsSpec spec = counts.spec();
  change(spec);
  return made(std::move(spec));
}

/// Counts of a log that saw nobody.
inline Counts nobody(std::size_t horizon, Names names) { return made(CountsSpec::zeros(horizon, std::move(names))); }

}  // namespace fairstep::testing
