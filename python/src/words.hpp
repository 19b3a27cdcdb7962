// Choices are words in Python, the same as on the command line.
#pragma once

#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <fairstep/core/fairness.hpp>
#include <fairstep/core/words.hpp>

#include "convert.hpp"

namespace fairstep::python {

/// The choice that a word names, or ValueError with those that there are.
template <Worded Choice>
Choice chosen(const std::string& word, const char* what) {
  if (const auto choice = named<Choice>(word)) return *choice;
  throw Refused(
      Error{fmt::format("{} is \"{}\", expected one of {}", what, word, fmt::join(all_names<Choice>(), ", "))});
}

inline std::vector<Notion> notions_of(const std::vector<std::string>& words) {
  std::vector<Notion> notions;
  for (const std::string& word : words) notions.push_back(chosen<Notion>(word, "fairness"));
  return notions;
}

}  // namespace fairstep::python
