// fairstep policy MODEL: a policy that needs no optimising, as a file.
#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <fairstep/core/simple_policies.hpp>
#include <fairstep/core/suggest.hpp>
#include <fairstep/io/files.hpp>

#include "answers/write_document.hpp"
#include "shell/quantity.hpp"
#include "verbs.hpp"

namespace fairstep::cli {
namespace {

struct PolicyArguments {
  std::string model{};
  std::optional<double> uniform{};
  std::vector<std::string> thresholds{};
  bool accept_all = false;
  bool refuse_all = false;
  bool random = false;
  bool group_independent = false;
  std::uint64_t seed = 1;
  std::optional<std::string> file{};
};

std::string mean(const std::string& word, const std::vector<std::string>& names, const char* kind) {
  const std::vector<std::string_view> candidates(names.begin(), names.end());
  const std::string_view near = nearest(word, candidates);
  return near.empty() ? fmt::format("{}: {}", kind, fmt::join(names, ", ")) : fmt::format("did you mean {}?", near);
}

/// `x=2` is a feature by its number, as long as there are so many; anything else is one by its name. The number of
/// features stands for "none of them".
Result<std::size_t> read_feature(const std::string& text, const Names& names) {
  const bool marked = text.starts_with("x=");
  const std::string word = marked ? text.substr(2) : text;
  const auto number = parse_whole(word);
  if (marked && number && *number <= names.features.size()) return static_cast<std::size_t>(*number);
  const auto found = std::find(names.features.begin(), names.features.end(), word);
  if (found != names.features.end()) return static_cast<std::size_t>(found - names.features.begin());
  return usage(fmt::format("--threshold has \"{}\", expected a feature: by number, x=0 to x={}, or by name", text,
                           names.features.size() - 1),
               number && !marked && *number < names.features.size()
                   ? fmt::format("--threshold x={} takes it by number", word)
               : number ? fmt::format("features: {}", fmt::join(names.features, ", "))
                        : mean(word, names.features, "features"));
}

struct GroupThreshold {
  std::optional<std::size_t> group{};  ///< none: for every group not named
  Threshold threshold{};
};

/// `x=2`, `black:x=1`, `black:25`. A feature's name may hold a colon: a group is only what precedes the first one and
/// is the name of a group.
Result<GroupThreshold> read_threshold(const std::string& text, const Names& names) {
  GroupThreshold read;
  std::string feature = text;
  if (const std::size_t colon = text.find(':'); colon != std::string::npos) {
    const std::string group = text.substr(0, colon);
    const auto found = std::find(names.groups.begin(), names.groups.end(), group);
    if (found != names.groups.end()) {
      read.group = static_cast<std::size_t>(found - names.groups.begin());
      feature = text.substr(colon + 1);
    } else if (std::find(names.features.begin(), names.features.end(), text) == names.features.end()) {
      return usage(fmt::format("--threshold has the group \"{}\", which the model does not have", group),
                   mean(group, names.groups, "groups"));
    }
  }
  auto from = read_feature(feature, names);
  if (!from) return tl::unexpected(from.error());
  read.threshold.from = *from;
  return read;
}

Result<Policy> make_threshold(const Model& model, const std::vector<std::string>& texts, PolicyForm form) {
  const Names& names = model.names();
  std::optional<Threshold> others;
  std::vector<std::optional<Threshold>> of_group(names.groups.size());
  for (const std::string& text : texts) {
    const auto read = read_threshold(text, names);
    if (!read) return tl::unexpected(read.error());
    std::optional<Threshold>& slot = read->group ? of_group[*read->group] : others;
    if (slot)
      return usage(fmt::format("--threshold is given twice for {}",
                               read->group ? names.groups[*read->group] : "groups without their own"));
    slot = read->threshold;
  }
  const bool differ = std::any_of(of_group.begin(), of_group.end(), [](const auto& own) { return own.has_value(); });
  if (!differ) {
    auto policy = threshold_policy(model, *others, form);
    if (!policy) return input(policy.error());
    return *policy;
  }
  if (form == PolicyForm::group_independent)
    return usage("--group-independent and a threshold for one group contradict each other");
  std::vector<Threshold> thresholds;
  for (std::size_t g = 0; g < of_group.size(); ++g) {
    if (!of_group[g] && !others)
      return usage(
          fmt::format("--threshold is missing for {}", names.groups[g]),
          fmt::format("--threshold {}:x=..., or --threshold x=... for every group not named", names.groups[g]));
    thresholds.push_back(of_group[g] ? *of_group[g] : *others);
  }
  auto policy = threshold_policy(model, thresholds);
  if (!policy) return input(policy.error());
  return *policy;
}

Result<Policy> make_policy(const Model& model, const PolicyArguments& chosen) {
  const PolicyForm form = chosen.group_independent ? PolicyForm::group_independent : PolicyForm::per_group;
  if (!chosen.thresholds.empty()) return make_threshold(model, chosen.thresholds, form);
  if (chosen.accept_all) return accept_all(model, form);
  if (chosen.refuse_all) return refuse_all(model, form);
  if (chosen.random) return random_policy(model, chosen.seed, form);
  auto policy = uniform_policy(model, *chosen.uniform, form);
  if (!policy) return usage(policy.error());
  return *policy;
}

Result<Answer> run(const PolicyArguments& chosen) {
  const int kinds = (chosen.uniform ? 1 : 0) + (chosen.thresholds.empty() ? 0 : 1) + (chosen.accept_all ? 1 : 0) +
                    (chosen.refuse_all ? 1 : 0) + (chosen.random ? 1 : 0);
  if (kinds != 1)
    return usage(fmt::format("fairstep policy needs one of --uniform, --threshold, --accept-all, --refuse-all and "
                             "--random, {} are given",
                             kinds == 0 ? "none" : std::to_string(kinds)),
                 "see fairstep policy --help");
  const auto model = read_model(chosen.model);
  if (!model) return input(model.error(), chosen.model);
  const auto policy = make_policy(*model, chosen);
  if (!policy) return tl::unexpected(policy.error());
  return write_document(*policy, chosen.file,
                        fmt::format("next: fairstep evaluate {} {}", chosen.model, chosen.file.value_or("POLICY")));
}

}  // namespace

Verb policy_verb() {
  return {"policy",
          "make a simple policy file: uniform, threshold, random, all or none",
          "Writes a policy that needs no optimising, for comparison or as a starting point. A threshold accepts the "
          "feature it names and all that come after it. Features are named by number, counted from 0 (x=2), or by "
          "name (50); a threshold for one group has the group's name before it (black:x=1).",
          {"fairstep env fico -o fico.json", "fairstep policy fico.json --uniform 0.5 -o half.json",
           "fairstep policy fico.json --threshold x=2 -o from50.json",
           "fairstep policy fico.json --threshold 50 --threshold black:25 -o by-group.json",
           "fairstep policy fico.json --random --seed 3 --group-independent -o random.json"},
          [](Options& options) -> Action {
            auto chosen = std::make_shared<PolicyArguments>();
            options.positional("MODEL", chosen->model, "model file");
            options.number("--uniform", chosen->uniform, "accept everybody with this probability");
            options.texts("--threshold", chosen->thresholds, "[GROUP:]FEATURE",
                          "accept from this feature on; may be repeated, one for each group");
            options.flag("--accept-all", chosen->accept_all, "accept everybody");
            options.flag("--refuse-all", chosen->refuse_all, "refuse everybody");
            options.flag("--random", chosen->random, "a random probability for each group, step and feature");
            options.flag("--group-independent", chosen->group_independent,
                         "a policy that does not look at the group, good for any groups");
            options.seed(chosen->seed);
            options.output(chosen->file, "write the policy there; without it, to stdout");
            options.common();
            return [chosen](const Context&) { return run(*chosen); };
          },
          {}};
}

}  // namespace fairstep::cli
