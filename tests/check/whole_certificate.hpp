// A certificate that is sound, with claims that are not: two groups, three features, two steps.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <fairstep/check/check.hpp>
#include <fairstep/check/form.hpp>

namespace fairstep::rigorous::testing {

/// Nested lists of one value.
inline Json filled(const std::vector<std::size_t>& lengths, const Json& with, std::size_t depth = 0) {
  if (depth == lengths.size()) return with;
  Json list = Json::array();
  for (std::size_t i = 0; i < lengths[depth]; ++i) list.push_back(filled(lengths, with, depth + 1));
  return list;
}

/// The documents, before they are put into the certificate as text.
struct Parts {
  Json counts{{"schema", "fairstep/counts/1"},
              {"groups", {"a", "b"}},
              {"features", {"x", "y", "z"}},
              {"horizon", 2},
              {"first", filled({2, 3, 2}, 4)},
              {"visits", filled({2, 2, 3, 2, 2}, 12)},
              {"transitions", filled({2, 3, 2, 2, 3, 2}, 1)},
              {"reward_sum", filled({2, 3, 2, 2}, -12)},
              {"reward_squares", filled({2, 3, 2, 2}, 6.5)}};
  Json policy{{"schema", "fairstep/policy/1"}, {"accept", filled({2, 2, 3}, 0.25)}};
  Json model{{"schema", "fairstep/model/1"},
             {"groups", {"a", "b"}},
             {"features", {"x", "y", "z"}},
             {"horizon", 2},
             {"share", {0.25, 0.75}},
             {"initial", filled({2, 3, 2}, 1 / 6.)},
             {"transition", filled({2, 3, 2, 2, 3, 2}, 1 / 6.)},
             {"reward", filled({2, 3, 2, 2}, -0.5)},
             {"discount", 0.5}};
  Json rest{{"schema", "fairstep/certificate/2"},
            {"statement", ""},
            {"assumptions", Json::array()},
            {"diagnosis", Json::array()},
            {"delta", 0.05},
            {"delta_split", {{"rows", 0.05}, {"row", 0.01}, {"ball", 0.01}, {"interval", 0.01}}},
            {"followed", false},
            {"groups", {"a", "b"}},
            {"certified_gap", {{"dp", {1, 1}}}},
            {"estimated_gap", {{"dp", {0, nullptr}}}},
            {"certified_value", nullptr},
            {"estimated_value", nullptr},
            {"pairs", Json::array({{{"groups", {"a", "b"}}, {"dp", {1, 1}}}})},
            {"rates",
             {{"accept", {{"low", filled({2, 2}, 0)}, {"high", filled({2, 2}, 1)}, {"estimate", filled({2, 2}, 1)}}}}}};
  bool with_model = false;
  Json design{};  ///< null: there is none

  /// The counts are the audit part of a split, and a design part is there.
  void split() {
    counts["part"] = {{"role", "audit"},
                      {"share", 0.25},
                      {"seed", 7},
                      {"logs", Json::array({std::string(64, 'a'), std::string(64, 'b')})}};  // a sum of two logs
    design = counts;
    design["part"]["role"] = "design";
    rest["bound_by"] = {{"dp", {"split", "worst-case"}}, {"value", nullptr}};
    for (const char* key : {"directions", "question", "path"}) rest["delta_split"][key] = 0.01;
  }

  /// Rewards are counted.
  void count_rewards() {
    rest["reward_range"] = {-1, 2};
    rest["discount"] = 0.75;
    rest["delta_split"]["rewards"] = rest["delta_split"]["reward"] = 0.01;
  }

  /// The record of a log that lost `lost` rows everywhere.
  void add_log(int lost) {
    counts["log"] = {{"files", {"log.csv"}},
                     {"columns", {{"reward", "r"}}},
                     {"first_step", 0},
                     {"rows", 100},
                     {"findings", Json::array()},
                     {"censored", "no"},
                     {"lost",
                      {{"first", filled({2}, lost)},
                       {"first_in_doubt", filled({2}, lost)},
                       {"decisions", filled({2, 2}, lost)},
                       {"cells", filled({2, 3, 2, 2}, lost)},
                       {"transitions", filled({2, 3, 2, 2}, lost)}}}};
    if (lost == 0) return;
    rest["if_nothing_lost"] = {{"certified_gap", rest["certified_gap"]},
                               {"certified_value", nullptr},
                               {"rates", {{"accept", {{"low", filled({2, 2}, 0)}, {"high", filled({2, 2}, 1)}}}}}};
  }

  [[nodiscard]] Json certificate() const {
    Json whole = rest;
    const auto put = [&](const char* name, const Json& document) {
      whole["inputs"][name] = {{"file", "file"}, {"sha256", ""}, {"text", document.dump()}};
    };
    put("counts", counts);
    if (!design.is_null()) put("design", design);
    put("policy", policy);
    if (with_model) put("model", model);
    return whole;
  }
};

/// "pointer: message" of why the text is no certificate; empty if it is one.
inline std::string refusal_of(const std::string& text) {
  const auto report = check_certificate(text);
  return report ? "" : report.error().pointer + ": " + report.error().message;
}

}  // namespace fairstep::rigorous::testing
