// What may be assumed about labels that were not seen: the options of fit, audit and certify.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <fairstep/core/label_assumption.hpp>

#include "shell/options.hpp"
#include "shell/verb.hpp"

namespace fairstep::cli {

struct LabelOptions {
  LabelsAre labels = LabelsAre::as_seen;
  std::optional<std::string> refused{};

  void declare(Options& options);
  /// Of a verb whose --labels names labels as well: takes `follow-features` out of the names.
  void take_from(std::vector<std::string>& names);
  /// --refused alone, of such a verb.
  void declare_refused(Options& options);

  /// None if nothing is assumed. --refused without --labels is an error.
  [[nodiscard]] Result<std::optional<LabelAssumption>> assumption() const;
};

/// What has to be said loudly whenever the assumption is used: it, and that the log refutes it if it does.
[[nodiscard]] std::string in_words(const LabelAssumption& assumption);

}  // namespace fairstep::cli
