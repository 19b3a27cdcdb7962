#include <fairstep/prove/check.hpp>

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include <fairstep/core/policy.hpp>
#include <fairstep/core/sha256.hpp>
#include <fairstep/core/words.hpp>
#include <fairstep/io/files.hpp>
#include <fairstep/io/json.hpp>
#include <fairstep/prove/derive.hpp>

namespace fairstep::prove {
namespace {

Expected<void> check_asked(const Proof& proof, const Model& model) {
  const Shape& n = model.shape();
  for (std::size_t i = 0; i < proof.asked.parity.size(); ++i) {
    const std::string at = fmt::format("/asked/limits/{}/limit", i);
    const std::vector<double>& limit = proof.asked.parity[i].limit;
    if (limit.size() != n.horizon)
      return fail(fmt::format("has {} entries, expected one for each of {} steps", limit.size(), n.horizon), at);
    for (const double one : limit)
      if (!(one >= 0 && one <= 1)) return fail(fmt::format("has {}, expected numbers between 0 and 1", one), at);
  }
  if (!proof.asked.capacity.empty() && proof.asked.capacity.size() != n.horizon)
    return fail(
        fmt::format("has {} entries, expected one for each of {} steps", proof.asked.capacity.size(), n.horizon),
        "/asked/capacity");
  for (const double one : proof.asked.capacity)
    if (!(one >= 0 && one <= 1))
      return fail(fmt::format("has {}, expected numbers between 0 and 1", one), "/asked/capacity");
  if (!(proof.asked.floor >= 0 && proof.asked.floor <= (proof.asked.two_sided ? 0.5 : 1.0)))
    return fail(fmt::format("is {}, which leaves no policy", proof.asked.floor), "/asked/floor");
  if (!proof.bound && proof.value)
    return fail("there is a policy, and it is to be proven that there is none", "/policy");
  if (!proof.bound && proof.asked.parity.empty() && proof.asked.capacity.empty())
    return fail("there is no limit that a policy could miss", "/asked");
  if (proof.bound && !std::isfinite(*proof.bound)) return fail("is no number", "/bound");
  const std::vector<Limit> limits = limits_of(model, proof.asked);
  if (proof.scale.size() != limits.size())
    return fail(fmt::format("has {} entries, expected one for each of {} limits", proof.scale.size(), limits.size()),
                "/scale");
  for (std::size_t l = 0; l < limits.size(); ++l) {
    if (proof.scale[l].size() != limits[l].groups.size())
      return fail("has not as many entries as groups are compared", fmt::format("/scale/{}", l));
    for (const double scale : proof.scale[l])
      if (!(scale > 0 && scale <= 1e6)) return fail("has another number than one above 0", fmt::format("/scale/{}", l));
  }
  return {};
}

/// Its value from below; an Error if it is not in the class or misses a limit.
Expected<Real> worth_of(const Proof& proof, const Model& model) {
  const auto document = parse_document(*proof.policy);
  if (!document) {
    Error error = document.error();
    error.pointer = "/policy" + error.pointer;
    return tl::unexpected(std::move(error));
  }
  const Policy* policy = std::get_if<Policy>(&*document);
  if (policy == nullptr) return fail("is no policy", "/policy");
  if (auto ok = policy->check_fits(model); !ok) return tl::unexpected(in_input("policy", ok.error()));
  const Shape& n = model.shape();
  const double ceiling = proof.asked.two_sided ? 1 - proof.asked.floor : 1;
  for (std::size_t g = 0; g < n.groups; ++g)
    for (std::size_t h = 0; h < n.horizon; ++h)
      for (std::size_t x = 0; x < n.features; ++x) {
        const double p = policy->accept(g, h, x);
        if (p < proof.asked.floor || p > ceiling || (proof.asked.group_independent && p != policy->accept(0, h, x)))
          return fail(fmt::format("is not in the class: {} in group {}, step {}, feature {}", p, g, h, x), "/policy");
      }
  Interval value(0);
  std::vector<std::vector<std::vector<Interval>>> mass(n.groups);  // [g][h][x,y]
  for (std::size_t g = 0; g < n.groups; ++g) {
    std::vector<Interval> here;
    for (const double m : model.initial(g)) here.emplace_back(m);
    Interval factor(model.share(g));
    for (std::size_t h = 0; h < n.horizon; ++h, factor = factor * Interval(model.discount())) {
      mass[g].push_back(here);
      std::vector<Interval> next(n.states());
      for (std::size_t s = 0; s < n.states(); ++s)
        for (std::size_t a = 0; a < kActions; ++a) {
          const Interval p(policy->accept(g, h, s / kLabels));
          const Interval moved = here[s] * (a == 1 ? p : Interval(1) - p);
          value = value + factor * moved * Interval(model.reward(g)[s * kActions + a]);
          if (h + 1 == n.horizon || moved.high <= 0) continue;
          const double* row = model.kernel(g, h).row(s * kActions + a);
          for (std::size_t s1 = 0; s1 < n.states(); ++s1)
            if (row[s1] != 0) next[s1] = next[s1] + moved * Interval(row[s1]);
        }
      here = std::move(next);
    }
  }
  for (std::size_t h = 0; h < proof.asked.capacity.size(); ++h) {
    Interval accepted(0);
    for (std::size_t g = 0; g < n.groups; ++g)
      for (std::size_t s = 0; s < n.states(); ++s)
        accepted = accepted + Interval(model.share(g)) * mass[g][h][s] * Interval(policy->accept(g, h, s / kLabels));
    if (accepted.high > Real{proof.asked.capacity[h]} + Real{kTolerance} * 1.01L)
      return fail(fmt::format("accepts {} at step {}", static_cast<double>(accepted.high), h), "/policy");
  }
  for (const Limit& limit : limits_of(model, proof.asked)) {
    std::vector<Interval> rates;
    for (std::size_t i = 0; i < limit.groups.size(); ++i) {
      const std::size_t g = limit.groups[i];
      Interval part(0), whole(0);
      for (std::size_t s = 0; s < n.states(); ++s) {
        if (!is_about(limit.rate, s % kLabels)) continue;
        const Interval& m = mass[g][limit.step][s];
        part = part + m * Interval(policy->accept(g, limit.step, s / kLabels));
        whole = whole + m;
      }
      if (limit.is_fixed(i)) whole = limit.fixed[i];
      if (whole.low > 0) rates.push_back(part / whole);
    }
    for (const Interval& one : rates)
      for (const Interval& other : rates)
        if ((one - other).high > Real{limit.limit} + Real{kTolerance} * 1.01L)
          return fail(fmt::format("misses a limit at step {} by {:.3g}", limit.step,
                                  static_cast<double>((one - other).high - Real{limit.limit})),
                      "/policy");
  }
  return value.low;
}

class Checker {
 public:
  Checker(const Proof& proof, const Model& model)
      : proof_(proof),
        model_(model),
        relations_(model, proof.asked, proof.scale),
        derivation_(model, proof.asked, relations_, proof.beliefs) {}

