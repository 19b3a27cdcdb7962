// Certificates: whatever is changed in one, the checker answers.
#include <fairstep/check/check.hpp>

#include "fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto report = fairstep::check_certificate(fairstep::fuzz::text_of(data, size));
  if (!report) fairstep::fuzz::promise(!report.error().message.empty(), "an error says something");
  return 0;
}
