#include "options/log_options.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <functional>
#include <utility>
#include <variant>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <fairstep/core/quantity.hpp>
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
      std::string hint = role == "weight" ? "weights are taken by fairstep audit alone, of a log: --weight COLUMN"
                                          : did_you_mean(role, kRoles);
      if (hint.empty()) hint = fmt::format("there are {}", fmt::join(kRoles, ", "));
      return usage(fmt::format("--map has \"{}\", which no row of a log has", role), hint);
    }
    if (std::any_of(options.columns.begin(), options.columns.end(), [&](const auto& c) { return c.first == role; }))
      return usage(fmt::format("--map has {} twice", role));
    options.columns.emplace_back(role, entry.substr(equals + 1));
  }
  return {};
}

Result<void> read_bins(const std::vector<std::string>& texts, CountOptions& options) {
  for (const std::string& text : texts) {
    auto bins = ColumnBins::parse(text);
    const bool rise = bins && std::is_sorted(bins->edges.begin(), bins->edges.end(), std::less_equal<>());
    if (!rise)
      return usage(
          fmt::format("--bins is \"{}\", expected a column and where each bin begins: score=0,12.5,37.5", text));
    if (auto ok = add_bins(std::move(*bins), options); !ok) return input(ok.error());
  }
  return {};
}

