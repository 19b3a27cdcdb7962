#include "options/label_options.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace fairstep::cli {

void LabelOptions::declare(Options& options) {
  options.choice("--labels", labels,
                 "what is assumed about labels: nothing, or that they follow features, which makes use of decisions "
                 "without a label");
  declare_refused(options);
}

void LabelOptions::declare_refused(Options& options) {
  options.text("--refused", refused, "like-accepted|odds=G|anything",
               "with --labels follow-features, those whose label was not seen: as often qualified as those whose label "
               "was seen, with odds within a factor of G, or nothing is assumed (default like-accepted)");
}

void LabelOptions::take_from(std::vector<std::string>& names) {
  if (std::erase(names, name_of(LabelsAre::follow_features)) > 0) labels = LabelsAre::follow_features;
}

Result<std::optional<LabelAssumption>> LabelOptions::assumption() const {
  if (labels == LabelsAre::as_seen) {
    if (refused)
      return usage("--refused is given without --labels follow-features",
                   "where labels are taken as they were seen nothing is assumed of the refused");
    return std::nullopt;
  }
  LabelAssumption assumption;
  if (refused) {
    const auto rule = refused_from(*refused);
    if (!rule) return usage(rule.error());
    assumption.refused = *rule;
  }
  return assumption;
}

std::string in_words(const LabelAssumption& assumption) {
  return fmt::format("assumed: {}; {}", labels_follow_features_in_words(), fairstep::in_words(assumption.refused));
}

}  // namespace fairstep::cli
