#include <fairstep/ingest/internal/vocabulary.hpp>

namespace fairstep::internal {
namespace {

std::vector<std::size_t> numbers_for(const std::vector<std::string>& names, Category& ours) {
  std::vector<std::size_t> numbers;
  for (const std::string& name : names)
    numbers.push_back(static_cast<std::size_t>(ours.number_of(std::string_view(name))));
  return numbers;
}

}  // namespace

std::int32_t StepNumbers::number_of(std::int64_t step) {
  const auto add = [&] {
    steps_.push_back(step);
    return static_cast<std::int32_t>(steps_.size() - 1);
  };
  if (step >= 0 && step < kDirect) {
    std::int32_t& number = direct_[static_cast<std::size_t>(step)];
    if (number < 0) number = add();
    return number;
  }
  const auto found = rare_.find(step);
  if (found != rare_.end()) return found->second;
  if (too_many()) return 0;  // the reading ends anyway; a log without steps must not fill the memory before that
  const std::int32_t number = add();
  rare_.emplace(step, number);
  return number;
}

Renumbering Vocabulary::take_in(const Vocabulary& other) {
  Renumbering ours;
  ours.group = numbers_for(other.groups.names(), groups);
  ours.feature = numbers_for(other.features.names(), features);
  for (const std::int64_t step : other.steps.steps())
    ours.step.push_back(static_cast<std::size_t>(steps.number_of(step)));
  return ours;
}

}  // namespace fairstep::internal
