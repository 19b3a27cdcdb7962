// What is seen first: the experiment in words, what came out in one sentence, and one chart of it.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <fairstep/report/internal/comparison.hpp>
#include <fairstep/report/internal/figure.hpp>
#include <fairstep/report/internal/numbers.hpp>
#include <fairstep/report/internal/page.hpp>

namespace fairstep::report {
namespace {

/// What sentences call the first method with limits; an experiment may give it another label.
constexpr const char* kTheMethod = "the method";

/// The kinds of the first chart, in the order of its legend.
constexpr Kind kOnFront[] = {Kind::ours, Kind::penalty, Kind::other_form, Kind::unconstrained};

bool on_front(Kind kind) { return std::find(std::begin(kOnFront), std::end(kOnFront), kind) != std::end(kOnFront); }

std::string on_frontier(const Setting& setting, const ExperimentRecord& plan) {
  if (setting.find(Kind::ours) == nullptr || setting.find(Kind::penalty) == nullptr) return "Return against violation";
  switch (verdicts::equal_violation(setting, plan).ruling) {
    case Ruling::holds:
      return "Above the penalty";
    case Ruling::tie:
      return "A tie with the penalty";
    case Ruling::fails:
      return "Below the penalty";
    case Ruling::undecided:
      break;
  }
  return "Undecided";
}

/// What the penalties of one form offer, no penalty included: the line on which tossing a coin between two of them
/// lies.
void add_frontier(Panel& panel, const Setting& setting, Kind kind) {
  std::vector<Point> points;
  for (const MethodRuns& method : setting.methods)
    if (method.kind == kind || method.kind == Kind::unconstrained)
      points.push_back({final_violation(method).mean, final_value(method).mean});
  const Curve frontier(std::move(points));
  for (const Point& corner : frontier.corners())
    panel.table.rows.push_back({"frontier of " + family_of(*setting.find(kind)), "corner", corner.violation, kUnknown,
                                kUnknown, corner.value, kUnknown, kUnknown, name_of(kind)});
}

Panel front_panel(const Setting& setting, const ExperimentRecord& plan) {
  Panel made;
  made.id = "front-" + setting.id;
  made.chart = "front";
  made.heading = setting.name;
  made.title = on_frontier(setting, plan);
  made.table.columns = {{"method", "method"},
                        {"role", "point"},
                        {"violation", "violation"},
                        {"violation_low", "from", 4, Rounded::down},
                        {"violation_high", "to", 4, Rounded::up},
                        {"value", "return"},
                        {"value_low", "from", 4, Rounded::down},
                        {"value_high", "to", 4, Rounded::up},
                        {"kind", ""}};
  for (const Kind kind : {Kind::penalty, Kind::other_form})
    if (setting.find(kind) != nullptr) add_frontier(made, setting, kind);
  double most = 0, low = kUnknown, high = kUnknown;
  for (const MethodRuns& method : setting.methods) {
    if (!on_front(method.kind)) continue;
    const Band violation = final_violation(method), value = final_value(method);
    made.table.rows.push_back({method.about.label, "final", violation.mean, violation.low, violation.high, value.mean,
                               value.low, value.high, name_of(method.kind)});
    most = std::max(most, violation.mean);
    low = std::fmin(low, value.mean);
    high = std::fmax(high, value.mean);
  }
  const double pad = high > low ? 0.12 * (high - low) : 0.5;
  made.parameters = {{"xMax", most > 0 ? 1.08 * most : 1.0}, {"yMin", low - pad}, {"yMax", high + pad}};
  return made;
}

/// "0.036", or "0.007 to 0.053" of several.
std::string range_of(const std::vector<double>& numbers) {
  const auto [low, high] = std::minmax_element(numbers.begin(), numbers.end());
  const std::string from = fixed(*low, 3), to = fixed(*high, 3);
  return from == to ? from : from + " to " + to;
}

/// "; at equal violation it returns as much as the penalty baseline in 3 of 4 settings, which is undecided in 1"
std::string against_baseline(const Evidence& evidence) {
  std::size_t more = 0, tie = 0, less = 0, open = 0;
  for (const Setting& setting : evidence.settings) {
    if (setting.find(Kind::ours) == nullptr || setting.find(Kind::penalty) == nullptr) continue;
    switch (verdicts::equal_violation(setting, evidence.plan).ruling) {
      case Ruling::holds:
        ++more;
        break;
      case Ruling::tie:
        ++tie;
        break;
      case Ruling::fails:
        ++less;
        break;
      case Ruling::undecided:
        ++open;
    }
  }
  const std::size_t all = more + tie + less + open;
  if (all == 0) return {};
  const std::string of = fmt::format(" of {} {}", all, all == 1 ? "setting" : "settings");
  if (open == all) return "; whether it returns more than the penalty baseline at equal violation is undecided";
  std::string text = "; at equal violation it returns";
  bool first = true;
  for (const auto& [count, words] : {std::pair{more, " more than"}, {tie, " as much as"}, {less, " less than"}}) {
    if (count == 0) continue;
    text += fmt::format("{}{} the penalty baseline in {}{}", first ? "" : ",", words, count, first ? of : "");
    first = false;
  }
  return open == 0 ? text : text + fmt::format(", and it is undecided in {}", open);
}

std::string sentence_of(const Evidence& evidence) {
  std::vector<double> ours, free;
  for (const Setting& setting : evidence.settings) {
    if (const MethodRuns* method = setting.find(Kind::ours)) ours.push_back(final_violation(*method).mean);
    if (const MethodRuns* method = setting.find(Kind::unconstrained)) free.push_back(final_violation(*method).mean);
  }
  if (ours.empty()) return "No run of a method with limits is finished: there is no result yet.";
  std::string text = fmt::format("The method ends with a violation of {}", range_of(ours));
  if (!free.empty()) text += fmt::format(", where without constraint it is {}", range_of(free));
  return text + against_baseline(evidence) + ".";
}

/// The words of the first screen, said once; the page keeps to them.
std::string words_of(const Evidence& evidence) {
  const MethodRuns* ours = nullptr;
  bool baseline = false;
  for (const Setting& setting : evidence.settings) {
    if (ours == nullptr) ours = setting.find(Kind::ours);
    baseline = baseline || setting.find(Kind::penalty) != nullptr;
  }
  std::string text = "The method learns under a limit on the gap between groups at every step";
  if (ours != nullptr && ours->about.label != kTheMethod)
    text += fmt::format("; charts and tables call it by its label, \u201c{}\u201d", ours->about.label);
  text +=
      ". Its violation is the average of the gaps over the steps, its return the expected total reward of a random "
      "person; both are exact under the true model.";
  if (baseline)
    text +=
        " The penalty baseline learns with lambda times the squared gaps as a cost; its frontier is the best that "
        "mixing its policies gives.";
  return text + " Steps are counted from 0: step 0 is the paper's step 1.";
}

}  // namespace

std::string title_of(const Evidence& evidence) {
  std::vector<std::string> notions, environments;
  const auto add = [](std::vector<std::string>& list, std::string words) {
    if (std::find(list.begin(), list.end(), words) == list.end()) list.push_back(std::move(words));
  };
  for (const Setting& setting : evidence.settings) {
    add(notions, in_words(setting.notion));
    add(environments, setting.environment);
  }
  std::string text = joined(notions);
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text + " at every step: " + joined(environments);
}

Group front(const Evidence& evidence) {
  Group group{"front", "Return against violation", "", {}, {}, 4};
  for (const Kind kind : kOnFront)
    for (const Setting& setting : evidence.settings)
      if (const MethodRuns* method = setting.find(kind)) {
        const bool hull = kind == Kind::penalty || kind == Kind::other_form;
        group.legend.push_back({name_of(kind), hull ? family_of(*method) + ", frontier" : method->about.label});
        break;
      }
  for (const Setting& setting : evidence.settings) group.panels.push_back(front_panel(setting, evidence.plan));
  return group;
}

void write_first_screen(Html& html, const Evidence& evidence, const Group& group) {
  html.open("section", {{"id", "result"}, {"class", "result"}, {"aria-labelledby", "result-heading"}});
  html.element("h2", "The result", {{"id", "result-heading"}, {"class", "unseen"}});
  html.element("p", sentence_of(evidence), {{"class", "lead"}});
  write_panels(html, group);
  html.element("p",
               "Up is more return, left is fairer. Crosses and dots are the policies of the last update, means over "
               "repeats; the bars of the method are 95 % intervals; dots are weights of the penalty. The axis of the "
               "violation is a square root. Click a name to switch it off; point at a method to find it in every "
               "chart.",
               {{"class", "how"}});
  html.element("p", words_of(evidence), {{"class", "note"}}).close().line();
}

}  // namespace fairstep::report
