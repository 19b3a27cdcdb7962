// Models, policies, counts and solutions.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include <fairstep/core/feature_order.hpp>
#include <fairstep/core/in_order.hpp>
#include <fairstep/core/rounding.hpp>
#include <fairstep/io/files.hpp>

#include "answers/describe.hpp"
#include "answers/falls.hpp"
#include "answers/grounds_summary.hpp"
#include "answers/log_summary.hpp"
#include "answers/nested.hpp"
#include "answers/page_text.hpp"
#include "answers/shown/shown.hpp"
#include "shell/quantity.hpp"

namespace fairstep::cli {
namespace {

page::List list_of(const std::vector<Fact>& facts) {
  page::List list;
  for (const auto& [name, fact] : facts) list.items.push_back(name.empty() ? fact : fmt::format("{}: {}", name, fact));
  return list;
}

page::Column number_column(const std::string& name) { return {name, name}; }

page::Column share_column(const std::string& name) {
  page::Column column = number_column(name);
  column.shares = true;
  return column;
}

double ratio(double part, double whole) { return whole > 0 ? part / whole : std::numeric_limits<double>::quiet_NaN(); }

Json accept_json(const Policy& policy) { return nested(policy.table()); }

/// Puts the policy's groups in the order of the model, if there is one, and has the names of both.
Result<const Names*> names_for(Policy& policy, const Model* model, const std::string& file, const Names& own) {
  if (model == nullptr) return &own;
  policy = in_order_of(model->names().groups, std::move(policy));
  if (auto fits = policy.check_fits(*model); !fits) return input(fits.error(), file);
  return &model->names();
}

/// What is known of a policy as JSON: its whole table, and where it falls.
Json policy_json(const Policy& policy, const Names& names) {
  Json body = facts(policy);
  body["accept"] = accept_json(policy);
  if (const auto order = feature_order(names.features)) body["monotone"] = falls_json(names, policy, *order);
  return body;
}

/// A column for each group, a row for each of `rows`; `at(g, row)` is the cell.
template <class At>
page::CaptionedTable by_group(std::string caption, const std::string& key, const std::vector<std::string>& rows,
                              const Names& names, bool shares, const At& at) {
  page::CaptionedTable made{std::move(caption), {}};
  made.table.columns.push_back({key, key, 4, page::Rounded::nearest, true});
  for (const std::string& group : names.groups)
    made.table.columns.push_back(shares ? share_column(group) : number_column(group));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::vector<page::Cell> row{rows[i]};
    for (std::size_t g = 0; g < names.groups.size(); ++g) row.emplace_back(at(g, i));
    made.table.rows.push_back(std::move(row));
  }
  return made;
}

/// Who comes, who of them is qualified, and what accepting them earns.
void add_first_states(page::Page& page, const Model& model, TableRoom room) {
  const Names& names = model.names();
  const ModelSpec& spec = model.spec();
  const std::size_t rows = std::min(room.rows, names.features.size());
  const std::vector<std::string> features(names.features.begin(),
                                          names.features.begin() + static_cast<std::ptrdiff_t>(rows));
  const auto first = [&](std::size_t g, std::size_t x) { return spec.initial(g, x, 0) + spec.initial(g, x, 1); };
  page.add(by_group("who comes", "feature", features, names, true, first));
  page.add(by_group("of them " + names.labels[1], "feature", features, names, true,
                    [&](std::size_t g, std::size_t x) { return ratio(spec.initial(g, x, 1), first(g, x)); }));
  for (const std::size_t y : {std::size_t{1}, std::size_t{0}})
    page.add(by_group(fmt::format("{}, {}: earns", names.actions[1], names.labels[y]), "feature", features, names,
                      false, [&](std::size_t g, std::size_t x) { return spec.reward(g, x, y, 1); }));
  if (rows < names.features.size())
    page.add(page::Paragraph{fmt::format("shown here: {} of {} features", rows, names.features.size())});
}

/// Decisions without a label, which are in no other count.
std::int64_t unlabelled_of(const Counts& counts) { return counts.log() ? total(counts.log()->unlabelled.flat()) : 0; }

/// Decisions and the share accepted, step by step, with and without a label.
void add_decisions(page::Page& page, const Counts& counts) {
  const Names& names = counts.names();
  std::vector<std::string> steps;
  for (std::size_t h = 0; h < counts.horizon(); ++h) steps.push_back(std::to_string(h));
  const bool some_unlabelled = counts.log() && !counts.log()->unlabelled.empty();
  const auto decided = [&](std::size_t g, std::size_t h, std::size_t a) {
    std::int64_t sum = 0;
    for (std::size_t x = 0; x < names.features.size(); ++x) {
      for (std::size_t y = 0; y < kLabels; ++y) sum += counts.visits()(g, h, x, y, a);
      // Whoever has no label was decided about all the same.
      if (some_unlabelled) sum += counts.log()->unlabelled(g, h, x, a);
    }
    return sum;
  };
  page.add(by_group("decisions", "step", steps, names, false,
                    [&](std::size_t g, std::size_t h) { return with_thousands(decided(g, h, 0) + decided(g, h, 1)); }));
  page.add(by_group("share accepted", "step", steps, names, true, [&](std::size_t g, std::size_t h) {
    return ratio(static_cast<double>(decided(g, h, 1)), static_cast<double>(decided(g, h, 0) + decided(g, h, 1)));
  }));
}

/// `3 of 40 cells (group, feature, label, decision) were never seen`
std::string coverage_line(const Counts& counts) {
  const Shape n = counts.shape();
  std::size_t cells = 0, unseen = 0;
  for (std::size_t g = 0; g < n.groups; ++g)
    for (std::size_t x = 0; x < n.features; ++x)
      for (std::size_t y = 0; y < kLabels; ++y)
        for (std::size_t a = 0; a < kActions; ++a, ++cells)
          if (counts.visits_of(g, x, y, a) == 0) ++unseen;
  return fmt::format("{} of {} cells (group, feature, label, decision) were never seen", unseen, cells);
}

}  // namespace