  Expected<Proven> run() {
    Proven proven;
    std::vector<std::optional<Place>> places(proof_.parts.size());
    places[0] = derivation_.everywhere();
    for (std::size_t i = 0; i < proof_.parts.size(); ++i) {
      const std::string at = fmt::format("/parts/{}", i);
      if (!places[i]) return fail("is half of no part", at);
      const Part& part = proof_.parts[i];
      const auto done = narrow(part, *places[i], at);
      if (!done) return tl::unexpected(done.error());
      proven.claims += part.claims.size();
      if (*done && part.split) return fail("is split, although nothing is left of it", at);
      if (!*done && !part.split) return fail("is not done: something may be left of it", at);
      if (part.split)
        if (auto ok = split(*part.split, *places[i], i, places, at + "/split"); !ok) return tl::unexpected(ok.error());
      places[i].reset();
    }
    proven.parts = proof_.parts.size();
    return proven;
  }

 private:
  /// Whether nothing is left; all claims must be needed until then.
  Expected<bool> narrow(const Part& part, Place& place, const std::string& at) const {
    for (std::size_t i = 0; i < part.claims.size(); ++i) {
      const Claim& claim = part.claims[i];
      const std::string pointer = fmt::format("{}/claims/{}", at, i);
      if (!claim.tables.empty() && claim.tables.size() != derivation_.blocks().size())
        return fail(fmt::format("has {} tables, expected {}", claim.tables.size(), derivation_.blocks().size()),
                    pointer + "/tables");
      const auto most = derivation_.most(claim, place, proof_.bound, pointer);
      if (!most) return tl::unexpected(most.error());
      const bool closes = claim.about == Claim::About::value || claim.about == Claim::About::nothing;
      if (closes) {
        const bool holds =
            claim.about == Claim::About::value ? proof_.bound && *most <= Real{*proof_.bound} : *most < 0;
        if (!holds)
          return fail(fmt::format("does not follow: {:.17g} is what is proven", static_cast<double>(*most)), pointer);
        if (i + 1 < part.claims.size()) return fail("nothing is left, but there are more claims", pointer);
        return true;
      }
      const std::size_t q = relations_.quantity(claim.quantity);
      const bool is_high = claim.about == Claim::About::high;
      if (!std::isfinite(claim.to) || !(*most <= (is_high ? Real{claim.to} : -Real{claim.to})))
        return fail(
            fmt::format("does not follow: {:.17g} is what is proven", static_cast<double>(is_high ? *most : -*most)),
            pointer + "/to");
      Real& end = is_high ? place.high[q] : place.low[q];
      if (is_high ? Real{claim.to} >= end : Real{claim.to} <= end) return fail("narrows nothing", pointer + "/to");
      end = claim.to;
      if (!derivation_.is_empty(place)) continue;
      if (i + 1 < part.claims.size()) return fail("nothing is left, but there are more claims", pointer);
      return true;
    }
    return derivation_.is_empty(place);
  }

