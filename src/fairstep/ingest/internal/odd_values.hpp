// The values of a column that could not be used, and in how many rows each was found: what a message can quote.
//
// A log may have a million of them. Kept are those whose hashes are the smallest, so that which are kept, and how often
// each was found, depends neither on the order of rows nor on how many readers share them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <fairstep/core/siphash.hpp>
#include <fairstep/ingest/count.hpp>

namespace fairstep::internal {

class OddValues {
 public:
  static constexpr std::size_t kMost = 256;      ///< different values
  static constexpr std::size_t kMostBytes = 40;  ///< of a value; longer ones are cut

  void note(std::string_view text) {
    const std::string shown = cut(text);
    add(siphash(shown, {}), shown, 1);
  }
  void add(const OddValues& other) {
    for (const auto& [hash, kept] : other.kept_) add(hash, kept.text, kept.rows);
    all_ = all_ && other.all_;
  }

  /// All that were found are here.
  [[nodiscard]] bool all() const { return all_; }
  [[nodiscard]] bool empty() const { return kept_.empty(); }
  /// The most frequent first; equally frequent ones by their names, as a log's are ordered.
  [[nodiscard]] std::vector<SeenValue> by_frequency() const;

  template <class Wire>
  void travel(Wire& wire) {
    wire(kept_, all_);
  }

 private:
  struct Kept {
    std::string text{};
    std::int64_t rows = 0;

    template <class Wire>
    void travel(Wire& wire) {
      wire(text, rows);
    }
  };

  /// The first bytes, whole characters of UTF-8.
  [[nodiscard]] static std::string cut(std::string_view text) {
    if (text.size() <= kMostBytes) return std::string(text);
    std::size_t end = kMostBytes;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
    return std::string(text.substr(0, end)) + "...";
  }

  void add(std::uint64_t hash, const std::string& text, std::int64_t rows) {
    const auto found = kept_.find(hash);
    if (found != kept_.end()) {
      found->second.rows += rows;
      return;
    }
    kept_.emplace(hash, Kept{text, rows});
    if (kept_.size() <= kMost) return;
    kept_.erase(std::prev(kept_.end()));
    all_ = false;
  }

  std::map<std::uint64_t, Kept> kept_{};  ///< by hash: 64 bits, and no two of some hundred values share one
  bool all_ = true;
};

}  // namespace fairstep::internal
