// What a certificate's page says, in blocks, from the certificate's own JSON.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include <fairstep/page/page.hpp>

namespace fairstep::certificate_page {

/// Counts are those inside of it.
[[nodiscard]] std::string claim_of(const nlohmann::json& certificate);
/// After the claim and the check: assumptions, pictures, tables, data, hashes, how to check.
[[nodiscard]] page::Page content_of(const nlohmann::json& certificate);

}  // namespace fairstep::certificate_page
