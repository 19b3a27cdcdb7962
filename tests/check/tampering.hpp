// What a checker says of a certificate, and where a certificate can be tampered with.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include <fairstep/check/check.hpp>

namespace fairstep::testing {

/// Empty if the certificate holds.
inline std::string first_mismatch(const std::string& text) {
  const auto report = check_certificate(text);
  if (!report) return report.error().pointer + ": " + report.error().message;
  if (report->mismatches.empty()) return {};
  const Mismatch& first = report->mismatches.front();
  return first.pointer + ": " + first.found + ", expected " + first.expected;
}

/// Adds pointers to all numbers and nulls, those within the embedded texts left out.
inline void leaves(const nlohmann::json& value, const std::string& at, std::vector<std::string>& found) {
  if (value.is_number() || value.is_null()) found.push_back(at);
  if (value.is_structured() && at != "/diagnosis")  // which is not computed again
    for (const auto& [key, entry] : value.items())
      leaves(entry, (nlohmann::json::json_pointer(at) / key).to_string(), found);
}

}  // namespace fairstep::testing
