// One proof at a time, beside whatever else is asked: a new one ends the one before.
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include <fairstep/core/error.hpp>
#include <fairstep/core/model.hpp>
#include <fairstep/explore/question.hpp>
#include <fairstep/optimise/solve.hpp>

namespace fairstep {

class BackgroundProof {
 public:
  /// How far it is, or what came of it.
  struct State {
    std::uint64_t number = 0;  ///< of the proof, from 1; 0 before the first
    bool running = false;
    SolveProgress progress{};
    std::optional<ExploreQuestion> question{};
    std::optional<Expected<SolveResult>> result{};  ///< once it has ended by itself
  };

  explicit BackgroundProof(const Model& model) : model_(model) {}
  /// Waits for the end of the proof, which is asked to end at once.
  ~BackgroundProof() { cancel(); }
  BackgroundProof(const BackgroundProof&) = delete;
  BackgroundProof& operator=(const BackgroundProof&) = delete;

  /// Its number. The time limit is in seconds.
  std::uint64_t start(const ExploreQuestion& question, double time_limit);
  void cancel();
  [[nodiscard]] State state() const;

 private:
  void run(const ExploreQuestion& question, double time_limit, const std::stop_token& stop);

  const Model& model_;
  std::mutex starting_{};  ///< held while one ends and the next begins
  mutable std::mutex mutex_{};
  State state_{};
  std::jthread thread_{};
};

}  // namespace fairstep
