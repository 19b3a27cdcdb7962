// The different groups, features and steps of a log, each with a number. Whoever reads a part of the log numbers them
// as they come, so that two readers may have different numbers for one name.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

#include <fairstep/ingest/internal/category.hpp>
#include <fairstep/ingest/internal/plan.hpp>

namespace fairstep::internal {

/// Steps, numbered as they come.
class StepNumbers {
 public:
  /// Past this many the reading ends.
  static constexpr std::size_t kMost = 100'000;

  [[nodiscard]] std::int32_t number_of(std::int64_t step);
  /// Steps from `first` on, at most `span` of them, that were all seen before: copies them and gives their numbers,
  /// without a branch. False if there is any other.
  template <class Integer>
  [[nodiscard]] bool known(const Integer* values, std::size_t count, std::int64_t first, std::int64_t span,
                           std::int64_t* steps, std::int32_t* numbers) const {
    if (first < 0 || first >= kDirect) return false;
    const auto within = static_cast<std::uint64_t>(std::min(span, kDirect - first));
    bool beyond = false;
    std::int32_t worst = 0;
    for (std::size_t i = 0; i < count; ++i) {
      beyond |= static_cast<std::uint64_t>(values[i] - first) >= within;
      steps[i] = values[i];
      numbers[i] = direct_[static_cast<std::uint64_t>(values[i]) % kDirect];
      worst = std::min(worst, numbers[i]);
    }
    return !beyond && worst >= 0;
  }

  /// By number.
  [[nodiscard]] const std::vector<std::int64_t>& steps() const { return steps_; }
  [[nodiscard]] bool too_many() const { return steps_.size() > kMost; }

 private:
  static constexpr std::int64_t kDirect = 4096;  ///< below it the number of a step is looked up in a table

  std::vector<std::int64_t> steps_{};
  std::vector<std::int32_t> direct_ = std::vector<std::int32_t>(static_cast<std::size_t>(kDirect), -1);
  std::unordered_map<std::int64_t, std::int32_t> rare_{};
};

/// Our number for each number of another vocabulary.
struct Renumbering {
  std::vector<std::size_t> group{}, feature{}, step{};
};

struct Vocabulary {
  Category groups, features;
  StepNumbers steps{};

  explicit Vocabulary(const Plan& plan)
      : groups(plan.groups, plan.excluded, plan.texts), features(plan.features, {}, plan.texts) {}

  /// Takes in all that another one has.
  [[nodiscard]] Renumbering take_in(const Vocabulary& other);

  template <class Wire>
  void travel(Wire& wire) {
    std::vector<std::string> group_names = groups.names();
    std::vector<std::string> feature_names = features.names();
    std::vector<std::int64_t> step_values = steps.steps();
    wire(group_names, feature_names, step_values);
    if constexpr (Wire::reads) {
      for (const std::string& name : group_names) std::ignore = groups.number_of(std::string_view(name));
      for (const std::string& name : feature_names) std::ignore = features.number_of(std::string_view(name));
      for (const std::int64_t step : step_values) std::ignore = steps.number_of(step);
    }
  }
};

}  // namespace fairstep::internal
