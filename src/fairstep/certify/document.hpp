// The certificate as a file: what is claimed, on what grounds, and everything that is needed to check it.
#pragma once

#include <optional>
#include <string>

#include <fairstep/certify/certify.hpp>
#include <fairstep/core/counts.hpp>
#include <fairstep/diagnose/diagnose.hpp>

namespace fairstep {

/// A file that went into a certificate, byte for byte.
struct InputText {
  std::string file{};  ///< as it was named
  std::string text{};
};

struct CertificateInputs {
  InputText counts{};
  InputText policy{};
  std::optional<InputText> model{};   ///< where known rewards come from
  std::optional<InputText> design{};  ///< counts of the design part, if people were split
};

/// The document fairstep/certificate/2. `diagnosis` is what the counts say against the assumptions; where labels follow
/// features, against that as well.
[[nodiscard]] std::string to_text(const Certificate& certificate, const Counts& counts, const Diagnosis& diagnosis,
                                  const CertificateInputs& inputs);
/// The same for those who have not asked yet.
[[nodiscard]] std::string to_text(const Certificate& certificate, const Counts& counts,
                                  const CertificateInputs& inputs);

}  // namespace fairstep
