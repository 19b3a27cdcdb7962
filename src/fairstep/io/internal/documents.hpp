// The documents: what they are called, and how each becomes a core type.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fairstep/core/by_period.hpp>
#include <fairstep/core/counts.hpp>
#include <fairstep/core/error.hpp>
#include <fairstep/core/fairness.hpp>
#include <fairstep/core/given_rewards.hpp>
#include <fairstep/core/model.hpp>
#include <fairstep/core/part.hpp>
#include <fairstep/core/periods.hpp>
#include <fairstep/core/policy.hpp>
#include <fairstep/io/json.hpp>
#include <fairstep/io/shared/parse.hpp>

namespace fairstep::internal {

inline constexpr std::string_view kModelSchema = "fairstep/model/1";
inline constexpr std::string_view kPolicySchema = "fairstep/policy/1";
inline constexpr std::string_view kCountsSchema = "fairstep/counts/1";
inline constexpr std::array<std::string_view, 3> kSchemas{kModelSchema, kPolicySchema, kCountsSchema};
/// Apart from the others: it can only be read for a model.
inline constexpr std::string_view kFairnessSchema = "fairstep/fairness/1";
/// Apart, too: it is read together with the counts whose groups and features it names.
inline constexpr std::string_view kRewardsSchema = "fairstep/rewards/1";
/// Written by the command for other programs, never read.
inline constexpr std::string_view kRadiiSchema = "fairstep/radii/1";
/// Made by one room and checked by another, which know it themselves.
inline constexpr std::string_view kCertificateSchema = "fairstep/certificate/2";

/// The document's `schema`, one of kSchemas.
[[nodiscard]] Expected<std::string_view> schema_of(const Json& document);

/// The document must have the schema that the type asks for.
[[nodiscard]] Expected<Model> model_from(const Json& document);
[[nodiscard]] Expected<Policy> policy_from(const Json& document);
[[nodiscard]] Expected<Counts> counts_from(const Json& document);
[[nodiscard]] Expected<Fairness> fairness_from(const Json& document, const Names& names, const Shape& shape);
[[nodiscard]] Expected<GivenRewards> rewards_from(const Json& document);

/// The object under `log` in counts; the first thing wrong goes to `error`.
[[nodiscard]] LogRecord log_record_from(const Json& object, const Shape& shape, const std::vector<std::string>& groups,
                                        std::optional<Error>& error);
/// The object under `part` in counts, likewise.
[[nodiscard]] Part part_from(const Json& object, std::optional<Error>& error);
/// The key `part`, on a line of its own.
void write_part(JsonWriter& json, const Part& part);
/// The object under `history` in counts, likewise.
[[nodiscard]] History history_from(const Json& object, const Shape& shape, const std::vector<std::string>& groups,
                                   std::optional<Error>& error);
/// The key `history`.
void write_history(JsonWriter& json, const History& history);
/// The key `log`.
void write_log_record(JsonWriter& json, const LogRecord& record);

/// The object under `rests_on` in a model; the first thing wrong goes to `error`.
[[nodiscard]] Grounds grounds_from(const Json& object, const Shape& shape, const std::vector<std::string>& groups,
                                   std::optional<Error>& error, bool by_period = false);
/// The key `rests_on`; `by_period` if the model's periods have names.
void write_grounds(JsonWriter& json, const Grounds& grounds, bool by_period = false);

/// The list under `periods` in a model or counts; the first thing wrong goes to `error`.
[[nodiscard]] Periods periods_from(const Json& list, const Shape& shape, std::optional<Error>& error);
/// The key `periods`.
void write_periods(JsonWriter& json, const Periods& periods);
/// A table [g,...], or [g,period,...] if periods have names.
template <class T, std::size_t Rank>
void write_by_period(JsonWriter& json, std::string_view key, const ByPeriod<T, Rank>& table, std::size_t axes_per_line,
                     bool named) {
  if (named)
    json.field(key, table.with_periods(), axes_per_line);
  else
    json.field(key, table.pooled_table(), axes_per_line);
}

/// The keys groups, features, labels and actions.
void write_names(JsonWriter& json, const Names& names);

}  // namespace fairstep::internal
