// Model, policy and counts files: what is accepted is written and read again as the same, and a model that is accepted
// can be evaluated.
#include <algorithm>
#include <cmath>
#include <string>
#include <type_traits>
#include <variant>

#include <fairstep/evaluate/evaluate.hpp>
#include <fairstep/io/files.hpp>

#include "fuzz.hpp"

namespace {

using namespace fairstep;
using fuzz::promise;

/// A value lies between the least and the greatest total of rewards, whatever the model.
void check_value(const Model& model) {
  const Shape& n = model.shape();
  const auto policy = Policy::make(Tensor<double, 3>({n.groups, n.horizon, n.features}, 0.5));
  const auto evaluated = evaluate(model, *policy);
  promise(evaluated.has_value(), "a model can be evaluated");
  const Range reward = model.reward_range();
  double steps = 0;
  for (std::size_t h = 0; h < n.horizon; ++h) steps += std::pow(model.spec().discount, static_cast<double>(h));
  const double most = std::max(std::abs(reward.low), std::abs(reward.high)) * steps;
  promise(std::abs(evaluated->value) <= most * (1 + 1e-9) + 1e-12, "a value lies between the extremes of its rewards");
}

template <class Accepted>
void check_round_trip(const Accepted& accepted) {
  const std::string text = to_text(accepted);
  const auto again = parse_document(text);
  promise(again.has_value(), "what is written can be read");
  promise(std::holds_alternative<Accepted>(*again), "it is read as what it is");
  promise(to_text(std::get<Accepted>(*again)) == text, "it is read as the same");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto document = parse_document(fuzz::text_of(data, size));
  if (!document) {
    promise(!document.error().message.empty(), "an error says something");
    return 0;
  }
  std::visit(
      [](const auto& accepted) {
        check_round_trip(accepted);
        if constexpr (std::is_same_v<std::decay_t<decltype(accepted)>, Model>) check_value(accepted);
      },
      *document);
  return 0;
}
