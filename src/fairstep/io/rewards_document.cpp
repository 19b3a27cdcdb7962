#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <fairstep/core/given_rewards.hpp>
#include <fairstep/io/internal/documents.hpp>
#include <fairstep/io/internal/object_reader.hpp>

namespace fairstep::internal {
namespace {

/// 0 or 1 under a key that may be left out.
std::optional<std::size_t> bit(ObjectReader& in, std::string_view key) {
  const Json* value = in.find(key);
  if (value == nullptr) return std::nullopt;
  if (*value == 0) return 0;
  if (*value == 1) return 1;
  in.fail_key(key, "0 or 1");
  return std::nullopt;
}

RewardEntry entry_from(const Json& object, std::size_t i, std::optional<Error>& error) {
  ObjectReader in(object, {{"reward"}, {"group", "x", "y", "a"}}, error, fmt::format("rewards[{}]", i),
                  fmt::format("/rewards/{}", i));
  RewardEntry entry;
  if (in.has("group")) entry.group = in.text("group");
  if (in.has("x")) entry.feature = in.text("x");
  entry.label = bit(in, "y");
  entry.action = bit(in, "a");
  entry.reward = in.number("reward");
  return entry;
}

}  // namespace

Expected<GivenRewards> rewards_from(const Json& document) {
  std::optional<Error> error;
  ObjectReader in(document, {{"schema", "rewards"}, {"elsewhere"}}, error);
  GivenRewards given;
  if (in.has("elsewhere")) given.elsewhere = in.number("elsewhere");
  const Json* list = in.find("rewards");
  if (list != nullptr && !list->is_array() && !error) in.fail_key("rewards", "an array of objects");
  if (list != nullptr && !error)
    for (std::size_t i = 0; i < list->size() && !error; ++i) given.entries.push_back(entry_from((*list)[i], i, error));
  if (error) return tl::unexpected(std::move(*error));
  return given;
}

}  // namespace fairstep::internal
