#include "answers/solution_json.hpp"

#include <cmath>

#include <fmt/format.h>

#include <fairstep/io/json.hpp>
#include <fairstep/optimise/solution_document.hpp>

#include "answers/evaluation_json.hpp"
#include "answers/grounds_summary.hpp"
#include "answers/json_text.hpp"

namespace fairstep::cli {

Json to_json(const Model& model, const SolveResult& result, std::optional<double> tail) {
  const Json rests_on = grounds_json(model, result.solution ? result.solution->evaluation.unseen : std::nullopt);
  JsonWriter json({.pointed = true});
  json.object();
  write_solution(json, result,
                 {model.shape().horizon, result.seconds, tail, to_text(rests_on), model.names().features});
  json.end();
  return Json::parse(std::move(json).text());
}

std::vector<std::string> peculiarities(const SolveResult& result) {
  std::vector<std::string> sentences;
  if (result.accepts_nobody)
    sentences.emplace_back(
        "the policy accepts nobody: that treats all alike, and is worth no more than closing the doors");
  if (result.accepts_everybody) sentences.emplace_back("the policy accepts everybody");
  std::vector<std::size_t> of_nobody;
  for (std::size_t h = 0; h < result.parity_gap.size(); ++h)
    if (std::isnan(result.parity_gap[h])) of_nobody.push_back(h);
  if (!of_nobody.empty())
    sentences.push_back(
        fmt::format("at {} fewer than two groups have anybody whom the limit is about: there is no "
                    "gap, and the limit holds by itself",
                    in_words(of_nobody)));
  if (!result.vacuous_steps.empty())
    sentences.push_back(fmt::format("the limit is 1 at {}: no gap can ever exceed it", in_words(result.vacuous_steps)));
  return sentences;
}

}  // namespace fairstep::cli
