// What the explorer's page asks: a limit on one notion of fairness, and which policies are allowed.
//
// It travels as the query of an address, `fairness=dp&limit=0.05&monotone=1`: words and numbers that need no escapes,
// so that there is nothing to decode. The same question as a command line is what the page lets one copy.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <fairstep/core/error.hpp>
#include <fairstep/core/fairness.hpp>
#include <fairstep/optimise/policy_class.hpp>

namespace fairstep {

/// What of a policy may be asked for here: words alone, and a floor.
struct ExploreQuestion {
  std::string fairness = "none";  ///< none, or the word of a Notion or of a RatioNotion
  std::optional<double> limit{};  ///< for that notion; there unless it is none
  std::optional<double> capacity{};
  PolicyClass policies{};

  friend bool operator==(const ExploreQuestion& one, const ExploreQuestion& other) {
    return one.as_query() == other.as_query();
  }
  /// As it came, each key once and in one order.
  [[nodiscard]] std::string as_query() const;
};

/// An unknown key, one that is there twice, or a value that is no number or word, is an error that names it. Numbers
/// are checked where fairness and policies are.
[[nodiscard]] Expected<ExploreQuestion> explore_question(std::string_view query);

[[nodiscard]] Fairness fairness_of(const ExploreQuestion& question);

}  // namespace fairstep
