// Whether the counts refute the model that a certificate takes its rewards and shares from.
#pragma once

#include <fairstep/check/documents.hpp>
#include <fairstep/check/question.hpp>
#include <fairstep/core/error.hpp>

namespace fairstep::rigorous {

/// The model's rows must lie within the certificate's own sets, and the means of counted rewards as near to its own as
/// noise allows. Whoever makes a certificate refuses what is outside by less than is done here.
[[nodiscard]] Expected<void> check_known_model(const Question& q, const Documents& documents);

}  // namespace fairstep::rigorous
