#include <fairstep/check/check.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <fairstep/check/bounds.hpp>
#include <fairstep/check/question.hpp>
#include <fairstep/check/sets.hpp>
#include <fairstep/io/sha256.hpp>

namespace fairstep {
namespace {

using rigorous::Bounds;
using rigorous::Interval;
using rigorous::Json;
using rigorous::Question;
using rigorous::Rate;
using rigorous::Real;
using rigorous::Split;
using rigorous::up;

constexpr Real kTolerance = kCheckTolerance;
/// A conditional rate is looser than need be if it could be kTolerance less and the worst E[(a - rate) 1(y)] were still
/// below this: where few have the label the certificate's own rounding weighs more than kTolerance.
constexpr Real kSlack = -1e-12L;

std::string shown(Real number) { return fmt::format("{:.17g}", static_cast<double>(number)); }

/// Compares what a certificate says with what its own documents give.
class Checker {
 public:
  Checker(const Json& certificate, Question question)
      : certificate_(certificate), q_(std::move(question)), split_(split_of(q_)), bounds_(q_, split_) {}

  CheckReport run() {
    check_hashes();
    check_split();
    if (q_.dp) check_rate("accept", Rate::accept);
    if (q_.eqopt || q_.eqodds) check_rate("tpr", Rate::tpr);
    if (q_.eqodds) check_rate("fpr", Rate::fpr);
    if (q_.eqopt || q_.eqodds) check_rate("qualified", Rate::qualified);
    check_gaps();
    check_value();
    check_keys();
    return std::move(report_);
  }

 private:
  // --- reading claims

  void mismatch(std::string pointer, std::string found, std::string expected) {
    report_.mismatches.push_back({std::move(pointer), std::move(found), std::move(expected)});
  }

  /// What stands at a pointer; noted if it is not there or no number (or null, where that is allowed).
  struct Claim {
    bool there = false;
    std::optional<Real> number{};
  };
  Claim claim_at(const std::string& pointer, bool may_be_null = false) {
    ++report_.compared;
    const Json::json_pointer place(pointer);
    if (!certificate_.contains(place)) {
      mismatch(pointer, "nothing", "a number");
      return {};
    }
    const Json& value = certificate_[place];
    if (value.is_null() && may_be_null) return {true, std::nullopt};
    if (!value.is_number()) {
      mismatch(pointer, value.dump(), "a number");
      return {};
    }
    return {true, Real{value.get<double>()}};
  }

  /// An estimate: the same to kTolerance, and missing where there is none.
  void check_same(const std::string& pointer, Real expected, Real tolerance) {
    const Claim claim = claim_at(pointer, true);
    if (!claim.there) return;
    if (!claim.number || std::isnan(expected)) {
      if (claim.number || !std::isnan(expected))
        mismatch(pointer, claim.number ? shown(*claim.number) : "null",
                 std::isnan(expected) ? "null" : shown(expected));
    } else if (!(std::abs(*claim.number - expected) <= tolerance)) {
      mismatch(pointer, shown(*claim.number), shown(expected));
    }
  }

  /// An upper bound: not less than `least`, and no looser than need be.
  void check_at_most(const std::string& pointer, Real claimed, Real least) {
    if (!(claimed >= least && claimed <= least + kTolerance)) mismatch(pointer, shown(claimed), shown(least));
  }

  // --- documents and delta

  void check_hashes() {
    for (const auto& [name, document] : certificate_["inputs"].items()) {
      const std::string pointer = "/inputs/" + name + "/sha256";
      ++report_.compared;
      const auto text = document.is_object() ? document.find("text") : document.end();
      if (text == document.end() || !text->is_string()) {
        mismatch("/inputs/" + name, "something else", "a document with its text");
        continue;
      }
      const std::string expected = sha256(text->get_ref<const std::string&>());
      const std::string found = document.value("sha256", std::string());
      if (found != expected) mismatch(pointer, found, expected);
    }
  }

  void check_split() {
    std::map<std::string, Interval> parts{
        {"rows", split_.rows}, {"row", split_.row}, {"ball", split_.ball}, {"interval", split_.interval}};
    if (q_.followed) parts.insert({{"followed", split_.followed}, {"tail", split_.tail}});
    if (q_.value == Question::Value::counted) parts.insert({{"rewards", split_.rewards}, {"reward", split_.reward}});
    for (const auto& [name, part] : parts)
      check_same("/delta_split/" + name, part.high, kTolerance * 1e-3L * part.high);
    const auto found = certificate_.find("delta_split");
    if (found != certificate_.end() && found->size() != parts.size())
      mismatch("/delta_split", fmt::format("{} parts", found->size()), fmt::format("{} parts", parts.size()));
  }

  // --- rates

