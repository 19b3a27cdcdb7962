#include <fairstep/check/soundness.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <fairstep/check/features.hpp>
#include <fairstep/check/history.hpp>
#include <fairstep/check/known_model.hpp>
#include <fairstep/check/numbers.hpp>
#include <fairstep/check/parts.hpp>

namespace fairstep::rigorous {
namespace {

/// How far sums may be off that were added up in doubles.
constexpr Real kOff = 1e-9L;
const std::string kCounts = "/inputs/counts/text";
const std::string kModel = "/inputs/model/text";

std::string cell_text(const Question& q, std::size_t g, std::size_t cell) {
  return fmt::format("of group {}, x={}, y={}, a={}", internal::quote(q.names[g]), cell / 4, cell / 2 % 2, cell % 2);
}

/// Successors seen of a cell in a period.
Real left_in(const Question& q, std::size_t g, std::size_t k, std::size_t cell) {
  Real left = 0;
  for (std::size_t s = 0; s < q.states; ++s) left += q.transitions[(g * q.rows() + k * q.cells + cell) * q.states + s];
  return left;
}

/// Decisions in a cell at those steps of a period that have a next.
Real visits_in(const Question& q, std::size_t g, std::size_t k, std::size_t cell) {
  const std::size_t end = k + 1 < q.periods() ? q.starts[k + 1] : q.horizon - 1;
  Real visits = 0;
  for (std::size_t h = q.starts[k]; h < end; ++h) visits += q.visits[(g * q.horizon + h) * q.cells + cell];
  return visits;
}

/// Successors are seen after decisions before the last step; rewards come with decisions; |sum| <= sqrt(n squares).
Expected<void> check_cell(const Question& q, std::size_t g, std::size_t cell) {
  const std::size_t at = g * q.cells + cell;
  const Real visits = q.visits_of(g, cell);
  for (std::size_t k = 0; k < q.periods(); ++k)
    if (left_in(q, g, k, cell) > visits_in(q, g, k, cell))
      return fail(fmt::format("transitions {} add up to more than its visits {}", cell_text(q, g, cell),
                              q.periods() > 1 ? fmt::format("in period {}", k) : "before the last step"),
                  kCounts + "/transitions");
  const Real sum = q.reward_sum[at];
  const Real squares = q.reward_squares[at];
  if (visits == 0 && (sum != 0 || squares != 0))
    return fail(fmt::format("rewards {} come without a visit", cell_text(q, g, cell)), kCounts + "/reward_sum");
  if (sum * sum > visits * squares * 1.000001L + visits * visits * 1e-300L)
    return fail(fmt::format("reward_sum {} is more than reward_squares allows", cell_text(q, g, cell)),
                kCounts + "/reward_sum");
  return {};
}

/// Whoever is first seen in a state, or seen to come there, has a decision taken there.
Expected<void> check_arrivals(const Question& q, std::size_t g, std::size_t s) {
  Real arrived = q.first[g * q.states + s];
  for (std::size_t row = 0; row < q.rows(); ++row) arrived += q.transitions[(g * q.rows() + row) * q.states + s];
  if (arrived <= q.visits_of(g, 2 * s) + q.visits_of(g, 2 * s + 1)) return {};
  return fail(fmt::format("visits of group {}, x={}, y={} are fewer than first seen there and transitions to there",
                          internal::quote(q.names[g]), s / 2, s % 2),
              kCounts + "/visits");
}

Expected<void> check_counts(const Question& q) {
  for (std::size_t g = 0; g < q.groups; ++g) {
    for (std::size_t cell = 0; cell < q.cells; ++cell)
      if (auto ok = check_cell(q, g, cell); !ok) return ok;
    for (std::size_t s = 0; s < q.states; ++s)
      if (auto ok = check_arrivals(q, g, s); !ok) return ok;
  }
  return {};
}

/// What holds of states holds of features, rows without a label included.
Expected<void> check_unlabelled(const Question& q, const Json& counts) {
  if (!counts.contains("log") || !counts.at("log").contains("unlabelled_rows")) return {};
  const Json& log = counts.at("log");
  const std::string at = kCounts + "/log/unlabelled_rows";
  if (!log.contains("unlabelled")) return fail("is there without log.unlabelled", at);
  const FeatureTables tables = feature_tables(q, counts);
  const std::vector<Real> unlabelled = numbers_in<Real>(log.at("unlabelled"));  // [g,h,x,a]
  Real all = 0;
  for (const std::vector<Real>* table : {&q.visits, &unlabelled})
    for (const Real n : *table) all += n;
  if (all >= 0x1p63L) return fail("decisions with a label and without are more than can be counted", at);
  for (std::size_t g = 0; g < q.groups; ++g)
    for (std::size_t x = 0; x < q.features; ++x) {
      Real decided = 0, arrived = tables.first[g * q.features + x];
      for (std::size_t a = 0; a < 2; ++a) {
        Real decisions = 0, last = 0, next = 0;
        for (std::size_t h = 0; h < q.horizon; ++h) {
          const std::size_t step = g * q.horizon + h;
          last = unlabelled[(step * q.features + x) * 2 + a];
          for (std::size_t y = 0; y < 2; ++y) last += q.visits[step * q.cells + 4 * x + 2 * y + a];
          decisions += last;
        }
        for (std::size_t x1 = 0; x1 < q.features; ++x1)
          next += tables.transitions[((g * q.features + x) * 2 + a) * q.features + x1];
        if (next > decisions - last)
          return fail(fmt::format("transitions of group {}, x={}, a={} are more than decisions before the last step",
                                  internal::quote(q.names[g]), x, a),
                      at + "/transitions");
        decided += decisions;
      }
      for (std::size_t row = 0; row < q.features * 2; ++row)
        arrived += tables.transitions[(g * q.features * 2 + row) * q.features + x];
      if (arrived > decided)
        return fail(fmt::format("decisions of group {}, x={} are fewer than first seen there and transitions to there",
                                internal::quote(q.names[g]), x),
                    at);
    }
  if (log.at("unlabelled_rows").contains("lost"))
    for (std::size_t g = 0; g < q.groups; ++g)
      if (tables.in_doubt[g] > tables.lost_first[g])
        return fail("has more people in doubt than are missing", at + "/lost/first_in_doubt");
  return {};
}

bool has_entry_above_zero(const Json& value) {
  if (!value.is_array()) return value > 0;
  return std::any_of(value.begin(), value.end(), has_entry_above_zero);
}

/// What the record of a log says must be known, and be no more than the theorem takes.
Expected<void> check_log(const Question& q, const Json& counts) {
  if (!counts.contains("log")) return {};
  constexpr std::array<std::string_view, 6> losing{"malformed", "missing",  "unreadable",
                                                   "unknown",   "conflict", "group-change"};
  constexpr std::array<std::string_view, 4> harmless{"out-of-range", "out-of-order", "duplicate", "gap"};
  const auto is_one_of = [](const std::string& word, const auto& words) {
    return std::find(words.begin(), words.end(), word) != words.end();
  };
  const Json& log = counts.at("log");
  const std::string at = kCounts + "/log";
  const auto censored = log.at("censored").get<std::string>();
  if (!is_one_of(censored, std::array<std::string_view, 3>{"no", "drop", "assume-ignorable"}))
    return fail("is no such word", at + "/censored");
  if (censored == "assume-ignorable" || log.value("imputed", std::int64_t{0}) > 0)
    return fail("labels of the counts were drawn, not seen: nothing is proven", at + "/censored");
  const bool unlabelled = log.contains("unlabelled") && has_entry_above_zero(log.at("unlabelled"));
  bool lost = unlabelled && !q.labels;
  for (const Json& finding : log.at("findings")) {
    const auto kind = finding.at("kind").get<std::string>();
    lost = lost || is_one_of(kind, losing);
    if (finding.at("rows") == 0 || !(is_one_of(kind, losing) || is_one_of(kind, harmless)))
      return fail("has one of no known kind", at + "/findings");
  }
  for (const Json& group : log.value("excluded", Json::array()))
    if (group.at("rows") == 0) return fail("has a group without rows", at + "/excluded");
  if (q.labels && log.contains("unlabelled") && !log.contains("unlabelled_rows"))
    return fail("decisions have no label, and nobody wrote down where these people went: count the log anew",
                at + "/unlabelled");
  const bool by_features = q.labels && log.contains("unlabelled_rows");
  const bool recorded = by_features ? log.at("unlabelled_rows").contains("lost") : log.contains("lost");
  if (!recorded) {
    if (!lost && !by_features) return {};
    return fail("rows were left out of the counts, and nobody wrote down where: count the log anew", at);
  }
  for (std::size_t g = 0; g < q.groups && log.contains("lost"); ++g)
    if (q.lost.in_doubt[g] > q.lost.first[g])
      return fail("has more people in doubt than are missing", at + "/lost/first_in_doubt");
  return {};
}

/// Whether all innermost rows below some depth sum to 1.
bool sums_to_one(const Json& value, int depth) {
  if (depth > 0)
    return std::all_of(value.begin(), value.end(), [&](const Json& part) { return sums_to_one(part, depth - 1); });
  const std::function<Real(const Json&)> sum = [&](const Json& part) {
    if (!part.is_array()) return Real{part.get<double>()};
    Real all = 0;
    for (const Json& entry : part) all += sum(entry);
    return all;
  };
  return std::abs(sum(value) - 1) <= kOff;
}

Expected<void> check_model(const Question& q, const Documents& documents) {
  if (!documents.model) return {};
  const Json& model = *documents.model;
  for (const char* key : {"groups", "features", "horizon"})
    if (model.at(key) != documents.counts.at(key))
      return fail("is not that of the counts", fmt::format("{}/{}", kModel, key));
  if (model.contains("periods") && model.at("periods") != documents.counts.value("periods", Json()))
    return fail("are not those of the counts", kModel + "/periods");
  if (model.contains("rests_on"))
    return fail("the model is an estimate, expected one whose rewards and shares are known", kModel + "/rests_on");
  if (q.discount == 0) return fail("is 0, expected more", kModel + "/discount");
  const std::function<bool(const Json&)> negative = [&](const Json& value) {
    return value.is_array() ? std::any_of(value.begin(), value.end(), negative) : value.get<double>() < 0;
  };
  if (model.contains("reward_noise") && negative(model.at("reward_noise")))
    return fail("is below 0", kModel + "/reward_noise");
  bool sums = sums_to_one(model.at("share"), 0) && sums_to_one(model.at("initial"), 1) &&
              sums_to_one(model.at("transition"), model.contains("periods") ? 5 : 4);
  if (model.contains("participation")) sums = sums && sums_to_one(model.at("participation").at("first_step"), 1);
  if (!sums) return fail("has a distribution that does not sum to 1", kModel);
  for (std::size_t g = 0; g < q.groups; ++g)
    if (q.share[g] == 0 && q.people(g) > 0)
      return fail("is 0 for a group that people were counted of", fmt::format("{}/share/{}", kModel, g));
  return {};
}

/// Counted rewards lie within their range: their sum does, and so does sum (r - least)(greatest - r) >= 0.
Expected<void> check_reward_range(const Question& q, const Documents& documents) {
  if (q.value != Question::Value::counted) return {};
  const std::string at = "/reward_range";
  if (q.least > q.greatest) return fail("is not in order", at);
  const std::vector<Real>& first = q.design ? q.design->first : q.first;
  if (std::all_of(first.begin(), first.end(), [](Real n) { return n == 0; }))
    return fail(
        fmt::format("nobody was counted{}, so that shares are not known", q.design ? " in the design part" : ""), at);
  const Json& counts = documents.counts;
  if (counts.contains("log") && !counts.at("log").at("columns").contains("reward"))
    return fail("the log has no rewards", at);
  const Real size = std::max(std::abs(q.least), std::abs(q.greatest));
  for (std::size_t g = 0; g < q.groups; ++g)
    for (std::size_t cell = 0; cell < q.cells; ++cell) {
      const Real n = q.visits_of(g, cell);
      const Real sum = q.reward_sum[g * q.cells + cell];
      const Real squares = q.reward_squares[g * q.cells + cell];
      const Real off = kOff * n * size;
      if (sum < n * q.least - off || sum > n * q.greatest + off ||
          squares > (q.least + q.greatest) * sum - n * q.least * q.greatest + off * size)
        return fail(fmt::format("counted rewards {} lie outside of it", cell_text(q, g, cell)), at);
    }
  return {};
}

Expected<void> check_followed(const Question& q) {
  if (!q.followed) return {};
  for (std::size_t g = 0; g < q.groups; ++g)
    for (std::size_t h = 0; h < q.horizon; ++h)
      if (q.visits_at(g, h) > q.people(g) + q.lost.first[g])
        return fail(fmt::format("group {} has more decisions at step {} than people: they did not follow the policy",
                                internal::quote(q.names[g]), h),
                    "/followed");
  return {};
}

Expected<void> check_keys(const Json& object, const std::set<std::string>& expected, const std::string& pointer) {
  std::set<std::string> found;
  for (const auto& [key, value] : object.items()) found.insert(key);
  if (found == expected) return {};
  return fail(fmt::format("has the keys {}, expected {}", fmt::join(found, ", "), fmt::join(expected, ", ")), pointer);
}

/// A rule, and whether it says how large odds are.
Expected<void> check_rule(const Json& object, const std::string& pointer) {
  const auto word = object.at("refused").get<std::string>();
  if (word != "like-accepted" && word != "odds" && word != "anything")
    return fail("is no such rule", pointer + "/refused");
  if (object.contains("odds") != (word == "odds")) return fail("goes with the rule odds", pointer + "/odds");
  if (word != "odds") return {};
  const auto odds = object.at("odds").get<double>();
  return odds >= 1 && odds <= kMostOdds ? Expected<void>{} : fail("is not between 1 and 1e6", pointer + "/odds");
}

/// Exactly the keys that go with labels that follow features, and rules that there are.
Expected<void> check_labels(const Question& q, const Documents& documents) {
  const Json& certificate = documents.certificate;
  const bool follow = certificate.contains("labels");
  const bool needed = follow && (q.eqopt || q.eqodds);
  for (const char* key : {"refused", "label_shares", "if_refused"})
    if (certificate.contains(key) != needed)
      return fail("goes with rates where labels follow features", "/" + std::string(key));
  if (!needed && (certificate.contains("odds") || certificate.contains("break_even")))
    return fail("goes with rates where labels follow features", "/break_even");
  if (!follow) return {};
  if (certificate.at("labels") != "follow-features") return fail("is no such word", "/labels");
  if (documents.counts.contains("periods")) return fail("goes with one kernel for all steps", "/labels");
  if (q.followed || documents.design || q.value != Question::Value::none)
    return fail("goes with no followers, no design part and no rewards", "/labels");
  if (!needed) return {};
  if (auto ok = check_rule(certificate, ""); !ok) return ok;
  const Json& others = certificate.at("if_refused");
  std::set<std::string> notions, rates{"tpr"};
  if (q.eqopt) notions.insert("eqopt");
  if (q.eqodds) notions.insert("eqodds"), rates.insert("fpr");
  for (std::size_t i = 0; i < others.size(); ++i) {
    const std::string at = fmt::format("/if_refused/{}", i);
    if (auto ok = check_rule(others.at(i), at); !ok) return ok;
    if (auto ok = check_keys(others.at(i).at("certified_gap"), notions, at + "/certified_gap"); !ok) return ok;
    if (auto ok = check_keys(others.at(i).at("rates"), rates, at + "/rates"); !ok) return ok;
  }
  if (!certificate.contains("break_even")) return {};
  const Json& even = certificate.at("break_even");
  if (!even.at("refused").is_null()) return check_rule(even, "/break_even");
  return even.contains("odds") ? fail("goes with the rule odds", "/break_even/odds") : Expected<void>{};
}

/// Ratios of rates that are compared, and a reference among the groups; the whole episode's accepted shares go with
/// those of its steps.
Expected<void> check_what_follows(const Question& q, const Json& certificate) {
  for (const auto& [estimate, bound] :
       {std::pair{"estimated_ratio", "certified_ratio"}, {"estimated_aggregate_gap", "certified_aggregate_gap"}})
    if (certificate.contains(estimate) != certificate.contains(bound))
      return fail(fmt::format("goes with {}", bound), fmt::format("/{}", estimate));
  if (q.aggregate && !q.dp) return fail("goes with dp", "/certified_aggregate_gap");
  if (certificate.contains("reference") && !q.ratios) return fail("goes with certified_ratio", "/reference");
  if (q.reference && *q.reference >= q.groups) return fail("is no group", "/reference");
  if (!q.ratios) return {};
  const Json& ratios = certificate.at("certified_ratio");
  if (ratios.empty()) return fail("has no ratio", "/certified_ratio");
  if (ratios.contains("dp-ratio") && !q.dp) return fail("goes with dp", "/certified_ratio/dp-ratio");
  if (ratios.contains("eqopt-ratio") && !q.eqopt) return fail("goes with eqopt", "/certified_ratio/eqopt-ratio");
  std::set<std::string> asked;
  for (const auto& [name, steps] : ratios.items()) asked.insert(name);
  return check_keys(certificate.at("estimated_ratio"), asked, "/estimated_ratio");
}

/// Exactly those keys that go with what was asked.
Expected<void> check_all_keys(const Question& q, const Json& certificate) {
  if (certificate.contains("if_nothing_lost") != q.lost.any)
    return fail("goes with counts that lost rows", "/if_nothing_lost");
  std::set<std::string> split{"rows", "row", "ball", "interval"};
  if (q.followed) split.insert({"followed", "tail"});
  if (q.value == Question::Value::counted) split.insert({"rewards", "reward"});
  if (q.design) split.insert({"directions", "question", "path"});
  if (q.labels && (q.eqopt || q.eqodds)) split.insert({"labels", "label"});
  if (auto ok = check_keys(certificate.at("delta_split"), split, "/delta_split"); !ok) return ok;
  std::set<std::string> notions, rates;
  if (q.dp) notions.insert("dp"), rates.insert("accept");
  if (q.eqopt) notions.insert("eqopt"), rates.insert("tpr");
  if (q.eqodds) notions.insert("eqodds"), rates.insert({"tpr", "fpr"});
  if (notions.empty()) return fail("has no notion", "/certified_gap");
  if (auto ok = check_keys(certificate.at("estimated_gap"), notions, "/estimated_gap"); !ok) return ok;
  if (auto ok = check_what_follows(q, certificate); !ok) return ok;
  if (certificate.contains("bound_by") != q.design.has_value()) return fail("goes with a design part", "/bound_by");
  if (q.design) {
    std::set<std::string> bounds = notions;
    bounds.insert("value");
    if (auto ok = check_keys(certificate.at("bound_by"), bounds, "/bound_by"); !ok) return ok;
  }
  if (q.lost.any) {
    const Json& bounds = certificate.at("if_nothing_lost");
    if (auto ok = check_keys(bounds.at("certified_gap"), notions, "/if_nothing_lost/certified_gap"); !ok) return ok;
    if (auto ok = check_keys(bounds.at("rates"), rates, "/if_nothing_lost/rates"); !ok) return ok;
  }
  if (rates.contains("tpr")) rates.insert("qualified");
  if (auto ok = check_keys(certificate.at("rates"), rates, "/rates"); !ok) return ok;
  const Json& pairs = certificate.at("pairs");
  if (pairs.size() != q.groups * (q.groups - 1) / 2)
    return fail(fmt::format("has {} pairs, expected {}", pairs.size(), q.groups * (q.groups - 1) / 2), "/pairs");
  notions.insert("groups");
  for (std::size_t i = 0; i < pairs.size(); ++i)
    if (auto ok = check_keys(pairs.at(i), notions, fmt::format("/pairs/{}", i)); !ok) return ok;
  return {};
}

Expected<void> check_settings(const Question& q, const Documents& documents) {
  const Json& certificate = documents.certificate;
  if (!(q.delta > 0 && q.delta < 1)) return fail(fmt::format("is {}, expected between 0 and 1", q.delta), "/delta");
  if (documents.policy.contains("groups") && documents.policy.at("groups") != documents.counts.at("groups"))
    return fail("are not those of the counts", "/inputs/policy/text/groups");
  if (certificate.contains("reward_range") != certificate.contains("discount"))
    return fail("goes together with discount", "/reward_range");
  if (certificate.contains("reward_range") && documents.model)
    return fail("rewards are both known and counted", "/reward_range");
  return {};
}

}  // namespace

Expected<void> check_sound(const Documents& documents, const Question& q) {
  if (auto ok = check_parts(documents); !ok) return ok;
  if (auto ok = check_settings(q, documents); !ok) return ok;
  if (auto ok = check_all_keys(q, documents.certificate); !ok) return ok;
  if (auto ok = check_counts(q); !ok) return ok;
  if (auto ok = check_unlabelled(q, documents.counts); !ok) return ok;
  if (auto ok = check_log(q, documents.counts); !ok) return ok;
  if (auto ok = check_labels(q, documents); !ok) return ok;
  if (auto ok = check_history(documents); !ok) return ok;
  if (auto ok = check_followed(q); !ok) return ok;
  if (auto ok = check_model(q, documents); !ok) return ok;
  if (auto ok = check_known_model(q, documents); !ok) return ok;
  return check_reward_range(q, documents);
}

}  // namespace fairstep::rigorous
