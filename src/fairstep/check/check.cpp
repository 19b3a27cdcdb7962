#include <fairstep/check/check.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <fairstep/check/bounds.hpp>
#include <fairstep/check/diagnosis.hpp>
#include <fairstep/check/documents.hpp>
#include <fairstep/check/features.hpp>
#include <fairstep/check/question.hpp>
#include <fairstep/check/ratios.hpp>
#include <fairstep/check/sets.hpp>
#include <fairstep/check/soundness.hpp>
#include <fairstep/check/two_parts.hpp>
#include <fairstep/check/words.hpp>
#include <fairstep/core/sha256.hpp>

namespace fairstep {
namespace {

using rigorous::Bounds;
using rigorous::Documents;
using rigorous::FeatureBounds;
using rigorous::FeatureTables;
using rigorous::Interval;
using rigorous::Json;
using rigorous::LabelRule;
using rigorous::Proofs;
using rigorous::Question;
using rigorous::Rate;
using rigorous::Real;
using rigorous::Split;
using rigorous::TwoParts;
using rigorous::up;

constexpr Real kTolerance = kCheckTolerance;
/// A conditional rate is looser than need be if it could be kTolerance less and the worst E[(a - rate) 1(y)] were still
/// below this: where few have the label the certificate's own rounding weighs more than kTolerance.
constexpr Real kSlack = -1e-12L;
/// Two bounds are as good as each other if they differ by no more than certificates round them up by.
constexpr Real kTie = 1e-11L;
/// How much of a limit may be left at its break-even.
constexpr Real kNearLimit = 2e-6L;
constexpr Real kNaN = std::numeric_limits<Real>::quiet_NaN();

std::string shown(Real number) {
  return std::isnan(number) ? "null" : fmt::format("{:.17g}", static_cast<double>(number));
}

/// NaN for null.
Real number_of(const Json& value) { return value.is_null() ? kNaN : Real{value.get<double>()}; }

/// The rates that a notion compares.
const std::map<std::string, std::vector<std::string>>& rates_by_notion() {
  static const std::map<std::string, std::vector<std::string>> rates{
      {"dp", {"accept"}}, {"eqopt", {"tpr"}}, {"eqodds", {"tpr", "fpr"}}};
  return rates;
}

Rate rate_named(const std::string& name) {
  return name == "accept" ? Rate::accept : name == "tpr" ? Rate::tpr : name == "fpr" ? Rate::fpr : Rate::qualified;
}

std::string name_of(Rate rate) {
  return rate == Rate::accept ? "accept" : rate == Rate::tpr ? "tpr" : rate == Rate::fpr ? "fpr" : "qualified";
}

/// Compares what a certificate says with what its own documents give. Its form is known to be right, so that every
/// claim is there.
class Checker {
 public:
  Checker(const Documents& documents, Question question)
      : documents_(documents),
        certificate_(documents.certificate),
        counts_(documents.counts),
        q_(std::move(question)),
        split_(split_of(q_)) {}

  CheckReport run() {
    check_hashes();
    check_words();
    check_split();
    check_diagnosis();
    check_what_follows();
    if (q_.labels) {
      check_where_labels_follow();
      return std::move(report_);
    }
    Bounds bounds(q_, split_);
    check_bounds(bounds, q_, certificate_, "");
    check_estimates(bounds);
    check_estimated_value(bounds);
    if (certificate_.contains("if_nothing_lost")) {
      const Question complete = rigorous::without_losses(q_);
      Bounds without(complete, split_);
      check_bounds(without, complete, certificate_.at("if_nothing_lost"), "/if_nothing_lost");
    }
    return std::move(report_);
  }

 private:
  void mismatch(std::string pointer, std::string found, std::string expected) {
    report_.mismatches.push_back({std::move(pointer), std::move(found), std::move(expected)});
  }

  /// Texts and names.
  void expect(const std::string& pointer, const Json& found, const Json& expected) {
    ++report_.compared;
    if (found != expected) mismatch(pointer, found.dump(), expected.dump());
  }

  /// An estimate: the same to the tolerance, and null where there is none.
  void expect_close(const std::string& pointer, const Json& claim, Real expected, Real tolerance) {
    ++report_.compared;
    const Real found = number_of(claim);
    const bool same = std::isnan(found) || std::isnan(expected) ? std::isnan(found) && std::isnan(expected)
                                                                : std::abs(found - expected) <= tolerance;
    if (!same) mismatch(pointer, shown(found), shown(expected));
  }

