// Experiment files: what is accepted has a plan, and says what decides it.
#include <filesystem>

#include <fairstep/experiment/experiment.hpp>
#include <fairstep/experiment/plan.hpp>

#include "fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace fairstep;
  const auto experiment =
      parse_experiment(fuzz::text_of(data, size), std::filesystem::path("no-such-folder"), "fuzz.toml");
  if (!experiment) {
    fuzz::promise(!experiment.error().message.empty(), "an error says something");
    return 0;
  }
  fuzz::promise(!plan(*experiment).empty(), "an experiment that is accepted has runs");
  fuzz::promise(!to_text(*experiment, "1").empty(), "it can be written down");
  return 0;
}