  /// Both halves share the point at which they are split, so that nothing lies between them.
  Expected<void> split(const Part::Split& split, const Place& place, std::size_t i,
                       std::vector<std::optional<Place>>& places, const std::string& at) const {
    for (const std::size_t half : {split.at_most, split.at_least})
      if (half <= i || half >= places.size() || places[half].has_value() || split.at_most == split.at_least)
        return fail("names no two later parts of its own", at);
    Place most = place, least = place;
    if (split.limit) {
      if (*split.limit >= relations_.limits().size()) return fail("has a rate that is none", at);
      const std::size_t t = relations_.rate(*split.limit);
      if (!(split.at >= place.low[t] && split.at <= place.high[t])) return fail("is outside of the range", at);
      most.high[t] = least.low[t] = split.at;
    } else {
      const Shape& n = model_.shape();
      if (split.block >= place.box.size() || split.step >= n.horizon || split.feature >= n.features)
        return fail("has an entry that is none", at);
      const std::size_t entry = split.step * n.features + split.feature;
      const Bounds& box = place.box[split.block];
      if (!(split.at >= box.lo[entry] && split.at <= box.hi[entry])) return fail("is outside of the box", at);
      most.box[split.block].hi[entry] = least.box[split.block].lo[entry] = split.at;
      derivation_.narrow_rates(most);
      derivation_.narrow_rates(least);
    }
    places[split.at_most] = std::move(most);
    places[split.at_least] = std::move(least);
    return {};
  }

  const Proof& proof_;
  const Model& model_;
  Relations relations_;
  Derivation derivation_;
};

std::string numbers(const std::vector<double>& list, const std::string& unit = {}) {
  if (std::all_of(list.begin(), list.end(), [&](double one) { return one == list.front(); }))
    return fmt::format("{}{} at every step", json_number(list.front()), unit);
  std::string text;
  for (const double one : list) text += (text.empty() ? "" : ", ") + json_number(one);
  return text + unit + " step by step";
}

}  // namespace

std::string statement_of(const Proof& proof, const Model& model) {
  const Asked& asked = proof.asked;
  std::string policies = "no policy";
  if (asked.group_independent) policies += " that is the same for all groups";
  if (asked.floor > 0)
    policies += fmt::format("{} accepts everybody with a probability of at least {}{}",
                            asked.group_independent ? " and" : " that", json_number(asked.floor),
                            asked.two_sided ? " and refuses with no less" : "");
  std::string limits;
  for (const StepwiseParity& parity : asked.parity)
    limits += fmt::format("{}{} within {}", limits.empty() ? "keeps " : ", and ", name_of(parity.notion),
                          numbers(parity.limit));
  if (!asked.capacity.empty())
    limits += fmt::format("{}accepts no more than {}", limits.empty() ? "" : ", and ",
                          numbers(asked.capacity, " of all people"));
  const std::string people =
      fmt::format("over {} step{}", model.shape().horizon, model.shape().horizon == 1 ? "" : "s");
  const char* joined = asked.group_independent || asked.floor > 0 ? " and" : " that";
  if (!proof.bound) return fmt::format("there is {}{} {} {}", policies, joined, limits, people);
  std::string text = policies;
  if (!limits.empty()) text += fmt::format("{} {}", joined, limits);
  text += fmt::format(" is worth more than {} {}", json_number(*proof.bound), people);
  if (proof.value) text += fmt::format("; this one is worth at least {}", json_number(*proof.value));
  return text;
}

Expected<Proven> check_proof(const Proof& proof, const Model& model, std::string_view model_sha256) {
  if (proof.model_sha256 != model_sha256)
    return fail("is the fingerprint of another model", "/model_sha256", "it must be the very file that was solved");
  if (auto ok = check_asked(proof, model); !ok) return tl::unexpected(ok.error());
  if (const std::string statement = statement_of(proof, model); proof.statement != statement)
    return fail(fmt::format("says \"{}\", expected \"{}\"", proof.statement, statement), "/statement");
  if (proof.value) {
    const auto worth = worth_of(proof, model);
    if (!worth) return tl::unexpected(worth.error());
    if (Real{*proof.value} > *worth)
      return fail(fmt::format("is {}, and the policy is worth {}", *proof.value, static_cast<double>(*worth)),
                  "/value");
    if (*proof.value > *proof.bound) return fail("is more than the bound", "/value");
  }
  auto proven = Checker(proof, model).run();
  if (!proven) return proven;
  proven->statement = proof.statement;
  proven->bound = proof.bound;
  proven->value = proof.value;
  return proven;
}

Expected<Proven> check_proof(std::string_view text, const Model& model, std::string_view model_text) {
  const auto proof = proof_from(text);
  if (!proof) return tl::unexpected(proof.error());
  return check_proof(*proof, model, sha256(model_text));
}

}  // namespace fairstep::prove
