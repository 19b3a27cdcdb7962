#include <fairstep/io/files.hpp>

#include <cerrno>
#include <optional>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fairstep/core/missing_file.hpp>
#include <fairstep/core/suggest.hpp>
#include <fairstep/io/internal/documents.hpp>
#include <fairstep/io/output_file.hpp>
#include <fairstep/io/shared/parse.hpp>

namespace fairstep {
namespace internal {
namespace {

/// Everything of a schema but its version: "fairstep/model/".
std::string_view family(std::string_view schema) { return schema.substr(0, schema.rfind('/') + 1); }

}  // namespace

Expected<std::string_view> schema_of(const Json& document) {
  if (!document.is_object())
    return fail(fmt::format("the document is {}, expected an object", describe(document)), "",
                "a model, policy or counts document is one object: { \"schema\": ..., ... }");
  const auto found = document.find("schema");
  const std::string choices = fmt::format("\"{}\"", fmt::join(kSchemas, "\", \""));
  if (found == document.end())
    return fail("missing key \"schema\"", "", fmt::format("it says what the document is: {}", choices));
  if (!found->is_string())
    return fail(fmt::format("schema is {}, expected one of {}", describe(*found), choices), "/schema");
  const auto& named = found->get_ref<const std::string&>();
  if (named == kFairnessSchema)
    return fail("the file holds fairness constraints, expected a model, a policy or counts", "/schema",
                verb("solve") + " takes them beside a model: " + option("fairness", "FILE"));
  if (named == kRewardsSchema)
    return fail("the file holds rewards, expected a model, a policy or counts", "/schema",
                verb("fit") + " takes them beside counts: " + option("reward", "FILE"));
  if (named == kRadiiSchema)
    return fail("the file holds radii, expected a model, a policy or counts", "/schema",
                "radii are for other programs; " + verb("fit") + " makes them from counts");
  if (named == kCertificateSchema)
    return fail("the file holds a certificate, expected a model, a policy or counts", "/schema",
                verb("check") + " says whether it holds");
  if (family(named) == "fairstep/proof/")
    return fail("the file holds a proof of a bound, expected a model, a policy or counts", "/schema",
                verb("check") + " says whether it holds, given its model: " + option("model", "FILE"));
  if (family(named) == "fairstep/monitor/" || family(named) == "fairstep/monitor-day/")
    return fail("the file is of the state of a monitor, expected a model, a policy or counts", "/schema",
                verb("monitor") + " reads the folder that it is in, and says if anything was changed");
  for (const std::string_view schema : kSchemas) {
    if (named == schema) return schema;
    if (family(named) == family(schema))
      return fail(fmt::format("schema is {}, expected \"{}\"", quote(named), schema), "/schema",
                  fmt::format("this fairstep reads version {} only; a newer file needs a newer fairstep",
                              schema.substr(family(schema).size())));
  }
  return fail(fmt::format("schema is {}, expected one of {}", quote(named), choices), "/schema",
              did_you_mean(named, kSchemas));
}

namespace {

/// "a model", "a policy", "counts".
std::string noun_of(std::string_view schema) {
  if (schema == kModelSchema) return "a model";
  if (schema == kPolicySchema) return "a policy";
  return "counts";
}

/// What may have been meant by whoever gave one document in the place of another.
Text way_from(std::string_view given, std::string_view expected) {
  if (given == kPolicySchema) return "a policy comes last: were two files given the other way round?";
  if (expected == kPolicySchema) return "the policy comes last: were two files given the other way round?";
  if (expected == kModelSchema) return verb("fit") + " estimates a model from counts";
  return verb("simulate") + " draws counts from a model and a policy, " + verb("count") + " takes them from a log";
}

Expected<void> expect_schema(const Json& document, std::string_view expected) {
  const auto schema = schema_of(document);
  if (!schema) return tl::unexpected(schema.error());
  if (*schema == expected) return {};
  return fail(fmt::format("the file holds {}, expected {}", noun_of(*schema), noun_of(expected)), "/schema",
              way_from(*schema, expected));
}

Expected<std::string> read_text(const std::filesystem::path& path) {
  constexpr std::size_t largest = std::size_t{1} << 30;
  const auto cannot = [](int error) {
    return fail(error == ENOENT ? std::string(kNoSuchFile)
                                : fmt::format("cannot be read: {}", std::generic_category().message(error)));
  };
  const auto too_large = [] { return fail("larger than 1 GiB, expected a model, policy or counts document"); };
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return cannot(errno);
  struct Close {
    int descriptor;
    ~Close() { ::close(descriptor); }
  } const close_at_end{descriptor};

  struct stat there{};
  if (::fstat(descriptor, &there) != 0) return cannot(errno);
  if (S_ISDIR(there.st_mode)) return fail("this is a folder, expected a file");
  if (S_ISREG(there.st_mode) && static_cast<std::size_t>(there.st_size) > largest) return too_large();
  std::string text;
  char block[1 << 16];
  for (;;) {
    const ssize_t got = ::read(descriptor, block, sizeof block);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return cannot(errno);
    if (got == 0) return text;
    text.append(block, static_cast<std::size_t>(got));
    if (text.size() > largest) return too_large();
  }
}

/// Of a document apart from the others, such as "fairness constraints".
Expected<void> expect_apart(const Json& document, std::string_view schema, const char* noun) {
  const auto found = document.is_object() ? document.find("schema") : document.end();
  if (found == document.end()) {
    if (!document.is_object()) return fail(fmt::format("the document is {}, expected an object", describe(document)));
    return fail("missing key \"schema\"", "", fmt::format("it says what the document is: \"{}\"", schema));
  }
  if (*found == schema) return {};
  const auto other = schema_of(document);
  if (other) return fail(fmt::format("the file holds {}, expected {}", noun_of(*other), noun), "/schema");
  return fail(fmt::format("schema is {}, expected \"{}\"", describe(*found), schema), "/schema");
}

Expected<Document> document_from(const Json& json) {
  const auto widen = [](auto&& result) -> Expected<Document> {
    if (!result) return tl::unexpected(std::move(result.error()));
    return Expected<Document>(tl::in_place, std::move(*result));
  };
  const auto schema = schema_of(json);
  if (!schema) return tl::unexpected(schema.error());
  if (*schema == kModelSchema) return widen(model_from(json));
  if (*schema == kPolicySchema) return widen(policy_from(json));
  return widen(counts_from(json));
}

/// Reads text, makes what `convert` makes of it, and puts the file's name on any error.
template <class T, class Convert>
Expected<T> convert_text(const Expected<std::string_view>& text, const std::string& file, const Convert& convert) {
  auto result = text.and_then(parse_json).and_then(convert);
  if (!result) result.error().file = file;
  return result;
}

template <class T>
Expected<T> read_as(const std::filesystem::path& path, std::string_view schema, Expected<T> (*convert)(const Json&)) {
  const Expected<std::string> text = read_text(path);
  return convert_text<T>(text, path.string(), [&](const Json& json) -> Expected<T> {
    if (auto ok = expect_schema(json, schema); !ok) return tl::unexpected(ok.error());
    return convert(json);
  });
}

}  // namespace
}  // namespace internal

Expected<Model> read_model(const std::filesystem::path& path) {
  return internal::read_as(path, internal::kModelSchema, internal::model_from);
}

Expected<Model> parse_model(std::string_view text, const std::string& file) {
  return internal::convert_text<Model>(text, file, [](const internal::Json& json) -> Expected<Model> {
    if (auto ok = internal::expect_schema(json, internal::kModelSchema); !ok) return tl::unexpected(ok.error());
    return internal::model_from(json);
  });
}

Expected<Policy> read_policy(const std::filesystem::path& path) {
  return internal::read_as(path, internal::kPolicySchema, internal::policy_from);
}

Expected<Counts> read_counts(const std::filesystem::path& path) {
  return internal::read_as(path, internal::kCountsSchema, internal::counts_from);
}

Expected<Fairness> read_fairness(const std::filesystem::path& path, const Model& model) {
  return read_fairness(path, model.names(), model.shape());
}

Expected<Fairness> read_fairness(const std::filesystem::path& path, const Names& names, const Shape& shape) {
  const Expected<std::string> text = internal::read_text(path);
  return internal::convert_text<Fairness>(text, path.string(), [&](const internal::Json& json) -> Expected<Fairness> {
    if (auto ok = internal::expect_apart(json, internal::kFairnessSchema, "fairness constraints"); !ok)
      return tl::unexpected(ok.error());
    return internal::fairness_from(json, names, shape);
  });
}

Expected<GivenRewards> read_rewards(const std::filesystem::path& path) {
  const Expected<std::string> text = internal::read_text(path);
  return internal::convert_text<GivenRewards>(
      text, path.string(), [&](const internal::Json& json) -> Expected<GivenRewards> {
        if (auto ok = internal::expect_apart(json, internal::kRewardsSchema, "rewards"); !ok)
          return tl::unexpected(ok.error());
        return internal::rewards_from(json);
      });
}

Expected<Document> read_document(const std::filesystem::path& path) {
  const Expected<std::string> text = internal::read_text(path);
  return internal::convert_text<Document>(text, path.string(), internal::document_from);
}

Expected<Document> parse_document(std::string_view text, const std::string& file) {
  return internal::convert_text<Document>(text, file, internal::document_from);
}

Expected<std::string> read_text_file(const std::filesystem::path& path) {
  Expected<std::string> text = internal::read_text(path);
  if (!text) text.error().file = path.string();
  return text;
}

Expected<void> check_json(std::string_view text, const std::string& file) {
  auto value = internal::parse_json(text);
  if (value) return {};
  value.error().file = file;
  return tl::unexpected(value.error());
}

Expected<void> write_file(const std::filesystem::path& path, std::string_view text) {
  auto file = OutputFile::open(path);
  if (!file) return tl::unexpected(file.error());
  if (auto ok = file->write(text); !ok) return ok;
  return file->commit();
}

}  // namespace fairstep
