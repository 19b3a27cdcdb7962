// The policies themselves, and what becomes of the people under them.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <fairstep/core/sha256.hpp>
#include <fairstep/evaluate/evaluate.hpp>
#include <fairstep/io/files.hpp>
#include <fairstep/report/internal/figure.hpp>
#include <fairstep/report/internal/numbers.hpp>

namespace fairstep::report {
namespace {

/// Means over repeats of what the final policies do to the population.
struct People {
  const MethodRuns* method = nullptr;
  Tensor<double, 2> qualified{};  ///< [g,h]
  Tensor<double, 3> feature{};    ///< [g,h,x]
};

Expected<Policy> policy_of(const MethodRuns& method, std::size_t r, std::size_t l) {
  const UpdateRecord& update = method.repeats[r].updates[l];
  const auto file = method.folders[r] / update.policy;
  if (!update.policy_digest.empty()) {
    const auto text = read_text_file(file);
    if (!text) return tl::unexpected(text.error());
    if (sha256(*text) != update.policy_digest)
      return fail_in_file(file, "it is not the policy of this update: its fingerprint is another",
                          "the folder was changed from outside; run it again with " + flag("restart"));
  }
  return read_policy(file);
}

Expected<People> people_under(const Setting& setting, const MethodRuns& method) {
  const Shape n = setting.model->shape();
  People made{&method, Tensor<double, 2>({n.groups, n.horizon}), Tensor<double, 3>({n.groups, n.horizon, n.features})};
  const auto weight = 1 / static_cast<double>(method.repeats.size());
  for (std::size_t r = 0; r < method.repeats.size(); ++r) {
    const auto policy = policy_of(method, r, method.repeats[r].updates.size() - 1);
    if (!policy) return tl::unexpected(policy.error());
    const auto evaluation = evaluate(*setting.model, *policy);
    if (!evaluation) return tl::unexpected(evaluation.error());
    for (std::size_t i = 0; i < made.qualified.size(); ++i)
      made.qualified.flat()[i] += weight * evaluation->rates.qualified.flat()[i];
    for (std::size_t i = 0; i < made.feature.size(); ++i)
      made.feature.flat()[i] += weight * evaluation->feature.flat()[i];
  }
  return made;
}

Panel qualification(const Setting& setting, const std::vector<People>& people, std::size_t g) {
  const std::string& group = setting.names->groups[g];
  const std::size_t horizon = setting.model->shape().horizon;
  Panel made;
  made.id = fmt::format("qualified-{}-{}", setting.id, g);
  made.chart = "people";
  made.choice = setting.name;
  made.heading = fmt::format("{} · share qualified, {}", short_name(setting), group);
  made.how =
      "First row: the share of each group that is qualified at each step, under the final policies of each method.";
  made.table.columns = {
      {"method", "method"}, {"step", "step", 0}, {"share", "share qualified"}, {"kind", ""}, {"label", ""}};
  double most = 0, least = 1;
  for (const People& under : people) {
    for (std::size_t h = 0; h < horizon; ++h) {
      made.table.rows.push_back(
          {under.method->about.label, static_cast<double>(h), under.qualified(g, h), name_of(under.method->kind), ""});
      most = std::max(most, under.qualified(g, h));
      least = std::min(least, under.qualified(g, h));
    }
    if (made.title.empty()) made.title = fmt::format("{}: from {} to", group, percent(under.qualified(g, 0)));
    made.title += fmt::format("{} {} ({})", &under == &people.front() ? "" : ",",
                              percent(under.qualified(g, horizon - 1)), under.method->about.label);
  }
  const double pad = std::max(0.02, 0.15 * (most - least));
  made.table.grouped = true;
  made.parameters = {{"yTitle", std::string("share qualified")}, {"yMin", least - pad}, {"yMax", most + pad}};
  return made;
}

/// How far the groups are apart in the share that is qualified.
Panel difference(const Setting& setting, const std::vector<People>& people) {
  const Shape n = setting.model->shape();
  Panel made;
  made.id = "apart-" + setting.id;
  made.chart = "people";
  made.choice = setting.name;
  made.heading = short_name(setting) + " · share qualified, difference";
  made.how = "The widest difference between two groups at each step: what becomes of inequality.";
  made.table.columns = {{"method", "method"}, {"step", "step", 0}, {"share", "difference"}, {"kind", ""}};
  double most = 0;
  for (const People& under : people) {
    double last = 0;
    for (std::size_t h = 0; h < n.horizon; ++h) {
      double low = 1, high = 0;
      for (std::size_t g = 0; g < n.groups; ++g) {
        low = std::min(low, under.qualified(g, h));
        high = std::max(high, under.qualified(g, h));
      }
      last = high - low;
      most = std::max(most, last);
      if (h == 0 && made.title.empty()) made.title = fmt::format("Groups: {} apart at first,", percent(last));
      made.table.rows.push_back({under.method->about.label, static_cast<double>(h), last, name_of(under.method->kind)});
    }
    made.title +=
        fmt::format("{} {} ({})", &under == &people.front() ? " then" : ",", percent(last), under.method->about.label);
  }
  made.table.grouped = true;
  made.parameters = {{"yTitle", std::string("difference")}, {"yMin", 0.0}, {"yMax", std::max(0.01, 1.1 * most)}};
  return made;
}

Panel features(const Setting& setting, const People& under, std::size_t g) {
  const std::string& group = setting.names->groups[g];
  const Shape n = setting.model->shape();
  Panel made;
  made.id = fmt::format("features-{}-{}-{}", setting.id, name_of(under.method->kind), g);
  made.chart = "features";
  made.choice = setting.name;
  made.heading = fmt::format("{} · {}, {}", short_name(setting), under.method->about.label, group);
  made.how =
      "Other rows: the share of a group with each feature, step by step; the feature stands at the end of its line.";
  made.table.columns = {{"feature", "feature"}, {"step", "step", 0}, {"share", "share"},
                        {"level", ""},          {"label", ""},       {"label_at", ""}};
  std::size_t moved = 0;
  double most = 0;
  std::vector<double> ends;
  for (std::size_t x = 0; x < n.features; ++x) {
    for (std::size_t h = 0; h < n.horizon; ++h) most = std::max(most, under.feature(g, h, x));
    ends.push_back(under.feature(g, n.horizon - 1, x));
  }
  const std::vector<double> label_at = spread(ends, 0.07 * most);
  for (std::size_t x = 0; x < n.features; ++x) {
    for (std::size_t h = 0; h < n.horizon; ++h) {
      made.table.rows.push_back({setting.names->features[x], static_cast<double>(h), under.feature(g, h, x),
                                 static_cast<double>(x) / static_cast<double>(std::max<std::size_t>(1, n.features - 1)),
                                 h + 1 == n.horizon ? setting.names->features[x] : "", label_at[x]});
    }
    const auto change = [&](std::size_t i) {
      return std::abs(under.feature(g, n.horizon - 1, i) - under.feature(g, 0, i));
    };
    if (change(x) > change(moved)) moved = x;
  }
  made.title = fmt::format("Feature {} moves most, from {} to {}", setting.names->features[moved],
                           percent(under.feature(g, 0, moved)), percent(under.feature(g, n.horizon - 1, moved)));
  made.table.grouped = true;
  made.parameters = {{"yTitle", std::string("share")}, {"yMin", 0.0}, {"yMax", 1.1 * most}};
  return made;
}

}  // namespace

Expected<Group> population(const Evidence& evidence) {
  Group group{"people", "What becomes of the people", "", {}, {}, 3};
  group.text =
      "Decisions change the people they are about: who is accepted tends to rise. Exact shares under the true model, "
      "means over the final policies of all repeats; one setting at a time.";
  for (const Setting& setting : evidence.settings) {
    if (group.legend.empty()) {
      group.legend = side_by_side_legend(evidence.settings);
    }
    std::vector<People> people;
    for (const MethodRuns* method : side_by_side(setting)) {
      auto under = people_under(setting, *method);
      if (!under) return tl::unexpected(under.error());
      people.push_back(std::move(*under));
    }
    const std::size_t groups = setting.model->shape().groups;
    for (std::size_t g = 0; g < groups; ++g) {
      group.panels.push_back(qualification(setting, people, g));
      group.panels.back().first = g == 0;
    }
    group.panels.push_back(difference(setting, people));
    for (std::size_t g = 0; g < groups; ++g)
      for (const People& under : people) {
        group.panels.push_back(features(setting, under, g));
        group.panels.back().first = &under == &people.front();
      }
  }
  return group;
}

Expected<std::vector<PolicyTable>> policies(const Evidence& evidence) {
  std::vector<PolicyTable> made;
  for (const Setting& setting : evidence.settings) {
    std::vector<const MethodRuns*> methods = side_by_side(setting);
    if (const MethodRuns* literal = setting.find(Kind::literal)) methods.push_back(literal);
    for (const MethodRuns* method : methods) {
      const Shape n = setting.model->shape();
      PolicyTable table{setting.id,
                        setting.name,
                        name_of(method->kind),
                        method->about.label,
                        setting.names->groups,
                        setting.names->features,
                        {},
                        {},
                        {},
                        n.horizon};
      for (const std::size_t l : thinned(method->repeats[0].updates.size(), 40)) {
        const auto policy = policy_of(*method, 0, l);
        if (!policy) return tl::unexpected(policy.error());
        if (auto fits = policy->check_fits(*setting.model); !fits) return tl::unexpected(fits.error());
        table.k.push_back(method->repeats[0].updates[l].k);
        table.violation.push_back(method->repeats[0].updates[l].violation);
        std::vector<double> accept;
        for (std::size_t g = 0; g < n.groups; ++g)
          for (std::size_t h = 0; h < n.horizon; ++h)
            for (std::size_t x = 0; x < n.features; ++x) accept.push_back(policy->accept(g, h, x));
        table.accept.push_back(std::move(accept));
      }
      made.push_back(std::move(table));
    }
  }
  return made;
}

}  // namespace fairstep::report