  void check_end(const std::string& pointer, std::size_t g, std::size_t h, Rate rate, Real sign) {
    const Claim claim = claim_at(pointer);
    if (!claim.number) return;
    const Real end = sign * *claim.number;
    if (!bounds_.prove({g, h, rate, sign}, end, 0))
      mismatch(pointer, shown(*claim.number),
               sign > 0 ? "more: the rate can be higher" : "less: the rate can be lower");
    if (bounds_.prove({g, h, rate, sign}, end - kTolerance, kSlack))
      mismatch(pointer, shown(*claim.number),
               sign > 0 ? "less: the data prove a lower bound" : "more: the data prove a higher bound");
    claims_[pointer] = *claim.number;
  }

  void check_rate(const std::string& name, Rate rate) {
    for (std::size_t g = 0; g < q_.groups; ++g) {
      const std::vector<Real> estimates = bounds_.estimates(g, rate);
      for (std::size_t h = 0; h < q_.horizon; ++h) {
        const auto pointer = [&](const char* key) { return fmt::format("/rates/{}/{}/{}/{}", name, key, g, h); };
        check_end(pointer("high"), g, h, rate, 1);
        check_end(pointer("low"), g, h, rate, -1);
        check_same(pointer("estimate"), estimates[h], kTolerance);
        estimates_[{name, g, h}] = estimates[h];
      }
    }
    for (const char* key : {"low", "high", "estimate"})
      check_lengths(fmt::format("/rates/{}/{}", name, key), {q_.groups, q_.horizon});
  }

  // --- gaps, from the rates as claimed

  Real claimed(const std::string& rate, const char* end, std::size_t g, std::size_t h) const {
    const auto found = claims_.find(fmt::format("/rates/{}/{}/{}/{}", rate, end, g, h));
    return found == claims_.end() ? std::numeric_limits<Real>::quiet_NaN() : found->second;
  }

  Real widest(const std::vector<std::string>& rates, std::size_t i, std::size_t j, std::size_t h) const {
    Real gap = 0;
    for (const std::string& rate : rates) {
      const Real one = claimed(rate, "high", i, h) - claimed(rate, "low", j, h);
      const Real other = claimed(rate, "high", j, h) - claimed(rate, "low", i, h);
      // The sign of a difference is exact: nothing is rounded up to more than 0 where rates are the same.
      for (const Real apart : {one, other})
        if (apart > 0) gap = std::max(gap, up(apart));
    }
    return std::min(gap, Real{1});
  }

  /// NaN as long as there is no pair that has the rate: fmax() passes over NaN.
  Real estimated_gap(const std::vector<std::string>& rates, std::size_t h) {
    Real gap = std::numeric_limits<Real>::quiet_NaN();
    for (const std::string& rate : rates)
      for (std::size_t i = 0; i < q_.groups; ++i)
        for (std::size_t j = 0; j < i; ++j)
          gap = std::fmax(gap, std::abs(estimates_[{rate, i, h}] - estimates_[{rate, j, h}]));
    return gap;
  }

  void check_gaps() {
    std::map<std::string, std::vector<std::string>> notions;
    if (q_.dp) notions["dp"] = {"accept"};
    if (q_.eqopt) notions["eqopt"] = {"tpr"};
    if (q_.eqodds) notions["eqodds"] = {"tpr", "fpr"};
    const std::size_t pairs = q_.groups * (q_.groups - 1) / 2;
    const auto list = certificate_.find("pairs");
    if (list == certificate_.end() || !list->is_array() || list->size() != pairs)
      return mismatch("/pairs", "another number of them", fmt::format("{} pairs", pairs));
    for (const auto& [notion, rates] : notions) {
      for (std::size_t h = 0; h < q_.horizon; ++h) {
        Real worst = 0;
        std::size_t pair = 0;
        for (std::size_t i = 0; i < q_.groups; ++i)
          for (std::size_t j = i + 1; j < q_.groups; ++j, ++pair) {
            const std::string pointer = fmt::format("/pairs/{}/{}/{}", pair, notion, h);
            const Real least = widest(rates, i, j, h);
            worst = std::max(worst, least);
            if (const Claim claim = claim_at(pointer); claim.number) check_at_most(pointer, *claim.number, least);
            const Json names{q_.names[i], q_.names[j]};
            if ((*list)[pair].value("groups", Json()) != names)
              mismatch(fmt::format("/pairs/{}/groups", pair), (*list)[pair].value("groups", Json()).dump(),
                       names.dump());
          }
        const std::string pointer = fmt::format("/certified_gap/{}/{}", notion, h);
        if (const Claim claim = claim_at(pointer); claim.number) check_at_most(pointer, *claim.number, worst);
        check_same(fmt::format("/estimated_gap/{}/{}", notion, h), estimated_gap(rates, h), kTolerance);
      }
      for (const char* key : {"/certified_gap/", "/estimated_gap/"}) check_lengths(key + notion, {q_.horizon});
      for (std::size_t pair = 0; pair < pairs; ++pair)
        check_lengths(fmt::format("/pairs/{}/{}", pair, notion), {q_.horizon});
    }
  }

