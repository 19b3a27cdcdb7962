#include <fairstep/ingest/internal/look.hpp>

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <fairstep/core/suggest.hpp>
#include <fairstep/ingest/internal/arrow.hpp>
#include <fairstep/ingest/internal/calendar.hpp>
#include <fairstep/ingest/internal/csv_shape.hpp>

namespace fairstep::internal {
namespace {

/// A name that DuckDB takes for itself and not for a pattern.
std::string literal_pattern(const std::string& file) {
  std::string pattern;
  for (const char c : file) {
    if (c == '*' || c == '?' || c == '[')
      pattern += {'[', c, ']'};
    else
      pattern += c;
  }
  return pattern;
}

std::string csv_options(const LogFiles& log, FileKind kind) {
  return fmt::format(R"(auto_detect=false, delim={}, quote='"', escape='"', compression='{}')",
                     sql_text(std::string(1, log.delimiter)), kind == FileKind::gzip ? "gzip" : "none");
}

constexpr const char* kFrame = "frame";
constexpr const char* kPlace = "place";

/// What the column of a role is called in the view of a frame.
std::string frame_name(std::size_t role) { return fmt::format("c{}", role); }

std::optional<std::size_t> place_in(const Batches& frame, const std::string& column) {
  for (std::size_t i = 0; i < static_cast<std::size_t>(frame.schema().n_children); ++i)
    if (column == frame.schema().children[i]->name) return i;
  return std::nullopt;
}

/// The rows of one CSV file, everything as text. Lines that are no rows go to the table of rejects.
std::string csv_source(const LogFiles& log, std::size_t file) {
  std::vector<std::string> columns;
  for (const std::string& name : log.header) columns.push_back(sql_text(name) + ": 'VARCHAR'");
  return fmt::format(
      "read_csv({}, {}, header=true, columns={{{}}}, store_rejects=true, rejects_limit=0, buffer_size={})",
      sql_text(literal_pattern(log.files[file])), csv_options(log, log.kinds[file]), fmt::join(columns, ", "),
      log.buffer);
}

ValueType type_for(const std::string& sql_type) {
  static const std::vector<std::string> small{"TINYINT", "SMALLINT", "INTEGER", "UTINYINT", "USMALLINT"};
  if (std::find(small.begin(), small.end(), sql_type) != small.end()) return ValueType::integer32;
  if (sql_type == "BIGINT" || sql_type == "UINTEGER") return ValueType::integer;
  if (sql_type == "DOUBLE" || sql_type == "FLOAT") return ValueType::real;
  return ValueType::text;
}

const char* sql_type_of(ValueType type) {
  switch (type) {
    case ValueType::integer32:
      return "INTEGER";
    case ValueType::integer:
      return "BIGINT";
    case ValueType::real:
      return "DOUBLE";
    default:
      return "VARCHAR";
  }
}

/// A column as one of the types that a tally reads.
void choose_type(LogFiles& log, Role role, const std::string& sql_type) {
  const auto i = static_cast<std::size_t>(role);
  const std::string name = log.frame != nullptr ? frame_name(i) : sql_name(log.column[i]);
  const bool number_wanted = role == Role::reward || role == Role::step;
  if (role == Role::time) {
    log.type[i] = ValueType::integer32;
    log.expression[i] = fmt::format(
        "CASE WHEN {0} IS NULL THEN ({1})::INTEGER ELSE coalesce(date_diff('day', DATE '1970-01-01', "
        "CAST(TRY_CAST({0} AS TIMESTAMP) AS DATE)), {2})::INTEGER END",
        name, kNoDay, kBadDay);
    return;
  }
  ValueType type = type_for(sql_type);
  if (number_wanted && sql_type.starts_with("DECIMAL")) type = ValueType::real;
  // Persons are told apart, not reckoned with. What is no number is nobody, there is one zero, and whole numbers are
  // named as they are in a column of whole numbers.
  if (role == Role::person && type == ValueType::real) {
    log.type[i] = ValueType::text;
    log.expression[i] = fmt::format(
        "CASE WHEN isnan({0}) THEN NULL WHEN {0} = floor({0}) AND abs({0}) < {1} THEN CAST(CAST({0} AS BIGINT) AS "
        "VARCHAR) ELSE CAST({0} AS VARCHAR) END",
        name, std::int64_t{1} << 53);
    return;
  }
  if (role == Role::person && type == ValueType::integer32) type = ValueType::integer;
  log.type[i] = type;
  log.expression[i] = name;
  if (sql_type != sql_type_of(type)) {
    log.expression[i] = fmt::format("CAST({} AS {})", name, sql_type_of(type));
    return;
  }
  // Parquet mostly keeps few different values as a dictionary with a null in it, and handing that over as plain values
  // means copying a bit for each row. A function that makes a value of null is done on the dictionary alone.
  if (!log.parquet || role == Role::person) return;
  if (type == ValueType::integer32)
    log.expression[i] = fmt::format("greatest({}, ({})::INTEGER)", name, kNoInteger<std::int32_t>);
  if (type == ValueType::integer)
    log.expression[i] = fmt::format("greatest({}, ({})::BIGINT)", name, kNoInteger<std::int64_t>);
  if (type == ValueType::real) log.expression[i] = fmt::format("least({}, 'NaN'::DOUBLE)", name);  // beyond infinity
  if (type == ValueType::text) log.expression[i] = fmt::format("greatest({}, '')", name);
}

Error in_file(Error error, const std::string& file) {
  if (error.file.empty()) error.file = file;
  return error;
}

Expected<std::vector<std::string>> csv_header(const Database& database, const LogFiles& log, const std::string& file,
                                              FileKind kind) {
  const auto fields = look_through_csv(file, kind, log.delimiter, database.stop());
  if (!fields) return tl::unexpected(fields.error());
  std::vector<std::string> columns;
  for (std::size_t i = 0; i < *fields; ++i) columns.push_back(fmt::format("'c{}': 'VARCHAR'", i));
  auto rows =
      database.rows(fmt::format("SELECT * FROM read_csv({}, {}, header=false, null_padding=true, parallel=false, "
                                "ignore_errors=true, columns={{{}}}) "
                                "LIMIT 1",
                                sql_text(literal_pattern(file)), csv_options(log, kind), fmt::join(columns, ", ")));
  if (!rows) return tl::unexpected(in_file(rows.error(), file));
  if (rows->empty()) {
    Error error{"the file is empty, expected a line with the names of the columns", {}, file, {}};
    return tl::unexpected(std::move(error));
  }
  std::vector<std::string> header = std::move(rows->front());
  while (!header.empty() && header.back().empty()) header.pop_back();
  for (const std::string& name : header)
    if (name.find('\0') != std::string::npos)
      return tl::unexpected(Error{"the first line has a NUL byte, expected the names of the columns", {}, file, {}});
  return header;
}

/// Name and type of each column.
using Columns = std::vector<std::pair<std::string, std::string>>;

Expected<Columns> columns_of_file(const Database& database, const LogFiles& log, const std::string& file,
                                  FileKind kind) {
  Columns columns;
  if (!log.parquet) {
    auto header = csv_header(database, log, file, kind);
    if (!header) return tl::unexpected(header.error());
    for (std::string& name : *header) columns.emplace_back(std::move(name), "VARCHAR");
    return columns;
  }
  auto rows =
      database.rows(fmt::format("SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM read_parquet({}))",
                                sql_text(literal_pattern(file))));
  if (!rows) return tl::unexpected(in_file(rows.error(), file));
  for (std::vector<std::string>& row : *rows) columns.emplace_back(std::move(row[0]), std::move(row[1]));
  return columns;
}

/// What to do about a role whose column is not there. There may be no labels at all, of which nothing is misspelt.
Text no_column_hint(Role role, const std::string& wanted, bool given, const std::vector<std::string_view>& names) {
  const std::string columns = fmt::format("the columns are {}", fmt::join(names, ", "));
  if (role == Role::y && !given)
    return fmt::format("name its column: {}, or count without labels: {}; {}", entry("map", wanted, "..."),
                       option("censored", "drop"), columns);
  Text near = did_you_mean(wanted, names);
  if (!near.empty()) return near;
  return given ? columns : fmt::format("name its column: {}; {}", entry("map", wanted, "..."), columns);
}

Expected<void> find_columns(LogFiles& log, const Columns& columns, const CountOptions& options) {
  std::vector<std::string_view> names;
  for (const auto& [name, type] : columns) names.push_back(name);
  for (std::size_t role = 0; role + 1 < kRoles; ++role) {
    const auto mapped = std::find_if(options.columns.begin(), options.columns.end(),
                                     [&](const auto& entry) { return entry.first == kRoleNames[role]; });
    const bool given = mapped != options.columns.end();
    const std::string wanted = given ? mapped->second : kRoleNames[role];
    const auto found = std::find_if(columns.begin(), columns.end(), [&](const auto& c) { return c.first == wanted; });
    if (found == columns.end()) {
      const bool labels_dropped = options.censoring == Censoring::drop;
      const bool optional = role == static_cast<std::size_t>(Role::reward) ||
                            role == static_cast<std::size_t>(Role::time) ||
                            (role == static_cast<std::size_t>(Role::y) && labels_dropped);
      if (optional && !given) continue;
      Text hint = no_column_hint(static_cast<Role>(role), wanted, given, names);
      return tl::unexpected(Error{fmt::format("there is no column \"{}\" for {}", wanted, kRoleNames[role]),
                                  {},
                                  log.files.front(),
                                  std::move(hint)});
    }
    // Without windows nobody asks for the time.
    if (role == static_cast<std::size_t>(Role::time) && !options.window) continue;
    log.column[role] = wanted;
    choose_type(log, static_cast<Role>(role), found->second);
  }
  return {};
}

}  // namespace

std::string source(const LogFiles& log, std::size_t file) {
  return log.frame != nullptr ? kFrame : csv_source(log, file);
}

std::string lines_source(const LogFiles& log, std::size_t file) {
  return fmt::format(
      "read_csv({}, auto_detect=false, header=false, delim=chr(31), quote='', escape='', columns={{'line': "
      "'VARCHAR'}}, "
      "store_rejects=true, rejects_limit=0, rejects_table='line_errors', rejects_scan='line_scans')",
      sql_text(literal_pattern(log.files[file])));
}

std::string place_expression(const LogFiles& log, std::size_t file) {
  if (!log.place.empty()) return kPlace;
  return fmt::format("{} + row_number() OVER () - 1", place_of(file, 0));
}

std::string parquet_source(const LogFiles& log) {
  std::vector<std::string> names;
  for (const std::string& file : log.files) names.push_back(sql_text(literal_pattern(file)));
  return fmt::format("read_parquet([{}])", fmt::join(names, ", "));
}

std::string selection(const LogFiles& log, bool named) {
  std::vector<std::string> parts;
  for (std::size_t role = 0; role < kRoles; ++role)
    if (log.type[role] != ValueType::absent)
      parts.push_back(named ? fmt::format("{} AS r{}", log.expression[role], role) : log.expression[role]);
  return fmt::format("{}", fmt::join(parts, ", "));
}

Expected<LogFiles> look_at(const Database& database, const std::vector<std::string>& files,
                           const CountOptions& options) {
  LogFiles log;
  log.files = files;
  log.delimiter = options.delimiter;
  // DuckDB's own choice is 32 MB, several for each thread, whatever memory it was given. A line has at most 2.
  log.buffer = std::clamp<std::uint64_t>(options.memory_bytes / (16 * std::uint64_t{std::max(1U, options.threads)}),
                                         4'000'000, 32'000'000);
  Columns first;
  for (std::size_t i = 0; i < files.size(); ++i) {
    const auto kind = kind_of(files[i]);
    if (!kind) return tl::unexpected(kind.error());
    const bool parquet = *kind == FileKind::parquet;
    log.kinds.push_back(*kind);
    if (i == 0) log.parquet = parquet;
    if (parquet != log.parquet)
      return tl::unexpected(Error{fmt::format("this is {} and {} is {}, expected files of one kind",
                                              parquet ? "Parquet" : "CSV", files[0], log.parquet ? "Parquet" : "CSV"),
                                  {},
                                  files[i],
                                  "count them apart and add the counts: " + verb("merge")});
    auto columns = columns_of_file(database, log, files[i], *kind);
    if (!columns) return tl::unexpected(columns.error());
    if (i == 0) {
      first = std::move(*columns);
    } else if (*columns != first) {
      return tl::unexpected(Error{fmt::format("the columns are not those of {}", files[0]),
                                  {},
                                  files[i],
                                  "count them apart and add the counts: " + verb("merge")});
    }
  }
  if (!log.parquet)
    for (const auto& [name, type] : first) log.header.push_back(name);
  if (auto ok = find_columns(log, first, options); !ok) return tl::unexpected(ok.error());
  return log;
}

OpenLog::OpenLog(Database database) : database_(std::move(database)) {}
OpenLog::OpenLog(OpenLog&&) noexcept = default;
OpenLog::~OpenLog() = default;

/// The view has the columns of the roles alone, in their order, so that every query asks for all of them: DuckDB takes
/// an Arrow stream for one that leaves out what is not asked for, which ours could not know of.
Expected<OpenLog> OpenLog::open(const Database::Settings& settings, const LogFiles& log) {
  auto database = Database::open(settings);
  if (!database) return tl::unexpected(database.error());
  OpenLog opened(std::move(*database));
  if (log.frame == nullptr) return opened;
  std::vector<Replay::Column> columns;
  for (std::size_t role = 0; role < kRoles; ++role)
    if (!log.column[role].empty()) columns.push_back({*place_in(*log.frame, log.column[role]), frame_name(role)});
  if (!log.place.empty()) columns.push_back({*place_in(*log.frame, log.place), kPlace});
  opened.replay_ = std::make_unique<Replay>(*log.frame, std::move(columns));
  if (auto ok = opened.database_.view(kFrame, opened.replay_->stream()); !ok) return tl::unexpected(ok.error());
  return opened;
}

Expected<LogFiles> look_at(const Batches& frame, const Database::Settings& settings, const CountOptions& options) {
  LogFiles log;
  log.frame = &frame;
  log.files = {kFrame};
  auto database = Database::open(settings);
  if (!database) return tl::unexpected(database.error());
  std::vector<Replay::Column> all;
  for (std::size_t i = 0; i < static_cast<std::size_t>(frame.schema().n_children); ++i)
    all.push_back({i, fmt::format("c{}", i)});
  Replay replay(frame, std::move(all));
  Columns columns;
  {
    const Database described = std::move(*database);  // gone before what it looks at
    if (auto ok = described.view(kFrame, replay.stream()); !ok) return tl::unexpected(ok.error());
    auto rows = described.rows(fmt::format("SELECT column_type FROM (DESCRIBE SELECT * FROM {})", kFrame));
    if (!rows) return tl::unexpected(in_file(rows.error(), kFrame));
    for (std::size_t i = 0; i < rows->size(); ++i)
      columns.emplace_back(frame.schema().children[i]->name, std::move((*rows)[i][0]));
  }
  if (auto ok = find_columns(log, columns, options); !ok) return tl::unexpected(ok.error());
  return log;
}

}  // namespace fairstep::internal
