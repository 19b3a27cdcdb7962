// What learning runs, sweeps of limits and experiments leave on disk: written by whoever makes them, and read back for
// whoever goes on with them or tells about them.
//
// These are results that the program itself wrote. What a reader needs must be there and of the right kind; keys that
// it does not know are left alone, so that a newer program may say more. What JSON says with null (no bound, nothing to
// divide by) is NaN here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fairstep/core/error.hpp>
#include <fairstep/core/fairness.hpp>
#include <fairstep/core/policy.hpp>

namespace fairstep {

/// Of one method in one setting. A file that says more was not written by an experiment.
inline constexpr std::uint64_t kMostRepeats = 100'000;
/// Of all settings and methods.
inline constexpr std::uint64_t kMostRuns = 1'000'000;

inline constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

/// An estimate and its 95 % interval.
struct Measured {
  double mean = 0, low = 0, high = 0;
};

/// A policy tried out on simulated people.
struct Trial {
  std::uint64_t people = 0;   ///< of each group
  Measured value{};           ///< total reward of a random person; normal interval, groups drawn apart
  Measured violation{};       ///< step-average gap; its interval adds up those of the steps, so it is wide
  std::vector<double> gap{};  ///< [h] observed; NaN if fewer than two groups had anybody
};

/// What safe mode did at an update.
struct Safety {
  bool fallback = false;            ///< everybody is treated alike: nothing better could be guaranteed
  double mixed = 1;                 ///< weight of the policy found; the rest goes to treating everybody alike
  double doubt_scale = 0;           ///< how much of the linear doubt the policy was asked to bear
  std::vector<double> worst_gap{};  ///< [h] the gap is at most this under every population that the data allow
};

/// value ~ exp(intercept) k^slope, by least squares on a log-log scale. Values that are not positive, or infinite, have
/// no logarithm: they are left out, and said so.
struct PowerFit {
  double slope = 0, intercept = 0;  ///< NaN with fewer than two points
  std::size_t points = 0;
  std::vector<std::uint64_t> omitted{};  ///< k of those left out
};

/// One update of a learning run.
struct UpdateRecord {
  std::uint64_t k = 0;
  std::string policy{};                               ///< its file, seen from the run's folder
  std::optional<Policy> decided{};                    ///< the policy itself, where there is no folder
  double value = kUnknown, violation = kUnknown;      ///< exact, under the true model
  double regret = kUnknown, regret_bound = kUnknown;  ///< per step; against what the oracle attained, and proved
  std::vector<double> dp{}, eqopt{}, eqodds{};        ///< [h] gaps under the true model
  std::vector<double> ratio{};                        ///< [h] the least, if a ratio is limited
  std::vector<double> limit{}, relaxation{};          ///< [h]
  std::vector<std::size_t> vacuous{};                 ///< steps at which the relaxation is 1 or more
  std::vector<double> estimated_gap{};                ///< [h] under the estimate
  double floor = kUnknown, epsilon = kUnknown, bonus_max = kUnknown;
  std::size_t unvisited = 0;
  double lower = kUnknown, upper = kUnknown;  ///< of the solve
  double gap_to_bound = kUnknown;             ///< relative; unknown if nothing was proven
  std::string outcome{}, stopped_by{};
  std::optional<Safety> safety{};
  std::optional<Trial> trial{};
  double reference_regret = kUnknown, reference_violation = kUnknown;

  [[nodiscard]] const std::vector<double>& gap(Notion notion) const {
    return notion == Notion::dp ? dp : notion == Notion::eqopt ? eqopt : eqodds;
  }

