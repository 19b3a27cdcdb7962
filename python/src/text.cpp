// What Python says in the library's own way: bounds with fewer digits that still hold, suggestions, words of choices.
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <fairstep/core/fairness.hpp>
#include <fairstep/core/rounding.hpp>
#include <fairstep/core/suggest.hpp>
#include <fairstep/core/words.hpp>

#include "convert.hpp"
#include "parts.hpp"

namespace fairstep::python {

void bind_text(nb::module_& module) {
  constexpr int kDecimals = 4;
  module.def("round_up", &round_up_text, nb::arg("number"), nb::arg("decimals") = kDecimals,
             "`0.0269` for 0.026826: so many digits after the point, never below the number, never -0.");
  module.def("round_down", &round_down_text, nb::arg("number"), nb::arg("decimals") = kDecimals,
             "`0.0268` for 0.026826: never above the number.");
  module.def("round_up_short", &round_up_short, nb::arg("number"), nb::arg("significant"),
             "With so many significant digits, as `%g` has it.");
  module.def("round_down_short", &round_down_short, nb::arg("number"), nb::arg("significant"),
             "With so many significant digits, never above the number.");
  module.def("round_up_percent", &round_up_percent, nb::arg("share"), nb::arg("decimals"), "A share in hundredths.");
  module.def("round_up_beside", &round_up_beside, nb::arg("bound"), nb::arg("limit"), nb::arg("decimals") = kDecimals,
             "A bound beside the limit it is compared with: as many digits as it takes to see them on their sides.");
  module.def("one_minus", &one_minus_text, nb::arg("delta"),
             "The probability that is left when delta may fail, from the digits that delta has: `0.93` for 0.07.");
  module.def(
      "did_you_mean",
      [](std::string_view word, const std::vector<std::string_view>& known) { return did_you_mean(word, known); },
      nb::arg("word"), nb::arg("known"), "`did you mean \"dp\"?`, or an empty text if nothing is near.");
  module.def(
      "notions",
      [] {
        std::vector<std::pair<std::string_view, std::string_view>> notions;
        for (const Notion notion : all_of<Notion>()) notions.emplace_back(name_of(notion), in_words(notion));
        return notions;
      },
      "The words for notions of fairness, and what they are called in a sentence.");
  module.def(
      "ratios",
      [] {
        std::vector<std::pair<std::string_view, std::string_view>> ratios;
        for (const RatioNotion ratio : all_of<RatioNotion>()) ratios.emplace_back(name_of(ratio), in_words(ratio));
        return ratios;
      },
      "The same for ratios.");
}

}  // namespace fairstep::python
