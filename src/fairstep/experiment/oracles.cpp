#include <fairstep/experiment/internal/oracles.hpp>

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include <fairstep/io/json.hpp>
#include <fairstep/io/seal.hpp>
#include <fairstep/io/shared/parse.hpp>

namespace fairstep::internal {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace

std::vector<OracleOf> oracles_wanted(const Experiment& experiment) {
  std::vector<std::vector<double>> limits;
  for (const ExperimentMethod& method : experiment.methods)
    if (std::find(limits.begin(), limits.end(), method.limit) == limits.end()) limits.push_back(method.limit);
  std::vector<OracleOf> oracles;
  for (std::size_t e = 0; e < experiment.environments.size(); ++e)
    for (std::size_t n = 0; n < experiment.notions.size(); ++n)
      for (const std::vector<double>& limit : limits) oracles.push_back({e, n, limit, {}});
  return oracles;
}

Expected<void> solve_for(OracleOf& wanted, const Experiment& experiment, const std::stop_token& stop) {
  LearnOptions options;
  options.discounted_limits = experiment.learning.discounted_limits;
  options.group_independent = experiment.learning.group_independent;
  options.rules = experiment.learning.rules;
  options.fairness = {experiment.notions[wanted.notion], wanted.limit, {}};
  options.proof = experiment.frontier.proof;
  options.stop = stop;
  auto oracle = find_oracle(experiment.environments[wanted.environment].model, options);
  if (!oracle) return tl::unexpected(oracle.error());
  const Model& truth = experiment.environments[wanted.environment].model;
  if (oracle->policy) wanted.inside = inside_of(truth, *oracle->policy);
  oracle->policy.reset();  // runs are measured against its value alone
  wanted.oracle = std::move(*oracle);
  return {};
}

const Oracle& find(const std::vector<OracleOf>& oracles, std::size_t environment, std::size_t notion,
                   const std::vector<double>& limit) {
  return std::find_if(oracles.begin(), oracles.end(),
                      [&](const OracleOf& of) {
                        return of.environment == environment && of.notion == notion && of.limit == limit;
                      })
      ->oracle;
}

std::string to_text(const std::vector<OracleOf>& oracles, const Experiment& experiment) {
  JsonWriter json;
  json.object().field("schema", "fairstep/oracles/1").key("oracles").array();
  for (const OracleOf& of : oracles) {
    json.object(JsonWriter::Lines::one).field("environment", experiment.environments[of.environment].name);
    json.field("fairness", name_of(experiment.notions[of.notion])).field("limit", of.limit);
    json.field("outcome", name_of(of.oracle.outcome));
    json.key("bounds").object(JsonWriter::Lines::one).field("lower", of.oracle.bounds.lower);
    json.field("upper", of.oracle.bounds.upper).end();
    const auto inside = [&](double Inside::* number) {
      return of.inside ? std::optional((*of.inside).*number) : std::nullopt;
    };
    json.field("kernel_least", inside(&Inside::kernel_least)).field("policy_least", inside(&Inside::policy_least));
    json.field("policy_at_ends", inside(&Inside::policy_at_ends)).end();
  }
  json.end().end();
  return sealed(std::move(json).text());  // so that a bound that was edited makes another text
}

Expected<void> read_into(std::vector<OracleOf>& oracles, const Experiment& experiment, const std::string& text) {
  const auto document = parse_json(text);
  if (!document) return tl::unexpected(document.error());
  // Who wrote the file knows its form; what is checked is that nobody else has written it since.
  std::vector<OracleOf> read = oracles;
  try {
    const Json& list = document->at("oracles");
    for (std::size_t i = 0; i < read.size(); ++i) {
      const Json& bounds = list.at(i).at("bounds");
      const auto bound = [&](const char* key, double none) {
        return bounds.at(key).is_null() ? none : bounds.at(key).get<double>();
      };
      read[i].oracle.bounds = {bound("lower", -kInfinity), bound("upper", kInfinity)};
      const auto outcome = named<Outcome>(list.at(i).at("outcome").get<std::string>());
      if (outcome) read[i].oracle.outcome = *outcome;
      const auto number = [&](const char* key) { return list.at(i).at(key).get<double>(); };
      if (!list.at(i).at("policy_least").is_null())
        read[i].inside = Inside{number("kernel_least"), number("policy_least"), number("policy_at_ends")};
    }
  } catch (const Json::exception&) {
    read = oracles;
  }
  if (to_text(read, experiment) != text)
    return fail("the file was changed from outside", {}, "start over with " + flag("restart"));
  oracles = std::move(read);
  return {};
}

}  // namespace fairstep::internal