  /// An upper bound: not less than `least`, and no looser than need be; that may be `rounding` more.
  void expect_at_least(const std::string& pointer, const Json& claim, Real least, Real rounding) {
    ++report_.compared;
    const Real found = number_of(claim);
    if (!(found >= least && found <= least + kTolerance + rounding)) mismatch(pointer, shown(found), shown(least));
  }

  // --- documents, words and delta

  void check_hashes() {
    for (const auto& [name, document] : certificate_.at("inputs").items())
      expect(fmt::format("/inputs/{}/sha256", name), document.at("sha256"),
             sha256(document.at("text").get_ref<const std::string&>()));
  }

  void check_words() {
    expect("/statement", certificate_.at("statement"), rigorous::statement_of(q_));
    const Json& found = certificate_.at("assumptions");
    const std::vector<std::string> expected = rigorous::assumptions_of(q_, counts_);
    for (std::size_t i = 0; i < std::max(found.size(), expected.size()); ++i)
      expect(fmt::format("/assumptions/{}", i), i < found.size() ? found.at(i) : Json(),
             i < expected.size() ? Json(expected[i]) : Json());
    expect("/groups", certificate_.at("groups"), q_.names);
    std::size_t pair = 0;
    for (std::size_t i = 0; i < q_.groups; ++i)
      for (std::size_t j = i + 1; j < q_.groups; ++j, ++pair)
        expect(fmt::format("/pairs/{}/groups", pair), certificate_.at("pairs").at(pair).at("groups"),
               Json::array({q_.names[i], q_.names[j]}));
  }

  void check_split() {
    const std::map<std::string, Interval> parts{
        {"rows", split_.rows},         {"row", split_.row},           {"ball", split_.ball},
        {"interval", split_.interval}, {"followed", split_.followed}, {"tail", split_.tail},
        {"rewards", split_.rewards},   {"reward", split_.reward},     {"directions", split_.directions},
        {"question", split_.question}, {"path", split_.path},         {"labels", split_.labels},
        {"label", split_.label}};
    for (const auto& [name, claim] : certificate_.at("delta_split").items()) {
      const Real part = parts.at(name).high;
      expect_close("/delta_split/" + name, claim, part, kTolerance * 1e-3L * part);
    }
  }

  void check_diagnosis() {
    report_.compared += certificate_.at("diagnosis").size();
    for (rigorous::WrongAnswer& wrong : rigorous::wrong_in_diagnosis(documents_))
      mismatch(std::move(wrong.pointer), std::move(wrong.found), std::move(wrong.expected));
  }

  // --- bounds

  /// Ends of rates, gaps and value of the certificate, or of what would be so if nothing were lost.
  void check_bounds(Bounds& bounds, const Question& q, const Json& claims, const std::string& at) {
    check_rates(bounds, claims, at);
    std::optional<TwoParts> parts;
    if (q_.design) parts.emplace(q, split_, bounds, known_of(bounds, claims.at("rates")));
    for (const auto& [notion, gaps] : claims.at("certified_gap").items())
      for (std::size_t h = 0; h < q_.horizon; ++h) check_gaps(parts, claims, notion, h, at);
    check_value(bounds, parts, claims, at);
  }

  void check_rates(Proofs& proofs, const Json& claims, const std::string& at) {
    for (const auto& [name, rate] : claims.at("rates").items())
      for (std::size_t g = 0; g < q_.groups; ++g)
        for (std::size_t h = 0; h < q_.horizon; ++h)
          for (const auto& [key, sign] : {std::pair{"high", Real{1}}, {"low", Real{-1}}})
            check_end(proofs, {g, h, rate_named(name), sign}, number_of(rate.at(key).at(g).at(h)),
                      fmt::format("{}/rates/{}/{}/{}/{}", at, name, key, g, h));
  }

  /// Rates as claimed; P(y=1) too where it is claimed.
  static TwoParts::Known known_of(Bounds& bounds, const Json& rates) {
    return [&bounds, &rates](Rate rate, std::size_t g, std::size_t h) {
      const std::string name = name_of(rate);
      if (!rates.contains(name)) return bounds.qualified(g, h);
      const auto end = [&](const char* key) { return number_of(rates.at(name).at(key).at(g).at(h)); };
      return Interval(end("low"), end("high"));
    };
  }

