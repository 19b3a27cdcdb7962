// What a certificate says and on what it rests, in sentences. They follow from what was asked and from the record that
// the counts carry; both checkers derive them, too, with code of their own.
#pragma once

#include <string>
#include <vector>

#include <fairstep/certify/certify.hpp>
#include <fairstep/core/counts.hpp>

namespace fairstep {

/// What is claimed.
[[nodiscard]] std::string statement_of(const Certificate& certificate);

/// What must be true of the data for the certificate to hold, and what was left out of them, a sentence or two each.
/// With a design part the counts are the audit part.
[[nodiscard]] std::vector<std::string> assumptions_of(const CertifyOptions& options, const Counts& counts,
                                                      bool two_parts = false);

}  // namespace fairstep
