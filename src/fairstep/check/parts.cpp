#include <fairstep/check/parts.hpp>

#include <string>

#include <fmt/format.h>

namespace fairstep::rigorous {
namespace {

const std::string kCounts = "/inputs/counts/text";
const std::string kDesign = "/inputs/design/text";

/// If these counts say that they are a part, it is one.
Expected<void> check_part(const Json& counts, const std::string& at) {
  if (!counts.contains("part")) return {};
  const Json& part = counts.at("part");
  if (part.at("role") != "design" && part.at("role") != "audit")
    return fail(fmt::format("is {}, expected design or audit", part.at("role").dump()), at + "/part/role");
  const auto share = part.at("share").get<double>();
  if (!(share > 0 && share < 1))
    return fail(fmt::format("is {}, expected more than 0 and less than 1", share), at + "/part/share");
  if (!part.at("seed").is_number_unsigned())
    return fail(fmt::format("is {}, expected a whole number of 0 or more", part.at("seed").dump()), at + "/part/seed");
  if (part.at("logs").empty()) return fail("is empty, expected the fingerprint of a log", at + "/part/logs");
  return {};
}

Expected<void> check_role(const Json& counts, const std::string& role, const std::string& at) {
  if (!counts.contains("part")) return fail(fmt::format("is no part of a split, expected its {} part", role), at);
  const Json& found = counts.at("part").at("role");
  if (found == role) return {};
  return fail(fmt::format("is {}, expected \"{}\"", found.dump(), role), at + "/part/role");
}

}  // namespace

Expected<void> check_parts(const Documents& documents) {
  const Json& counts = documents.counts;
  if (auto ok = check_part(counts, kCounts); !ok) return ok;
  if (!documents.design) return {};
  const Json& design = *documents.design;
  if (auto ok = check_part(design, kDesign); !ok) return ok;
  if (auto ok = check_role(counts, "audit", kCounts); !ok) return ok;
  if (auto ok = check_role(design, "design", kDesign); !ok) return ok;
  for (const char* key : {"share", "seed", "logs"})
    if (design.at("part").at(key) != counts.at("part").at(key))
      return fail("is not that of the audit part: they are parts of different splits",
                  fmt::format("{}/part/{}", kDesign, key));
  for (const char* key : {"groups", "features", "horizon"})
    if (design.at(key) != counts.at(key))
      return fail("is not that of the audit part", fmt::format("{}/{}", kDesign, key));
  return {};
}

}  // namespace fairstep::rigorous
