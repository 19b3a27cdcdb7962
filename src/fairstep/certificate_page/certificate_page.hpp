// A certificate as a page to send: what is claimed in one sentence, what it rests on, rates and bounds as pictures, the
// data and their hashes, and how to check it. The page carries the certificate, and checks it when it is opened
// (self_check.mjs), without a network.
#pragma once

#include <string>
#include <string_view>

#include <fairstep/check/check.hpp>
#include <fairstep/core/error.hpp>

namespace fairstep {

struct CertificatePage {
  CheckReport check{};
  std::string html{};  ///< none if the certificate does not hold
};

/// An error if the text is no certificate.
[[nodiscard]] Expected<CertificatePage> make_certificate_page(std::string_view text, const std::string& file = {});

/// "With probability at least 0.95 over the data, at every step and between any two groups: ..." of a certificate that
/// holds.
[[nodiscard]] std::string what_is_certified(std::string_view text);

}  // namespace fairstep
