#include <fairstep/monitor/internal/documents.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include <fairstep/io/json.hpp>
#include <fairstep/io/seal.hpp>
#include <fairstep/io/shared/parse.hpp>

namespace fairstep::internal {
namespace {

constexpr std::string_view kQuestionSchema = "fairstep/monitor/1";
constexpr std::string_view kDaySchema = "fairstep/monitor-day/1";

void write_file_digest(JsonWriter& json, const FileDigest& file) {
  json.object(JsonWriter::Lines::one).field("file", file.file).field("sha256", file.sha256).end();
}

FileDigest file_digest_from(const Json& json) {
  return {json.at("file").get<std::string>(), json.at("sha256").get<std::string>()};
}

void write_claim(JsonWriter& json, const Claim& claim, const MonitorQuestion& question, const Certified* certified) {
  json.object(JsonWriter::Lines::one).field("claim", name_of(claim.kind)).field("rate", name_of(claim.rate));
  json.field("step", claim.step).field("group", question.groups[claim.first]);
  if (claim.second) json.field("above", question.groups[*claim.second]);
  if (claim.feature) json.field("feature", certified->counts.names().features[*claim.feature]);
  json.field(claim.at_least ? "at_least" : "at_most", claim.bound).end();
}

template <std::size_t Rank>
void write_tallies(JsonWriter& json, const Tensor<Tally, Rank>& tallies) {
  Tensor<std::int64_t, Rank> part(tallies.extents());
  const auto write = [&](const char* name, std::int64_t Tally::* member) {
    for (std::size_t i = 0; i < part.size(); ++i) part.flat()[i] = tallies.flat()[i].*member;
    json.field(name, part);
  };
  json.object();
  write("accepted", &Tally::accepted);
  write("decisions", &Tally::decisions);
  write("missing", &Tally::missing);
  json.end();
}

/// Numbers in arrays in arrays, in the order of the axes; as many of them as there are.
void flatten(const Json& json, std::vector<std::int64_t>& numbers) {
  if (!json.is_array()) return numbers.push_back(json.get<std::int64_t>());
  for (const Json& entry : json) flatten(entry, numbers);
}

/// False if they are no tallies of so many. What is written of them again is compared with the text, so that arrays of
/// other lengths do not pass.
template <std::size_t Rank>
bool read_tallies(const Json& json, Tensor<Tally, Rank>& tallies) {
  for (const auto& [name, member] :
       {std::pair{"accepted", &Tally::accepted}, {"decisions", &Tally::decisions}, {"missing", &Tally::missing}}) {
    std::vector<std::int64_t> numbers;
    flatten(json.at(name), numbers);
    if (numbers.size() != tallies.size()) return false;
    for (std::size_t i = 0; i < numbers.size(); ++i) tallies.flat()[i].*member = numbers[i];
  }
  for (const Tally& tally : tallies.flat())
    if (tally.accepted < 0 || tally.accepted > tally.decisions || tally.missing < 0) return false;
  return true;
}

tl::unexpected<Error> not_ours() { return fail("it is not of the form that fairstep writes"); }

/// What `read` makes of a sealed text; its exceptions say that the form is wrong.
template <class T, class Read>
Expected<T> read_sealed(std::string_view text, std::string_view schema, const Read& read) {
  if (auto ok = check_seal(text); !ok) return tl::unexpected(ok.error());
  const auto json = parse_json(text);
  if (!json) return tl::unexpected(json.error());
  try {
    if (const std::string found = json->at("schema").get<std::string>(); found != schema)
      return fail(fmt::format("schema is {}, expected \"{}\"", quote(found), schema), "/schema");
    return read(*json);
  } catch (const Json::exception&) {
    return not_ours();
  }
}

}  // namespace

std::string to_text(const MonitorQuestion& question) {
  JsonWriter json;
  json.object().field("schema", kQuestionSchema);
  json.field("groups", question.groups).field("labels", question.labels).field("actions", question.actions);
  json.field("horizon", question.horizon).field("first_step", question.first_step);
  json.field("steps_given", question.steps_given);
  std::vector<std::string> notions;
  for (const Notion notion : question.notions) notions.emplace_back(name_of(notion));
  json.field("fairness", notions).field("limit", question.limit).field("delta", question.delta);
  json.key("certificate");
  if (question.certificate)
    write_file_digest(json, *question.certificate);
  else
    json.value(nullptr);
  json.key("reading").object();
  for (const auto& [option, values] : question.reading) json.field(option, values);
  json.end().end();
  return sealed(std::move(json).text());
}

Expected<MonitorQuestion> question_from(std::string_view text) {
  auto question =
      read_sealed<MonitorQuestion>(text, kQuestionSchema, [](const Json& json) -> Expected<MonitorQuestion> {
        MonitorQuestion read;
        json.at("groups").get_to(read.groups);
        json.at("labels").get_to(read.labels);
        json.at("actions").get_to(read.actions);
        json.at("horizon").get_to(read.horizon);
        json.at("first_step").get_to(read.first_step);
        json.at("steps_given").get_to(read.steps_given);
        read.notions.clear();
        for (const Json& word : json.at("fairness")) {
          const auto notion = named<Notion>(word.get<std::string>());
          if (!notion) return not_ours();
          read.notions.push_back(*notion);
        }
        if (!json.at("limit").is_null()) read.limit = json.at("limit").get<double>();
        json.at("delta").get_to(read.delta);
        if (!json.at("certificate").is_null()) read.certificate = file_digest_from(json.at("certificate"));
        // In the order of the text, which this reader of JSON does not keep: by the alphabet.
        for (const auto& [option, values] : json.at("reading").items())
          read.reading.emplace_back(option, values.get<std::vector<std::string>>());
        if (read.groups.size() < 2 || read.horizon == 0 || read.labels.size() != kLabels ||
            read.actions.size() != kActions)
          return not_ours();
        return read;
      });
  if (question && to_text(*question) != text) return not_ours();
  return question;
}

std::string to_text(const MonitorDay& day, const MonitorQuestion& question, const std::vector<Claim>& claims,
                    const Certified* certified) {
  JsonWriter json;
  json.object().field("schema", kDaySchema).field("day", day.number).field("before", day.before);
  if (!day.date.empty()) json.field("date", day.date);
  json.key("logs").array();
  for (const FileDigest& log : day.logs) write_file_digest(json, log);
  json.end().field("rows", day.rows).field("lost_rows", day.lost_rows).field("people", day.people);
  json.key("rates").object();
  for (const RateTallies& tallies : day.rates) {
    json.key(name_of(tallies.rate));
    write_tallies(json, tallies.steps);
  }
  json.end();
  if (!day.by_feature.empty()) {
    json.key("by_feature");
    write_tallies(json, day.by_feature);
  }
  json.key("alarms").array();
  for (const std::size_t alarm : day.alarms) write_claim(json, claims[alarm], question, certified);
  json.end().end();
  return sealed(std::move(json).text());
}

Expected<MonitorDay> day_from(std::string_view text, const MonitorQuestion& question, const std::vector<Claim>& claims,
                              const Certified* certified) {
  const auto read = [&](const Json& json) -> Expected<MonitorDay> {
    MonitorDay day;
    json.at("day").get_to(day.number);
    json.at("before").get_to(day.before);
    day.date = json.value("date", "");
    for (const Json& log : json.at("logs")) day.logs.push_back(file_digest_from(log));
    json.at("rows").get_to(day.rows);
    json.at("lost_rows").get_to(day.lost_rows);
    json.at("people").get_to(day.people);
    for (const Rate rate : rates_of(claims)) {
      day.rates.push_back({rate, Tensor<Tally, 2>({question.groups.size(), question.horizon})});
      if (!read_tallies(json.at("rates").at(name_of(rate)), day.rates.back().steps)) return not_ours();
    }
    if (certified != nullptr) {
      const Shape n = certified->counts.shape();
      day.by_feature = Tensor<Tally, 3>({n.groups, n.horizon, n.features});
      if (!read_tallies(json.at("by_feature"), day.by_feature)) return not_ours();
    }
    if (json.at("alarms").empty()) return day;
    std::map<std::string, std::size_t> number_of;
    for (std::size_t i = 0; i < claims.size(); ++i) {
      JsonWriter claim;
      write_claim(claim, claims[i], question, certified);
      number_of.emplace(Json::parse(std::move(claim).text()).dump(), i);
    }
    for (const Json& alarm : json.at("alarms")) {
      const auto found = number_of.find(alarm.dump());
      if (found == number_of.end()) return not_ours();
      day.alarms.push_back(found->second);
    }
    return day;
  };
  auto day = read_sealed<MonitorDay>(text, kDaySchema, read);
  if (day && to_text(*day, question, claims, certified) != text) return not_ours();
  return day;
}

}  // namespace fairstep::internal
