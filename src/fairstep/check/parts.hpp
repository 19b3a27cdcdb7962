// Whether the two parts in a certificate are the design part and the audit part of one split of the same people.
#pragma once

#include <fairstep/check/documents.hpp>
#include <fairstep/core/error.hpp>

namespace fairstep::rigorous {

/// An error also if counts without a counterpart are the part of no split.
[[nodiscard]] Expected<void> check_parts(const Documents& documents);

}  // namespace fairstep::rigorous
