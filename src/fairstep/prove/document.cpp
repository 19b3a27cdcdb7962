// Proofs as text.
#include <cmath>
#include <cstdint>
#include <set>
#include <utility>

#include <fmt/format.h>

#include <fairstep/core/words.hpp>
#include <fairstep/io/json.hpp>
#include <fairstep/io/seal.hpp>
#include <fairstep/io/shared/parse.hpp>
#include <fairstep/prove/proof.hpp>

namespace fairstep::prove {
namespace {

using internal::Json;

constexpr std::size_t kMostBeliefs = 1000;

void write(JsonWriter& json, const char* key, const std::vector<std::pair<std::string, double>>& prices) {
  if (prices.empty()) return;
  json.key(key).object(JsonWriter::Lines::one);
  for (const auto& [name, price] : prices) json.field(name, price);
  json.end();
}

std::string in_words(const Claim& claim) {
  switch (claim.about) {
    case Claim::About::high:
      return "high " + claim.quantity;
    case Claim::About::low:
      return "low " + claim.quantity;
    case Claim::About::value:
      return "value";
    case Claim::About::nothing:
      return "nothing";
  }
  return {};
}

void write(JsonWriter& json, const Claim& claim) {
  json.object(JsonWriter::Lines::one).field("of", in_words(claim));
  if (!claim.quantity.empty()) json.field("to", claim.to);
  write(json, "rows", claim.rows);
  write(json, "ranges", claim.ranges);
  if (!claim.tables.empty()) {
    json.key("tables").array(JsonWriter::Lines::one);
    for (const Claim::Tables& one : claim.tables) {
      if (one.most)
        json.value(*one.most);
      else
        json.value(one.tree);
    }
    json.end();
  }
  json.end();
}

void write(JsonWriter& json, const Part& part) {
  json.object().key("claims").array();
  for (const Claim& claim : part.claims) write(json, claim);
  json.end();
  if (part.split) {
    const Part::Split& split = *part.split;
    json.key("split").object(JsonWriter::Lines::one);
    if (split.limit)
      json.field("rate", *split.limit);
    else
      json.field("table", split.block).field("step", split.step).field("feature", split.feature);
    json.field("at", split.at).field("at_most", split.at_most).field("at_least", split.at_least).end();
  }
  json.end();
}

/// Reads strictly, and throws what is wrong: caught where the whole text is read.
class Reader {
 public:
  Reader(const Json& value, std::string pointer) : value_(value), pointer_(std::move(pointer)) {}

  [[noreturn]] void refuse(const std::string& message) const { throw Error{message, pointer_}; }