  // --- value

  void check_value() {
    const Claim claim = claim_at("/certified_value", true);
    if (q_.value == Question::Value::none) {
      check_same("/estimated_value", std::numeric_limits<Real>::quiet_NaN(), 0);
      if (claim.number) mismatch("/certified_value", shown(*claim.number), "null, as rewards are not known");
      return;
    }
    const Bounds::Worth worth = bounds_.worth();
    const Real least = worth.least;
    const Real tolerance = kTolerance * worth.scale;
    check_same("/estimated_value", worth.estimate, tolerance);
    if (!claim.there) return;
    if (!claim.number) return mismatch("/certified_value", "null", shown(least));
    if (!(*claim.number <= least && *claim.number >= least - tolerance))
      mismatch("/certified_value", shown(*claim.number), shown(least));
  }

  // --- nothing else

  void check_lengths(const std::string& pointer, const std::vector<std::size_t>& lengths) {
    const Json::json_pointer place(pointer);
    if (!certificate_.contains(place)) return;  // its entries are missing, and that was found
    const Json* value = &certificate_[place];
    for (const std::size_t length : lengths) {
      if (!value->is_array() || value->size() != length)
        return mismatch(pointer, "another length", fmt::format("{} entries", length));
      value = &value->front();
    }
  }

  void check_only(const std::string& pointer, const std::set<std::string>& allowed) {
    const Json::json_pointer place(pointer);
    if (!certificate_.contains(place) || !certificate_[place].is_object())
      return mismatch(pointer, "nothing", "an object");
    for (const auto& [key, value] : certificate_[place].items())
      if (!allowed.contains(key))
        mismatch(fmt::format("{}/{}", pointer, key), "a key that is not part of a certificate", "nothing");
  }

  void check_keys() {
    check_only("", {"schema", "statement", "assumptions", "delta", "delta_split", "followed", "reward_range",
                    "discount", "groups", "certified_gap", "estimated_gap", "certified_value", "estimated_value",
                    "pairs", "rates", "inputs"});
    const Json names(q_.names);
    if (certificate_.value("groups", Json()) != names)
      mismatch("/groups", certificate_.value("groups", Json()).dump(), names.dump());
    if (!certificate_.contains("assumptions")) mismatch("/assumptions", "nothing", "what the certificate rests on");
    if (certificate_.contains("discount") && q_.value != Question::Value::counted)
      mismatch("/discount", certificate_["discount"].dump(), "nothing, as rewards are not counted");
    std::set<std::string> notions, rates;
    if (q_.dp) notions.insert("dp"), rates.insert("accept");
    if (q_.eqopt) notions.insert("eqopt");
    if (q_.eqodds) notions.insert("eqodds"), rates.insert("fpr");
    if (q_.eqopt || q_.eqodds) rates.insert({"tpr", "qualified"});
    check_only("/certified_gap", notions);
    check_only("/estimated_gap", notions);
    check_only("/rates", rates);
    check_only("/inputs", {"counts", "policy", "model"});
    notions.insert("groups");
    for (std::size_t pair = 0; certificate_.contains("pairs") && pair < certificate_["pairs"].size(); ++pair)
      check_only(fmt::format("/pairs/{}", pair), notions);
    for (const std::string& rate : rates) check_only(fmt::format("/rates/{}", rate), {"low", "high", "estimate"});
    for (const auto& [name, document] : certificate_["inputs"].items())
      check_only(fmt::format("/inputs/{}", name), {"file", "sha256", "text"});
  }

  const Json& certificate_;
  Question q_;
  Split split_;
  Bounds bounds_;
  std::map<std::string, Real> claims_{};                                           ///< ends of rates by their pointers
  std::map<std::tuple<std::string, std::size_t, std::size_t>, Real> estimates_{};  ///< by rate, group and step
  CheckReport report_{};
};

}  // namespace

Expected<CheckReport> check_certificate(std::string_view text, const std::string& file) {
  const auto refuse = [&](Error error) -> Expected<CheckReport> {
    error.file = file;
    return tl::unexpected(std::move(error));
  };
  const auto certificate = internal::parse_json(text);
  if (!certificate) return refuse(certificate.error());
  if (!certificate->is_object() || certificate->value("schema", Json()) != "fairstep/certificate/1")
    return refuse({"the file holds no certificate", "/schema", {}, "fairstep certify COUNTS POLICY -o FILE makes one"});
  try {
    auto question = rigorous::question_of(*certificate);
    if (!question) return refuse(question.error());
    return Checker(*certificate, std::move(*question)).run();
  } catch (const Json::exception&) {  // a text where a list should be, and the like
    return refuse({"something in the certificate is of the wrong kind", {}, {}, {}});
  }
}

}  // namespace fairstep
