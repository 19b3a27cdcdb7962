#include <fairstep/ingest/internal/causes.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <numeric>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <fairstep/core/shape.hpp>
#include <fairstep/core/suggest.hpp>
#include <fairstep/ingest/internal/category.hpp>
#include <fairstep/ingest/internal/csv_shape.hpp>
#include <fairstep/ingest/internal/findings.hpp>
#include <fairstep/ingest/internal/odd_values.hpp>
#include <fairstep/ingest/internal/shaping.hpp>

namespace fairstep::internal {
namespace {

constexpr std::size_t kValuesShown = 3;

// --- what was found --------------------------------------------------------------------------------------------------

/// What a row is a row of.
std::string place_in_words(const LogFiles& log, std::uint64_t place) {
  return log.query.empty() ? log.files[file_of(place)] : "the query's result";
}

/// Its number there, from 1; rows that were made of one have its number.
std::int64_t row_number(const LogFiles& log, std::uint64_t place) {
  return static_cast<std::int64_t>(row_of(place) / log.rows_of_one) + 1;
}

Role role_of(const Finding& finding) {
  const auto* const name = std::find(kRoleNames.begin(), kRoleNames.end(), finding.role);
  return static_cast<Role>(name - kRoleNames.begin());
}

std::string rows_in_words(std::int64_t rows) { return fmt::format("{} {}", rows, rows == 1 ? "row" : "rows"); }

// --- what would mend it ----------------------------------------------------------------------------------------------

/// Which of 0 and 1 some decision has, of labels and of actions.
struct BothSeen {
  std::array<bool, 2> label{}, action{};

