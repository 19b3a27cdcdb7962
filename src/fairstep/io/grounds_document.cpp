#include <string>

#include <fmt/format.h>

#include <fairstep/core/axes.hpp>
#include <fairstep/core/grounds.hpp>
#include <fairstep/io/internal/documents.hpp>
#include <fairstep/io/internal/object_reader.hpp>

namespace fairstep::internal {
namespace {

LogGrounds log_grounds_from(const Json& object, std::optional<Error>& error) {
  ObjectReader in(object, {{"rows", "lost", "censored", "imputed", "unlabelled", "excluded", "unrecorded_people"}},
                  error, "rests_on.log", "/rests_on/log");
  LogGrounds log;
  log.rows = in.integer("rows");
  log.lost = in.integer("lost");
  log.censoring = in.choice<Censoring>("censored");
  log.imputed = in.integer("imputed");
  log.unlabelled = in.integer("unlabelled");
  log.excluded = in.integer("excluded");
  log.unrecorded_people = in.integer("unrecorded_people");
  return log;
}

LabelGrounds label_grounds_from(const Json& object, const Shape& shape, const std::vector<std::string>& groups,
                                std::optional<Error>& error) {
  ObjectReader in(object, {{"are", "refused", "point", "seen", "unseen"}, {}}, error, "rests_on.labels",
                  "/rests_on/labels");
  LabelGrounds labels;
  if (in.choice<LabelsAre>("are") != LabelsAre::follow_features && !error)
    in.fail_key("are", fmt::format("\"{}\"", name_of(LabelsAre::follow_features)));
  const std::string rule = in.text("refused");
  if (auto refused = refused_from(rule))
    labels.assumption.refused = *refused;
  else if (!error)
    in.fail_key("refused", "\"like-accepted\", \"odds=2\" or another number of 1 or more, or \"anything\"");
  labels.point = in.choice<RefusedPoint>("point");
  labels.seen = in.tensor<std::int64_t>("seen", kFeatureAxes, shape, groups);
  labels.unseen = in.tensor<std::int64_t>("unseen", kFeatureAxes, shape, groups);
  return labels;
}

std::vector<std::int64_t> per_group(ObjectReader& in, const char* key, const Shape& shape,
                                    const std::vector<std::string>& groups) {
  const auto counts = in.tensor<std::int64_t>(key, kGroupAxes, shape, groups);
  return {counts.flat().begin(), counts.flat().end()};
}

}  // namespace

Grounds grounds_from(const Json& object, const Shape& shape, const std::vector<std::string>& groups,
                     std::optional<Error>& error, bool by_period) {
  ObjectReader in(
      object,
      {{"people", "shares", "first", "successors", "rewards", "unvisited"}, {"rewards_are", "gaps", "labels", "log"}},
      error, "rests_on");
  Grounds grounds;
  grounds.people = per_group(in, "people", shape, groups);
  const std::string shares = in.text("shares");
  grounds.shares_counted = shares == "counted";
  if (!error && shares != "counted" && shares != "given") in.fail_key("shares", "\"counted\" or \"given\"");
  grounds.first = per_group(in, "first", shape, groups);
  grounds.successors = in.by_period<std::int64_t>("successors", kCellAxes, shape, groups, by_period);
  grounds.rewards = in.tensor<std::int64_t>("rewards", kCellAxes, shape, groups);
  const std::string rewards = in.text("rewards_are", "counted");
  grounds.rewards_given = rewards == "given";
  if (!error && rewards != "counted" && rewards != "given") in.fail_key("rewards_are", "\"counted\" or \"given\"");
  grounds.unvisited = in.choice<Unvisited>("unvisited");
  if (in.has("gaps")) grounds.gaps = in.integer("gaps");
  if (const Json* labels = in.find("labels"); labels != nullptr && !error)
    grounds.labels = label_grounds_from(*labels, shape, groups, error);
  if (const Json* log = in.find("log")) grounds.log = log_grounds_from(*log, error);
  return grounds;
}

void write_grounds(JsonWriter& json, const Grounds& grounds, bool by_period) {
  json.key("rests_on").object();
  json.field("people", grounds.people);
  json.field("shares", std::string(grounds.shares_counted ? "counted" : "given"));
  json.field("first", grounds.first);
  write_by_period(json, "successors", grounds.successors, 2, by_period);
  json.field("rewards", grounds.rewards, 2);
  if (grounds.rewards_given) json.field("rewards_are", std::string("given"));
  json.field("unvisited", name_of(grounds.unvisited));
  if (grounds.gaps > 0) json.field("gaps", grounds.gaps);
  if (grounds.labels) {
    json.key("labels").object();
    json.field("are", name_of(LabelsAre::follow_features));
    json.field("refused", text_of(grounds.labels->assumption.refused)).field("point", name_of(grounds.labels->point));
    json.field("seen", grounds.labels->seen, 1).field("unseen", grounds.labels->unseen, 1).end();
  }
  if (grounds.log) {
    json.key("log").object(JsonWriter::Lines::one);
    json.field("rows", grounds.log->rows).field("lost", grounds.log->lost);
    json.field("censored", name_of(grounds.log->censoring));
    json.field("imputed", grounds.log->imputed).field("unlabelled", grounds.log->unlabelled);
    json.field("excluded", grounds.log->excluded).field("unrecorded_people", grounds.log->unrecorded_people).end();
  }
  json.end();
}

}  // namespace fairstep::internal
