#include <fairstep/certificate_page/content.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <fairstep/core/rounding.hpp>
#include <fairstep/page/numbers.hpp>

namespace fairstep::certificate_page {
namespace {

using nlohmann::json;
using page::Rounded;

constexpr std::uint64_t kThin = 30;  ///< decisions, as `count` has it unless told

/// What a key of certified_gap or rates is about.
std::string in_words(const std::string& key) {
  if (key == "dp") return "demographic parity";
  if (key == "eqopt") return "equal opportunity";
  if (key == "eqodds") return "equalized odds";
  if (key == "dp-ratio") return "adverse impact ratio";
  if (key == "eqopt-ratio") return "ratio of equal opportunity";
  if (key == "accept") return "accepted";
  if (key == "tpr") return "accepted of the qualified";
  if (key == "fpr") return "accepted of those not qualified";
  if (key == "qualified") return "qualified";
  return key;
}

double known(const json& number) {
  return number.is_number() ? number.get<double>() : std::numeric_limits<double>::quiet_NaN();
}

std::uint64_t sum(const json& nested) {
  if (!nested.is_array()) return nested.get<std::uint64_t>();
  std::uint64_t total = 0;
  for (const json& part : nested) total += sum(part);
  return total;
}

std::vector<std::string> steps_of(const json& counts) {
  std::vector<std::string> names;
  for (std::size_t h = 0; h < counts.at("horizon").get<std::size_t>(); ++h) names.push_back(std::to_string(h));
  return names;
}

void add_gaps(page::Page& out, const json& certificate, const json& counts) {
  out.add(page::Heading{"Gaps between groups"});
  page::Charts charts;
  for (const auto& [notion, bound] : certificate.at("certified_gap").items()) {
    page::Series series{"at most", {}, {}};
    const json& estimate = certificate.at("estimated_gap").at(notion);
    for (std::size_t h = 0; h < bound.size(); ++h) {
      const double at_most = bound.at(h).get<double>();
      series.values.push_back(at_most);
      series.bands.push_back({estimate.at(h).is_number() ? estimate.at(h).get<double>() : at_most, at_most});
    }
    charts.charts.push_back(
        page::Chart{fmt::format("{}: the proven bound (line), shaded down to the estimate", in_words(notion)),
                    "step",
                    steps_of(counts),
                    {std::move(series)}});
  }
  out.add(std::move(charts));
  page::Table table = page::table_with({"notion", "step"}, 1);
  table.columns.push_back({"at_most", "gap at most", 4, Rounded::up, false});
  table.columns.push_back({"estimate", "estimated gap", 4, Rounded::nearest, false});
  table.columns.at(1).decimals = 0;
  for (const auto& [notion, bound] : certificate.at("certified_gap").items())
    for (std::size_t h = 0; h < bound.size(); ++h)
      table.rows.push_back({in_words(notion), static_cast<double>(h), bound.at(h).get<double>(),
                            known(certificate.at("estimated_gap").at(notion).at(h))});
  out.add(page::CaptionedTable{"Gaps: what is proven, and what was estimated. An estimate proves nothing.", table});

  if (certificate.at("pairs").size() < 2) return;
  page::Table pairs = page::table_with({"groups", "notion"}, 2);
  pairs.columns.push_back({"at_most", "gap at most, at any step", 4, Rounded::up, false});
  for (const json& pair : certificate.at("pairs"))
    for (const auto& [notion, bound] : pair.items()) {
      if (notion == "groups") continue;
      double worst = 0;
      for (const json& step : bound) worst = std::max(worst, step.get<double>());
      pairs.rows.push_back({fmt::format("{} and {}", pair.at("groups").at(0).get<std::string>(),
                                        pair.at("groups").at(1).get<std::string>()),
                            in_words(notion), worst});
    }
  out.add(page::CaptionedTable{"Pairs of groups", pairs});
}

/// At every step the least that any group's rate can be beside the one it is measured by.
void add_ratios(page::Page& out, const json& certificate) {
  if (!certificate.contains("certified_ratio")) return;
  out.add(page::Heading{"Ratios between groups"});
  out.add(page::Paragraph{
      certificate.contains("reference")
          ? fmt::format("The rate of every group beside that of {}.", certificate.at("reference").get<std::string>())
          : std::string("The rate of every group beside that of whichever group is treated best.")});
  page::Table table = page::table_with({"ratio", "step"}, 1);
  table.columns.push_back({"at_least", "at least", 4, Rounded::down, false});
  table.columns.push_back({"estimate", "estimated ratio", 4, Rounded::nearest, false});
  table.columns.at(1).decimals = 0;
  for (const auto& [ratio, bound] : certificate.at("certified_ratio").items())
    for (std::size_t h = 0; h < bound.size(); ++h)
      table.rows.push_back({in_words(ratio), static_cast<double>(h), known(bound.at(h)),
                            known(certificate.at("estimated_ratio").at(ratio).at(h))});
  out.add(page::CaptionedTable{
      "Ratios: what is proven (a dash: nothing, as the rate below the line may be 0), and what was estimated", table});
}

void add_rates(page::Page& out, const json& certificate, const json& counts) {
  out.add(page::Heading{"Rates of each group"});
  out.add(page::Paragraph{
      "The line is the estimate. The true rate lies in the shaded band, at all steps and for all groups at "
      "once, with the probability above."});
  page::Charts charts;
  page::Table table = page::table_with({"rate", "group"}, 2);
  table.columns.push_back({"step", "step", 0, Rounded::nearest, false});
  table.columns.push_back({"low", "at least", 4, Rounded::down, false});
  table.columns.push_back({"estimate", "estimate", 4, Rounded::nearest, false});
  table.columns.push_back({"high", "at most", 4, Rounded::up, false});
  for (const auto& [rate, ends] : certificate.at("rates").items()) {
    page::Chart chart{in_words(rate), "step", steps_of(counts), {}};
    for (std::size_t g = 0; g < counts.at("groups").size(); ++g) {
      page::Series series{counts.at("groups").at(g).get<std::string>(), {}, {}};
      for (std::size_t h = 0; h < chart.places.size(); ++h) {
        const double low = ends.at("low").at(g).at(h).get<double>(), high = ends.at("high").at(g).at(h).get<double>();
        const double estimate = known(ends.at("estimate").at(g).at(h));
        series.values.push_back(estimate);
        series.bands.push_back({low, high});
        table.rows.push_back({in_words(rate), series.name, static_cast<double>(h), low, estimate, high});
      }
      chart.series.push_back(std::move(series));
    }
    charts.charts.push_back(std::move(chart));
  }
  out.add(std::move(charts));
  out.add(page::CaptionedTable{"Rates", table});
}

void add_data(page::Page& out, const json& certificate, const json& counts) {
  out.add(page::Heading{"The data"});
  page::Table people = page::table_with({"group"}, 1);
  for (const char* head : {"people", "decisions"}) people.columns.push_back({head, head, 0, Rounded::nearest, false});
  for (std::size_t g = 0; g < counts.at("groups").size(); ++g)
    people.rows.push_back({counts.at("groups").at(g).get<std::string>(),
                           static_cast<double>(sum(counts.at("first").at(g))),
                           static_cast<double>(sum(counts.at("visits").at(g)))});
  out.add(page::CaptionedTable{"Who was counted", people});

  std::size_t unseen = 0, thin = 0, cells = 0;
  const std::size_t features = counts.at("features").size();
  for (const json& group : counts.at("visits"))
    for (std::size_t cell = 0; cell < features * 4; ++cell) {
      std::uint64_t seen = 0;
      for (const json& step : group) seen += step.at(cell / 4).at(cell / 2 % 2).at(cell % 2).get<std::uint64_t>();
      ++cells;
      if (seen == 0)
        ++unseen;
      else if (seen < kThin)
        ++thin;
    }
  out.add(
      page::Paragraph{fmt::format("Of {} combinations of group, feature, label and decision, {} were never seen and {} "
                                  "fewer than {} times. What happens "
                                  "there is not known, and the bounds allow anything.",
                                  cells, unseen, thin, kThin)});
  if (counts.contains("log")) {
    const json& log = counts.at("log");
    page::Table findings = page::table_with({"what was found in the log"}, 1);
    findings.columns.push_back({"rows", "rows", 0, Rounded::nearest, false});
    for (const json& finding : log.at("findings"))
      findings.rows.push_back(
          {finding.value("column", "").empty()
               ? finding.at("kind").get<std::string>()
               : fmt::format("{} ({})", finding.at("kind").get<std::string>(), finding.at("column").get<std::string>()),
           finding.at("rows").get<double>()});
    if (!findings.rows.empty()) out.add(page::CaptionedTable{"Rows that were not as they should be", findings});
  }
  page::List sentences;
  for (const json& test : certificate.at("diagnosis"))
    sentences.items.push_back(test.at("sentence").get<std::string>());
  if (!sentences.items.empty()) {
    out.add(page::Paragraph{"Do the data refute the assumptions? Permutation tests say:"});
    out.add(std::move(sentences));
  }
}

void add_documents(page::Page& out, const json& certificate) {
  out.add(page::Heading{"Is it about your files?"});
  out.add(page::Paragraph{
      "A sound certificate may be about other data than yours. Compare these hashes with those of the files "
      "that you were given; fairstep check does it with --counts and --policy."});
  page::Table table = page::table_with({"document", "file", "SHA-256"}, 3);
  for (const auto& [name, input] : certificate.at("inputs").items())
    table.rows.push_back({name, input.at("file").get<std::string>(), input.at("sha256").get<std::string>()});
  out.add(page::CaptionedTable{"What was certified, and by what", table});
}

/// The widest step of a bound.
std::pair<std::size_t, double> widest(const json& steps) {
  const auto most = std::max_element(steps.begin(), steps.end());
  return {static_cast<std::size_t>(most - steps.begin()), most->get<double>()};
}

}  // namespace

std::string claim_of(const json& certificate) {
  std::vector<std::string> parts;
  for (const auto& [notion, bound] : certificate.at("certified_gap").items()) {
    const auto [step, gap] = widest(bound);
    parts.push_back(fmt::format("{} gap at most {} (step {})", in_words(notion), round_up_text(gap, 4), step));
  }
  if (certificate.contains("certified_ratio"))
    for (const auto& [ratio, bound] : certificate.at("certified_ratio").items()) {
      std::size_t least = 0;
      for (std::size_t h = 0; h < bound.size(); ++h)
        if (!bound.at(h).is_number() || (bound.at(least).is_number() && bound.at(h) < bound.at(least))) least = h;
      const std::string beside =
          certificate.contains("reference") ? " beside " + certificate.at("reference").get<std::string>() : "";
      parts.push_back(bound.at(least).is_number()
                          ? fmt::format("{}{} at least {} (step {})", in_words(ratio), beside,
                                        round_down_text(bound.at(least).get<double>(), 4), least)
                          : fmt::format("nothing about the {}{} (step {})", in_words(ratio), beside, least));
    }
  if (certificate.contains("certified_aggregate_gap"))
    parts.push_back(fmt::format("demographic parity gap over the whole episode at most {}",
                                round_up_text(certificate.at("certified_aggregate_gap").at("dp").get<double>(), 4)));
  if (const json& value = certificate.at("certified_value"); value.is_number())
    parts.push_back(fmt::format("value at least {}", round_down_text(value.get<double>(), 4)));
  return fmt::format(
      "If the assumptions below hold: with probability at least {} over the data, at every step and between any "
      "two groups, {}.",
      one_minus_text(certificate.at("delta").get<double>()), fmt::join(parts, "; "));
}

page::Page content_of(const json& certificate) {
  const json counts = json::parse(certificate.at("inputs").at("counts").at("text").get_ref<const std::string&>());
  page::Page out;
  out.title = fmt::format("Certificate for {}", certificate.at("inputs").at("policy").at("file").get<std::string>());
  out.add(page::Heading{"What it rests on"});
  out.add(page::Paragraph{"If one of these fails, the bounds may be false, and more data do not help."});
  page::List assumptions;
  for (const json& assumption : certificate.at("assumptions"))
    assumptions.items.push_back(assumption.get<std::string>());
  out.add(std::move(assumptions));
  add_gaps(out, certificate, counts);
  add_ratios(out, certificate);
  add_rates(out, certificate, counts);
  add_data(out, certificate, counts);
  add_documents(out, certificate);
  out.add(page::Heading{"How to check it"});
  out.add(page::List{
      {"This page has checked itself, above: bounds were derived again from the counts inside it. Whoever can "
       "change the page can change its script, so take one of the next two if it matters.",
       "fairstep check certificate.json --counts COUNTS --policy POLICY derives every claim again by code that "
       "shares nothing with what made it, rounding to the safe side.",
       "python3 tools/check_certificate.py certificate.json does so too, in plain Python that is meant to be read.",
       "The certificate is inside this page: the button above saves it, byte for byte."}});
  out.add(page::Heading{"What it does not say"});
  out.add(page::List{
      {"That the policy is good, legal or wanted: it is about differences between rates of groups as recorded.",
       "Anything about one person.", "Why groups differ.",
       "That a gap is above its estimate or at its bound: the true gap is likely well below the bound."}});
  return out;
}

}  // namespace fairstep::certificate_page
