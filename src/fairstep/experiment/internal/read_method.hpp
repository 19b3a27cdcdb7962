// The [[method]] tables of an experiment file, and the keys that they share with the file itself.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include <fairstep/experiment/experiment.hpp>
#include <fairstep/experiment/internal/toml_table.hpp>

namespace fairstep::internal {

/// What a method inherits from the file.
struct MethodDefaults {
  std::vector<double> limit{};
  ExperimentRelaxation relaxation{};
  PenaltyForm penalty_form = PenaltyForm::rate;
  std::vector<Notion> notions{};  ///< all of the experiment's
};

struct MethodOfTable {
  ExperimentMethod method{};
  std::size_t table = 0;  ///< which [[method]] it came from
};

/// relaxation, bonus_scale and relaxation_scale of the whole file, or of a table inside, which inherits the factors of
/// `outer` unless it names another mode.
[[nodiscard]] ExperimentRelaxation read_relaxation(TomlTable& table, std::optional<Error>& error,
                                                   const ExperimentRelaxation* outer = nullptr);

/// A penalty with several lambdas becomes several methods. Empty after an error.
[[nodiscard]] std::vector<MethodOfTable> read_methods(TomlTable& file, std::optional<Error>& error,
                                                      const MethodDefaults& shared);

}  // namespace fairstep::internal
