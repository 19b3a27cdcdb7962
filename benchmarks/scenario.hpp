// What the scenario programs share: they time whole runs once, by CPU time, beside one exact evaluation.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <utility>

#include <fmt/format.h>

#include <fairstep/core/error.hpp>
#include <fairstep/core/model.hpp>
#include <fairstep/evaluate/evaluate.hpp>

namespace fairstep::bench {

template <class T>
T must(Expected<T> expected) {
  if (expected) return std::move(*expected);
  fmt::print(stderr, "{}\n", expected.error().message);
  std::exit(1);
}

inline double cpu_seconds() {
  std::timespec now{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

template <class Work>
double seconds(const Work& work) {
  const double begin = cpu_seconds();
  work();
  return cpu_seconds() - begin;
}

/// The floor of everything: one evaluation of a policy, the least of several.
inline double evaluation_time(const Model& model) {
  const Shape& n = model.shape();
  const auto policy = must(Policy::make(Tensor<double, 3>({n.groups, n.horizon, n.features}, 0.5)));
  Evaluation result(n);
  double least = 1e9;
  for (int i = 0; i < 20; ++i) least = std::min(least, seconds([&] { evaluate_into(model, policy, result); }));
  return least;
}

}  // namespace fairstep::bench
