#include "options/log_options.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <variant>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <fairstep/core/suggest.hpp>
#include <fairstep/io/files.hpp>

#include "shell/interrupt.hpp"
#include "shell/quantity.hpp"

namespace fairstep::cli {
namespace {

constexpr std::array<std::string_view, 8> kRoles{"person", "step", "group", "x", "y", "a", "reward", "time"};

Result<void> read_map(const std::vector<std::string>& entries, CountOptions& options) {
  for (const std::string& entry : entries) {
    const std::size_t equals = entry.find('=');
    const std::string role = entry.substr(0, equals);
    if (equals == std::string::npos || equals + 1 == entry.size())
      return usage(fmt::format("--map has \"{}\", expected what and its column: x=score_band", entry));
    if (std::find(kRoles.begin(), kRoles.end(), role) == kRoles.end()) {
      std::string hint = did_you_mean(role, kRoles);
      if (hint.empty()) hint = fmt::format("there are {}", fmt::join(kRoles, ", "));
      return usage(fmt::format("--map has \"{}\", which no row of a log has", role), hint);
    }
    if (std::any_of(options.columns.begin(), options.columns.end(), [&](const auto& c) { return c.first == role; }))
      return usage(fmt::format("--map has {} twice", role));
    options.columns.emplace_back(role, entry.substr(equals + 1));
  }
  return {};
}

/// `score=0,12.5,37.5`: the column of x, and where its bins begin.
Result<void> read_bins(const std::string& text, CountOptions& options) {
  const auto wrong = [&] {
    return usage(
        fmt::format("--bins is \"{}\", expected the column of x and where each bin begins: score=0,12.5,37.5", text));
  };
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) return wrong();
  const auto parts = split_list(text.substr(equals + 1));
  if (!parts) return wrong();
  for (const std::string& part : *parts) {
    const auto edge = parse_number(part);
    if (!edge || (!options.bins.empty() && *edge <= options.bins.back())) return wrong();
    options.bins.push_back(*edge);
  }
  const std::string column = text.substr(0, equals);
  const auto mapped = std::find_if(options.columns.begin(), options.columns.end(),
                                   [](const auto& entry) { return entry.first == "x"; });
  if (mapped == options.columns.end()) {
    if (column != "x") options.columns.emplace_back("x", column);
  } else if (mapped->second != column && column != "x") {
    return usage(fmt::format("--bins is about the column {} and --map says that x is {}: only x has bins", column,
                             mapped->second));
  }
  return {};
}

Result<void> name_as_in(const std::string& file, CountOptions& options) {
  const auto document = read_document(file);
  if (!document) return input(document.error(), file);
  if (const auto* model = std::get_if<Model>(&*document)) {
    fairstep::take_names(*model, options);
  } else if (const auto* counts = std::get_if<Counts>(&*document)) {
    fairstep::take_names(*counts, options);
  } else {
    return input({"this is a policy, expected a model or counts", {}, file, {}}, file);
  }
  return {};
}

template <class Counted, class Count>
Result<Counted> read(const std::vector<std::string>& patterns, const LogOptions& chosen,
                     std::optional<double> time_limit, const Count& count) {
  const StopOnInterrupt interrupt(time_limit);
  auto options = chosen.count_options();
  if (!options) return tl::unexpected(options.error());
  const auto files = find_logs(patterns);
  if (!files) return input(files.error());
  options->stop = interrupt.token();
  Expected<Counted> counted = count(*files, *options);
  if (counted) return std::move(*counted);
  if (interrupt.token().stop_requested()) return stopped(counted.error(), StopOnInterrupt::signal());
  return input(counted.error());
}

}  // namespace