  void keys(const std::set<std::string>& required, const std::set<std::string>& optional = {}) const {
    if (!value_.is_object()) refuse(fmt::format("is {}, expected an object", internal::describe(value_)));
    for (const std::string& key : required)
      if (!value_.contains(key)) refuse(fmt::format("has no {}", key));
    for (const auto& [key, unused] : value_.items())
      if (!required.contains(key) && !optional.contains(key))
        refuse(fmt::format("has a key {} that no proof has", internal::quote(key)));
  }
  [[nodiscard]] bool has(const std::string& key) const { return value_.contains(key); }
  [[nodiscard]] Reader at(const std::string& key) const {
    if (!value_.is_object() || !value_.contains(key)) refuse(fmt::format("has no {}", key));
    return {value_.at(key), pointer_ + internal::pointer_step(key)};
  }
  [[nodiscard]] std::vector<Reader> list() const {
    if (!value_.is_array()) refuse(fmt::format("is {}, expected an array", internal::describe(value_)));
    std::vector<Reader> all;
    for (std::size_t i = 0; i < value_.size(); ++i) all.emplace_back(value_[i], fmt::format("{}/{}", pointer_, i));
    return all;
  }
  [[nodiscard]] std::string text() const {
    if (!value_.is_string()) refuse(fmt::format("is {}, expected a text", internal::describe(value_)));
    return value_.get<std::string>();
  }
  [[nodiscard]] bool flag() const {
    if (!value_.is_boolean()) refuse(fmt::format("is {}, expected true or false", internal::describe(value_)));
    return value_.get<bool>();
  }
  [[nodiscard]] bool is_number() const { return value_.is_number(); }
  [[nodiscard]] double number() const {
    if (!value_.is_number()) refuse(fmt::format("is {}, expected a number", internal::describe(value_)));
    return value_.get<double>();
  }
  [[nodiscard]] std::size_t whole(std::size_t most) const {
    if (!value_.is_number_unsigned() || value_.get<std::uint64_t>() > most)
      refuse(fmt::format("is {}, expected a whole number up to {}", internal::describe(value_), most));
    return value_.get<std::size_t>();
  }
  /// An entry of a table, or -1.
  [[nodiscard]] int entry() const {
    if (value_.is_number_integer() && value_.get<std::int64_t>() == -1) return -1;
    return static_cast<int>(whole(1'000'000'000));
  }
  [[nodiscard]] std::vector<std::pair<std::string, double>> prices(const std::string& key) const {
    std::vector<std::pair<std::string, double>> all;
    if (!value_.contains(key)) return all;
    const Reader inner = at(key);
    if (!inner.value_.is_object()) inner.refuse("is no object");
    for (const auto& [name, price] : inner.value_.items()) {
      static_cast<void>(price);
      all.emplace_back(name, inner.at(name).number());
    }
    return all;
  }
  [[nodiscard]] std::string dumped() const { return value_.dump(); }

 private:
  const Json& value_;
  std::string pointer_;
};

Claim claim_from(const Reader& in) {
  Claim claim;
  const std::string of = in.at("of").text();
  const bool of_range = of.starts_with("high ") || of.starts_with("low ");
  std::set<std::string> required{"of"};
  if (of_range) required.insert("to");
  in.keys(required, {"rows", "ranges", "tables"});
  if (of_range) {
    claim.about = of.starts_with("high ") ? Claim::About::high : Claim::About::low;
    claim.quantity = of.substr(of.find(' ') + 1);
    claim.to = in.at("to").number();
  } else if (of == "value" || of == "nothing") {
    claim.about = of == "value" ? Claim::About::value : Claim::About::nothing;
  } else {
    in.at("of").refuse(R"(is none of "high ...", "low ...", "value" and "nothing")");
  }
  claim.rows = in.prices("rows");
  claim.ranges = in.prices("ranges");
  if (!in.has("tables")) return claim;
  for (const Reader& one : in.at("tables").list()) {
    claim.tables.emplace_back();
    if (one.is_number())
      claim.tables.back().most = one.number();
    else
      for (const Reader& entry : one.list()) claim.tables.back().tree.push_back(entry.entry());
  }
  return claim;
}

Part part_from(const Reader& in) {
  in.keys({"claims"}, {"split"});
  Part part;
  for (const Reader& claim : in.at("claims").list()) part.claims.push_back(claim_from(claim));
  if (!in.has("split")) return part;
  const Reader split = in.at("split");
  part.split = Part::Split{};
  constexpr std::size_t kMost = 1'000'000;
  if (split.has("rate")) {
    split.keys({"rate", "at", "at_most", "at_least"});
    part.split->limit = split.at("rate").whole(kMost);
  } else {
    split.keys({"table", "step", "feature", "at", "at_most", "at_least"});
    part.split->block = split.at("table").whole(kMost);
    part.split->step = split.at("step").whole(kMost);
    part.split->feature = split.at("feature").whole(kMost);
  }
  part.split->at = split.at("at").number();
  part.split->at_most = split.at("at_most").whole(kMost);
  part.split->at_least = split.at("at_least").whole(kMost);
  return part;
}

Asked asked_from(const Reader& in) {
  in.keys({"limits", "floor", "floor_kind", "group_independent"}, {"capacity"});
  Asked asked;
  for (const Reader& one : in.at("limits").list()) {
    one.keys({"fairness", "limit"});
    const auto notion = named<Notion>(one.at("fairness").text());
    if (!notion) one.at("fairness").refuse("is no notion of fairness that proofs know");
    StepwiseParity parity{*notion, {}, {}};
    for (const Reader& limit : one.at("limit").list()) parity.limit.push_back(limit.number());
    asked.parity.push_back(std::move(parity));
  }
  if (in.has("capacity"))
    for (const Reader& one : in.at("capacity").list()) asked.capacity.push_back(one.number());
  asked.floor = in.at("floor").number();
  const std::string kind = in.at("floor_kind").text();
  if (kind != "two_sided" && kind != "accept_only")
    in.at("floor_kind").refuse(R"(is neither "two_sided" nor "accept_only")");
  asked.two_sided = kind == "two_sided";
  asked.group_independent = in.at("group_independent").flag();
  return asked;
}

Proof read(const Json& document) {
  const Reader in(document, "");
  in.keys({"schema", "statement", "model_sha256", "asked", "beliefs", "scale", "parts", "sha256"},
          {"bound", "value", "policy"});
  Proof proof;
  proof.statement = in.at("statement").text();
  proof.model_sha256 = in.at("model_sha256").text();
  proof.asked = asked_from(in.at("asked"));
  if (in.has("bound")) proof.bound = in.at("bound").number();
  if (in.has("value") != in.has("policy")) in.refuse("has a value or a policy, expected both or neither");
  if (in.has("value")) {
    proof.value = in.at("value").number();
    proof.policy = in.at("policy").dumped();
  }
  proof.beliefs = in.at("beliefs").whole(kMostBeliefs);
  if (proof.beliefs < 2) in.at("beliefs").refuse("is less than 2");
  for (const Reader& limit : in.at("scale").list()) {
    proof.scale.emplace_back();
    for (const Reader& one : limit.list()) proof.scale.back().push_back(one.number());
  }
  for (const Reader& part : in.at("parts").list()) proof.parts.push_back(part_from(part));
  if (proof.parts.empty()) in.at("parts").refuse("is empty");
  return proof;
}

}  // namespace

std::string to_text(const Proof& proof) {
  JsonWriter json;
  json.object().field("schema", kProofSchema).field("statement", proof.statement);
  json.field("model_sha256", proof.model_sha256);
  json.key("asked").object().key("limits").array();
  for (const StepwiseParity& parity : proof.asked.parity)
    json.object(JsonWriter::Lines::one).field("fairness", name_of(parity.notion)).field("limit", parity.limit).end();
  json.end();
  if (!proof.asked.capacity.empty()) json.field("capacity", proof.asked.capacity);
  json.field("floor", proof.asked.floor);
  json.field("floor_kind", proof.asked.two_sided ? "two_sided" : "accept_only");
  json.field("group_independent", proof.asked.group_independent).end();
  if (proof.bound) json.field("bound", *proof.bound);
  if (proof.value) json.field("value", *proof.value);
  if (proof.policy) json.key("policy").document(*proof.policy);
  json.field("beliefs", proof.beliefs);
  json.key("scale").array();
  for (const std::vector<double>& limit : proof.scale) json.value(limit);
  json.end().key("parts").array();
  for (const Part& part : proof.parts) write(json, part);
  json.end().end();
  return sealed(std::move(json).text());
}

Expected<Proof> proof_from(std::string_view text) {
  const auto document = internal::parse_json(text);
  if (!document) return tl::unexpected(document.error());
  if (!document->is_object() || document->value("schema", Json()) != kProofSchema)
    return fail(fmt::format("is no document of schema {}", kProofSchema));
  if (auto ok = check_seal(text); !ok) return tl::unexpected(ok.error());
  try {
    return read(*document);
  } catch (Error& error) {
    return tl::unexpected(std::move(error));
  }
}

}  // namespace fairstep::prove
