// The benchmarks' common start: says in every result what was measured with what.
#include <string>
#include <thread>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

int main(int argc, char** argv) {
  benchmark::AddCustomContext("compiler", FAIRSTEP_COMPILER);
  benchmark::AddCustomContext("build_type", FAIRSTEP_BUILD_TYPE);
  benchmark::AddCustomContext("cxx_library", fmt::format("libstdc++ {}", __GLIBCXX__));
  benchmark::AddCustomContext("c_library", fmt::format("glibc {}.{}", __GLIBC__, __GLIBC_MINOR__));
  benchmark::AddCustomContext("fmt", std::to_string(FMT_VERSION));
  benchmark::AddCustomContext("google_benchmark", FAIRSTEP_BENCHMARK_VERSION);
  benchmark::AddCustomContext("hardware_threads", std::to_string(std::thread::hardware_concurrency()));
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
