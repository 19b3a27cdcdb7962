// Labels that are missing, drawn as if they had those of the accepted with the same group and feature. Which one a
// decision gets depends on its person and step alone, and so neither on the order of rows nor on who reads them.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include <fairstep/core/part.hpp>
#include <fairstep/core/split.hpp>
#include <fairstep/core/tensor.hpp>
#include <fairstep/ingest/internal/chunk.hpp>
#include <fairstep/ingest/internal/duckdb.hpp>

namespace fairstep::internal {

class Imputer {
 public:
  /// P(y=1) [g,x] by the numbers of the plan's names; empty: no label is drawn.
  explicit Imputer(Tensor<double, 2> chances) : chances_(std::move(chances)) {}
  /// For the people of one part alone.
  Imputer(Tensor<double, 2> chances, const Split& split, PartRole role)
      : chances_(std::move(chances)), splitter_(Splitter(split)), role_(role) {}

  /// Gives a label to each row that can be used and has none; how many there were. `numbered`: persons are numbers.
  [[nodiscard]] std::int64_t draw(const RawColumn& people, bool numbered, Chunk& chunk) const;

 private:
  template <class Key>
  [[nodiscard]] bool is_for(const Key& person) const {
    return !splitter_ || splitter_->role_of(person) == role_;
  }

  Tensor<double, 2> chances_;
  std::optional<Splitter> splitter_{};
  PartRole role_{};
};

/// In [0,1), and the same wherever it is computed.
[[nodiscard]] double uniform_from(std::string_view person, std::int64_t step);

}  // namespace fairstep::internal
