// Counts written down for tests, in the words of their document.
#pragma once

#include <string>
#include <variant>

#include <fairstep/core/counts.hpp>
#include <fairstep/io/files.hpp>

#include "support/models.hpp"

namespace fairstep::testing {

/// Of groups "a" and "b" with one feature: what a key of the document says, in JSON; zeros where it is left out.
struct OneFeature {
  std::size_t horizon = 1;
  std::string first = "[[[0, 0]], [[0, 0]]]";                           ///< [g,x,y]
  std::string visits = "[[[[[0, 0], [0, 0]]]], [[[[0, 0], [0, 0]]]]]";  ///< [g,h,x,y,a]
  std::string transitions =
      "[[[[[[0, 0]], [[0, 0]]], [[[0, 0]], [[0, 0]]]]], [[[[[0, 0]], [[0, 0]]], [[[0, 0]], [[0, 0]]]]]]";
  std::string reward_sum = "[[[[0, 0], [0, 0]]], [[[0, 0], [0, 0]]]]";  ///< [g,x,y,a]
  std::string reward_squares = "[[[[0, 0], [0, 0]]], [[[0, 0], [0, 0]]]]";
  std::string log{};  ///< the key `log`; empty: none
};

inline Counts counts_in(const OneFeature& said) {
  std::string text = R"({"schema": "fairstep/counts/1", "groups": ["a", "b"], "features": ["x"], "horizon": )" +
                     std::to_string(said.horizon);
  text += R"(, "first": )" + said.first + R"(, "visits": )" + said.visits;
  text += R"(, "transitions": )" + said.transitions;
  text += R"(, "reward_sum": )" + said.reward_sum + R"(, "reward_squares": )" + said.reward_squares;
  if (!said.log.empty()) text += R"(, "log": )" + said.log;
  return std::get<Counts>(unwrap(parse_document(text + "}")));
}

}  // namespace fairstep::testing
