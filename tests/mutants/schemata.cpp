#include "schemata.hpp"

namespace fsm {

int active = 0;

namespace {

// Before variables are initialised by functions that have mutants in them.
__attribute__((constructor(101))) void read_environment() {
  const char* text = std::getenv("FAIRSTEP_MUTANT");
  if (text != nullptr) active = std::atoi(text);
}

}  // namespace
}  // namespace fsm
