#include <fairstep/report/report.hpp>

#include <fmt/format.h>

#include <fairstep/core/sha256.hpp>
#include <fairstep/page/html.hpp>
#include <fairstep/page/numbers.hpp>
#include <fairstep/report/internal/assets.hpp>
#include <fairstep/report/internal/content.hpp>
#include <fairstep/report/internal/evidence.hpp>
#include <fairstep/report/internal/figure.hpp>
#include <fairstep/report/internal/page.hpp>
#include <fairstep/report/internal/verdicts.hpp>

namespace fairstep {
namespace report {
namespace {

/// Everything that the page shows, made before a word is written.
struct Content {
  std::vector<Verdict> verdicts{};
  Summary summary{};
  std::vector<Group> groups{};
  std::vector<PolicyTable> policies{};
};

Expected<Content> content_of(const Evidence& evidence) {
  Content made;
  made.verdicts = judge(evidence);
  made.summary = summarise(evidence, made.verdicts);
  auto groups = groups_of(evidence);
  if (!groups) return tl::unexpected(groups.error());
  made.groups = std::move(*groups);
  auto tables = policies(evidence);
  if (!tables) return tl::unexpected(tables.error());
  made.policies = std::move(*tables);
  return made;
}

/// Nothing may be loaded or run but what is in the file, named by its fingerprint.
std::string security_policy() {
  const auto hash = [](std::string_view text) { return "'sha256-" + sha256_base64(text) + "'"; };
  return fmt::format(
      "default-src 'none'; script-src {}; style-src {}; img-src data: blob:; font-src data:; base-uri 'none'; "
      "form-action 'none'",
      hash(assets::script()), hash(assets::style()));
}

void write_identity(Html& html, const Evidence& evidence) {
  html.open("header", {{"class", "identity"}}).open("div");
  html.element("p", fmt::format("fairstep report \u00b7 experiment \u201c{}\u201d", evidence.plan.name),
               {{"class", "eyebrow"}})
      .element("h1", title_of(evidence))
      .close();
  html.open("dl");
  const auto fact = [&](const char* name, const std::string& value, const char* style) {
    html.open("div", {{"class", style}}).element("dt", name).element("dd", value).close();
  };
  fact("runs", std::to_string(evidence.runs), "count");
  fact("fairstep", evidence.plan.version, "print");  // fingerprints: a phone finds them among the settings
  fact("experiment", evidence.plan_digest.substr(0, 12), "print");
  fact("results", evidence.results_digest.substr(0, 12), "print");
  html.open("div").element("dt", "status").open("dd");
  html.element(
      "span",
      evidence.missing.empty() ? "\u2713 complete" : fmt::format("\u26a0 {} runs missing", evidence.missing.size()),
      {{"class", evidence.missing.empty() ? "badge holds" : "badge fails"}});
  html.close().close().close().close().line();
}

void write_contents(Html& html, const Content& content) {
  html.open("nav", {{"class", "contents"}, {"aria-label", "Contents"}}).open("details", {{"open", ""}});
  html.element("summary", "Contents").open("ol");
  const auto entry = [&](const std::string& id, const std::string& words) {
    html.open("li").element("a", words, {{"href", "#" + id}}).close();
  };
  entry("result", "The result");
  entry("summary", "In one minute");
  entry("numbers", "Final numbers");
  entry("verdicts", "The claims, judged");
  entry("scope", "What this is");
  for (const Group& group : content.groups) {
    if (group.id == "people" && !content.policies.empty()) entry("policies", "The policies");
    if (!group.panels.empty() && group.id != "front") entry(group.id, group.heading);
  }
  entry("settings", "Settings and provenance");
  entry("glossary", "Glossary");
  html.close().close().close().line();
}

std::string whole_page(const Evidence& evidence, const Content& content) {
  Html html;
  page::write_head(html, evidence.plan.name + " \u00b7 fairstep report", security_policy(), assets::style());
  html.open("body").line().element("a", "Skip to the content", {{"class", "skip"}, {"href", "#content"}}).line();
  write_identity(html, evidence);
  html.open("div", {{"class", "layout"}});
  write_contents(html, content);
  html.open("main", {{"id", "content"}});
  html.raw(
      "<noscript><p class=\"warning\">Charts are drawn by a script, which is off. Every number is in the tables under "
      "\u201cData\u201d.</p></noscript>\n");
  write_first_screen(html, evidence, content.groups.front());
  write_summary(html, content.summary);
  write_final_numbers(html, evidence);
  write_verdicts(html, evidence, content.verdicts);
  write_scope(html, evidence);
  for (const Group& group : content.groups) {
    if (group.id == "people") write_policies(html, content.policies);
    if (group.id != "front") write_group(html, group);
  }
  write_settings(html, evidence);
  write_glossary(html);
  html.open("section", {{"id", "licences"}, {"aria-labelledby", "licences-heading"}});
  html.element("h2", "Licences", {{"id", "licences-heading"}});
  html.element("p", "The charts are drawn by Vega, which is part of this file, with the libraries it uses.");
  html.open("details").element("summary", "Their licences").open("pre", {{"tabindex", "0"}});
  html.text(assets::licences()).close().close().close();
  html.close().close().line();
  html.open("script").raw(assets::script()).close().line();
  html.close().line().close().line();
  return std::move(html).finish();
}

}  // namespace

Expected<std::vector<Group>> groups_of(const Evidence& evidence) {
  std::vector<Group> made{front(evidence)};
  for (Group& figure : paper_figures(evidence)) made.push_back(std::move(figure));
  made.push_back(price_of_fairness(evidence));
  made.push_back(gaps_by_step(evidence));
  made.push_back(gap_maps(evidence));
  auto people = population(evidence);
  if (!people) return tl::unexpected(people.error());
  made.push_back(std::move(*people));
  made.push_back(learning_rates(evidence));
  made.push_back(relaxations(evidence));
  made.push_back(certificates(evidence));
  return made;
}

}  // namespace report

Expected<Report> make_report(const std::filesystem::path& folder) {
  const auto evidence = report::gather(folder);
  if (!evidence) return tl::unexpected(evidence.error());
  const auto content = report::content_of(*evidence);
  if (!content) return tl::unexpected(content.error());

  Report made;
  made.html = report::whole_page(*evidence, *content);
  made.name = evidence->plan.name;
  made.runs = evidence->runs;
  made.missing = evidence->missing.size();
  made.plan_digest = evidence->plan_digest;
  made.results_digest = evidence->results_digest;
  for (const report::Group& group : content->groups) made.figures += group.panels.size();
  made.summary.push_back(plain(content->summary.opening));
  for (const auto& [name, sentence] : content->summary.settings) made.summary.push_back(name + ": " + plain(sentence));
  for (const report::Sentence& sentence : content->summary.rest) made.summary.push_back(plain(sentence));
  const auto number = [](const report::Band& band) { return ReportNumber{band.mean, band.low, band.high}; };
  for (const report::Setting& setting : evidence->settings)
    for (const report::MethodRuns& method : setting.methods) {
      const report::FinalNumbers final = report::final_numbers(setting, method, evidence->plan);
      made.numbers.push_back({setting.name, method.about.label, number(final.value), number(final.violation),
                              number(final.worst), number(final.regret), final.solves, final.proven});
    }
  for (const report::Verdict& verdict : content->verdicts) {
    ReportVerdict& out = made.verdicts.emplace_back();
    out = {verdict.id, verdict.claim, verdict.rule, verdict.in_words(), {}};
    for (const report::Finding& finding : verdict.findings)
      out.findings.push_back({finding.setting_name, words_for(finding.ruling), finding.evidence});
  }
  return made;
}

std::string to_markdown(const Report& made) {
  // Names from users' files must not end a cell or begin an element.
  const auto escaped = [](const std::string& words) { return page::escape_markdown(words, "|<"); };
  std::string text;
  for (const std::string& sentence : made.summary) text += "- " + escaped(sentence) + "\n";
  const auto cell = [](const ReportNumber& number, int decimals) {
    return page::with_band(number.mean, number.low, number.high, decimals);
  };
  text += "\n| setting | method | return | violation | worst step | regret per step | solves proven |\n";
  text += "|---|---|---|---|---|---|---|\n";
  for (const ReportRow& row : made.numbers)
    text += fmt::format("| {} | {} | {} | {} | {} | {} | {} of {} |\n", escaped(row.setting), escaped(row.method),
                        cell(row.value, 4), cell(row.violation, 4), cell(row.worst, 4), cell(row.regret, 5), row.proven,
                        row.solves);
  for (const ReportVerdict& verdict : made.verdicts) {
    text += fmt::format("\n### {}\n\n**{}.** {}\n\n| setting | verdict | numbers |\n|---|---|---|\n", verdict.claim,
                        verdict.ruling, verdict.rule);
    for (const ReportFinding& finding : verdict.findings)
      text += fmt::format("| {} | {} | {} |\n", escaped(finding.setting), finding.ruling, escaped(finding.evidence));
  }
  text += fmt::format(
      "\nMade from an experiment whose `experiment.json` has the SHA-256 `{}`, and the list of its results `{}`.\n",
      made.plan_digest, made.results_digest);
  return text;
}

}  // namespace fairstep
