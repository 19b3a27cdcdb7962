// What the programs share that time whole runs: each answer is a line of JSON, which benchmarks/run makes tables of.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <fairstep/core/error.hpp>
#include <fairstep/core/model.hpp>
#include <fairstep/evaluate/evaluate.hpp>
#include <fairstep/io/json.hpp>

namespace fairstep::bench {

template <class T>
T must(Expected<T> expected) {
  if (expected) return std::move(*expected);
  fmt::print(stderr, "{}\n", expected.error().message);
  std::exit(1);
}

/// row("rows", 100, "seconds", 0.5): names and values in turn, one object on one line.
template <class... Words>
void row(const Words&... words) {
  JsonWriter json;
  json.object(JsonWriter::Lines::one);
  const auto put = [&](auto&& self, std::string_view name, const auto& value, const auto&... rest) -> void {
    json.field(name, value);
    if constexpr (sizeof...(rest) > 0) self(self, rest...);
  };
  put(put, words...);
  json.end();
  fmt::print("{}", std::move(json).text());
  std::fflush(stdout);
}

/// CPU time of all threads.
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

/// The least of several: whatever else a machine does can only make it slower.
template <class Work>
double least_seconds(int times, const Work& work) {
  double least = 1e9;
  for (int i = 0; i < times; ++i) least = std::min(least, seconds(work));
  return least;
}

/// The most that this program ever had. (getrusage also knows what its parent had when it was forked.)
inline double peak_megabytes() {
  std::ifstream status("/proc/self/status");
  std::string word;
  double kilobytes = 0;
  while (status >> word)
    if (word == "VmHWM:") status >> kilobytes;
  return kilobytes / 1024;
}

/// The floor of everything: one evaluation of a policy.
inline double evaluation_time(const Model& model) {
  const Shape& n = model.shape();
  const auto policy = must(Policy::make(Tensor<double, 3>({n.groups, n.horizon, n.features}, 0.5)));
  Evaluation result(n);
  return least_seconds(20, [&] { evaluate_into(model, policy, result); });
}

/// `--name VALUE` among the words of the command line.
inline double number_option(int argc, char** argv, std::string_view name, double otherwise) {
  for (int i = 1; i + 1 < argc; ++i)
    if (argv[i] == name) return std::strtod(argv[i + 1], nullptr);
  return otherwise;
}

}  // namespace fairstep::bench
