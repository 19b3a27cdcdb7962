#include <fairstep/core/label_assumption.hpp>

#include <fmt/format.h>

#include <fairstep/core/quantity.hpp>

namespace fairstep {
namespace {

std::string refused_grammar() { return "like-accepted, odds=NUMBER or anything"; }

}  // namespace

Expected<void> check(const RefusedRule& rule) {
  if (rule.are != Refused::odds) {
    if (rule.odds == 1) return {};
    return fail_option("refused",
                       fmt::format(" is {} with odds of {}, expected odds of 1", name_of(rule.are), rule.odds));
  }
  if (rule.odds >= 1 && rule.odds <= RefusedRule::kMostOdds) return {};
  return fail_option(
      "refused", fmt::format(" has odds of {}, expected 1 to {:.0f}", rule.odds, RefusedRule::kMostOdds), {},
      rule.odds > 0 && rule.odds < 1 ? std::string_view("odds of 2 stand for a half to twice the odds: say 1 / odds")
                                     : std::string_view());
}

std::string text_of(const RefusedRule& rule) {
  return rule.are == Refused::odds ? fmt::format("{}={}", name_of(rule.are), rule.odds) : name_of(rule.are);
}

Expected<RefusedRule> refused_from(std::string_view text) {
  RefusedRule rule;
  const std::size_t cut = text.find_first_of("= ");
  const auto word = named<Refused>(text.substr(0, cut));
  const bool has_number = cut != std::string_view::npos;
  if (!word || has_number != (*word == Refused::odds))
    return fail_option("refused", fmt::format(" is \"{}\", expected {}", text, refused_grammar()));
  rule.are = *word;
  if (has_number) {
    const auto odds = parse_number(text.substr(cut + 1));
    if (!odds)
      return fail_option("refused", fmt::format(" is \"{}\", expected a number after {}=", text, name_of(*word)));
    rule.odds = *odds;
  }
  if (auto ok = check(rule); !ok) return tl::unexpected(ok.error());
  return rule;
}

double refused_share(const RefusedRule& rule, RefusedPoint point, double s) {
  if (point == RefusedPoint::like_accepted || rule.are == Refused::like_accepted) return s;
  if (rule.are == Refused::anything) return point == RefusedPoint::low ? 0 : 1;
  const double odds = point == RefusedPoint::low ? 1 / rule.odds : rule.odds;
  return odds * s / (1 - s + odds * s);
}

std::string in_words(const RefusedRule& rule) {
  switch (rule.are) {
    case Refused::like_accepted:
      return "within a group and feature, those whose label was not seen are as often qualified as those whose label "
             "was "
             "seen";
    case Refused::odds:
      return fmt::format(
          "within a group and feature, the odds that somebody is qualified whose label was not seen are between "
          "1/{0:g} "
          "and {0:g} times the odds of those whose label was seen",
          rule.odds);
    case Refused::anything:
      break;
  }
  return "of those whose label was not seen any number may be qualified";
}

std::string in_words(const RefusedRule& rule, RefusedPoint point) {
  if (rule.are == Refused::like_accepted) return {};
  if (point == RefusedPoint::like_accepted)
    return "; the model takes them to be as often qualified as those whose label was seen";
  return fmt::format("; the model takes as {} of them as that allows to be qualified",
                     point == RefusedPoint::low ? "few" : "many");
}

std::string labels_follow_features_in_words() {
  return "labels follow features: given all that happened to a person before, whether they are qualified depends on "
         "group and feature alone, and the next feature on group, feature and decision alone";
}

}  // namespace fairstep
