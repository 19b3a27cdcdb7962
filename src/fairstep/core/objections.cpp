#include <fairstep/core/objections.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <fairstep/core/shape.hpp>
#include <fairstep/core/shared/text.hpp>

namespace fairstep {
namespace {

constexpr const char* kSamePerson =
    "a transition takes the same person at two steps in a row: see which column is the person, and that its value is "
    "the "
    "same in all rows of a person; see that step is a whole number that grows by one from decision to decision";

bool none_above_zero(std::span<const std::int64_t> counts) {
  return std::all_of(counts.begin(), counts.end(), [](std::int64_t n) { return n == 0; });
}

/// No row of the group was seen, in any period.
bool nobody_seen(const ByPeriod<std::int64_t, 4>& successors, std::size_t g) {
  return none_above_zero(successors.of_group(g));
}

/// Decisions with a label, or, where labels follow features, of any kind.
bool nothing_counted(const Grounds& grounds) {
  return none_above_zero(grounds.successors.all()) && none_above_zero(grounds.rewards.flat()) &&
         (!grounds.labels ||
          (none_above_zero(grounds.labels->seen.flat()) && none_above_zero(grounds.labels->unseen.flat())));
}

Objection of_nothing(const Grounds& grounds) {
  const std::int64_t unlabelled = grounds.log && !grounds.labels ? grounds.log->unlabelled : 0;
  if (unlabelled > 0)
    return {fmt::format("none of the log's {} decisions has a label: nothing of the model was seen",
                        internal::with_thousands(unlabelled)),
            "see which column is the label; labels that are assumed to follow features make use of decisions without "
            "one",
            true};
  return {"no decision was counted: nothing of the model was seen", "see what the counts were made of", true};
}

/// Whether a next or first state with this label was seen, where labels follow features.
bool occurs_by_feature(const Model& model, const LabelGrounds& labels, const Grounds& grounds, std::size_t y) {
  const Shape& n = model.shape();
  const auto occurs = [&](std::size_t g, std::span<const double> row) {
    for (std::size_t x = 0; x < n.features; ++x)
      if (labels.seen(g, x) > 0 && row[state_of(x, y)] > 0) return true;
    return false;
  };
  for (std::size_t g = 0; g < n.groups; ++g) {
    if (grounds.first[g] > 0 && occurs(g, model.initial(g))) return true;
    for (std::size_t k = 0; k < n.periods; ++k)
      for (std::size_t cell = 0; cell < n.cells(); ++cell)
        if (grounds.successors.of(g, k)[cell] > 0 &&
            occurs(g, model.spec().transition.of(g, k).subspan(cell * n.states(), n.states())))
          return true;
  }
  return false;
}

bool occurs(const Model& model, const Grounds& grounds, std::size_t y) {
  if (grounds.labels) return occurs_by_feature(model, *grounds.labels, grounds, y);
  const auto decisions = grounds.rewards.flat();  // [g,x,y,a]
  for (std::size_t i = 0; i < decisions.size(); ++i)
    if (i / kActions % kLabels == y && decisions[i] > 0) return true;
  return false;
}

void object_to_labels(const Model& model, const Grounds& grounds, std::vector<Objection>& found) {
  if (grounds.labels && none_above_zero(grounds.labels->seen.flat())) {
    found.push_back({"no label was seen: who is qualified is a guess everywhere",
                     "demographic parity needs no label; for all else count a log that has some"});
    return;
  }
  for (std::size_t y = 0; y < kLabels; ++y)
    if (!occurs(model, grounds, y))
      found.push_back({fmt::format("nobody was ever seen {} (label {} never occurs): no rate of theirs can be compared",
                                   model.names().labels[y], y),
                       "labels are 0 and 1: see which column is the label, and how it is coded"});
}

}  // namespace

std::vector<Objection> objections(const Model& model) {
  std::vector<Objection> found;
  if (!model.spec().rests_on) return found;
  const Grounds& grounds = *model.spec().rests_on;
  const Shape& n = model.shape();
  const bool nothing = nothing_counted(grounds);
  if (nothing) found.push_back(of_nothing(grounds));
  std::vector<std::string> guessed;
  for (std::size_t g = 0; g < n.groups; ++g)
    if (nobody_seen(grounds.successors, g)) guessed.push_back(model.names().groups[g]);
  // In a single step nobody moves on, and no row is used.
  if (n.horizon > 1 && guessed.size() == n.groups && !nothing)
    found.push_back({fmt::format("nobody was seen at two steps in a row: {0} of {0} rows are guesses, and so is "
                                 "everything after the first step",
                                 grounds.successors.all().size()),
                     kSamePerson, true});
  else if (n.horizon > 1 && !guessed.empty() && !nothing)
    found.push_back({fmt::format("nobody of {} was seen at two steps in a row: all of {} rows are guesses",
                                 fmt::join(guessed, ", "), guessed.size() == 1 ? "its" : "their"),
                     kSamePerson});
  if (!nothing) object_to_labels(model, grounds, found);
  const auto rewards = model.spec().reward.flat();
  if (std::all_of(rewards.begin(), rewards.end(), [](double reward) { return reward == 0; }))
    found.push_back({"all rewards are 0: no policy is worth more than another",
                     "a log needs a column with what each decision earned, named as the reward; or give rewards when "
                     "fitting, as in y1a1=1,y0a1=-4"});
  return found;
}

Expected<void> refuse_guesswork(const Model& model) {
  for (const Objection& objection : objections(model))
    if (objection.guesswork)
      return fail(objection.problem, {},
                  objection.remedy + "; " + option("unvisited", "stay") + " makes a model of guesses all the same");
  return {};
}

}  // namespace fairstep
