// The numbers at the last update, the verdicts, and the method against every penalty weight.
#include <cmath>

#include <fmt/format.h>

#include <fairstep/page/html.hpp>
#include <fairstep/report/internal/comparison.hpp>
#include <fairstep/report/internal/html.hpp>
#include <fairstep/report/internal/numbers.hpp>
#include <fairstep/report/internal/page.hpp>

namespace fairstep::report {
namespace {

struct Badge {
  const char* mark;
  const char* style;
};

Badge badge_of(Ruling ruling) {
  switch (ruling) {
    case Ruling::holds:
      return {"\u2713", "holds"};
    case Ruling::tie:
      return {"\u2248", "within"};
    case Ruling::fails:
      return {"\u2717", "fails"};
    case Ruling::undecided:
      break;
  }
  return {"?", "undecided"};
}

void write_badge(Html& html, Ruling ruling, const std::string& words) {
  const Badge badge = badge_of(ruling);
  html.open("span", {{"class", std::string("badge ") + badge.style}});
  html.element("span", badge.mark, {{"aria-hidden", "true"}}).text(" " + words).close();
}

void write_cell(Html& html, const Band& band, const char* name, int decimals = 4) {
  html.raw("<td>");
  // The full number is there for whoever takes the page apart.
  html.open("data", {{"value", json_number(band.mean)}, {"class", name}}).text(with_band(band, decimals)).close();
}

/// Claims by settings: where each holds, at a glance.
void write_matrix(Html& html, const Evidence& evidence, const std::vector<Verdict>& verdicts) {
  html.open("div", {{"class", "scroll"}, {"tabindex", "0"}, {"role", "region"}, {"aria-label", "Claims by settings"}});
  html.open("table", {{"class", "matrix"}});
  html.element("caption", "\u2713 holds, \u2248 a tie, \u2717 does not hold, ? undecided");
  html.raw("<thead><tr><th scope=\"col\">").text("claim");
  for (const Setting& setting : evidence.settings)
    html.raw("<th scope=\"col\">").text(setting.environment).raw("<br>").text(setting.measure);
  html.raw("<tbody>");
  for (const Verdict& verdict : verdicts) {
    html.raw("\n<tr><th scope=\"row\">").element("a", verdict.claim, {{"href", "#claim-" + verdict.id}});
    for (const Finding& finding : verdict.findings) {
      const Badge badge = badge_of(finding.ruling);
      html.raw("<td>").open("span",
                            {{"class", std::string("mark ") + badge.style}, {"title", words_for(finding.ruling)}});
      html.element("span", badge.mark, {{"aria-hidden", "true"}});
      html.element("span", words_for(finding.ruling), {{"class", "unseen"}}).close();
    }
  }
  html.raw("</tbody>").close().close().line();
}

void write_points(Html& html, const Setting& setting, const ExperimentRecord& plan) {
  Table table;
  table.columns = {{"lambda", "lambda", kFewDecimals},
                   {"violation", "violation, difference"},
                   {"value", "return, difference"},
                   {"relation", "which is better"}};
  for (const Against& point : compare(setting, plan.certificate_gap).points)
    table.rows.push_back(
        {point.other->about.lambda, with_band(point.violation), with_band(point.value), words_for(point.relation)});
  write_table(html, table, setting.name + ": each weight");
}

}  // namespace

FinalNumbers final_numbers(const Setting& setting, const MethodRuns& method, const ExperimentRecord& plan) {
  const std::size_t last = method.updates() - 1;
  const double asked = std::isnan(plan.certificate_gap) ? 1e-3 : plan.certificate_gap;
  FinalNumbers made;
  made.value = final_value(method);
  made.violation = final_violation(method);
  made.worst = method.band(last, [&](const UpdateRecord& update) { return setting.worst_gap(update); });
  made.regret = method.band(last, [](const UpdateRecord& update) { return update.regret; });
  for (const RunRecord& run : method.repeats)
    for (const UpdateRecord& update : run.updates) {
      ++made.solves;
      made.proven += update.gap_to_bound <= asked ? 1U : 0U;
    }
  return made;
}

std::string final_anchor(const Setting& setting, const MethodRuns& method) {
  return fmt::format("final-{}-{}", setting.id, method.about.id);
}

void write_final_numbers(Html& html, const Evidence& evidence) {
  html.open("section", {{"id", "numbers"}, {"aria-labelledby", "numbers-heading"}});
  html.element("h2", "The numbers at the last update", {{"id", "numbers-heading"}});
  html.element(
      "p", fmt::format("Means over {} repeats with 95 % intervals, exact under the true model. Regret is per step and "
                       "against the best fair policy; it is negative where a policy buys return with violation.",
                       evidence.plan.repeats));
  html.open("div", {{"class", "scroll"}, {"tabindex", "0"}, {"role", "region"}, {"aria-label", "Final numbers"}});
  html.open("table", {{"class", "final"}}).element("caption", "Every method in every setting, at its last update");
  html.raw("<thead><tr>");
  for (const char* head :
       {"method", "return", "violation (average gap)", "worst step's gap", "regret per step", "solves proven"})
    html.raw("<th scope=\"col\">").text(head);
  for (const Setting& setting : evidence.settings) {
    html.raw("<tbody>\n<tr class=\"setting\"><th scope=\"rowgroup\" colspan=\"6\">").text(setting.name);
    for (const MethodRuns& method : setting.methods) {
      const FinalNumbers final = final_numbers(setting, method, evidence.plan);
      html.raw("\n<tr id=\"" + page::escape_html(final_anchor(setting, method)) + "\"><th scope=\"row\">");
      html.open("span", {{"class", std::string("key ") + name_of(method.kind)}}).close().text(method.about.label);
      write_cell(html, final.value, "return");
      write_cell(html, final.violation, "violation");
      write_cell(html, final.worst, "worst");
      write_cell(html, final.regret, "regret", 5);
      html.raw("<td>").text(fmt::format("{} of {}", final.proven, final.solves));
    }
    html.raw("</tbody>");
  }
  html.close().close().close().line();
}

void write_verdicts(Html& html, const Evidence& evidence, const std::vector<Verdict>& verdicts) {
  html.open("section", {{"id", "verdicts"}, {"aria-labelledby", "verdicts-heading"}});
  html.element("h2", "The claims, judged", {{"id", "verdicts-heading"}});
  html.element("p",
               "Claims of the paper's experimental section and of its theorems, each decided by a stated rule on the "
               "numbers of this experiment. No verdict is written by hand.");
  write_matrix(html, evidence, verdicts);
  html.element("h3", "Each claim with its numbers and its rule");
  for (const Verdict& verdict : verdicts) {
    html.open("details", {{"class", "claim"}, {"id", "claim-" + verdict.id}});
    html.open("summary").element("span", verdict.claim, {{"class", "words"}}).text(" ");
    write_badge(html, verdict.overall(), verdict.in_words());
    html.close().open("ul", {{"class", "settings"}});
    for (const Finding& finding : verdict.findings) {
      html.open("li").element("strong", finding.setting_name + " ");
      write_badge(html, finding.ruling, words_for(finding.ruling));
      html.text(" " + finding.evidence).close();
    }
    html.close().open("p", {{"class", "rule"}}).element("strong", "Rule. ").text(verdict.rule).close();
    html.close().line();
  }
  html.element("h3", "Against every penalty weight", {{"class", "later"}});
  html.element("p",
               "Repeat by repeat, the method minus the penalty: a negative difference in violation and a positive one "
               "in return speak for the method.");
  html.open("div", {{"class", "pair"}});
  for (const Setting& setting : evidence.settings)
    if (setting.find(Kind::ours) != nullptr && setting.find(Kind::penalty) != nullptr)
      write_points(html, setting, evidence.plan);
  html.close().close().line();
}

}  // namespace fairstep::report
