#include <fairstep/check/parts.hpp>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <fairstep/core/sha256.hpp>

namespace fairstep::rigorous {
namespace {

const std::string kCounts = "/inputs/counts/text";
const std::string kDesign = "/inputs/design/text";

bool is_fingerprint(const std::string& text) {
  return text.size() == 64 && text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

/// The entries of a table in a row, with commas between them.
std::string line_of(const Json& table, const std::function<std::string(const Json&)>& entry) {
  if (!table.is_array()) return entry(table);
  std::string line;
  for (const Json& part : table) line += (line.empty() ? "" : ",") + line_of(part, entry);
  return line;
}

/// By which the audit part knows its design part: docs/logs.md says of what it is the hash.
std::string fingerprint_of(const Json& design) {
  std::string text = fmt::format("{}\n", design.at("horizon").get<std::int64_t>());
  const auto add_names = [&](const char* key, const Json& otherwise) {
    const auto names = design.value(key, otherwise).get<std::vector<std::string>>();
    text += fmt::format("{}\n", fmt::join(names, "\t"));
  };
  add_names("groups", {});
  add_names("features", {});
  add_names("labels", {"unqualified", "qualified"});
  add_names("actions", {"refuse", "accept"});
  if (design.contains("periods")) {
    std::vector<std::string> names, steps;
    for (const Json& period : design.at("periods")) {
      names.push_back(period.at("name").get<std::string>());
      steps.push_back(std::to_string(period.at("first_step").get<std::int64_t>()));
    }
    text += fmt::format("{}\n{}\n", fmt::join(names, "\t"), fmt::join(steps, ","));
  }
  const auto digits = [](const Json& count) { return std::to_string(count.get<std::int64_t>()); };
  for (const char* key : {"first", "visits", "transitions"}) text += line_of(design.at(key), digits) + '\n';
  const auto bits = [](const Json& number) {
    return fmt::format("{:016x}", std::bit_cast<std::uint64_t>(number.get<double>() + 0.0));
  };
  for (const char* key : {"reward_sum", "reward_squares"}) text += line_of(design.at(key), bits) + '\n';
  if (design.contains("log") && design.at("log").contains("unlabelled_rows")) {
    const Json& log = design.at("log");
    const Json& rows = log.at("unlabelled_rows");
    for (const Json* table : {&log.at("unlabelled"), &rows.at("first"), &rows.at("transitions")})
      text += line_of(*table, digits) + '\n';
  }
  return sha256(text);
}

/// If these counts say that they are a part, it is one.
Expected<void> check_part(const Json& counts, const std::string& at) {
  if (!counts.contains("part")) return {};
  const Json& part = counts.at("part");
  if (part.at("role") != "design" && part.at("role") != "audit")
    return fail(fmt::format("is {}, expected design or audit", part.at("role").dump()), at + "/part/role");
  const auto share = part.at("share").get<double>();
  if (!(share > 0 && share < 1))
    return fail(fmt::format("is {}, expected more than 0 and less than 1", share), at + "/part/share");
  const auto logs = part.at("logs").get<std::vector<std::string>>();
  if (logs.empty()) return fail("is empty, expected the fingerprint of a log", at + "/part/logs");
  if (!std::all_of(logs.begin(), logs.end(), is_fingerprint) || !std::is_sorted(logs.begin(), logs.end()))
    return fail("are no fingerprints in order", at + "/part/logs");
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
  if (design.value("periods", Json()) != counts.value("periods", Json()))
    return fail("are not those of the audit part", kDesign + "/periods");
  if (design.contains("log") && design.at("log").contains("unlabelled_rows") &&
      !design.at("log").contains("unlabelled"))
    return fail("is there without log.unlabelled", kDesign + "/log/unlabelled_rows");
  const Json& logs = design.at("part").at("logs");
  if (logs.size() > 1) return {};  // a sum: the fingerprints are of its terms
  if (const std::string expected = fingerprint_of(design); logs.at(0) != expected)
    return fail(
        fmt::format("is {}, expected {}, the fingerprint of its tables", logs.at(0).dump(), Json(expected).dump()),
        kDesign + "/part/logs/0");
  return {};
}

}  // namespace fairstep::rigorous
