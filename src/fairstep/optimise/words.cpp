#include <fairstep/optimise/words.hpp>

namespace fairstep {

const char* name_of(Method method) {
  switch (method) {
    case Method::constrained:
      return "constrained";
    case Method::unconstrained:
      return "unconstrained";
    case Method::penalty:
      return "penalty";
    case Method::myopic:
      return "myopic";
  }
  return "";
}

const char* name_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::optimal:
      return "optimal";
    case Outcome::feasible:
      return "feasible";
    case Outcome::infeasible:
      return "infeasible";
    case Outcome::unknown:
      return "unknown";
  }
  return "";
}

const char* name_of(StopReason reason) {
  switch (reason) {
    case StopReason::finished:
      return "finished";
    case StopReason::time:
      return "time";
    case StopReason::iterations:
      return "iterations";
    case StopReason::requested:
      return "requested";
    case StopReason::numerical:
      return "numerical";
  }
  return "";
}

}  // namespace fairstep
