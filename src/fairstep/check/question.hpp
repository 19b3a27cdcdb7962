// What a certificate is about, read from the documents inside it: counts, policy, rewards.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <fairstep/check/interval.hpp>
#include <fairstep/core/error.hpp>
#include <fairstep/io/internal/parse.hpp>

namespace fairstep::rigorous {

using internal::Json;

struct Question {
  std::size_t groups = 0, horizon = 0, features = 0;
  std::size_t states = 0, cells = 0;  ///< of a group: s = 2x + y, cell = 2s + a
  std::vector<std::string> names{};   ///< [g]

  double delta = 0;
  bool followed = false;
  bool dp = false, eqopt = false, eqodds = false;

  std::vector<Real> accept{};       ///< [g,h,x]
  std::vector<Real> first{};        ///< [g,s]
  std::vector<Real> visits{};       ///< [g,h,cell]
  std::vector<Real> transitions{};  ///< [g,cell,s]

  enum class Value { none, known, counted } value = Value::none;
  std::vector<Real> reward{};    ///< [g,cell] known means, or sums of those counted
  std::vector<Real> share{};     ///< [g], if known
  Real least = 0, greatest = 0;  ///< single rewards, if counted
  Real discount = 1;

  [[nodiscard]] Real accepted(std::size_t g, std::size_t h, std::size_t x) const {
    return accept[(g * horizon + h) * features + x];
  }
};

/// All numbers of nested arrays, which must have these lengths.
[[nodiscard]] Expected<std::vector<Real>> numbers_of(const Json& value, const std::vector<std::size_t>& lengths,
                                                     const std::string& pointer);

/// An error if something is missing or does not fit together. The documents' hashes are not looked at.
[[nodiscard]] Expected<Question> question_of(const Json& certificate);

}  // namespace fairstep::rigorous
