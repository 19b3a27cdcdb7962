// What a certificate says about its own assumptions, as far as that follows from its counts.
//
// A diagnosis asks each group several questions (docs/diagnose.md), each by permuting what came of people within rows
// of which the model says that nothing else matters. The permutations are not drawn again. Everything else is derived:
// which questions are asked, which of them cannot be answered and why, every sentence. And where a bound on the
// permutations shows that hardly any of them is as far off as the data, the answer must be "refuted".
#pragma once

#include <string>
#include <vector>

#include <fairstep/check/documents.hpp>

namespace fairstep::rigorous {

struct WrongAnswer {
  std::string pointer{}, found{}, expected{};
};

[[nodiscard]] std::vector<WrongAnswer> wrong_in_diagnosis(const Documents& documents);

}  // namespace fairstep::rigorous