  void add(Tally& tally) {
    for (std::size_t g = 0; g < tally.groups().size(); ++g)
      for (std::size_t x = 0; x < tally.features().size(); ++x)
        for (std::size_t a = 0; a < kActions; ++a)
          for (std::size_t h = 0; h < tally.steps().size(); ++h) {
            for (std::size_t y = 0; y < kLabels; ++y)
              if (tally.tables().visits(tally.tables().cell(g, x, y, a), h) > 0) label.at(y) = action.at(a) = true;
            if (tally.tables().unlabelled(g, x, a, h) > 0) action.at(a) = true;
          }
  }
  [[nodiscard]] const std::array<bool, 2>& of(Role role) const { return role == Role::y ? label : action; }
};

/// What stands in the log for 0 and 1: that itself, or the names that were given.
std::array<std::string, 2> codes_of(Role role, const CountOptions& options) {
  const CountOptions usual;
  const bool given = role == Role::y ? options.labels != usual.labels : options.actions != usual.actions;
  const std::vector<std::string>& names = role == Role::y ? options.labels : options.actions;
  return given ? std::array{names[0], names[1]} : std::array<std::string, 2>{"0", "1"};
}

/// `1,2`: both codes, if there can be no doubt which two they are.
std::string two_codes(const std::vector<SeenValue>& odd, bool all, const std::array<bool, 2>& seen,
                      const std::array<std::string, 2>& names) {
  std::vector<std::string> codes;
  for (const SeenValue& value : odd) codes.push_back(value.text);
  const std::size_t known = (seen[0] ? 1 : 0) + (seen[1] ? 1 : 0);
  if (!all || known + codes.size() != 2 || known == 2) return {};
  if (known == 1) codes.push_back(names.at(seen[1] ? 1 : 0));
  const bool numbers = std::all_of(codes.begin(), codes.end(), [](const std::string& code) {
    double number = 0;
    return read_number(code, number);
  });
  // A word beside 1 stands for the other label.
  if (known == 1 && !numbers) return seen[1] ? codes[0] + "," + names[1] : names[0] + "," + codes[0];
  const auto places = places_in_order(codes);
  if (places[0] > places[1]) std::swap(codes[0], codes[1]);
  return codes[0] + "," + codes[1];
}

bool is_in(const std::string& column, const std::string& mapped) {
  return fmt::format("+{}+", mapped).find(fmt::format("+{}+", column)) != std::string::npos;
}

/// A recode has to name every value that is to stay: those that are known, and what an odd one stands for.
std::string whole_recode(const std::string& column, const std::vector<std::string>& known, const std::string& odd,
                         std::string_view meaning) {
  std::vector<std::string> names;
  for (const std::string& name : known) names.push_back(fmt::format("{}={}", name, name));
  names.push_back(fmt::format("{}={}", odd, meaning));
  return option("recode", fmt::format("{}:{}", column, fmt::join(names, ",")));
}

/// Names values that were found and that no option knows.
std::string mend_unknown(const Finding& finding, const OddValues& odd, const std::vector<SeenValue>& values,
                         const BothSeen& seen, const LogFiles& log, const CountOptions& options) {
  const Role role = role_of(finding);
  const std::string& column = log.column[static_cast<std::size_t>(role)];
  if (values.empty()) return {};
  const std::string& usual = values.front().text;
  if (role == Role::y || role == Role::a) {
    const char* const names = role == Role::y ? "labels" : "actions";
    const std::string two = two_codes(values, odd.all(), seen.of(role), codes_of(role, options));
    if (!two.empty()) return option(names, two) + "?";
    const std::array<std::string, 2> codes = codes_of(role, options);
    return "say what it stands for: " + whole_recode(column, {codes.begin(), codes.end()}, usual, codes[0]);
  }
  for (const Recode& recode : options.shape.recodes)
    if (is_in(recode.column, column))
      return "name it too, or all others: " + option("recode", fmt::format("{}:...,*=other", recode.column));
  const std::vector<std::string>& names = role == Role::group ? options.groups : options.features;
  if (!options.bins.empty() && role == Role::x)
    return fmt::format("the first bin begins at {}: begin lower in {}", options.bins.front(), option("bins"));
  if (names.empty()) return {};
  const std::vector<std::string_view> known(names.begin(), names.end());
  // A letter or two are near to any other.
  constexpr std::size_t shortest = 3, most_names = 8;
  if (const std::string_view near = nearest(usual, known); usual.size() >= shortest && near.size() >= shortest)
    return names.size() > most_names
               ? fmt::format("did you mean \"{}\"?", near)
               : fmt::format("did you mean \"{}\"? {}", near, whole_recode(column, names, usual, near));
  if (role == Role::group) return "if it is outside of the study: " + option("exclude_groups", usual);
  return "name it in " + option("features");
}

/// Another column in the place of this one.
std::string by_query(const std::string& column, const std::string& sql) {
  return fmt::format("{} makes something else of it: SELECT * REPLACE ({} AS \"{}\") FROM log", option("query"), sql,
                     column);
}

/// SQL for the number that a text like this means: `1,250.00`, `0,5`, `1.250,00`, `$9`.
std::string number_of(const std::string& column, const std::string& text) {
  const std::size_t comma = text.rfind(','), point = text.rfind('.');
  const bool has_comma = comma != std::string::npos, has_point = point != std::string::npos;
  const bool decimal_comma = has_comma && (has_point ? comma > point : text.size() - comma - 1 != 3);
  const std::string kept =
      fmt::format("regexp_replace(\"{}\", '[^0-9{}-]', '', 'g')", column, decimal_comma ? "," : ".");
  return decimal_comma ? fmt::format("replace({}, ',', '.')::DOUBLE", kept) : kept + "::DOUBLE";
}

bool has_digit(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
}

std::string mend_unreadable(const Finding& finding, const std::vector<SeenValue>& values, const LogFiles& log,
                            const CountOptions& options) {
  const Role role = role_of(finding);
  const std::string& column = log.column[static_cast<std::size_t>(role)];
  const std::string usual = values.empty() ? "" : values.front().text;
  if (role == Role::step && options.shape.step)
    return "dates are read as 2024-07-31; " + by_query(column, fmt::format("strptime(\"{}\", '%d.%m.%Y')", column));
  if (role == Role::step && has_digit(usual) && usual.find_first_of("-/.:") != std::string::npos)
    return "if these are dates: " + option("step_from", column) + " and " + option("every", "month");
  if (role == Role::step && !usual.empty() && !has_digit(usual))
    return "steps are whole numbers: " + option("recode", fmt::format("{}:{}=0,...", column, usual));
  if ((role == Role::reward || role == Role::x) && has_digit(usual)) return by_query(column, number_of(column, usual));
  return {};
}

/// The texts for no value but this one.
std::string others_missing(const SeenValue& value, const CountOptions& options) {
  std::vector<std::string> texts = missing_texts(options.shape);
  std::erase_if(texts, [&](const std::string& text) { return text.empty() || text == value.text; });
  return fmt::format("{}", fmt::join(texts, ","));
}

std::string mend(const Finding& finding, const OddValues& odd, const std::vector<SeenValue>& values,
                 const BothSeen& seen, const LogFiles& log, const CountOptions& options) {
  const Role role = role_of(finding);
  switch (finding.anomaly) {
    case Anomaly::unknown:
      return mend_unknown(finding, odd, values, seen, log, options);
    case Anomaly::unreadable:
      return mend_unreadable(finding, values, log, options);
    case Anomaly::missing:
      if (values.empty() || !(role == Role::group || role == Role::x)) return {};
      return "if it is a value, name those that are none: " +
             option("missing", others_missing(values.front(), options));
    case Anomaly::malformed:
      return "a row has as many values as the first line has names; a value with a separator or a line break in it "
             "stands in double quotes";
    case Anomaly::conflict:
      return fmt::format(
          "if a person may decide twice in a step: {} tells such people apart, or number the steps by {}",
          entry("map", "person", "id+account"), option("step_from"));
    case Anomaly::group_change:
      return "the group is to be what does not change in a person: other things go into x";
    case Anomaly::out_of_range:
    case Anomaly::out_of_order:
    case Anomaly::duplicate:
    case Anomaly::gap:
      return {};
  }
  return {};
}

bool comes_first(const Cause& a, const Cause& b) {
  const auto rank = [](const Finding& found) {
    return std::tuple(!is_loss(found), -found.rows, found.anomaly, std::string_view(found.role));
  };
  return rank(a.found) < rank(b.found);
}

Cause cause_of(const Finding& finding, const Findings& all, const Malformed& malformed, const BothSeen& seen,
               const LogFiles& log, const CountOptions& options) {
  Cause cause;
  cause.found = finding;
  if (finding.anomaly == Anomaly::malformed) {
    cause.mend = malformed.not_utf8 > 0
                     ? fmt::format("{} not UTF-8; {}", malformed.not_utf8 == malformed.lines ? "they are" : "some are",
                                   not_utf8_hint())
                     : mend(finding, {}, {}, seen, log, options);
    return cause;
  }
  const OddValues& odd = all(finding.anomaly, role_of(finding)).values;
  cause.values = odd.by_frequency();
  cause.mend = mend(finding, odd, cause.values, seen, log, options);
  cause.more = !odd.all() || cause.values.size() > kValuesShown;
  cause.values.resize(std::min(cause.values.size(), kValuesShown));
  return cause;
}

std::vector<Finding> findings_of(const Findings& all, const Malformed& malformed, const LogFiles& log) {
  std::vector<Finding> findings;
  if (malformed.lines > 0)
    findings.push_back({Anomaly::malformed, {}, malformed.lines, log.files[malformed.file], malformed.line});
  for (std::size_t anomaly = 0; anomaly < kAnomalies; ++anomaly)
    for (std::size_t role = 0; role < kRoles; ++role) {
      const Findings::Found& found = all(static_cast<Anomaly>(anomaly), static_cast<Role>(role));
      if (found.rows == 0) continue;
      findings.push_back({static_cast<Anomaly>(anomaly), kRoleNames[role], found.rows, place_in_words(log, found.first),
                          row_number(log, found.first)});
    }
  std::sort(findings.begin(), findings.end(), [](const Finding& a, const Finding& b) {
    return std::pair(a.anomaly, a.role) < std::pair(b.anomaly, b.role);
  });
  return findings;
}

std::vector<Cause> causes_of(const Findings& all, const Malformed& malformed, const BothSeen& seen, const LogFiles& log,
                             const CountOptions& options) {
  std::vector<Cause> causes;
  for (const Finding& finding : findings_of(all, malformed, log))
    causes.push_back(cause_of(finding, all, malformed, seen, log, options));
  std::sort(causes.begin(), causes.end(), comes_first);
  return causes;
}

// --- when it is too much ---------------------------------------------------------------------------------------------

/// A label or action that is coded in another way than was said would be lost, and the other one stay.
Expected<void> check_codes(const std::vector<Cause>& causes, const BothSeen& seen, const LogFiles& log,
                           const CountOptions& options) {
  for (const Cause& cause : causes) {
    const Role role = role_of(cause.found);
    if (cause.found.anomaly != Anomaly::unknown || (role != Role::y && role != Role::a)) continue;
    const std::array<bool, 2>& there = seen.of(role);
    if (there[0] == there[1]) continue;
    const std::array<std::string, 2> codes = codes_of(role, options);
    return tl::unexpected(
        Error{fmt::format("the {} {} is {} in some rows, {} in none, but {}: one of the two would be lost",
                          role == Role::y ? "label" : "action", log.column[static_cast<std::size_t>(role)],
                          codes.at(there[1] ? 1 : 0), codes.at(there[1] ? 0 : 1), values_in_words(cause)),
              {},
              log.files.front(),
              cause.mend});
  }
  return {};
}

/// Somebody of the group, by the number of the tally, was counted.
bool anybody_in(Tally& tally, std::size_t g) {
  for (std::size_t x = 0; x < tally.features().size(); ++x)
    for (std::size_t a = 0; a < kActions; ++a)
      for (std::size_t h = 0; h < tally.steps().size(); ++h)
        if (tally.tables().unlabelled(g, x, a, h) > 0 ||
            tally.tables().visits(tally.tables().cell(g, x, 0, a), h) > 0 ||
            tally.tables().visits(tally.tables().cell(g, x, 1, a), h) > 0)
          return true;
  return false;
}

/// Rows say the group, and none of them could be used.
bool all_lost_of(Tally& tally, std::size_t g) {
  return tally.ledger().names(static_cast<std::int32_t>(g)) && !anybody_in(tally, g);
}

std::string losses_in_words(const std::vector<Cause>& causes) {
  std::vector<std::string> why;
  for (const Cause& cause : causes)
    if (is_loss(cause.found)) why.push_back(in_words(cause));
  return fmt::format("{}", fmt::join(why, "; "));
}

/// Somebody must be of every group that was named.
Expected<void> check_groups(std::vector<Scanned>& parts, const std::vector<Cause>& causes, const LogFiles& log,
                            const CountOptions& options) {
  if (options.groups.empty() || options.groups_may_be_empty) return {};
  for (std::size_t g = 0; g < options.groups.size(); ++g) {
    if (std::any_of(parts.begin(), parts.end(), [&](Scanned& part) { return anybody_in(part.tally, g); })) continue;
    if (std::any_of(parts.begin(), parts.end(), [&](Scanned& part) { return all_lost_of(part.tally, g); })) {
      if (options.allow_loss) continue;
      return tl::unexpected(Error{fmt::format("no row of group \"{}\" can be used, though the log has some: {}",
                                              options.groups[g], losses_in_words(causes)),
                                  {},
                                  log.files.front(),
                                  fmt::format("count the other groups all the same: {}", flag("allow_loss"))});
    }
    std::vector<std::string_view> found;
    for (const Cause& cause : causes)
      if (cause.found.anomaly == Anomaly::unknown && cause.found.role == "group")
        for (const SeenValue& value : cause.values) found.emplace_back(value.text);
    std::string hint = did_you_mean(options.groups[g], found);
    if (hint.empty() && !found.empty()) hint = fmt::format("the log has {} as well", fmt::join(found, ", "));
    if (hint.empty()) hint = "names that a log need not have come from " + option("like");
    return tl::unexpected(Error{
        fmt::format("nobody who could be counted is of group \"{}\"", options.groups[g]), {}, log.files.front(), hint});
  }
  return {};
}

std::int64_t of_nobody(const Findings& findings) { return findings(Anomaly::missing, Role::person).rows; }

Expected<void> check_loss(const std::vector<Scanned>& parts, const std::vector<Cause>& causes, const LogFiles& log) {
  std::int64_t rows = parts.front().malformed.lines, lost = 0;
  for (const Scanned& part : parts) {
    const auto& excluded = part.tally.excluded();
    rows += part.tally.rows() - std::accumulate(excluded.begin(), excluded.end(), std::int64_t{0});
  }
  // Rows of nobody known are in every part.
  for (std::size_t part = 1; part < parts.size(); ++part) rows -= of_nobody(parts[part].tally.findings());
  for (const Cause& cause : causes)
    if (is_loss(cause.found)) lost += cause.found.rows;
  if (static_cast<double>(lost) <= kMostLost * static_cast<double>(rows)) return {};
  std::string hint = fmt::format("count what is left all the same: {}", flag("allow_loss"));
  if (!causes.front().mend.empty()) hint = fmt::format("{}; or {}", causes.front().mend, hint);
  const double share = static_cast<double>(lost) / static_cast<double>(rows);
  return tl::unexpected(Error{fmt::format("{} of {} rows ({:.3g} %) cannot be used, more than {} %: {}", lost, rows,
                                          100 * share, 100 * kMostLost, losses_in_words(causes)),
                              {},
                              log.files.front(),
                              hint});
}

}  // namespace

std::vector<Finding> findings_of(const Scanned& scanned, const LogFiles& log) {
  return findings_of(scanned.tally.findings(), scanned.malformed, log);
}

std::vector<std::string> lost_groups_of(Tally& tally) {
  std::vector<std::string> lost;
  for (std::size_t g = 0; g < tally.groups().size(); ++g)
    if (all_lost_of(tally, g)) lost.push_back(tally.groups()[g]);
  return lost;
}

std::vector<Cause> causes_of(std::vector<Scanned>& parts, std::size_t part, const LogFiles& log,
                             const CountOptions& options) {
  BothSeen seen;
  for (Scanned& people : parts) seen.add(people.tally);
  return causes_of(parts[part].tally.findings(), parts[part].malformed, seen, log, options);
}

std::string in_words(const Cause& cause) {
  const Finding& found = cause.found;
  const bool lines = found.anomaly == Anomaly::malformed;
  std::string text = fmt::format(
      "{}{}{} in {}", name_of(found.anomaly), found.role.empty() ? "" : " ", found.role,
      lines ? fmt::format("{} {}", found.rows, found.rows == 1 ? "line" : "lines") : rows_in_words(found.rows));
  if (!cause.values.empty()) text += fmt::format(" ({})", values_in_words(cause));
  return text;
}

Expected<void> check_usable(std::vector<Scanned>& parts, const LogFiles& log, const CountOptions& options) {
  BothSeen seen;
  Findings all;
  std::int64_t people = 0;
  for (Scanned& part : parts) {
    seen.add(part.tally);
    people += part.tally.people();
  }
  for (std::size_t part = 0; part < parts.size(); ++part) all.add(parts[part].tally.findings(), part == 0);
  const std::vector<Cause> causes = causes_of(all, parts.front().malformed, seen, log, options);
  if (auto ok = check_codes(causes, seen, log, options); !ok) return ok;
  if (people == 0) return {};
  if (auto ok = check_groups(parts, causes, log, options); !ok) return ok;
  if (options.allow_loss) return {};
  return check_loss(parts, causes, log);
}

}  // namespace fairstep::internal

namespace fairstep {

std::string values_in_words(const Cause& cause) {
  std::vector<std::string> values;
  for (std::size_t i = 0; i < cause.values.size(); ++i)
    values.push_back(fmt::format("\"{}\" in {}{}", cause.values[i].text, cause.values[i].rows,
                                 i > 0                       ? ""
                                 : cause.values[i].rows == 1 ? " row"
                                                             : " rows"));
  if (cause.more) values.emplace_back("and others");
  return fmt::format("{}", fmt::join(values, ", "));
}

}  // namespace fairstep
