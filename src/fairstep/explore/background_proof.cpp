#include <fairstep/explore/background_proof.hpp>

#include <new>
#include <optional>
#include <stop_token>
#include <utility>

#include <fairstep/explore/answers.hpp>

namespace fairstep {

std::uint64_t BackgroundProof::start(const ExploreQuestion& question, double time_limit) {
  const std::scoped_lock one_at_a_time(starting_);
  thread_ = {};  // asks it to stop, and waits
  const std::scoped_lock lock(mutex_);
  state_ = {.number = state_.number + 1, .running = true, .progress = {}, .question = question, .result = {}};
  thread_ =
      std::jthread([this, question, time_limit](const std::stop_token& stop) { run(question, time_limit, stop); });
  return state_.number;
}

void BackgroundProof::cancel() {
  const std::scoped_lock one_at_a_time(starting_);
  thread_ = {};
  const std::scoped_lock lock(mutex_);
  state_.running = false;
}

BackgroundProof::State BackgroundProof::state() const {
  const std::scoped_lock lock(mutex_);
  return state_;
}

void BackgroundProof::run(const ExploreQuestion& question, double time_limit, const std::stop_token& stop) {
  SolveOptions options = options_for(question, true);
  options.proof.time_limit = time_limit;
  options.stop = stop;
  options.progress = [this](const SolveProgress& now) {
    const std::scoped_lock lock(mutex_);
    state_.progress = now;
  };
  std::optional<Expected<SolveResult>> result;
  try {
    result = solve(model_, fairness_of(question), options);
  } catch (const std::bad_alloc&) {
    result = fail("there is not enough memory for this proof");
  }
  const std::scoped_lock lock(mutex_);
  state_.running = false;
  if (!stop.stop_requested()) state_.result = std::move(result);
}

}  // namespace fairstep