  void check_end(Proofs& bounds, const rigorous::End& end, Real found, const std::string& pointer) {
    ++report_.compared;
    const Real value = end.sign * found;
    if (!bounds.prove(end, value, 0))
      mismatch(pointer, shown(found), end.sign > 0 ? "more: the rate can be higher" : "less: the rate can be lower");
    if (bounds.prove(end, value - kTolerance, kSlack))
      mismatch(pointer, shown(found),
               end.sign > 0 ? "less: the data prove a lower bound" : "more: the data prove a higher bound");
  }

  /// Gaps follow from the rates as claimed, or from both parts.
  void check_gaps(std::optional<TwoParts>& parts, const Json& claims, const std::string& notion, std::size_t h,
                  const std::string& at) {
    Real worst = 0;
    Real worst_by_rates = 0;
    Real rounding = 0;
    std::size_t pair = 0;
    for (std::size_t i = 0; i < q_.groups; ++i)
      for (std::size_t j = i + 1; j < q_.groups; ++j, ++pair) {
        const Real by_rates = widest(claims.at("rates"), notion, i, j, h);
        const ByParts by_parts = parts ? widest_by_parts(*parts, notion, i, j, h) : ByParts{by_rates, 0};
        const Real gap = std::min(by_rates, by_parts.gap);
        const Real rounded = std::min(by_parts.rounding, by_rates - gap);  // then the other one would count
        rounding = std::max(rounding, rounded);
        worst_by_rates = std::max(worst_by_rates, by_rates);
        worst = std::max(worst, gap);
        if (claims.contains("pairs"))
          expect_at_least(fmt::format("{}/pairs/{}/{}/{}", at, pair, notion, h),
                          claims.at("pairs").at(pair).at(notion).at(h), gap, rounded);
      }
    const Json& claim = claims.at("certified_gap").at(notion).at(h);
    expect_at_least(fmt::format("{}/certified_gap/{}/{}", at, notion, h), claim, worst, rounding);
    if (claims.contains("bound_by"))
      expect_bound_by(fmt::format("/bound_by/{}/{}", notion, h), claims.at("bound_by").at(notion).at(h),
                      worst_by_rates - number_of(claim), kTie);
  }

  /// Which bound counts: that of both parts if it is the narrower one, by so much.
  void expect_bound_by(const std::string& pointer, const Json& found, Real narrower_by, Real tie) {
    ++report_.compared;
    const bool either = std::abs(narrower_by) <= tie && (found == "split" || found == "worst-case");
    const Json expected = narrower_by > 0 ? "split" : "worst-case";
    if (found != expected && !either) mismatch(pointer, found.dump(), expected.dump());
  }

  struct ByParts {
    Real gap = 0, rounding = 0;
  };

  /// 1 if nothing was asked.
  static ByParts widest_by_parts(TwoParts& parts, const std::string& notion, std::size_t i, std::size_t j,
                                 std::size_t h) {
    ByParts found;
    for (const std::string& name : rates_by_notion().at(notion)) {
      const Rate rate = rate_named(name);
      found.gap = std::max(found.gap, parts.gap(i, j, h, rate).value_or(1));
      found.rounding = std::max(found.rounding, parts.rounding(i, j, h, rate));
    }
    return found;
  }

  static Real widest(const Json& rates, const std::string& notion, std::size_t i, std::size_t j, std::size_t h) {
    Real gap = 0;
    for (const std::string& rate : rates_by_notion().at(notion)) {
      const auto end = [&](const char* key, std::size_t g) { return number_of(rates.at(rate).at(key).at(g).at(h)); };
      // The sign of a difference is exact: nothing is rounded up to more than 0 where rates are the same.
      for (const Real apart : {end("high", i) - end("low", j), end("high", j) - end("low", i)})
        if (apart > 0) gap = std::max(gap, up(apart));
    }
    return std::min(gap, Real{1});
  }

