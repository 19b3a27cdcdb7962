// The form of a certificate and of the documents in it: which keys, what kind of value, arrays of which lengths.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fairstep/core/error.hpp>
#include <fairstep/io/shared/parse.hpp>

namespace fairstep::rigorous {

using internal::Json;

/// The lengths that a form calls g, h, x and k.
struct Sizes {
  std::size_t groups = 0, steps = 0, features = 0;
  std::size_t periods = 1;  ///< of a document whose kernel changes
};

/// The form of a `certificate`, of `counts`, a `policy`, a `policy for all` groups alike, or a `model`. An object has
/// the keys of the form, those after a ? if at all, * standing for any; an array in a form stands for any number of
/// such values; a text says kind and lengths, `count g h x 2 2`, a * for any length.
[[nodiscard]] const Json& form_of(std::string_view document);

/// The same of `counts` or a `model` with periods, each of which has a kernel of its own.
[[nodiscard]] const Json& form_by_period(std::string_view document);

/// Where each group and each feature of a document stands in another one.
struct Places {
  std::vector<std::size_t> groups{}, features{};
};

/// [i] where the i-th name stands now; none if these are not the same names.
[[nodiscard]] std::optional<std::vector<std::size_t>> places_of(const Json& names, const Json& now);

/// Moves what is under g and x to the places that are asked for. The value must be of the form.
void move_to(Json& value, const Json& form, const Places& places);

/// The first thing that is not of the form, with its place below `pointer`.
[[nodiscard]] Expected<void> check_form(const Json& value, const Json& form, const Sizes& sizes,
                                        const std::string& pointer);

}  // namespace fairstep::rigorous
