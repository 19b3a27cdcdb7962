#include <fairstep/ingest/internal/imputer.hpp>

#include <cstddef>
#include <string>

namespace fairstep::internal {

std::int64_t Imputer::draw(const RawColumn& people, bool numbered, Chunk& chunk) const {
  if (chances_.empty() || !chunk.any_unlabelled) return 0;
  std::int64_t drawn = 0;
  bool any_left = false;
  for (std::size_t i = 0; i < chunk.rows; ++i) {
    if (chunk.y[i] >= 0 || !chunk.usable(i)) continue;
    const std::string number = numbered ? std::to_string(people.as<std::int64_t>()[i]) : std::string();
    const std::string_view person = numbered ? std::string_view(number) : view_of(people.as<duckdb_string_t>()[i]);
    if (!is_for(person)) {
      any_left = true;
      continue;
    }
    const double uniform = uniform_from(person, chunk.step[i]);
    const double chance = chances_(static_cast<std::size_t>(chunk.g[i]), static_cast<std::size_t>(chunk.x[i]));
    chunk.y[i] = uniform < chance ? 1 : 0;
    ++drawn;
  }
  chunk.any_unlabelled = any_left;
  return drawn;
}

/// FNV-1a and a final mix.
double uniform_from(std::string_view person, std::int64_t step) {
  std::uint64_t hash = 0xCBF29CE484222325U;
  const auto add = [&](std::string_view text) {
    for (const char c : text) {
      hash ^= static_cast<unsigned char>(c);
      hash *= 0x100000001B3U;
    }
  };
  add(person);
  add(":");
  add(std::to_string(step));
  hash ^= hash >> 33U;
  hash *= 0xFF51AFD7ED558CCDU;
  hash ^= hash >> 33U;
  hash *= 0xC4CEB9FE1A85EC53U;
  hash ^= hash >> 33U;
  return static_cast<double>(hash >> 11U) * 0x1p-53;
}

}  // namespace fairstep::internal
