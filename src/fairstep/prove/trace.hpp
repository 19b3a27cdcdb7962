// What a search did, as far as a proof can be made of it. Nothing in it is believed: prices are taken from it, and what
// they prove is worked out anew.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include <fairstep/prove/proof.hpp>

namespace fairstep::prove {

struct Trace {
  struct Step {
    Claim claim{};     ///< `to` and `tables` are not looked at
    double bound = 0;  ///< the search's, on the quantity times its sign: what may be hoped for
  };
  struct Node {
    std::vector<Step> steps{};
    std::optional<Part::Split> split{};  ///< into two nodes of the trace
  };
  std::vector<Node> nodes{};                 ///< the first is the whole
  std::vector<std::vector<double>> scale{};  ///< as in a proof
};

}  // namespace fairstep::prove
