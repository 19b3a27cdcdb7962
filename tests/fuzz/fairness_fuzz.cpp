// Fairness files, read for the FICO population: limits that are accepted are limits.
#include <fairstep/environments/environments.hpp>
#include <fairstep/io/internal/documents.hpp>
#include <fairstep/io/shared/parse.hpp>

#include "fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace fairstep;
  static const Model kModel = *make_fico();
  const auto document = internal::parse_json(fuzz::text_of(data, size));
  if (!document) return 0;
  const auto fairness = internal::fairness_from(*document, kModel.names(), kModel.shape());
  if (!fairness) return 0;
  for (const auto& parity : fairness->parity)
    for (const double limit : parity.limit) fuzz::promise(limit >= 0 && limit <= 1, "a limit lies between 0 and 1");
  return 0;
}
