// Models that tests share.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <utility>

#include <fairstep/core/model.hpp>
#include <fairstep/core/policy.hpp>

namespace fairstep::testing {

/// The value of an Expected that a test knows to be fine; throws with its message otherwise.
template <class T>
T unwrap(Expected<T> expected) {
  if (!expected) throw std::runtime_error(expected.error().message + " at " + expected.error().pointer);
  return std::move(*expected);
}

/// A full random model; sizes as given, every row positive.
Model random_model(std::uint64_t seed, std::size_t groups, std::size_t features, std::size_t horizon,
                   double discount = 1);

/// A random policy for a model.
Policy random_policy(std::uint64_t seed, const Model& model);

/// Two groups "a" and "b", two features, horizon 2; every number a simple fraction. Its values are worked out by hand
/// in tests/evaluate/evaluate_test.cpp.
Model hand_model();

}  // namespace fairstep::testing
