// Choices are words in Python, the same as on the command line.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <fairstep/core/fairness.hpp>
#include <fairstep/core/model.hpp>
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

/// Which group a name is, or ValueError with those that there are.
inline std::size_t group_called(const char* what, const std::string& name, const Names& names) {
  const auto found = std::find(names.groups.begin(), names.groups.end(), name);
  if (found != names.groups.end()) return static_cast<std::size_t>(found - names.groups.begin());
  throw Refused(Error{fmt::format("{} is \"{}\", expected one of {}", what, name, fmt::join(names.groups, ", "))});
}

inline std::vector<Notion> notions_of(const std::vector<std::string>& words) {
  std::vector<Notion> notions;
  for (const std::string& word : words) notions.push_back(chosen<Notion>(word, "fairness"));
  return notions;
}

}  // namespace fairstep::python
