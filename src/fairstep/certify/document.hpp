// The certificate as a file: what is claimed, on what grounds, and everything that is needed to check it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <fairstep/certify/certify.hpp>
#include <fairstep/core/counts.hpp>

namespace fairstep {

/// A file that went into a certificate, byte for byte.
struct InputText {
  std::string file{};  ///< as it was named
  std::string text{};
};

struct CertificateInputs {
  InputText counts{};
  InputText policy{};
  std::optional<InputText> model{};  ///< where known rewards come from
};

/// What must be true of the data for the certificate to hold, a sentence each.
[[nodiscard]] std::vector<std::string> assumptions_of(const CertifyOptions& options);

/// The document fairstep/certificate/1.
[[nodiscard]] std::string to_text(const Certificate& certificate, const Names& names, const CertificateInputs& inputs);

}  // namespace fairstep
