// Whether a certificate is true to its own data: everything in it is computed again and compared.
//
// This room shares no code with the rooms that make certificates, only the file format; of `io` it uses the reader of
// JSON text and the hash. Every bound is computed anew in numbers of 64 bits, each operation rounded towards the side
// on which the bound is worse, so that what is confirmed here holds in exact arithmetic too.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <fairstep/core/error.hpp>

namespace fairstep {

/// A number may be this much away from what is computed again, on the side where it does no harm: absolute for rates
/// and gaps, for values relative to what could be earned at most, for shares of delta relative.
inline constexpr double kCheckTolerance = 1e-9;

/// Something in the certificate that is not so.
struct Mismatch {
  std::string pointer{};   ///< JSON pointer to the number
  std::string found{};     ///< what stands there
  std::string expected{};  ///< what would be right
};

struct CheckReport {
  std::vector<Mismatch> mismatches{};  ///< empty: the certificate holds
  std::size_t compared = 0;            ///< numbers and texts that were derived again and compared
};

/// An error if the text is no certificate: its form is wrong, or documents and settings in it cannot be true together.
/// What it claims about them is compared, but for its diagnosis of the data, which is not computed again.
/// docs/certify.md has the line between the two.
[[nodiscard]] Expected<CheckReport> check_certificate(std::string_view text, const std::string& file = {});

}  // namespace fairstep