void LogOptions::declare(Options& options) {
  options.words("--map", map, "columns of the log, as in person=id,x=band,time=date");
  options.text("--bins", bins, "COLUMN=B0,B1,...", "x is a number: [B0,B1) is the first feature, and so on");
  options.text("--like", like, "FILE", "groups, features, labels, actions and steps of this model or these counts");
  options.words("--groups", groups, "the groups in this order, and no others; left out: those that occur");
  options.words("--exclude-groups", exclude_groups, "groups outside of the study: their rows are left out, and named");
  options.words("--features", features, "the features in this order, and no others; with --bins, their names");
  options.words("--labels", labels, "names of label 0 and 1, understood as values too");
  options.words("--actions", actions, "names of action 0 and 1, understood as values too");
  options.whole("--first-step", first_step, "the log's number of the first step; left out: the lowest that occurs");
  options.whole("--horizon", horizon, "number of steps; left out: up to the highest that occurs", {1, 1'000'000});
  options.choice("--censored", censored, "what to assume about decisions without a label",
                 {Censoring::drop, Censoring::ignorable});
  options.text("--window", window, "month|quarter|year|Ndays", "with time= in --map: decisions by calendar");
  options.text("--delimiter", delimiter, "CHARACTER", "what separates the columns of CSV files; a comma if left out");
  options.whole("--memory", memory, "megabytes for the engine; beyond them it uses the disk", {64, 1'000'000'000});
  options.text("--temporary", temporary, "FOLDER", "where it does so; left out: the system's");
  options.threads(threads);
}

Result<CountOptions> LogOptions::count_options() const {
  CountOptions options;
  if (auto ok = read_map(map, options); !ok) return tl::unexpected(ok.error());
  if (bins)
    if (auto ok = read_bins(*bins, options); !ok) return tl::unexpected(ok.error());
  if (like)
    if (auto ok = name_as_in(*like, options); !ok) return tl::unexpected(ok.error());
  if (!groups.empty()) options.groups = groups;
  for (const std::string& group : exclude_groups)
    if (std::find(options.groups.begin(), options.groups.end(), group) != options.groups.end())
      return usage(fmt::format("--exclude-groups has {}, which is one of the groups that are wanted", group));
  options.excluded_groups = exclude_groups;
  if (!features.empty()) options.features = features;
  const auto two = [](const char* name, const std::vector<std::string>& given,
                      std::vector<std::string>& names) -> Result<void> {
    if (given.empty()) return {};
    if (given.size() != 2)
      return usage(fmt::format("{} is {}, expected two names: of 0 and of 1", name, fmt::join(given, ",")));
    names = given;
    return {};
  };
  if (auto ok = two("--labels", labels, options.labels); !ok) return tl::unexpected(ok.error());
  if (auto ok = two("--actions", actions, options.actions); !ok) return tl::unexpected(ok.error());
  if (first_step) options.first_step = static_cast<std::int64_t>(*first_step);
  if (horizon) options.horizon = horizon;
  if (censored) options.censoring = censored;
  const bool has_time = std::any_of(options.columns.begin(), options.columns.end(),
                                    [](const auto& entry) { return entry.first == "time"; });
  if (window && !has_time)
    return usage("--window needs a column of times", "--map time=date, if the column is called date");
  if (has_time) {
    options.window = CalendarUnit::parse(window.value_or("month"));
    if (!options.window)
      return usage(
          fmt::format("--window is \"{}\", expected month, quarter, year or a number of days such as 30days", *window));
  }
  if (delimiter) {
    if (*delimiter == "tab") {
      options.delimiter = '\t';
    } else if (delimiter->size() == 1) {
      options.delimiter = delimiter->front();
    } else {
      return usage(fmt::format("--delimiter is \"{}\", expected one character, or tab", *delimiter));
    }
  }
  const auto choice = kernel.choice();
  if (!choice) return tl::unexpected(choice.error());
  if (*choice) options.kernel = **choice;
  options.memory_bytes = memory * 1'000'000;
  if (temporary) options.temporary_directory = *temporary;
  options.threads = threads_or_cores(threads);
  return options;
}

Result<CountedLog> read_log(const std::vector<std::string>& patterns, const LogOptions& chosen,
                            std::optional<double> time_limit) {
  return read<CountedLog>(patterns, chosen, time_limit,
                          [](const auto& files, const CountOptions& options) { return count_log(files, options); });
}

Result<Counts> read_counts_or_log(const char* verb, const std::vector<std::string>& files, const LogOptions& options) {
  if (std::filesystem::path(files.front()).extension() == ".json") {
    if (files.size() > 1)
      return usage(fmt::format("fairstep {} takes one file of counts, more are given", verb),
                   "fairstep merge adds counts");
    auto counts = read_counts(files.front());
    if (!counts) return input(counts.error(), files.front());
    return std::move(*counts);
  }
  auto counted = read_log(files, options);
  if (!counted) return tl::unexpected(counted.error());
  return std::move(counted->counts);
}

Result<SplitLog> read_parts(const std::vector<std::string>& patterns, const LogOptions& chosen, const Split& split,
                            std::optional<double> time_limit) {
  return read<SplitLog>(patterns, chosen, time_limit, [&](const auto& files, const CountOptions& options) {
    return split_log(files, split, options);
  });
}

}  // namespace fairstep::cli