Result<Shown> shown(Policy policy, const std::string& file, const Model* model, TableRoom room) {
  const Names own = names_of(policy);
  const auto names = names_for(policy, model, file, own);
  if (!names) return tl::unexpected(names.error());
  Shown made;
  made.page.title = file + ": a policy";
  made.page.add(list_of(facts_in_words(policy)));
  add_policy(made.page, policy, **names, room);
  made.body = policy_json(policy, **names);
  return made;
}

Shown shown(const Model& model, const std::string& file, TableRoom room) {
  Shown made;
  made.page.title = file + ": a model";
  std::vector<Fact> known = facts_in_words(model);
  // Those without a name are the warnings, which are said apart.
  std::erase_if(known, [](const Fact& fact) { return fact.first.empty(); });
  made.page.add(list_of(known));
  add_first_states(made.page, model, room);
  made.body = facts(model);
  made.body["tables"] = tables_json(made.page);
  made.warnings = grounds_warnings(model);
  return made;
}

Shown shown(const Counts& counts, const std::string& file) {
  Shown made;
  made.page.title = file + ": counts";
  std::vector<Fact> known = facts_in_words(counts);
  const std::int64_t unlabelled = unlabelled_of(counts);
  if (unlabelled > 0)
    known.emplace_back("without a label",
                       fmt::format("{} more, which the tables below have too", with_thousands(unlabelled)));
  known.emplace_back("coverage", coverage_line(counts));
  made.page.add(list_of(known));
  add_decisions(made.page, counts);
  made.body = facts(counts);
  made.body["unlabelled"] = unlabelled;
  made.body["tables"] = tables_json(made.page);
  if (counts.log()) made.warnings = log_warnings(*counts.log());
  return made;
}

Result<Shown> shown_solution(const Json& document, const std::string& file, const Model* model, TableRoom room) {
  const auto text = [&](const char* key) {
    return document.contains(key) && document[key].is_string() ? document[key].get<std::string>() : std::string("-");
  };
  const auto number = [](const Json& value) {
    return value.is_number() ? value.get<double>() : std::numeric_limits<double>::quiet_NaN();
  };
  Shown made;
  made.page.title = file + ": a solution";
  made.body = {{"kind", "solution"}};
  for (const char* key : {"model", "method", "outcome", "stopped_by", "value", "bounds", "parity_gap"})
    made.body[key] = document.contains(key) ? document[key] : Json();
  const double value = number(made.body["value"]);
  page::List list;
  list.items.push_back(fmt::format("outcome: {} ({}), for {}", text("outcome"), text("method"), text("model")));
  if (std::isfinite(value)) list.items.push_back(fmt::format("value: {:.6g}", value));
  if (const Json& bounds = made.body["bounds"]; bounds.is_object()) {
    const auto end = [&](const char* key) { return bounds.contains(key) ? number(bounds[key]) : number({}); };
    list.items.push_back(
        std::isfinite(end("upper"))
            ? fmt::format("the best is from {} to {}", round_down_short(end("lower"), 6),
                          round_up_short(end("upper"), 6))
            : fmt::format("the best is {} or more: nothing was proven above it", round_down_short(end("lower"), 6)));
  }
  made.page.add(std::move(list));
  if (const Json& gaps = made.body["parity_gap"]; gaps.is_array() && !gaps.empty()) {
    page::CaptionedTable table{"Gap between groups at each step", {}};
    table.table.columns = {{"step", "step", 4, page::Rounded::nearest, true}, number_column("gap")};
    for (std::size_t h = 0; h < gaps.size(); ++h) table.table.rows.push_back({std::to_string(h), number(gaps[h])});
    made.page.add(std::move(table));
  }
  if (!document.contains("policy") || !document["policy"].is_object()) return made;
  auto policy = parse_document(document["policy"].dump(), file);
  if (!policy) return input(policy.error(), file);
  if (auto* decided = std::get_if<Policy>(&*policy)) {
    const Names own = names_of(*decided);
    const auto names = names_for(*decided, model, file, own);
    if (!names) return tl::unexpected(names.error());
    add_policy(made.page, *decided, **names, room);
    made.body["policy"] = policy_json(*decided, **names);
  }
  return made;
}

}  // namespace fairstep::cli
