#include "options/constraint_options.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include <fairstep/core/suggest.hpp>
#include <fairstep/io/files.hpp>

#include "shell/quantity.hpp"

namespace fairstep::cli {
namespace {

constexpr std::string_view kNone = "none";

constexpr const char* kExpected = "dp, eqopt, eqodds, dp-ratio, eqopt-ratio, none or a file";

bool is_notion(std::string_view word) { return word == kNone || named<Notion>(word) || named<RatioNotion>(word); }

auto notions_and_none() {
  std::array<std::string_view, kWords<Notion>.size() + kWords<RatioNotion>.size() + 1> words{};
  std::ranges::copy(all_names<RatioNotion>(), std::ranges::copy(all_names<Notion>(), words.begin()).out);
  words.back() = kNone;
  return words;
}

/// The words between commas, unless the whole is one notion or one file.
Result<std::vector<std::string>> words_of(const std::vector<std::string>& given) {
  std::vector<std::string> words;
  for (const std::string& text : given) {
    std::error_code ignored;
    if (is_notion(text) || std::filesystem::exists(text, ignored)) {
      words.push_back(text);
      continue;
    }
    auto parts = split_list(text);
    if (!parts) return usage(fmt::format("--fairness is \"{}\", expected {}", text, kExpected));
    std::move(parts->begin(), parts->end(), std::back_inserter(words));
  }
  return words;
}

bool looks_like_a_file(const std::string& word) {
  std::error_code ignored;
  return word.find_first_of("./") != std::string::npos || std::filesystem::exists(word, ignored);
}

}  // namespace

Result<std::size_t> group_called(std::string_view option, const std::string& name, const Model& model) {
  return group_called(option, name, model.names());
}

Result<std::size_t> group_called(std::string_view option, const std::string& name, const Names& names) {
  const auto& groups = names.groups;
  const auto found = std::find(groups.begin(), groups.end(), name);
  if (found != groups.end()) return static_cast<std::size_t>(found - groups.begin());
  const std::vector<std::string_view> known(groups.begin(), groups.end());
  return usage(fmt::format("{} is \"{}\", expected {}", option, name, alternatives(known)), did_you_mean(name, known));
}

void ConstraintOptions::declare(Options& options, bool with_limits) {
  options.texts(
      "--fairness", notions, "dp,eqopt,eqodds,dp-ratio,eqopt-ratio|none|FILE",
      "gaps by demographic parity, equal opportunity, equalized odds; ratios of accepted shares, of all or of "
      "the qualified; several of them with commas; none; or a fairness file");
  if (with_limits) {
    options.number(
        "--limit", limit,
        fmt::format("how far apart two groups may be at any step, or for a ratio, the least that any group's "
                    "rate may be beside the greatest (default {}, or {})",
                    kDefaultLimit, kFourFifths));
    options.numbers("--limit-per-step", limit_per_step, "the same with a limit for each step");
  }
  options.text("--reference", reference, "GROUP",
               "for a ratio: the group that others are measured by (default whichever is treated best)");
  options.number("--capacity", capacity, "at most this share of all people is accepted at each step");
  options.number("--aggregate-dp", aggregate_dp,
                 "limit on the gap between the groups' accepted shares, over the whole episode");
  options.number("--aggregate-eqopt", aggregate_eqopt,
                 "limit on the gap between the groups' accepted shares of the qualified, over the whole episode");
  options.number("--floor", policies.floor, "least probability of an action, whoever the person is");
  options.choice("--floor-kind", policies.floor_kind, "floor on both actions or on accepting");
  options.count(
      "--min-seen", policies.min_seen,
      "of an estimated model: decisions that the log has less often, of people of the group with the feature, "
      "are not taken");
  options.flag("--group-independent", policies.group_independent, "the policy may not look at the group");
  options.flag("--monotone", policies.monotone, "who has a higher feature is never accepted less often");
  options.flag("--threshold", policies.threshold,
               "monotone, and at each step tossing coins at one feature at most: a cut for each group");
  options.flag("--stationary", policies.stationary, "the same rule at every step");
  options.texts("--order", policies.order, "LOWEST,...,HIGHEST",
                "how the features rise, for --monotone and --threshold (default as the model has them)");
  options.count("--monotone-in", policies.monotone_in,
                "features made of several columns: those are compared that differ in this one alone, counted from 1; "
                "0: whole names");
}

Result<Fairness> ConstraintOptions::fairness(const std::string& verb, const Model& model, bool optional) const {
  return fairness(verb, model.names(), model.shape(), optional);
}

Result<Fairness> ConstraintOptions::fairness(const std::string& verb, const Names& names, const Shape& shape,
                                             bool optional) const {
  if (notions.empty() && !optional)
    return usage(fmt::format("fairstep {} needs --fairness", verb),
                 "--fairness dp, eqopt, eqodds, dp-ratio, eqopt-ratio, none, or a fairness file");
  if (limit && !limit_per_step.empty())
    return usage("--limit and --limit-per-step are both given, expected one of them");
  const auto words = words_of(notions);
  if (!words) return tl::unexpected(words.error());
  std::optional<std::size_t> measured_by;
  if (reference) {
    auto found = group_called("--reference", *reference, names);
    if (!found) return tl::unexpected(found.error());
    measured_by = *found;
  }
  bool ratios = false;
  Fairness result;
  bool gaps = false, none = false;
  const auto limits = [&](double usual) {
    return limit_per_step.empty() ? std::vector{limit.value_or(usual)} : limit_per_step;
  };
  for (const std::string& word : *words) {
    if (word == kNone) {
      none = true;
    } else if (const auto notion = named<Notion>(word)) {
      gaps = true;
      if (std::any_of(result.parity.begin(), result.parity.end(), [&](const auto& p) { return p.notion == *notion; }))
        return usage(fmt::format("--fairness names {} twice, expected once", word));
      result.parity.push_back({*notion, limits(kDefaultLimit)});
    } else if (const auto ratio = named<RatioNotion>(word)) {
      if (std::any_of(result.ratios.begin(), result.ratios.end(), [&](const auto& r) { return r.notion == *ratio; }))
        return usage(fmt::format("--fairness names {} twice, expected once", word));
      ratios = true;
      result.ratios.push_back({*ratio, limits(kFourFifths), measured_by});
    } else if (looks_like_a_file(word)) {
      auto read = read_fairness(word, names, shape);
      if (!read) return input(read.error(), word);
      append(result, std::move(*read));
    } else {
      return usage(fmt::format("--fairness is \"{}\", expected {}", word, kExpected),
                   did_you_mean(word, notions_and_none()));
    }
  }
  if (none && words->size() > 1) return usage("--fairness none stands alone, but others are given with it");
  const bool given = limit || !limit_per_step.empty();
  const std::string_view by = limit ? "--limit" : "--limit-per-step";
  if (given && !gaps && !ratios)
    return usage(fmt::format("{} is given, but no notion that it would limit", by),
                 "--fairness dp, eqopt, eqodds, dp-ratio or eqopt-ratio; a fairness file has limits of its own");
  if (given && gaps && ratios)
    return usage(fmt::format("{} is given for gaps and for ratios, which it cannot both be meant for", by),
                 "name one of them, or give limits in a fairness file");
  if (reference && !ratios)
    return usage("--reference is given, but no ratio that it would be for",
                 "--fairness dp-ratio or eqopt-ratio; a fairness file has references of its own");
  if (capacity) result.capacity = Capacity{{*capacity}};
  if (aggregate_dp) result.aggregate_dp = aggregate_dp;
  if (aggregate_eqopt) result.aggregate_eqopt = aggregate_eqopt;
  // A file has been checked by its reader, so what is wrong now came from the options.
  if (auto ok = check(result, shape); !ok)
    return input(limit_per_step.empty() ? ok.error() : renamed(ok.error(), "limit", "limit_per_step"));
  return result;
}

std::string gap_of(const std::string& notion) {
  if (notion == "dp") return "demographic-parity gap";
  if (notion == "eqopt") return "equal-opportunity gap";
  if (const EpisodeLimit* whole = episode_limit_called(notion))
    return gap_of(name_of(whole->notion)) + " over the episode";
  if (notion.starts_with("eqodds")) return "equalized-odds gap" + notion.substr(6);  // "eqodds, y=1"
  if (const auto ratio = named<RatioNotion>(notion)) return in_words(*ratio);
  return notion;
}

}  // namespace fairstep::cli