  /// SHA-256 of the files of the policy, of the counts and of the update before, and of the record up to here; empty
  /// where there is no folder, or if an older version wrote it.
  std::string policy_digest{}, counts_digest{}, before_digest{}, digest{};
};

/// fairstep/run/1, the result.json of a run.
struct RunRecord {
  bool finished = false, safe = false;
  bool sealed = false;  ///< it has a fingerprint, which is right; older versions wrote none
  std::vector<std::string> groups{};
  std::string relaxation{};  ///< literal, scaled, scaled-width or tight
  std::string oracle{};      ///< how the search for the best fair policy ended
  double oracle_lower = kUnknown, oracle_upper = kUnknown;
  PowerFit regret{}, violation{};  ///< over k
  std::vector<UpdateRecord> updates{};
};

/// fairstep/pareto/1: the best value over a range of limits.
struct FrontierPoint {
  double limit = kUnknown;
  std::string outcome{};
  double value = kUnknown, lower = kUnknown, upper = kUnknown;
  std::vector<double> parity_gap{}, shadow_price{};  ///< [h]; empty where there is no policy
};
struct FrontierRecord {
  std::vector<FrontierPoint> points{};
  bool sealed = false;
};

/// fairstep/experiment-run/1: the grid of runs that an experiment is made of.
struct ExperimentRecord {
  struct Environment {
    std::string name{}, label{};
    std::string source{};        ///< a ready-made population, or the file that it came from
    std::string model_sha256{};  ///< of its file below models/; empty if an older version wrote none
  };
  struct Method {
    std::string id{}, label{};
    std::string method{};                ///< constrained, unconstrained or penalty
    double lambda = kUnknown;            ///< of a penalty
    std::string penalty_form{};          ///< rate or cross
    std::vector<std::string> notions{};  ///< that it runs under; empty: all
    std::string relaxation{};            ///< its own, where it differs from the experiment's
    double bonus_scale = kUnknown;
    std::map<std::string, double> relaxation_scale{};  ///< by notion
  };

  bool sealed = false;  ///< it has a fingerprint, which is right; then its models and runs must have one, too
  std::string name{}, version{}, relaxation{}, floor_kind{}, unvisited{};
  std::uint64_t seed = 0, people_per_episode = 0, evaluation_episodes = 0;
  std::size_t repeats = 0, horizon = 0;
  double delta = kUnknown, certificate_gap = kUnknown, certificate_seconds = kUnknown;
  double certificate_effort = kUnknown;    ///< what a solve may spend on its proof
  double certificate_last_gap = kUnknown;  ///< of the last updates, where that is another
  bool people_by_share = false, discounted_limits = false, group_independent = false;
  std::vector<std::uint64_t> schedule{};
  std::vector<Environment> environments{};
  std::vector<std::string> notions{};
  std::vector<Method> methods{};
};

/// oracles.json: what the theorems ask of the best fair policies on the true populations, as far as it was looked at.
struct OracleRecord {
  std::string environment{}, fairness{};
  double kernel_least = kUnknown, policy_least = kUnknown, policy_at_ends = kUnknown;
};
struct OraclesRecord {
  std::vector<OracleRecord> oracles{};
};

/// fairstep/experiment-timing/1: how long an experiment took, which no result depends on.
struct TimingRecord {
  double seconds = kUnknown;
  std::uint64_t threads = 0, runs = 0, solves = 0;
  std::uint64_t solves_made = 0;  ///< in these seconds: fewer than all if the experiment was done in several goes
  std::uint64_t certified = 0;    ///< solves that are proven to the gap
  std::uint64_t cut = 0;          ///< solves that the time limit ended
  double worst_gap = kUnknown;    ///< of all solves
  std::vector<std::pair<std::string, double>> seconds_of_runs{};  ///< by folder; not read back
};

/// An update's file. A policy that is in no file is part of it: that is an answer, which is not read back.
[[nodiscard]] std::string to_text(const UpdateRecord& update);
/// Nothing in it depends on the clock. Without a seal: an answer has none.
[[nodiscard]] std::string to_text(const RunRecord& run);
[[nodiscard]] std::string to_text(const TimingRecord& timing);

/// An Error of these readers has its pointer where a key is to blame, and its file if it was given one.
[[nodiscard]] Expected<UpdateRecord> update_record_from(std::string_view text);
[[nodiscard]] Expected<RunRecord> read_run_record(const std::filesystem::path& path);
[[nodiscard]] Expected<FrontierRecord> read_frontier_record(const std::filesystem::path& path);
[[nodiscard]] Expected<ExperimentRecord> read_experiment_record(const std::filesystem::path& path);
[[nodiscard]] Expected<OraclesRecord> read_oracles_record(const std::filesystem::path& path);
[[nodiscard]] Expected<TimingRecord> read_timing_record(const std::filesystem::path& path);

}  // namespace fairstep
