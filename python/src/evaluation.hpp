// What the referee found, with names: as Python sees it.
#pragma once

#include <fairstep/evaluate/evaluate.hpp>

#include "convert.hpp"
#include "words.hpp"

namespace fairstep::python {

using NamedEvaluation = Named<Evaluation>;
using NamedRates = Named<Rates>;
using NamedGaps = Named<Gaps>;

}  // namespace fairstep::python
