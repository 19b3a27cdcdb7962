#include <fairstep/core/grounds.hpp>

#include <algorithm>
#include <array>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <fairstep/core/axes.hpp>
#include <fairstep/core/rounding.hpp>
#include <fairstep/core/shared/checks.hpp>
#include <fairstep/core/shared/text.hpp>

namespace fairstep {
namespace {

constexpr std::int64_t kMostSeen = std::numeric_limits<std::int64_t>::max();

Expected<void> check_per_group(const std::vector<std::int64_t>& counts, const std::string& key,
                               const std::vector<std::string>& groups) {
  if (counts.size() != groups.size())
    return fail(fmt::format("rests_on.{} has size {}, expected {}", key, counts.size(), groups.size()),
                "/rests_on/" + key);
  std::int64_t total = 0;
  for (std::size_t g = 0; g < counts.size(); ++g) {
    if (counts[g] < 0)
      return fail(fmt::format("rests_on.{}[g={}] is {}, expected a count of 0 or more", key, groups[g], counts[g]),
                  fmt::format("/rests_on/{}/{}", key, g));
    if (__builtin_add_overflow(total, counts[g], &total))
      return fail(fmt::format("rests_on.{} adds up to more than {}, the greatest count", key, kMostSeen),
                  "/rests_on/" + key);
  }
  return {};
}

Expected<void> check_cells(const Tensor<std::int64_t, 4>& counts, const std::string& key, const Shape& shape,
                           const std::vector<std::string>& groups) {
  return internal::check_tally({"rests_on", key, groups}, counts, kCellAxes, shape);
}

Expected<void> check_successor_sizes(const ByPeriod<std::int64_t, 4>& successors, const Shape& shape,
                                     const std::vector<std::string>& groups) {
  const internal::Field field("rests_on", "successors", groups);
  return internal::check_by_period(
      field, successors, kCellAxes, shape, shape.periods > 1,
      [&](const auto& table, const auto& axes) { return internal::check_tally(field, table, axes, shape); });
}

/// Each next state was that of a decision, and each decision has a reward; no row is a guess that may be none.
Expected<void> check_successors(const Grounds& grounds, const Shape& shape, const std::vector<std::string>& groups) {
  const internal::Field field("rests_on", "successors", groups);
  for (std::size_t g = 0; g < shape.groups; ++g)
    for (std::size_t cell = 0; cell < shape.cells(); ++cell) {
      const std::int64_t rewards = grounds.rewards.block(g)[cell];
      const std::size_t x = cell / (kLabels * kActions);
      const std::size_t y = cell / kActions % kLabels;
      const std::size_t a = cell % kActions;
      std::int64_t all = 0;
      for (std::size_t k = 0; k < shape.periods; ++k) {
        const std::int64_t seen = grounds.successors.of(g, k)[cell];
        all += seen;
        const auto fail_here = [&](const std::string& what) {
          if (shape.periods == 1) return internal::fail_at(field, kCellAxes, std::array{g, x, y, a}, what);
          return internal::fail_at(field, with_periods(kCellAxes), std::array{g, k, x, y, a}, what);
        };
        if (all > rewards && !grounds.labels)
          return fail_here(fmt::format("{} {}, expected at most {} (the rewards seen there: each decision has one)",
                                       k == 0 ? "is" : "and those of earlier periods add up to", all, rewards));
        if (seen == 0 && grounds.unvisited == Unvisited::error)
          return fail_here("is 0 under the rule \"error\", expected at least 1");
      }
    }
  return {};
}

Expected<void> check_log(const LogGrounds& log) {
  for (const auto& [key, count] : {std::pair{"rows", log.rows},
                                   {"lost", log.lost},
                                   {"imputed", log.imputed},
                                   {"unlabelled", log.unlabelled},
                                   {"excluded", log.excluded},
                                   {"unrecorded_people", log.unrecorded_people}})
    if (count < 0)
      return fail(fmt::format("rests_on.log.{} is {}, expected a count of 0 or more", key, count),
                  fmt::format("/rests_on/log/{}", key));
  if (log.imputed > 0 && log.censoring != Censoring::ignorable)
    return fail(fmt::format("rests_on.log.imputed is {} with labels censored \"{}\", expected 0", log.imputed,
                            name_of(log.censoring)),
                "/rests_on/log/imputed");
  return {};
}

Expected<void> check_labels(const LabelGrounds& labels, const Shape& shape, const std::vector<std::string>& groups) {
  if (auto ok = check(labels.assumption.refused); !ok) {
    Error error = ok.error();
    error.pointer = "/rests_on/labels/refused";
    return tl::unexpected(std::move(error));
  }
  if (auto ok = internal::check_tally({"rests_on/labels", "seen", groups}, labels.seen, kFeatureAxes, shape); !ok)
    return ok;
  return internal::check_tally({"rests_on/labels", "unseen", groups}, labels.unseen, kFeatureAxes, shape);
}

/// A decision without a label is not lost altogether: it is counted apart, or its label is drawn.
bool is_lost_row(const Finding& finding) {
  return is_lost(finding.anomaly) && !(finding.anomaly == Anomaly::missing && finding.role == "y");
}

/// What a count cannot hold is said as the greatest one.
void add_up(std::int64_t& total, std::int64_t n) {
  if (__builtin_add_overflow(total, n, &total)) total = kMostSeen;
}

/// `1 row`, `2,400 rows`
std::string amount(std::int64_t n, const char* one, const char* many) {
  return fmt::format("{} {}", internal::with_thousands(n), n == 1 ? one : many);
}

/// Which labels were assumed, and how many of them.
void say_labels(const LabelGrounds& labels, std::vector<std::string>& sentences) {
  sentences.push_back(labels_follow_features_in_words() + " (an assumption)");
  std::int64_t unseen = 0;
  for (const std::int64_t n : labels.unseen.flat()) add_up(unseen, n);
  if (unseen > 0)
    sentences.push_back(fmt::format("{} had no label: {}{}", amount(unseen, "decision", "decisions"),
                                    in_words(labels.assumption.refused),
                                    in_words(labels.assumption.refused, labels.point)));
  const auto seen = labels.seen.flat();
  if (const auto none = std::count(seen.begin(), seen.end(), 0); none > 0)
    sentences.push_back(
        fmt::format("in {} no label was seen: the share of the qualified there is a guess",
                    amount(none, "combination of group and feature", "combinations of group and feature")));
}

/// ` (1.6 %)`, rounded up; nothing where there is no whole.
std::string share_of(std::int64_t part, std::int64_t whole) {
  if (whole < 1) return {};
  return fmt::format(" ({} %)", round_up_percent(static_cast<double>(part) / static_cast<double>(whole), 1));
}

}  // namespace

Expected<void> check(const Grounds& grounds, const Shape& shape, const std::vector<std::string>& groups) {
  if (auto ok = check_per_group(grounds.people, "people", groups); !ok) return ok;
  if (auto ok = check_per_group(grounds.first, "first", groups); !ok) return ok;
  for (std::size_t g = 0; g < groups.size(); ++g)
    if (grounds.first[g] > grounds.people[g])
      return fail(fmt::format("rests_on.first[g={}] is {}, expected at most {} (its people)", groups[g],
                              grounds.first[g], grounds.people[g]),
                  fmt::format("/rests_on/first/{}", g));
  if (auto ok = check_successor_sizes(grounds.successors, shape, groups); !ok) return ok;
  if (auto ok = check_cells(grounds.rewards, "rewards", shape, groups); !ok) return ok;
  if (auto ok = check_successors(grounds, shape, groups); !ok) return ok;
  if (grounds.gaps < 0)
    return fail(fmt::format("rests_on.gaps is {}, expected a count of 0 or more", grounds.gaps), "/rests_on/gaps");
  if (grounds.labels)
    if (auto ok = check_labels(*grounds.labels, shape, groups); !ok) return ok;
  if (grounds.log) return check_log(*grounds.log);
  return {};
}

std::size_t guessed_rows(const Grounds& grounds) {
  const auto seen = grounds.successors.all();
  return static_cast<std::size_t>(std::count(seen.begin(), seen.end(), 0));
}

LogGrounds grounds_of(const LogRecord& record) {
  LogGrounds log;
  log.rows = record.rows;
  log.censoring = record.censoring;
  log.imputed = record.imputed;
  log.unrecorded_people = record.unrecorded_people;
  for (const std::int64_t n : record.unlabelled.flat()) add_up(log.unlabelled, n);
  for (const Excluded& group : record.excluded) add_up(log.excluded, group.rows);
  for (const Finding& finding : record.findings) {
    if (is_lost_row(finding)) add_up(log.lost, finding.rows);
    if (finding.anomaly == Anomaly::malformed) add_up(log.rows, finding.rows);  // these are not among the rows read
  }
  return log;
}

std::vector<std::string> caveats(const Grounds& grounds, const std::vector<std::string>& groups) {
  std::vector<std::string> sentences;
  std::vector<std::string> guessed;
  for (std::size_t g = 0; g < groups.size(); ++g)
    if (grounds.first[g] == 0) guessed.push_back(groups[g]);
  if (!guessed.empty())
    sentences.push_back(fmt::format("no first state of {} was seen: it is taken as uniform", fmt::join(guessed, ", ")));
  if (grounds.labels) say_labels(*grounds.labels, sentences);
  if (grounds.rewards_given)
    sentences.emplace_back("rewards were given, or lowered on purpose, and not estimated: values are about these");
  if (grounds.gaps > 0)
    sentences.push_back(fmt::format("who takes part is estimated as if {} after a gap were of somebody who joins there",
                                    amount(grounds.gaps, "decision", "decisions")));
  if (!grounds.log) return sentences;
  const LogGrounds& log = *grounds.log;
  if (log.imputed > 0)
    sentences.push_back(
        fmt::format("{} drawn, as if within a group and feature the refused were like the accepted "
                    "(assume-ignorable); no number says whether that is so",
                    amount(log.imputed, "label was", "labels were")));
  if (log.unlabelled > 0 && !grounds.labels)
    sentences.push_back(
        fmt::format("{} of the log had no label and {} left out: all that involves labels is about those "
                    "whose label was seen",
                    amount(log.unlabelled, "decision", "decisions"), log.unlabelled == 1 ? "is" : "are"));
  if (log.lost > 0)
    sentences.push_back(fmt::format("{} of the log's {} could not be used{}", internal::with_thousands(log.lost),
                                    amount(log.rows, "row", "rows"), share_of(log.lost, log.rows)));
  if (log.excluded > 0)
    sentences.push_back(fmt::format("{} of the log {} of groups that were put outside of the study",
                                    amount(log.excluded, "row", "rows"), log.excluded == 1 ? "is" : "are"));
  if (log.unrecorded_people > 0)
    sentences.push_back(fmt::format("{} without a record of their log: nobody knows what was left out there",
                                    amount(log.unrecorded_people, "person came", "people came")));
  return sentences;
}

}  // namespace fairstep