  /// Ratios and the gap over the whole episode, from rates and pairs as claimed.
  void check_what_follows() {
    const Json ratios = certificate_.value("certified_ratio", Json::object());
    for (const auto& [ratio, steps] : ratios.items())
      for (std::size_t h = 0; h < q_.horizon; ++h) {
        ++report_.compared;
        const Real least = rigorous::least_ratio(q_, certificate_, ratio, h);
        const Real found = number_of(steps.at(h));
        const bool right = std::isnan(least) ? std::isnan(found)
                                             : found <= least && found >= least - kTolerance * std::max(Real{1}, least);
        if (!right) mismatch(fmt::format("/certified_ratio/{}/{}", ratio, h), shown(found), shown(least));
        const Real estimate = rigorous::estimated_ratio(q_, certificate_, ratio, h);
        expect_close(fmt::format("/estimated_ratio/{}/{}", ratio, h),
                     certificate_.at("estimated_ratio").at(ratio).at(h), estimate,
                     kTolerance * std::fmax(Real{1}, estimate));
      }
    if (!q_.aggregate) return;
    expect_at_least("/certified_aggregate_gap/dp", certificate_.at("certified_aggregate_gap").at("dp"),
                    rigorous::greatest_aggregate(q_, certificate_), 0);
    expect_close("/estimated_aggregate_gap/dp", certificate_.at("estimated_aggregate_gap").at("dp"),
                 rigorous::estimated_aggregate(q_, certificate_), kTolerance);
  }

  void check_value(const Bounds& bounds, const std::optional<TwoParts>& parts, const Json& claims,
                   const std::string& at) {
    ++report_.compared;
    const std::string pointer = at + "/certified_value";
    const Real found = number_of(claims.at("certified_value"));
    if (q_.value == Question::Value::none) {
      if (!std::isnan(found)) mismatch(pointer, shown(found), "null, as rewards are not known");
      if (claims.contains("bound_by")) expect("/bound_by/value", claims.at("bound_by").at("value"), nullptr);
      return;
    }
    const Bounds::Worth worth = bounds.worth();
    const Real by_parts = parts ? parts->least_value() : worth.least;
    const Real least = std::max(worth.least, by_parts);
    if (!(found <= least && found >= least - kTolerance * worth.scale)) mismatch(pointer, shown(found), shown(least));
    if (claims.contains("bound_by"))
      expect_bound_by("/bound_by/value", claims.at("bound_by").at("value"), by_parts - worth.least,
                      kTolerance * worth.scale);
  }

  // --- where labels follow features

  void check_where_labels_follow() {
    const FeatureTables tables = rigorous::feature_tables(q_, counts_);
    const LabelRule rule = *q_.labels;
    FeatureBounds bounds(q_, tables, split_, rule);
    check_by_features(bounds, certificate_, "");
    check_estimates(bounds);
    expect("/certified_value", certificate_.at("certified_value"), nullptr);
    expect("/estimated_value", certificate_.at("estimated_value"), nullptr);
    if (certificate_.contains("label_shares")) {
      for (std::size_t i = 0; i < bounds.shares().size(); ++i)
        for (const auto& [key, end] : {std::pair{"low", bounds.shares()[i].low}, {"high", bounds.shares()[i].high}})
          expect_close(fmt::format("/label_shares/{}/{}/{}", key, i / q_.features, i % q_.features),
                       certificate_.at("label_shares").at(key).at(i / q_.features).at(i % q_.features), end,
                       kTolerance);
      check_other_rules(tables);
    }
    if (!certificate_.contains("if_nothing_lost")) return;
    const FeatureTables complete = tables.without_losses();
    FeatureBounds without(q_, complete, split_, rule);
    const Json& claims = certificate_.at("if_nothing_lost");
    check_by_features(without, claims, "/if_nothing_lost");
    expect("/if_nothing_lost/certified_value", claims.at("certified_value"), nullptr);
  }

  void check_by_features(FeatureBounds& bounds, const Json& claims, const std::string& at) {
    check_rates(bounds, claims, at);
    std::optional<TwoParts> none;
    for (const auto& [notion, gaps] : claims.at("certified_gap").items())
      for (std::size_t h = 0; h < q_.horizon; ++h) check_gaps(none, claims, notion, h, at);
  }

