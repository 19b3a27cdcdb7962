#include <string>
#include <utility>

#include <fairstep/core/part.hpp>
#include <fairstep/io/internal/documents.hpp>
#include <fairstep/io/internal/object_reader.hpp>

namespace fairstep::internal {

Part part_from(const Json& object, std::optional<Error>& error) {
  ObjectReader in(object, {{"role", "share", "seed", "logs"}, {}}, error, "part");
  Part part;
  if (const auto role = named<PartRole>(in.text("role")))
    part.role = *role;
  else if (!error)
    in.fail_key("role", "\"design\" or \"audit\"");
  part.split.share = in.number("share", 0);
  part.split.seed = in.whole("seed");
  part.logs = in.texts("logs");
  return part;
}

void write_part(JsonWriter& json, const Part& part) {
  json.key("part").object(JsonWriter::Lines::one);
  json.field("role", name_of(part.role)).field("share", part.split.share).field("seed", part.split.seed);
  json.field("logs", part.logs).end();
}

}  // namespace fairstep::internal
