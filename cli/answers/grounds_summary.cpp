#include "answers/grounds_summary.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <fairstep/core/objections.hpp>

#include "answers/table.hpp"
#include "shell/quantity.hpp"

namespace fairstep::cli {

namespace {

/// Where labels follow features, those without one are as good.
std::int64_t decisions_of(const Grounds& grounds) {
  return grounds.labels ? total(grounds.labels->seen.flat()) + total(grounds.labels->unseen.flat())
                        : total(grounds.rewards.flat());
}

}  // namespace

Json grounds_json(const Model& model, const std::optional<Unseen>& unseen) {
  if (!model.spec().rests_on) return {};
  const Grounds& grounds = *model.spec().rests_on;
  Json log;
  if (grounds.log)
    log = {{"rows", grounds.log->rows},
           {"lost", grounds.log->lost},
           {"censored", std::string(name_of(grounds.log->censoring))},
           {"imputed", grounds.log->imputed},
           {"unlabelled", grounds.log->unlabelled},
           {"excluded", grounds.log->excluded},
           {"unrecorded_people", grounds.log->unrecorded_people}};
  Json json = {{"people", grounds.people},
               {"decisions", decisions_of(grounds)},
               {"cells", grounds.successors.all().size()},
               {"guessed_rows", guessed_rows(grounds)},
               {"unvisited", std::string(name_of(grounds.unvisited))},
               {"unseen_visits", unseen ? Json(unseen->rows) : Json()},
               {"unseen_rewards", unseen ? Json(unseen->rewards) : Json()},
               {"log", log}};
  if (grounds.rewards_given) json["rewards_are"] = "given";
  if (grounds.labels)
    json["labels"] = {{"are", fairstep::name_of(LabelsAre::follow_features)},
                      {"refused", text_of(grounds.labels->assumption.refused)},
                      {"point", fairstep::name_of(grounds.labels->point)},
                      {"seen", total(grounds.labels->seen.flat())},
                      {"unseen", total(grounds.labels->unseen.flat())}};
  return json;
}

std::string grounds_line(const Model& model, const std::optional<Unseen>& unseen, std::size_t width) {
  if (!model.spec().rests_on || !unseen) return {};
  return wrap(in_words(*model.spec().rests_on, *unseen), width);
}

std::vector<std::string> grounds_warnings(const Model& model) {
  if (!model.spec().rests_on) return {};
  std::vector<std::string> warnings = caveats(*model.spec().rests_on, model.names().groups);
  for (const Objection& objection : objections(model))
    warnings.push_back(fmt::format("{}; {}", objection.problem, objection.remedy));
  return warnings;
}

std::string grounds_in_short(const Grounds& grounds) {
  std::string text =
      fmt::format("{} people, {} decisions; {} of {} rows are guesses", with_thousands(total(grounds.people)),
                  with_thousands(decisions_of(grounds)), guessed_rows(grounds), grounds.successors.all().size());
  if (guessed_rows(grounds) > 0) text += fmt::format(" ({})", name_of(grounds.unvisited));
  return text;
}

}  // namespace fairstep::cli
