// Whether documents and settings of a certificate can be true together, and whether it has the keys that go with them.
#pragma once

#include <fairstep/check/documents.hpp>
#include <fairstep/check/question.hpp>
#include <fairstep/core/error.hpp>

namespace fairstep::rigorous {

/// The first thing that is not so.
[[nodiscard]] Expected<void> check_sound(const Documents& documents, const Question& question);

}  // namespace fairstep::rigorous
