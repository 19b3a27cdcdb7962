// Files <-> core types: the only readers and writers of model, policy, counts, fairness and rewards
// documents.
//
// Documents are JSON with a `schema` key ("fairstep/model/1"). Unknown, missing and doubled keys are errors, numbers
// are kept to the last bit, and nothing is repaired silently. Files are written under a temporary name and renamed, so
// that none is ever half there.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <variant>

#include <fairstep/core/counts.hpp>
#include <fairstep/core/error.hpp>
#include <fairstep/core/fairness.hpp>
#include <fairstep/core/given_rewards.hpp>
#include <fairstep/core/model.hpp>
#include <fairstep/core/policy.hpp>

namespace fairstep {

/// An Error of these readers has its file, and its pointer where a key is to blame.
[[nodiscard]] Expected<Model> read_model(const std::filesystem::path& path);
/// The same from text, for whoever needs the file's fingerprint as well; `file` is only for messages.
[[nodiscard]] Expected<Model> parse_model(std::string_view text, const std::string& file = {});
[[nodiscard]] Expected<Policy> read_policy(const std::filesystem::path& path);
[[nodiscard]] Expected<Counts> read_counts(const std::filesystem::path& path);
/// Names and sizes are the model's.
[[nodiscard]] Expected<Fairness> read_fairness(const std::filesystem::path& path, const Model& model);
/// The same for counts, or anything else that has groups and steps.
[[nodiscard]] Expected<Fairness> read_fairness(const std::filesystem::path& path, const Names& names,
                                               const Shape& shape);

/// Its entries as they stand there: `rewards_by_cell` compares them with names.
[[nodiscard]] Expected<GivenRewards> read_rewards(const std::filesystem::path& path);

/// Whatever the file's `schema` says it is.
using Document = std::variant<Model, Policy, Counts>;
[[nodiscard]] Expected<Document> read_document(const std::filesystem::path& path);

/// The same from text; `file` is only for messages.
[[nodiscard]] Expected<Document> parse_document(std::string_view text, const std::string& file = {});

/// The document's text, numbers shortest that read back the same.
[[nodiscard]] std::string to_text(const Model& model);
[[nodiscard]] std::string to_text(const Policy& policy);
[[nodiscard]] std::string to_text(const Counts& counts);

/// The whole file; an Error if it cannot be read or is larger than any document.
[[nodiscard]] Expected<std::string> read_text_file(const std::filesystem::path& path);

/// An Error unless the text is one JSON value, whatever is in it; `file` is only for messages.
[[nodiscard]] Expected<void> check_json(std::string_view text, const std::string& file = {});

/// Puts `text` at `path` whole or not at all: temporary name beside it, flush, rename.
[[nodiscard]] Expected<void> write_file(const std::filesystem::path& path, std::string_view text);

}  // namespace fairstep
