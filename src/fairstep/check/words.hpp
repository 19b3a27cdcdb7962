// What a certificate says in words: the statement and the assumptions, from its contents.
#pragma once

#include <string>
#include <vector>

#include <fairstep/check/form.hpp>
#include <fairstep/check/question.hpp>

namespace fairstep::rigorous {

[[nodiscard]] std::string statement_of(const Question& question);
[[nodiscard]] std::vector<std::string> assumptions_of(const Question& question, const Json& counts);

}  // namespace fairstep::rigorous
