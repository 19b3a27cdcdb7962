#include <fairstep/check/documents.hpp>

#include <cstdint>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace fairstep::rigorous {
namespace {

constexpr std::string_view kSchema = "fairstep/certificate/2";
constexpr std::string_view kSchemaBefore = "fairstep/certificate/1";

Expected<Json> parsed(std::string_view text, const std::string& pointer) {
  auto document = internal::parse_json(text);
  if (document) return document;
  Error error = document.error();
  error.pointer = pointer + error.pointer;
  return tl::unexpected(std::move(error));
}

/// `kind` is that of its schema.
Expected<Json> document_at(const Json& inputs, const std::string& name, const std::string& kind) {
  const std::string pointer = fmt::format("/inputs/{}/text", name);
  auto document = parsed(inputs.at(name).at("text").get_ref<const std::string&>(), pointer);
  if (!document) return document;
  const std::string schema = fmt::format("fairstep/{}/1", kind);
  if (!document->is_object() || document->value("schema", Json()) != schema)
    return fail(fmt::format("is no document of schema {}", schema), pointer);
  return document;
}

/// Groups, features and steps of counts: all other lengths are measured by them.
Expected<Sizes> sizes_of(const Json& counts, const std::string& pointer) {
  const Json& form = form_of("counts");
  for (const char* key : {"groups", "features", "horizon"}) {
    if (!counts.contains(key)) return fail(fmt::format("has no {}", key), pointer);
    if (auto ok = check_form(counts.at(key), form.at(key), {}, fmt::format("{}/{}", pointer, key)); !ok)
      return tl::unexpected(ok.error());
  }
  const Sizes sizes{counts.at("groups").size(), counts.at("horizon").get<std::size_t>(), counts.at("features").size()};
  if (sizes.groups < 2 || sizes.features < 1 || sizes.steps < 1)
    return fail("has fewer than two groups, no features or no steps", pointer);
  return sizes;
}

/// Counts or a model, which may have periods. The sizes are those of the counts.
Expected<void> check_by_period(const Json& document, const std::string& kind, Sizes sizes, const std::string& pointer) {
  if (!document.contains("periods")) return check_form(document, form_of(kind), sizes, pointer);
  const Json& periods = document.at("periods");
  const std::string at = pointer + "/periods";
  if (auto ok = check_form(periods, form_of(kind).at("?periods"), sizes, at); !ok) return ok;
  sizes.periods = periods.size();
  if (auto ok = check_periods(periods, sizes.steps, at); !ok) return ok;
  return check_form(document, form_by_period(kind), sizes, pointer);
}

/// Groups and features are known by their names, whatever their order: from here on they are in that of the counts.
/// Where the names are not those of the counts all stays as it is, and is refused later on.
void put_in_order(Json& document, const std::string& kind, const Json& counts) {
  const bool has_features = document.contains("features");
  if (!document.contains("groups")) return;
  const auto groups = places_of(counts.at("groups"), document.at("groups"));
  const auto features = has_features ? places_of(counts.at("features"), document.at("features"))
                                     : places_of(counts.at("features"), counts.at("features"));
  if (!groups || !features) return;
  move_to(document, document.contains("periods") ? form_by_period(kind) : form_of(kind), {*groups, *features});
}

}  // namespace

Expected<void> check_periods(const Json& periods, std::size_t steps, const std::string& pointer) {
  if (periods.empty()) return fail("is empty, expected a period or more", pointer);
  std::set<std::string> names;
  for (std::size_t k = 0; k < periods.size(); ++k) {
    const std::string at = fmt::format("{}/{}", pointer, k);
    if (!names.insert(periods[k].at("name").get<std::string>()).second) return fail("has the name of another", at);
    const auto first = periods[k].at("first_step").get<std::uint64_t>();
    const bool follows = k == 0 ? first == 0 : first > periods[k - 1].at("first_step").get<std::uint64_t>();
    if (!follows || first + 2 > steps) return fail("does not follow the one before, up to the last step but one", at);
  }
  return {};
}

Expected<Documents> documents_of(std::string_view text) {
  auto certificate = parsed(text, "");
  if (!certificate) return tl::unexpected(certificate.error());
  const Json schema = certificate->is_object() ? certificate->value("schema", Json()) : Json();
  if (schema == kSchemaBefore)
    return fail(
        "the certificate is of version 1, which did not account for rows left out of the counts: certify the counts "
        "anew",
        "/schema");
  if (schema != kSchema)
    return fail("the file holds no certificate", "/schema", verb("certify") + " makes one of counts and a policy");

  Documents documents;
  documents.certificate = std::move(*certificate);
  if (!documents.certificate.contains("inputs")) return fail("has no inputs");
  const Json& inputs = documents.certificate.at("inputs");
  if (auto ok = check_form(inputs, form_of("certificate").at("inputs"), {}, "/inputs"); !ok)
    return tl::unexpected(ok.error());
  auto counts = document_at(inputs, "counts", "counts");
  if (!counts) return tl::unexpected(counts.error());
  auto policy = document_at(inputs, "policy", "policy");
  if (!policy) return tl::unexpected(policy.error());
  documents.counts = std::move(*counts);
  documents.policy = std::move(*policy);
  if (inputs.contains("design")) {
    auto design = document_at(inputs, "design", "counts");
    if (!design) return tl::unexpected(design.error());
    documents.design = std::move(*design);
  }
  if (inputs.contains("model")) {
    auto model = document_at(inputs, "model", "model");
    if (!model) return tl::unexpected(model.error());
    documents.model = std::move(*model);
  }

  const auto sizes = sizes_of(documents.counts, "/inputs/counts/text");
  if (!sizes) return tl::unexpected(sizes.error());
  documents.sizes = *sizes;
  const bool alike = documents.policy.value("group_independent", Json()) == true;
  if (auto ok = check_by_period(documents.counts, "counts", *sizes, "/inputs/counts/text"); !ok)
    return tl::unexpected(ok.error());
  if (documents.design) {
    const std::string pointer = "/inputs/design/text";
    const auto sizes_there = sizes_of(*documents.design, pointer);
    if (!sizes_there) return tl::unexpected(sizes_there.error());
    if (auto ok = check_by_period(*documents.design, "counts", *sizes_there, pointer); !ok)
      return tl::unexpected(ok.error());
  }
  if (auto ok =
          check_form(documents.policy, form_of(alike ? "policy for all" : "policy"), *sizes, "/inputs/policy/text");
      !ok)
    return tl::unexpected(ok.error());
  if (!alike) put_in_order(documents.policy, "policy", documents.counts);
  if (documents.model) {
    if (auto ok = check_by_period(*documents.model, "model", *sizes, "/inputs/model/text"); !ok)
      return tl::unexpected(ok.error());
    put_in_order(*documents.model, "model", documents.counts);
  }
  if (auto ok = check_form(documents.certificate, form_of("certificate"), *sizes, ""); !ok)
    return tl::unexpected(ok.error());
  return documents;
}

}  // namespace fairstep::rigorous
