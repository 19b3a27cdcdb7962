// The options of every verb that reads a log.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <fairstep/core/counts.hpp>
#include <fairstep/ingest/count.hpp>
#include <fairstep/ingest/guess.hpp>

#include "options/kernel_option.hpp"
#include "shell/options.hpp"
#include "shell/verb.hpp"

namespace fairstep::cli {

inline constexpr const char* kLabelNames = "names of label 0 and 1, understood as values too";

struct LogOptions {
  std::vector<std::string> map{};
  std::vector<std::string> bins{};
  std::optional<std::string> query{};
  std::vector<std::string> wide{}, recode{};
  std::optional<std::string> step_from{}, every{};
  std::optional<std::string> missing{};
  std::optional<std::string> like{};
  std::vector<std::string> groups{}, exclude_groups{}, features{}, labels{}, actions{};
  std::optional<std::uint64_t> first_step{};
  std::optional<std::uint64_t> horizon{};
  std::optional<Censoring> censored{};
  std::optional<std::string> window{};
  std::optional<std::string> delimiter{};
  Encoding encoding = Encoding::utf8;
  std::uint64_t memory = 600;
  std::optional<std::string> temporary{};
  bool allow_loss = false;
  std::uint64_t threads = 0;
  KernelOption kernel{};  ///< declared by those whose counts are kept

  /// `about_labels` is the help of an option that says more about them than their names.
  void declare(Options& options, const std::string& about_labels = kLabelNames);
  /// What the library is to do.
  [[nodiscard]] Result<CountOptions> count_options() const;
};

/// What the columns of a log may be, for somebody who has said nothing of them; nothing if they go by the names of what
/// they are, or if something was said.
[[nodiscard]] Result<std::optional<GuessedTable>> guess_columns_of(const std::vector<std::string>& patterns,
                                                                   const LogOptions& options);

/// The log that names and patterns stand for, counted; a failure if it takes longer than the time limit.
[[nodiscard]] Result<CountedLog> read_log(const std::vector<std::string>& patterns, const LogOptions& options,
                                          std::optional<double> time_limit = std::nullopt);
/// The same, where names and steps are known from elsewhere: `take_names` puts them into the options.
[[nodiscard]] Result<CountedLog> read_log_like(const std::vector<std::string>& patterns, const LogOptions& options,
                                               const std::function<void(CountOptions&)>& take_names);
/// What a verb is given: one file of counts (.json), or a log, which is counted.
[[nodiscard]] Result<Counts> read_counts_or_log(const char* verb, const std::vector<std::string>& files,
                                                const LogOptions& options);
/// A log whose decisions count by a column.
[[nodiscard]] Result<CountedLog> read_weighed_log(const std::vector<std::string>& files, const LogOptions& options,
                                                  const Weighing& weighing);
/// Both parts of it, if its people are split.
[[nodiscard]] Result<SplitLog> read_parts(const std::vector<std::string>& patterns, const LogOptions& options,
                                          const Split& split, std::optional<double> time_limit);

}  // namespace fairstep::cli
