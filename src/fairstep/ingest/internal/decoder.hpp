// The values of a chunk, column by column: numbers for names, and what is wrong with a row if anything is.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include <fairstep/ingest/internal/category.hpp>
#include <fairstep/ingest/internal/chunk.hpp>
#include <fairstep/ingest/internal/duckdb.hpp>
#include <fairstep/ingest/internal/plan.hpp>
#include <fairstep/ingest/internal/vocabulary.hpp>

namespace fairstep::internal {

class Decoder {
 public:
  explicit Decoder(const Plan& plan);

  /// The columns are those of `Role`, without absent ones.
  void decode(const std::vector<RawColumn>& columns, std::size_t rows, Chunk& chunk);

  [[nodiscard]] Vocabulary& vocabulary() { return vocabulary_; }
  [[nodiscard]] const Vocabulary& vocabulary() const { return vocabulary_; }

 private:
  void decode_persons(const RawColumn& column, Chunk& chunk) const;
  void decode_steps(const RawColumn& column, Chunk& chunk);
  void decode_category(const RawColumn& column, Role role, Category& category, std::vector<std::int32_t>& numbers,
                       Chunk& chunk);
  void decode_bins(const RawColumn& column, Chunk& chunk);
  void decode_binary(const RawColumn& column, Role role, std::vector<std::int32_t>& numbers, Chunk& chunk);
  void decode_rewards(const RawColumn& column, Chunk& chunk);
  void decode_weights(const RawColumn& column, Chunk& chunk) const;
  /// A value that was said to stand for none.
  template <class Number>
  [[nodiscard]] bool means_missing(Number value) const;
  [[nodiscard]] bool means_missing(std::string_view text) const;
  /// For values of a role of which only the size matters: use(row, double).
  template <class Use>
  [[nodiscard]] auto as_real(const Use& use, Role role, Chunk& chunk) const;
  static void decode_days(const RawColumn& column, Chunk& chunk);
  [[nodiscard]] ValueType type_of(Role role) const { return plan_.type[static_cast<std::size_t>(role)]; }
  [[nodiscard]] std::int32_t meaning_of(std::string_view text, Role role) const;

  Plan plan_;
  std::vector<double> missing_numbers_{};   ///< texts for no value that are numbers
  std::size_t longest_missing_ = 0;         ///< of all of them
  std::array<bool, 256> begins_missing_{};  ///< by byte: one of them begins with it
  Vocabulary vocabulary_;
  std::array<std::array<double, 2>, 2> codes_;           ///< numbers that stand for 0 and 1, of labels and of actions
  std::array<Category, 2> binary_{};                     ///< texts that stand for labels and actions
  std::array<std::vector<std::int32_t>, 2> meanings_{};  ///< of these texts, by number
};

}  // namespace fairstep::internal
