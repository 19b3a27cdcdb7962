// What is behind the explorer's page: its files, and answers to its questions. No network: a request comes
// as a method and a path, and any number of them at once.
//
//   GET  style.css, main.mjs, ...   the page's own files
//   GET  about                      the model, its baseline
//   GET  answer?QUESTION            solved at once, without a bound
//   POST proof?QUESTION             begins a proof; the one before ends
//   POST stop                       ends it
//   GET  proof                      how far it is, and the answer with its bound
#pragma once

#include <atomic>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>

#include <fairstep/core/error.hpp>
#include <fairstep/evaluate/evaluate.hpp>
#include <fairstep/explore/answers.hpp>
#include <fairstep/explore/background_proof.hpp>
#include <fairstep/explore/gate.hpp>

namespace fairstep {

/// Questions that are solved at once, apart from the proof; one more is told to come back.
inline constexpr int kExploreAtOnce = 4;

class Explorer {
 public:
  /// An error if the baseline does not fit the model, or there is none and no policy at all can be found. `stop` ends
  /// what is being solved.
  [[nodiscard]] static Expected<std::unique_ptr<Explorer>> make(Explored explored, std::stop_token stop = {});

  /// `path` is what follows the token: `answer?fairness=dp&limit=0.1`.
  [[nodiscard]] PageReply reply(std::string_view method, std::string_view path);

 private:
  Explorer(Explored explored, std::stop_token stop);

  [[nodiscard]] PageReply answer_to(std::string_view query);
  [[nodiscard]] PageReply begin_proof(std::string_view query);
  [[nodiscard]] std::string state_of_proof() const;

  const Explored explored_;
  const std::stop_token stop_;
  std::string about_{};
  std::atomic<int> solving_ = 0;
  BackgroundProof proof_;
};

}  // namespace fairstep
