#include <fairstep/core/objections.hpp>

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace fairstep {
namespace {

constexpr const char* kSamePerson =
    "a transition takes the same person at two steps in a row: see which column is the person, and that its value is "
    "the "
    "same in all rows of a person; see that step is a whole number that grows by one from decision to decision";

/// No row of the group was seen, in any period.
bool nobody_seen(const ByPeriod<std::int64_t, 4>& successors, std::size_t g) {
  for (std::size_t k = 0; k < successors.periods(); ++k) {
    const auto seen = successors.of(g, k);
    if (!std::all_of(seen.begin(), seen.end(), [](std::int64_t n) { return n == 0; })) return false;
  }
  return true;
}

}  // namespace

std::vector<Objection> objections(const Model& model) {
  std::vector<Objection> found;
  if (!model.spec().rests_on) return found;
  const Grounds& grounds = *model.spec().rests_on;
  const Shape& n = model.shape();
  std::vector<std::string> guessed;
  for (std::size_t g = 0; g < n.groups; ++g)
    if (nobody_seen(grounds.successors, g)) guessed.push_back(model.names().groups[g]);
  // In a single step nobody moves on, and no row is used.
  if (n.horizon > 1 && guessed.size() == n.groups)
    found.push_back({fmt::format("nobody was seen at two steps in a row: {0} of {0} rows are guesses, and so is "
                                 "everything after the first step",
                                 grounds.successors.all().size()),
                     kSamePerson});
  else if (n.horizon > 1 && !guessed.empty())
    found.push_back({fmt::format("nobody of {} was seen at two steps in a row: all of {} rows are guesses",
                                 fmt::join(guessed, ", "), guessed.size() == 1 ? "its" : "their"),
                     kSamePerson});
  const auto rewards = model.spec().reward.flat();
  if (std::all_of(rewards.begin(), rewards.end(), [](double reward) { return reward == 0; }))
    found.push_back({"all rewards are 0: no policy is worth more than another",
                     "a log needs a column with what each decision earned, named as the reward, or set reward in the "
                     "model"});
  return found;
}

}  // namespace fairstep
