#include <optional>
#include <utility>

#include <fairstep/core/axes.hpp>
#include <fairstep/core/shared/checks.hpp>
#include <fairstep/io/files.hpp>
#include <fairstep/io/internal/documents.hpp>
#include <fairstep/io/internal/object_reader.hpp>

namespace fairstep {
namespace internal {

Expected<Model> model_from(const Json& document) {
  std::optional<Error> error;
  ObjectReader in(
      document,
      {{"schema", "horizon", "groups", "features", "share", "initial", "transition", "reward"},
       {"description", "labels", "actions", "periods", "reward_noise", "discount", "participation", "rests_on"}},
      error);
  ModelSpec spec;
  spec.description = in.text("description", {});
  spec.horizon = in.positive_integer("horizon");
  spec.names.groups = in.texts("groups");
  spec.names.features = in.texts("features");
  spec.names.labels = in.texts("labels", std::move(spec.names.labels));
  spec.names.actions = in.texts("actions", std::move(spec.names.actions));
  spec.discount = in.number("discount", spec.discount);
  // Arrays are measured against the names and the horizon, so these must be right first.
  const std::vector<std::string>& groups = spec.names.groups;
  Shape n{groups.size(), spec.horizon, spec.names.features.size()};
  if (!error) in.require(check_names(spec.names));
  if (!error) in.require(check_horizon(n));
  if (const Json* periods = in.find("periods"); periods != nullptr && !error)
    spec.periods = periods_from(*periods, n, error);
  n.periods = spec.periods.number();

  spec.share = in.numbers("share", Axis::g, n, groups);
  spec.initial = in.tensor<double>("initial", kInitialAxes, n, groups);
  spec.transition = in.by_period<double>("transition", kTransitionAxes, n, groups, !spec.periods.pooled());
  spec.reward = in.tensor<double>("reward", kCellAxes, n, groups);
  spec.reward_noise = in.tensor<double>("reward_noise", kCellAxes, n, groups);
  if (const Json* participation = in.find("participation")) {
    ObjectReader inner(*participation, {{"leave", "first_step"}}, error, "participation");
    spec.participation.emplace();
    spec.participation->leave = inner.tensor<double>("leave", kCellAxes, n, groups);
    spec.participation->first_step = inner.tensor<double>("first_step", kFirstStepAxes, n, groups);
  }
  if (const Json* grounds = in.find("rests_on"))
    spec.rests_on = grounds_from(*grounds, n, groups, error, !spec.periods.pooled());
  if (error) return tl::unexpected(std::move(*error));
  return Model::make(std::move(spec));
}

void write_names(JsonWriter& json, const Names& names) {
  json.field("groups", names.groups);
  json.field("features", names.features);
  json.field("labels", names.labels);
  json.field("actions", names.actions);
}

}  // namespace internal

std::string to_text(const Model& model) {
  const ModelSpec& spec = model.spec();
  JsonWriter json;
  json.object().field("schema", internal::kModelSchema);
  if (!spec.description.empty()) json.field("description", spec.description);
  json.field("horizon", spec.horizon);
  internal::write_names(json, spec.names);
  if (!spec.periods.pooled()) internal::write_periods(json, spec.periods);
  json.field("share", spec.share);
  json.field("initial", spec.initial, 2);
  internal::write_by_period(json, "transition", spec.transition, 2, !spec.periods.pooled());
  json.field("reward", spec.reward, 2);
  if (!spec.reward_noise.empty()) json.field("reward_noise", spec.reward_noise, 2);
  json.field("discount", spec.discount);
  if (spec.participation) {
    json.key("participation").object();
    json.field("leave", spec.participation->leave, 2);
    json.field("first_step", spec.participation->first_step);
    json.end();
  }
  if (spec.rests_on) internal::write_grounds(json, *spec.rests_on, !spec.periods.pooled());
  json.end();
  return std::move(json).text();
}

}  // namespace fairstep
