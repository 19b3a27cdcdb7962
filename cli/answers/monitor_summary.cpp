#include "answers/monitor_summary.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <fairstep/core/rounding.hpp>

#include "answers/nested.hpp"
#include "answers/table.hpp"
#include "shell/quantity.hpp"

namespace fairstep::cli {
namespace {

/// Alarms that are shown; --json has all.
constexpr std::size_t kAlarmsShown = 20;

/// All days together.
Tensor<Tally, 2> sums(const MonitorState& state, Rate rate) {
  Tensor<Tally, 2> sum({state.question().groups.size(), state.question().horizon});
  for (const MonitorDay& day : state.days())
    for (const RateTallies& tallies : day.rates) {
      if (tallies.rate != rate) continue;
      for (std::size_t i = 0; i < sum.size(); ++i) {
        sum.flat()[i].accepted += tallies.steps.flat()[i].accepted;
        sum.flat()[i].decisions += tallies.steps.flat()[i].decisions;
        sum.flat()[i].missing += tallies.steps.flat()[i].missing;
      }
    }
  return sum;
}

double rate_of(const Tally& tally) {
  return static_cast<double>(tally.accepted) / static_cast<double>(tally.decisions);  // NaN of nobody
}

/// Numbers of the claims that are refuted, by day.
std::vector<std::size_t> alarms_of(const MonitorState& state) {
  std::vector<std::size_t> alarms;
  for (const MonitorDay& day : state.days()) alarms.insert(alarms.end(), day.alarms.begin(), day.alarms.end());
  return alarms;
}

/// How far it is to an alarm, in hundredths that are never shown as all of it.
std::string evidence_of(const Claim& claim, const Standing& standing) {
  if (standing.alarm) return fmt::format("day {}", *standing.alarm);
  const double share = std::clamp(standing.log_evidence / claim.alarm_at, 0.0, 0.99);
  return fmt::format("{:.0f} %", std::floor(100 * share));
}

/// Of some claims the one that is refuted first, or is closest to it.
template <class Wanted>
std::optional<std::size_t> foremost(const MonitorState& state, const Wanted& wanted) {
  std::optional<std::size_t> found;
  const auto before = [&](std::size_t a, std::size_t b) {
    const Standing& one = state.standings()[a];
    const Standing& other = state.standings()[b];
    if (one.alarm.has_value() != other.alarm.has_value()) return one.alarm.has_value();
    if (one.alarm) return *one.alarm < *other.alarm;
    return one.log_evidence / state.claims()[a].alarm_at > other.log_evidence / state.claims()[b].alarm_at;
  };
  for (std::size_t i = 0; i < state.claims().size(); ++i)
    if (wanted(state.claims()[i]) && (!found || before(i, *found))) found = i;
  return found;
}

const char* head_of(Rate rate) {
  return rate == Rate::accept ? "accepted" : rate == Rate::tpr ? "accepted if label 1" : "accepted if label 0";
}

std::string table(const MonitorState& state, std::size_t width) {
  const MonitorQuestion& question = state.question();
  Column steps{"step", {}, false};
  for (std::size_t h = 0; h < question.horizon; ++h) steps.cells.push_back(std::to_string(h));
  std::vector<Block> blocks;
  for (const Rate rate : rates_of(state.claims())) {
    const Tensor<Tally, 2> seen = sums(state, rate);
    Block block{head_of(rate), {{"gap so far", {}}, {"most", {}, true}, {"least", {}, true}, {"evidence", {}}}};
    for (std::size_t h = 0; h < question.horizon; ++h) {
      std::optional<std::size_t> most, least;
      for (std::size_t g = 0; g < question.groups.size(); ++g) {
        if (seen(g, h).decisions == 0) continue;
        if (!most || rate_of(seen(g, h)) > rate_of(seen(*most, h))) most = g;
        if (!least || rate_of(seen(g, h)) < rate_of(seen(*least, h))) least = g;
      }
      const bool two = most && least && *most != *least;
      block.columns[0].cells.push_back(two ? fmt::format("{:.4f}", rate_of(seen(*most, h)) - rate_of(seen(*least, h)))
                                           : "-");
      block.columns[1].cells.push_back(two ? question.groups[*most] : "-");
      block.columns[2].cells.push_back(two ? question.groups[*least] : "-");
      const auto foremost_here = [&](ClaimKind kind) {
        return foremost(state, [&](const Claim& c) { return c.kind == kind && c.rate == rate && c.step == h; });
      };
      // What is said of the limit stands first; a rate that it is not on may be certified.
      auto claim = foremost_here(ClaimKind::limit);
      if (!claim) claim = foremost_here(ClaimKind::certified_gap);
      block.columns[3].cells.push_back(claim ? evidence_of(state.claims()[*claim], state.standings()[*claim]) : "-");
    }
    blocks.push_back(std::move(block));
  }
  return lay_out(steps, blocks, width);
}

Json json_of(const Claim& claim, const MonitorState& state) {
  const MonitorQuestion& question = state.question();
  return {{"claim", fairstep::name_of(claim.kind)},
          {"rate", fairstep::name_of(claim.rate)},
          {"step", claim.step},
          {"group", question.groups[claim.first]},
          {"above", claim.second ? Json(question.groups[*claim.second]) : Json()},
          {"feature", claim.feature ? Json(state.certified()->counts.names().features[*claim.feature]) : Json()},
          {claim.at_least ? "at_least" : "at_most", claim.bound}};
}

Json json_of(const Tensor<Tally, 2>& tallies) {
  Json groups = Json::array();
  for (std::size_t g = 0; g < tallies.extents()[0]; ++g) {
    Json steps = Json::array();
    for (std::size_t h = 0; h < tallies.extents()[1]; ++h) {
      const Tally& tally = tallies(g, h);
      steps.push_back({{"accepted", tally.accepted},
                       {"decisions", tally.decisions},
                       {"missing", tally.missing},
                       {"rate", number_or_null(rate_of(tally))}});
    }
    groups.push_back(std::move(steps));
  }
  return groups;
}

std::string asked_in_words(const MonitorQuestion& question) {
  std::vector<std::string> notions;
  for (const Notion notion : question.notions) notions.emplace_back(fairstep::name_of(notion));
  std::string text;
  if (question.limit) text += fmt::format("limit {} on {}, ", *question.limit, fmt::join(notions, ", "));
  if (question.certificate) text += fmt::format("certificate {}, ", question.certificate->file);
  return fmt::format(
      "{}watched at every step and between any two groups; false alarms, over all days, with "
      "probability at most {}",
      text, question.delta);
}

/// Each by its head, up to the first mark.
std::string assumed_in_words(const MonitorQuestion& question) {
  std::vector<std::string> heads;
  for (const std::string& assumption : assumptions_of(question))
    heads.push_back(assumption.substr(0, assumption.find_first_of(":,.")));
  return fmt::format("assumed: {} (--json has them in full)", fmt::join(heads, "; "));
}

}  // namespace

bool has_alarm(const MonitorState& state) {
  return std::any_of(state.days().begin(), state.days().end(), [](const auto& day) { return !day.alarms.empty(); });
}

Json to_json(const MonitorState& state) {
  const MonitorQuestion& question = state.question();
  Json notions = Json::array();
  for (const Notion notion : question.notions) notions.push_back(fairstep::name_of(notion));
  Json alarms = Json::array();
  for (const std::size_t claim : alarms_of(state)) {
    const std::size_t day = *state.standings()[claim].alarm;
    Json alarm = {{"day", day}, {"date", text_or_null(state.days()[day - 1].date)}};
    alarm.update(json_of(state.claims()[claim], state));
    alarm["sentence"] = in_words(state.claims()[claim], question, state.certified());
    alarms.push_back(std::move(alarm));
  }
  Json claims = Json::array();
  for (std::size_t i = 0; i < state.claims().size(); ++i) {
    const Standing& standing = state.standings()[i];
    Json claim = json_of(state.claims()[i], state);
    claim["log_evidence"] = standing.log_evidence;
    claim["highest"] = standing.highest;
    claim["alarm_at"] = state.claims()[i].alarm_at;
    claim["alarm"] = standing.alarm ? Json(*standing.alarm) : Json();
    claims.push_back(std::move(claim));
  }
  Json seen = Json::object();
  for (const Rate rate : rates_of(state.claims())) seen[fairstep::name_of(rate)] = json_of(sums(state, rate));
  return {{"days", state.days().size()},
          {"fingerprint", state.fingerprint()},
          {"groups", question.groups},
          {"horizon", question.horizon},
          {"first_step", question.first_step},
          {"fairness", notions},
          {"limit", question.limit ? Json(*question.limit) : Json()},
          {"delta", question.delta},
          {"certificate", question.certificate
                              ? Json{{"file", question.certificate->file}, {"sha256", question.certificate->sha256}}
                              : Json()},
          {"assumptions", assumptions_of(question)},
          {"alarms", alarms},
          {"claims", claims},
          {"rates", seen}};
}

std::string to_text(const MonitorState& state, const std::string& folder, std::size_t width) {
  std::int64_t rows = 0, lost_rows = 0;
  for (const MonitorDay& day : state.days()) {
    rows += day.rows;
    lost_rows += day.lost_rows;
  }
  const std::size_t days = state.days().size();
  std::string text =
      fmt::format("{}: {} {}, {} rows\n", folder, days, days == 1 ? "day" : "days", with_thousands(rows));
  if (lost_rows > 0)
    text += wrap(
        fmt::format("{} of {} rows cannot be used, or lack a label", with_thousands(lost_rows), with_thousands(rows)),
        width);
  if (state.question().first_step != 0)
    text += fmt::format("steps count from 0: step 0 is {} in the log\n", state.question().first_step);
  text += wrap(asked_in_words(state.question()), width) + '\n';
  const std::vector<std::size_t> alarms = alarms_of(state);
  for (std::size_t i = 0; i < std::min(alarms.size(), kAlarmsShown); ++i) {
    const std::size_t day = *state.standings()[alarms[i]].alarm;
    const std::string& date = state.days()[day - 1].date;
    text += wrap(fmt::format("ALARM on day {}{}: {}", day, date.empty() ? "" : fmt::format(" ({})", date),
                             in_words(state.claims()[alarms[i]], state.question(), state.certified())),
                 width);
  }
  if (alarms.size() > kAlarmsShown)
    text += fmt::format("and {} more alarms (--json has all)\n", alarms.size() - kAlarmsShown);
  if (alarms.empty()) {
    const std::size_t closest = *foremost(state, [](const Claim&) { return true; });
    text += fmt::format("no alarm; the closest claim has {} of the evidence an alarm needs\n",
                        evidence_of(state.claims()[closest], state.standings()[closest]));
  }
  return text + '\n' + table(state, width) + '\n' + wrap(assumed_in_words(state.question()), width);
}

}  // namespace fairstep::cli