/// What becomes of the table before its rows are counted.
Result<void> read_shape(const LogOptions& chosen, TableShape& shape) {
  shape.query = chosen.query.value_or("");
  if (chosen.query && shape.query.find_first_not_of(" \n\t") == std::string::npos)
    return usage("--query is empty, expected one SELECT over the table log");
  for (const std::string& text : chosen.wide) {
    auto wide = WideColumn::parse(text);
    if (!wide)
      return usage(fmt::format(
          "--wide is \"{}\", expected a column for each step and what they are: PAY_3,PAY_2,PAY_0:x", text));
    shape.wide.push_back(std::move(*wide));
  }
  for (const std::string& text : chosen.recode) {
    auto recode = Recode::parse(text);
    if (!recode)
      return usage(
          fmt::format("--recode is \"{}\", expected a column and a name for each value, each once: "
                      "EDUCATION:1=graduate,2=university,*=other",
                      text));
    shape.recodes.push_back(std::move(*recode));
  }
  if (chosen.step_from.has_value() != chosen.every.has_value())
    return usage("--step-from and --every are given together or not at all", "--step-from date --every month");
  if (chosen.step_from) {
    shape.step = StepRule::parse(*chosen.step_from, *chosen.every);
    if (!shape.step)
      return usage(
          fmt::format("--every is \"{}\", expected month, order, or a number of days such as 30d", *chosen.every));
  }
  if (chosen.missing) {
    auto texts = chosen.missing->empty() ? std::optional(std::vector<std::string>{}) : split_list(*chosen.missing);
    if (!texts)
      return usage(fmt::format("--missing is \"{}\", expected texts with commas between them", *chosen.missing));
    shape.missing = std::move(*texts);
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

void LogOptions::declare(Options& options, const std::string& about_labels) {
  options.words("--map", map, "columns of the log, as in person=id,x=band,time=date; sex+age are one of two");
  options.texts("--bins", bins, "COLUMN=B0,B1,...",
                "numbers of x, or of a column of group or x: [B0,B1) is the first, and so on; may be given again");
  options.texts("--recode", recode, "COLUMN:V=NAME,...",
                "other names for values, *=NAME for all that are not named; may be given again");
  options.texts("--wide", wide, "C0,C1,...:COLUMN",
                "a row for each of these columns, at steps 0, 1, ...; may be given again");
  options.text("--step-from", step_from, "COLUMN", "the step is made of this date or time, with --every");
  options.text("--every", every, "month|order|Nd", "of --step-from: by month, by N days, or in order for each person");
  options.text("--query", query, "SQL", "one SELECT over the table log, whose columns are mapped instead");
  options.text("--missing", missing, "TEXT,...",
               fmt::format("texts that stand for no value (default {})", fmt::join(usual_missing_texts(), ",")));
  options.text("--like", like, "FILE", "groups, features, labels, actions and steps of this model or these counts");
  options.words("--groups", groups, "the groups in this order, and no others (default those that occur)");
  options.words("--exclude-groups", exclude_groups, "groups outside of the study: their rows are left out, and named");
  options.words("--features", features, "the features in this order, and no others; with --bins, their names");
  options.words("--labels", labels, about_labels);
  options.words("--actions", actions, "names of action 0 and 1, understood as values too");
  options.whole("--first-step", first_step, "the log's number of the first step (default the lowest that occurs)");
  options.whole("--horizon", horizon, "number of steps (default up to the highest that occurs)", {1, 1'000'000});
  options.choice("--censored", censored, "what to assume about decisions without a label",
                 {Censoring::drop, Censoring::ignorable});
  options.flag("--allow-loss", allow_loss,
               fmt::format("count what is left though more than {} % of the rows cannot be used", 100 * kMostLost));
  options.text("--window", window, "month|quarter|year|Ndays", "with time= in --map: decisions by calendar");
  options.text("--delimiter", delimiter, "CHARACTER",
               "what separates the columns of CSV files (default as their first lines show)");
  options.choice("--encoding", encoding, "of CSV files");
  options.whole("--memory", memory, "megabytes for the engine; beyond them it uses the disk", {64, 1'000'000'000});
  options.text("--temporary", temporary, "FOLDER", "where it does so (default the system's)");
  options.threads(threads);
}

Result<CountOptions> LogOptions::count_options() const {
  CountOptions options;
  if (auto ok = read_map(map, options); !ok) return tl::unexpected(ok.error());
  if (auto ok = read_bins(bins, options); !ok) return tl::unexpected(ok.error());
  if (auto ok = read_shape(*this, options.shape); !ok) return tl::unexpected(ok.error());
  if (like)
    if (auto ok = name_as_in(*like, options); !ok) return tl::unexpected(ok.error());
  if (!groups.empty()) {
    options.groups = groups;
    options.groups_may_be_empty = false;
  }
  options.allow_loss = allow_loss;
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
  options.encoding = encoding;
  const auto choice = kernel.choice();
  if (!choice) return tl::unexpected(choice.error());
  if (*choice) options.kernel = **choice;
  options.memory_bytes = memory * 1'000'000;
  if (temporary) options.temporary_directory = *temporary;
  options.threads = threads_or_cores(threads);
  return options;
}

Result<std::optional<GuessedTable>> guess_columns_of(const std::vector<std::string>& patterns,
                                                     const LogOptions& chosen) {
  if (!chosen.map.empty() || chosen.query || !chosen.wide.empty() || !chosen.recode.empty() || !chosen.bins.empty() ||
      chosen.step_from || chosen.censored)
    return std::nullopt;
  const auto options = chosen.count_options();
  if (!options) return tl::unexpected(options.error());
  const auto files = find_logs(patterns);
  if (!files) return input(files.error());
  auto guessed = guess_columns(*files, *options);
  if (!guessed) return input(guessed.error());
  return std::move(*guessed);
}

Result<CountedLog> read_log(const std::vector<std::string>& patterns, const LogOptions& chosen,
                            std::optional<double> time_limit) {
  return read<CountedLog>(patterns, chosen, time_limit,
                          [](const auto& files, const CountOptions& options) { return count_log(files, options); });
}

Result<CountedLog> read_log_like(const std::vector<std::string>& patterns, const LogOptions& chosen,
                                 const std::function<void(CountOptions&)>& take_names) {
  return read<CountedLog>(patterns, chosen, std::nullopt, [&](const auto& files, CountOptions options) {
    take_names(options);
    return count_log(files, options);
  });
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

Result<CountedLog> read_weighed_log(const std::vector<std::string>& files, const LogOptions& chosen,
                                    const Weighing& weighing) {
  if (std::filesystem::path(files.front()).extension() == ".json")
    return usage(fmt::format("--weight is about rows of a log, but {} are counts", files.front()),
                 "counts have no weights: audit the log they are of");
  return read<CountedLog>(files, chosen, std::nullopt, [&](const auto& names, CountOptions options) {
    options.weighing = weighing;
    return count_log(names, options);
  });
}

Result<SplitLog> read_parts(const std::vector<std::string>& patterns, const LogOptions& chosen, const Split& split,
                            std::optional<double> time_limit) {
  return read<SplitLog>(patterns, chosen, time_limit, [&](const auto& files, const CountOptions& options) {
    return split_log(files, split, options);
  });
}

}  // namespace fairstep::cli
