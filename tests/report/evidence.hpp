// Experiments made up for tests, in memory and on disk: a few numbers decide everything.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <fairstep/core/model.hpp>
#include <fairstep/report/internal/comparison.hpp>
#include <fairstep/report/internal/evidence.hpp>

namespace fairstep::report::test {

/// One run whose updates at k = 8, 16, ... have these violations and values; the gap is the violation at both steps.
[[nodiscard]] RunRecord run_with(const std::vector<double>& violation, const std::vector<double>& value);

/// A method with one repeat for each final point.
[[nodiscard]] MethodRuns ending_at(Kind kind, const std::vector<Point>& final, double lambda = kUnknown);

/// Two groups, two steps, one feature; nothing in it matters but its size.
[[nodiscard]] const Model& small_model();

[[nodiscard]] Setting setting_of(std::vector<MethodRuns> methods);

/// The folder of an experiment with one environment, one notion (dp), the methods ours, unconstrained and penalty 1,
/// and two repeats of three updates each; group names as given.
struct Disk {
  explicit Disk(const std::string& first_group = "a", const std::string& label = "Town");
  ~Disk();
  Disk(const Disk&) = delete;
  Disk& operator=(const Disk&) = delete;
  std::filesystem::path folder{};
};

}  // namespace fairstep::report::test
