// Days of decisions, one after the other, held against a limit or a certificate. Every day is a look, and looking costs
// nothing: that a claim which is true on all days is ever called refuted, however many days there are, has probability
// at most delta for all claims together.
//
// A *day* is whatever is added at once: a file or several, of a day, a week or a quarter. docs/monitor.md
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fairstep/audit/audit.hpp>
#include <fairstep/core/counts.hpp>
#include <fairstep/core/error.hpp>
#include <fairstep/core/fairness.hpp>
#include <fairstep/core/model.hpp>
#include <fairstep/core/tensor.hpp>
#include <fairstep/core/words.hpp>
#include <fairstep/monitor/bets.hpp>
#include <fairstep/monitor/certified.hpp>

namespace fairstep {

/// A file by its content.
struct FileDigest {
  std::string file{}, sha256{};

  friend bool operator==(const FileDigest&, const FileDigest&) = default;
};

/// What is asked of all days: it stands at the start and does not change.
struct MonitorQuestion {
  std::vector<std::string> groups{}, labels{}, actions{};
  std::size_t horizon = 0;
  std::int64_t first_step = 0;  ///< the logs' number of step 0
  bool steps_given = false;     ///< somebody said so; otherwise they are those of the first day
  std::vector<Notion> notions{Notion::dp};
  std::optional<double> limit{};  ///< on the gap of each notion at each step
  double delta = 0.05;
  std::optional<FileDigest> certificate{};
  /// How logs are read, in the words of whoever reads them: options and their values.
  std::vector<std::pair<std::string, std::vector<std::string>>> reading{};

  friend bool operator==(const MonitorQuestion&, const MonitorQuestion&) = default;
};

/// What a claim is part of.
enum class ClaimKind {
  limit,             ///< a gap is at most the limit
  certified_gap,     ///< a gap is at most what is certified
  certified_rate,    ///< a rate is within its certified ends
  certified_policy,  ///< people with a feature are accepted with the probability of the certified policy
};
template <>
inline constexpr auto kWords<ClaimKind> = words<ClaimKind>({{ClaimKind::limit, "limit"},
                                                            {ClaimKind::certified_gap, "certified-gap"},
                                                            {ClaimKind::certified_rate, "certified-rate"},
                                                            {ClaimKind::certified_policy, "certified-policy"}});

/// On every day a rate of the first group is at most `bound` above that of the second; or, without a second, at most
/// `bound`, or at least.
struct Claim {
  ClaimKind kind{};
  Rate rate{};
  std::size_t step = 0;
  std::size_t first = 0;                 ///< group
  std::optional<std::size_t> second{};   ///< group
  std::optional<std::size_t> feature{};  ///< of a policy: those with it
  bool at_least = false;                 ///< the bound is the lower end
  double bound = 0;
  double alarm_at = 0;  ///< the logarithm of the capital that refutes it

  friend bool operator==(const Claim&, const Claim&) = default;
};

/// All that are made, each with its share of delta. Claims that no data could refute are left out. An error if there
/// are none, or too many.
[[nodiscard]] Expected<std::vector<Claim>> claims_of(const MonitorQuestion& question, const Certified* certified);

/// What an alarm says: `step 3: white was accepted more often than black, by more than 0.05`.
[[nodiscard]] std::string in_words(const Claim& claim, const MonitorQuestion& question, const Certified* certified);

/// What all alarms rest on, a sentence each.
[[nodiscard]] std::vector<std::string> assumptions_of(const MonitorQuestion& question);

/// What was seen at each step of each group.
struct RateTallies {
  Rate rate{};
  Tensor<Tally, 2> steps{};  ///< [g,h]

  friend bool operator==(const RateTallies&, const RateTallies&) = default;
};

struct MonitorDay {
  std::size_t number = 1;  ///< 1, 2, ...
  std::string date{};      ///< as it was given; may be empty
  std::string before{};    ///< fingerprint of the file before, which for the first is that of the question
  std::vector<FileDigest> logs{};
  std::int64_t rows = 0, lost_rows = 0;
  std::vector<std::int64_t> people{};  ///< [g] whose first row is in these logs
  std::vector<RateTallies> rates{};
  Tensor<Tally, 3> by_feature{};      ///< [g,h,x] of all people; empty without a certificate
  std::vector<std::size_t> alarms{};  ///< claims that this day refuted, by their number

  friend bool operator==(const MonitorDay&, const MonitorDay&) = default;
};

/// The rates that claims need.
[[nodiscard]] std::vector<Rate> rates_of(const std::vector<Claim>& claims);

/// What a day's counts say; an error if they do not go with the question, or if it is not known how much is missing.
[[nodiscard]] Expected<MonitorDay> day_of(const Counts& counts, std::int64_t lost_rows, const MonitorQuestion& question,
                                          const std::vector<Claim>& claims, const Certified* certified);

/// How a claim stands after some days.
struct Standing {
  double log_evidence = 0;             ///< against it: the logarithm of the capital
  double highest = 0;                  ///< that there ever was after a day
  std::optional<std::size_t> alarm{};  ///< the number of the day that refuted it
};

/// Plays day after day.
class Ledger {
 public:
  explicit Ledger(const std::vector<Claim>& claims);
  /// Claims that this day refutes, and none before did; the day's own alarms are not looked at.
  [[nodiscard]] std::vector<std::size_t> play(const MonitorDay& day);
  [[nodiscard]] const std::vector<Standing>& standings() const { return standings_; }
  /// The record says that this day refuted it.
  void record(std::size_t claim, std::size_t day) { standings_[claim].alarm = day; }

 private:
  std::vector<Claim> claims_;
  std::vector<PairBets> pairs_{};    ///< of claims about two groups, in their order
  std::vector<RateBets> singles_{};  ///< of the others
  std::vector<Standing> standings_{};
};

}  // namespace fairstep
