// A document of ours that says whether it is still what was written: its last key is the fingerprint of all that stands
// before it. That finds what was edited or mixed up by accident. Whoever wants to forge one can make it anew.
#pragma once

#include <string>
#include <string_view>

#include <fairstep/core/error.hpp>

namespace fairstep {

/// A JSON object as JsonWriter has it, with `"sha256"` as its last key.
[[nodiscard]] std::string sealed(std::string_view object);

[[nodiscard]] bool has_seal(std::string_view document);

/// The fingerprint of a document that has one.
[[nodiscard]] std::string_view seal_of(std::string_view document);

/// An Error if the document has no seal or is not what was sealed.
[[nodiscard]] Expected<void> check_seal(std::string_view document);

}  // namespace fairstep