  /// Which rules there must be, what they give, and up to where the limit is proven.
  void check_other_rules(const FeatureTables& tables) {
    const Json& others = certificate_.at("if_refused");
    Json rules = Json::array({Json{{"refused", "like-accepted"}}, Json{{"refused", "anything"}}});
    const bool has_limit = certificate_.contains("break_even");
    const Json even = has_limit ? certificate_.at("break_even") : Json();
    if (has_limit && even.at("refused") == "odds")
      rules.insert(rules.begin() + 1, Json{{"refused", "odds"}, {"odds", even.at("odds")}});
    Json found = Json::array();
    for (const Json& other : others) {
      Json rule{{"refused", other.at("refused")}};
      if (other.contains("odds")) rule["odds"] = other.at("odds");
      found.push_back(rule);
    }
    expect("/if_refused", found, rules);
    for (std::size_t i = 0; i < others.size(); ++i) {
      FeatureBounds bounds(q_, tables, split_, rigorous::rule_of(others.at(i)));
      check_by_features(bounds, others.at(i), fmt::format("/if_refused/{}", i));
    }
    if (has_limit && found == rules) check_break_even(even, others);
  }

  static Real widest_of(const Json& gaps) {
    Real widest = 0;
    for (const Json& steps : gaps)
      for (const Json& gap : steps) widest = std::max(widest, number_of(gap));
    return widest;
  }

  /// The weakest rule under which the limit is kept, by the gaps as claimed: of odds, those that use it up.
  void check_break_even(const Json& even, const Json& others) {
    ++report_.compared;
    const Real limit = number_of(even.at("limit"));
    Real parity = 0;
    if (q_.dp) parity = widest_of(Json::array({certificate_.at("certified_gap").at("dp")}));
    const Real at_least = widest_of(others.front().at("certified_gap"));
    const Real at_most = widest_of(others.back().at("certified_gap"));
    const Json expected = std::max(parity, at_least) > limit ? Json() : at_most <= limit ? Json("anything") : "odds";
    if (even.at("refused") != expected) {
      mismatch("/break_even/refused", even.at("refused").dump(), expected.dump());
      return;
    }
    if (expected != "odds") return;
    const Real there = widest_of(others.at(1).at("certified_gap"));
    const bool used_up = there >= limit - kNearLimit || even.at("odds").get<double>() >= rigorous::kMostOdds;
    if (there > limit || !used_up)
      mismatch("/break_even/odds", even.at("odds").dump(), "odds at which the widest gap is the limit");
  }

  // --- estimates

  void check_estimates(const Proofs& bounds) {
    std::map<std::string, std::vector<std::vector<Real>>> estimates;  // by rate, [g][h]
    for (const auto& [name, rate] : certificate_.at("rates").items())
      for (std::size_t g = 0; g < q_.groups; ++g) {
        estimates[name].push_back(bounds.estimates(g, rate_named(name)));
        for (std::size_t h = 0; h < q_.horizon; ++h)
          expect_close(fmt::format("/rates/{}/estimate/{}/{}", name, g, h), rate.at("estimate").at(g).at(h),
                       estimates[name][g][h], kTolerance);
      }
    for (const auto& [notion, gaps] : certificate_.at("estimated_gap").items())
      for (std::size_t h = 0; h < q_.horizon; ++h) {
        Real widest = kNaN;  // as long as there is no pair that has the rate: fmax() passes over NaN
        for (const std::string& rate : rates_by_notion().at(notion))
          for (std::size_t i = 0; i < q_.groups; ++i)
            for (std::size_t j = 0; j < i; ++j)
              widest = std::fmax(widest, std::abs(estimates[rate][i][h] - estimates[rate][j][h]));
        expect_close(fmt::format("/estimated_gap/{}/{}", notion, h), gaps.at(h), widest, kTolerance);
      }
  }

  void check_estimated_value(const Bounds& bounds) {
    const Bounds::Worth worth = q_.value == Question::Value::none ? Bounds::Worth{0, kNaN, 0} : bounds.worth();
    expect_close("/estimated_value", certificate_.at("estimated_value"), worth.estimate, kTolerance * worth.scale);
  }

  const Documents& documents_;
  const Json& certificate_;
  const Json& counts_;
  Question q_;
  Split split_;
  CheckReport report_{};
};

}  // namespace

Expected<CheckReport> check_certificate(std::string_view text, const std::string& file) {
  const auto refuse = [&](Error error) -> Expected<CheckReport> {
    error.file = file;
    return tl::unexpected(std::move(error));
  };
  const auto documents = rigorous::documents_of(text);
  if (!documents) return refuse(documents.error());
  Question question = rigorous::question_of(*documents);
  if (auto ok = rigorous::check_sound(*documents, question); !ok) return refuse(ok.error());
  return Checker(*documents, std::move(question)).run();
}

}  // namespace fairstep
