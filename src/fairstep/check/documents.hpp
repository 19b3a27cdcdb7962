// The documents inside a certificate, taken apart: each is JSON of the right form. What they say is not judged yet.
#pragma once

#include <optional>
#include <string_view>

#include <fairstep/check/form.hpp>
#include <fairstep/core/error.hpp>

namespace fairstep::rigorous {

/// Groups and features of the policy and of the model are in the order of the counts.
struct Documents {
  Json certificate{}, counts{}, policy{};
  std::optional<Json> design{}, model{};
  Sizes sizes{};
};

[[nodiscard]] Expected<Documents> documents_of(std::string_view text);

/// Periods follow each other from step 0 on, up to the last step but one, with names of their own.
[[nodiscard]] Expected<void> check_periods(const Json& periods, std::size_t steps, const std::string& pointer);

}  // namespace fairstep::rigorous
