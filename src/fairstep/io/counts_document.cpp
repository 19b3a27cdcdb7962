#include <optional>
#include <utility>

#include <fairstep/core/axes.hpp>
#include <fairstep/core/shared/checks.hpp>
#include <fairstep/io/files.hpp>
#include <fairstep/io/internal/documents.hpp>
#include <fairstep/io/internal/object_reader.hpp>

namespace fairstep {
namespace internal {

Expected<Counts> counts_from(const Json& document) {
  std::optional<Error> error;
  ObjectReader in(
      document,
      {{"schema", "horizon", "groups", "features", "first", "visits", "transitions", "reward_sum", "reward_squares"},
       {"labels", "actions", "periods", "part", "log", "history"}},
      error);
  CountsSpec counts;
  counts.horizon = in.positive_integer("horizon");
  counts.names.groups = in.texts("groups");
  counts.names.features = in.texts("features");
  counts.names.labels = in.texts("labels", std::move(counts.names.labels));
  counts.names.actions = in.texts("actions", std::move(counts.names.actions));
  const std::vector<std::string>& groups = counts.names.groups;
  Shape n = counts.shape();
  if (const Json* part = in.find("part"); part != nullptr) counts.part = part_from(*part, error);
  if (!error) in.require(check_names(counts.names));
  if (!error) in.require(check_horizon(n));
  if (const Json* periods = in.find("periods"); periods != nullptr && !error)
    counts.periods = periods_from(*periods, n, error);
  n = counts.shape();

  counts.first = in.tensor<std::int64_t>("first", kInitialAxes, n, groups);
  counts.visits = in.tensor<std::int64_t>("visits", kVisitsAxes, n, groups);
  if (counts.periods.pooled()) {
    counts.transitions = in.tensor<std::int64_t>("transitions", kTransitionAxes, n, groups);
  } else {
    counts.by_period = in.tensor<std::int64_t>("transitions", with_periods(kTransitionAxes), n, groups);
    if (!error) in.require(counts.take_sums());
  }
  counts.reward_sum = in.tensor<double>("reward_sum", kCellAxes, n, groups);
  counts.reward_squares = in.tensor<double>("reward_squares", kCellAxes, n, groups);
  if (const Json* log = in.find("log"); log != nullptr && !error) counts.log = log_record_from(*log, n, groups, error);
  if (const Json* history = in.find("history"); history != nullptr && !error)
    counts.history = history_from(*history, n, groups, error);
  if (error) return tl::unexpected(std::move(*error));
  return Counts::make(std::move(counts));
}

}  // namespace internal

std::string to_text(const Counts& counts) {
  JsonWriter json;
  json.object().field("schema", internal::kCountsSchema).field("horizon", counts.horizon());
  internal::write_names(json, counts.names());
  if (!counts.periods().pooled()) internal::write_periods(json, counts.periods());
  if (counts.part()) internal::write_part(json, *counts.part());
  json.field("first", counts.first(), 2);
  json.field("visits", counts.visits(), 3);
  if (counts.periods().pooled())
    json.field("transitions", counts.transitions(), 2);
  else
    json.field("transitions", counts.spec().by_period, 2);
  json.field("reward_sum", counts.reward_sum(), 2);
  json.field("reward_squares", counts.reward_squares(), 2);
  if (counts.log()) internal::write_log_record(json, *counts.log());
  if (counts.history()) internal::write_history(json, *counts.history());
  json.end();
  return std::move(json).text();
}

}  // namespace fairstep
