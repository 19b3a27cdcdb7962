#include <fairstep/ingest/internal/look.hpp>

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <fairstep/core/suggest.hpp>
#include <fairstep/ingest/internal/arrow.hpp>
#include <fairstep/ingest/internal/calendar.hpp>
#include <fairstep/ingest/internal/column_names.hpp>
#include <fairstep/ingest/internal/csv_shape.hpp>
#include <fairstep/ingest/internal/shaping.hpp>

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
  return fmt::format(R"(auto_detect=false, delim={}, quote='"', escape='"', compression='{}', encoding='{}')",
                     sql_text(std::string(1, log.delimiter)), kind == FileKind::gzip ? "gzip" : "none",
                     name_of(log.encoding));
}

constexpr const char* kFrame = "frame";
constexpr const char* kPlace = "place";
constexpr const char* kLog = "log";      ///< what a query asks
constexpr const char* kAsked = "asked";  ///< what it makes of it

/// What a column is called in the view of a frame.
std::string frame_name(std::size_t column) { return fmt::format("c{}", column); }

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
void choose_type(LogFiles& log, Role role, const TableColumn& column, const TableShape& shape) {
  const auto i = static_cast<std::size_t>(role);
  const std::string& name = column.sql;
  const std::string& sql_type = column.type;
  const bool number_wanted = role == Role::reward || role == Role::step;
  if (role == Role::time) {
    log.type[i] = ValueType::integer32;
    log.expression[i] = fmt::format(
        "CASE WHEN NOT {3} THEN ({1})::INTEGER ELSE coalesce(date_diff('day', DATE '1970-01-01', "
        "CAST(TRY_CAST({0} AS TIMESTAMP) AS DATE)), {2})::INTEGER END",
        name, kNoDay, kBadDay, is_there(column, shape));
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
  if (!knows_places(log) || role == Role::person) return;
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
  const auto fields = look_through_csv(file, kind, {log.delimiter, log.encoding}, database.stop());
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
  if (header.empty())
    return tl::unexpected(Error{"the first line is empty, expected the names of the columns", {}, file, {}});
  for (const std::string& name : header)
    if (name.find('\0') != std::string::npos)
      return tl::unexpected(Error{"the first line has a NUL byte, expected the names of the columns", {}, file, {}});
  return header;
}

/// Name and type of each column.
using Columns = std::vector<std::pair<std::string, std::string>>;

/// Name and type of each column of a table or view.
Expected<Columns> described(const Database& database, const std::string& table) {
  auto rows = database.rows(fmt::format("SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM {})", table));
  if (!rows) return tl::unexpected(rows.error());
  Columns columns;
  for (std::vector<std::string>& row : *rows) columns.emplace_back(std::move(row[0]), std::move(row[1]));
  return columns;
}

Expected<Columns> columns_of_file(const Database& database, const LogFiles& log, const std::string& file,
                                  FileKind kind) {
  if (log.parquet) {
    auto columns = described(database, fmt::format("read_parquet({})", sql_text(literal_pattern(file))));
    if (!columns) return tl::unexpected(in_file(columns.error(), file));
    return columns;
  }
  auto header = csv_header(database, log, file, kind);
  if (!header) return tl::unexpected(header.error());
  Columns columns;
  for (std::string& name : *header) columns.emplace_back(std::move(name), "VARCHAR");
  return columns;
}

/// As queries name them, `sql_names` being what the source calls them.
TableColumns table_of(const Columns& columns, const std::vector<std::string>& sql_names) {
  std::vector<TableColumn> table;
  for (std::size_t i = 0; i < columns.size(); ++i)
    table.push_back({columns[i].first, sql_name(sql_names[i]), columns[i].second});
  return TableColumns(std::move(table));
}

std::vector<std::string> names_of(const Columns& columns) {
  std::vector<std::string> names;
  for (const auto& [name, type] : columns) names.push_back(name);
  return names;
}

/// What to do about a role whose column is not there. There may be no labels at all, of which nothing is misspelt.
Text no_column_hint(Role role, const std::string& wanted, bool given, bool any_given,
                    const std::vector<std::string_view>& names) {
  const std::string columns = fmt::format("the columns are {}", fmt::join(names, ", "));
  if (role == Role::y && !given)
    return fmt::format("name its column: {}, or count without labels: {}; {}", entry("map", wanted, "..."),
                       option("censored", "drop"), columns);
  Text near = did_you_mean(wanted, names);
  if (!near.empty()) return near;
  if (!any_given) {
    std::vector<std::string> meant;
    for (const auto& [guessed, column] : roles_by_name({names.begin(), names.end()}))
      if (const char* const name = kRoleNames[static_cast<std::size_t>(guessed)]; names[column] != name)
        meant.push_back(fmt::format("{}={}", name, names[column]));
    if (!meant.empty())
      return fmt::format("by their names these may be {}; {}", option("map", fmt::format("{}", fmt::join(meant, ","))),
                         columns);
  }
  return given ? columns : fmt::format("name its column: {}; {}", entry("map", wanted, "..."), columns);
}

/// The columns of a role, if they are there; none if it may do without.
Expected<std::vector<std::string>> parts_of_role(Role role, const LogFiles& log, const TableColumns& table,
                                                 const CountOptions& options) {
  const std::string name = kRoleNames[static_cast<std::size_t>(role)];
  const auto mapped = std::find_if(options.columns.begin(), options.columns.end(),
                                   [&](const auto& entry) { return entry.first == name; });
  const bool dated = role == Role::step && options.shape.step;
  const bool given = dated || mapped != options.columns.end();
  const std::string wanted = dated ? options.shape.step->column : given ? mapped->second : name;
  auto parts = parts_of(wanted, table);
  const bool labels_dropped = options.censoring == Censoring::drop;
  const bool optional = role == Role::reward || role == Role::time || (role == Role::y && labels_dropped);
  for (const std::string& part : parts) {
    if (table.has(part)) continue;
    if (optional && !given) return std::vector<std::string>{};
    return tl::unexpected(Error{fmt::format("there is no column \"{}\" for {}", part, name),
                                {},
                                log.files.front(),
                                no_column_hint(role, part, given, given || !options.columns.empty(), table.names())});
  }
  const bool several = role == Role::person || role == Role::group || role == Role::x;
  if (parts.size() > 1 && !several)
    return tl::unexpected(Error{fmt::format("{} is \"{}\", expected one column", name, wanted),
                                {},
                                log.files.front(),
                                "person, group and x may be made of several"});
  // Without windows nobody asks for the time.
  if (role == Role::time && !options.window) parts.clear();
  return parts;
}

/// What is said about a column must have something to do.
Expected<void> check_used(const TableColumns& table, const TableShape& shape) {
  const auto used = [&](const char* option, const std::string& column) -> Expected<void> {
    const auto found = std::find_if(table.all().begin(), table.all().end(),
                                    [&](const TableColumn& there) { return there.name == column; });
    if (found != table.all().end() && found->used) return {};
    const bool there = found != table.all().end();
    Error error = fail_option(option, fmt::format(" is about the column \"{}\", {}", column,
                                                  there ? "of which nothing is made" : "which is not there"))
                      .value();
    if (there)
      error.hint = "say of what: " + entry("map", "x", column);
    else
      error.hint = did_you_mean(column, table.names());
    if (error.hint.empty()) error.hint = fmt::format("the columns are {}", fmt::join(table.names(), ", "));
    return tl::unexpected(std::move(error));
  };
  for (const WideColumn& wide : shape.wide)
    if (auto ok = used("wide", wide.column); !ok) return ok;
  for (const Recode& recode : shape.recodes)
    if (auto ok = used("recode", recode.column); !ok) return ok;
  for (const ColumnBins& bins : shape.bins)
    if (auto ok = used("bins", bins.column); !ok) return ok;
  return {};
}

/// What each role asks of the table.
Expected<void> find_columns(LogFiles& log, TableColumns& table, const CountOptions& options) {
  // What is wrong with an option is not about the file.
  const auto here = [&](Error error) {
    return tl::unexpected(error.option.empty() ? in_file(std::move(error), log.files.front()) : error);
  };
  auto unfolding = table.unfold(options.shape.wide);
  if (!unfolding) return here(unfolding.error());
  log.unfolding = std::move(*unfolding);
  log.rows_of_one = options.shape.rows_of_one();
  log.by_order = options.shape.step && options.shape.step->every == StepRule::Every::order;
  for (std::size_t i = 0; i + 1 < kRoles; ++i) {
    const auto role = static_cast<Role>(i);
    const auto parts = parts_of_role(role, log, table, options);
    if (!parts) return tl::unexpected(parts.error());
    if (parts->empty()) continue;
    log.column[i] = fmt::format("{}", fmt::join(*parts, "+"));
    if (is_shaped(role, *parts, options.shape)) {
      const auto value = shaped_value(role, *parts, table, options.shape);
      if (!value) return here(value.error());
      log.expression[i] = value->expression;
      log.type[i] = value->type;
      continue;
    }
    const auto column = table.use(parts->front());
    if (!column) return here(column.error());
    choose_type(log, role, **column, options.shape);
  }
  if (auto ok = check_used(table, options.shape); !ok) return ok;
  if (log.frame != nullptr && log.query.empty())
    for (std::size_t i = 0; i < table.all().size(); ++i)
      if (table.all()[i].used && i < static_cast<std::size_t>(log.frame->schema().n_children))
        log.from_frame.push_back(i);
  return {};
}

/// Several rows of each, if they are to be unfolded; `also` are columns that `*` leaves out.
std::string unfolded(const LogFiles& log, const std::string& rows, const std::string& also = {}) {
  if (log.unfolding.empty()) return rows;
  return fmt::format("(SELECT {}{}, * FROM {})", also, log.unfolding, rows);
}

std::string list_of_files(const LogFiles& log) {
  std::vector<std::string> names;
  for (const std::string& file : log.files) names.push_back(sql_text(literal_pattern(file)));
  return fmt::format("[{}]", fmt::join(names, ", "));
}

/// The table that a query asks, of files.
std::string all_files(const LogFiles& log) {
  if (log.parquet) return fmt::format("SELECT * FROM read_parquet({})", list_of_files(log));
  std::string rows;
  for (std::size_t file = 0; file < log.files.size(); ++file)
    rows += fmt::format("{}SELECT * FROM {}", file == 0 ? "" : " UNION ALL ", csv_source(log, file));
  return rows;
}

/// The same of a frame, whose columns are c0, c1, ... there. It is copied: DuckDB takes an Arrow stream for one that
/// leaves out what a query does not ask for, which ours could not know of.
std::string whole_frame(const LogFiles& log) {
  std::vector<std::string> names, columns;
  for (std::size_t i = 0; i < static_cast<std::size_t>(log.frame->schema().n_children); ++i)
    names.emplace_back(log.frame->schema().children[i]->name);
  const std::vector<std::string> distinct = distinct_names(names);
  for (std::size_t i = 0; i < names.size(); ++i)
    columns.push_back(fmt::format("{} AS {}", frame_name(i), sql_name(distinct[i])));
  return fmt::format("CREATE TEMP TABLE {} AS SELECT {} FROM {}", kLog, fmt::join(columns, ", "), kFrame);
}

Error about_query(const Error& error) {
  Error about = fail_option("query", fmt::format(" cannot be asked: {}", error.message)).value();
  about.hint = error.hint;
  about.disk = error.disk;
  return about;
}

/// The table of the log and what a query makes of it, and then the doors are shut.
Expected<void> ask(const Database& database, const LogFiles& log) {
  const auto made = database.execute(
      log.frame != nullptr ? whole_frame(log) : fmt::format("CREATE TEMP VIEW {} AS {}", kLog, all_files(log)));
  if (!made) return tl::unexpected(in_file(made.error(), log.files.front()));
  if (log.frame != nullptr)
    if (auto ok = database.execute(fmt::format("DROP VIEW {}", kFrame)); !ok) return ok;
  std::vector<std::string> reached;
  if (log.frame == nullptr)
    for (const std::string& file : log.files) reached.insert(reached.end(), {file, literal_pattern(file)});
  if (auto ok = database.shut(reached); !ok) return ok;
  if (auto ok = database.check_query(log.query); !ok) return tl::unexpected(about_query(ok.error()));
  if (auto ok = database.execute(fmt::format("CREATE TEMP VIEW {} AS\n{}", kAsked, log.query)); !ok)
    return tl::unexpected(about_query(ok.error()));
  return {};
}

/// The columns of what a query makes, and what each role asks of them.
Expected<void> find_asked_columns(LogFiles& log, const Database::Settings& settings, const CountOptions& options) {
  const auto open = OpenLog::open(settings, log);
  if (!open) return tl::unexpected(open.error());
  const auto columns = described(open->database(), kAsked);
  if (!columns) return tl::unexpected(about_query(columns.error()));
  TableColumns table = table_of(*columns, names_of(*columns));
  return find_columns(log, table, options);
}

}  // namespace

std::size_t sources(const LogFiles& log) { return log.query.empty() ? log.files.size() : 1; }

std::string source(const LogFiles& log, std::size_t file) {
  if (!log.query.empty()) return unfolded(log, kAsked);
  return unfolded(log, log.frame != nullptr ? kFrame : csv_source(log, file));
}

std::string count_of_log(const LogFiles& log) {
  return fmt::format("SELECT count(*)::VARCHAR FROM {}",
                     log.query.empty() ? fmt::format("({})", all_files(log)) : kLog);
}

bool knows_places(const LogFiles& log) { return log.parquet && log.query.empty(); }

std::string lines_source(const LogFiles& log, std::size_t file) {
  return fmt::format(
      "read_csv({}, auto_detect=false, header=false, delim=chr(31), quote='', escape='', columns={{'line': "
      "'VARCHAR'}}, encoding='{}', "
      "store_rejects=true, rejects_limit=0, rejects_table='line_errors', rejects_scan='line_scans')",
      sql_text(literal_pattern(log.files[file])), name_of(log.encoding));
}

std::string place_expression(const LogFiles& log, std::size_t file) {
  if (log.place.empty()) return fmt::format("{} + row_number() OVER () - 1", place_of(file, 0));
  if (log.unfolding.empty()) return kPlace;
  return fmt::format("{0} - {0} % {1} + ({0} % {1}) * {2} + {3}", kPlace, place_of(1, 0), log.rows_of_one,
                     kUnfoldedStep);
}

std::string parquet_source(const LogFiles& log) {
  return unfolded(log, fmt::format("read_parquet({})", list_of_files(log)), "file_index, file_row_number, ");
}

std::string parquet_place(const LogFiles& log) {
  std::string row = "file_row_number";
  if (!log.unfolding.empty()) row = fmt::format("{} * {} + {}", row, log.rows_of_one, kUnfoldedStep);
  return log.files.size() == 1 ? row : fmt::format("file_index::BIGINT * {} + {}", place_of(1, 0), row);
}

std::string selection(const LogFiles& log, bool named) {
  std::vector<std::string> parts;
  for (std::size_t role = 0; role < kRoles; ++role) {
    if (log.type[role] == ValueType::absent) continue;
    if (!named) {
      parts.push_back(log.expression[role]);
      continue;
    }
    // Persons are told apart without the spaces around their names, and so they are sorted.
    const bool person = role == static_cast<std::size_t>(Role::person) && log.type[role] == ValueType::text;
    parts.push_back(person ? fmt::format("trim({}, ' ') AS r{}", log.expression[role], role)
                           : fmt::format("{} AS r{}", log.expression[role], role));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

namespace {

/// What files there are, and the columns of all of them.
Expected<Columns> look_at_files(const Database& database, const std::vector<std::string>& files,
                                const CountOptions& options, LogFiles& log) {
  log.files = files;
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
    if (i == 0 && !parquet) {
      const auto guess = guess_delimiter(files[i], *kind, options.encoding);
      if (!guess) return tl::unexpected(guess.error());
      log.delimiter = options.delimiter.value_or(*guess);
      log.encoding = options.encoding;
    }
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
  log.header = distinct_names(names_of(first));
  return first;
}

}  // namespace

Expected<TableSample> sample_of(const Database::Settings& settings, const std::vector<std::string>& files,
                                const CountOptions& options) {
  constexpr int rows_looked_at = 10'000;
  const auto database = Database::open(settings);
  if (!database) return tl::unexpected(database.error());
  LogFiles log;
  const auto columns = look_at_files(*database, files, options, log);
  if (!columns) return tl::unexpected(columns.error());
  const std::string rows = log.parquet ? parquet_source(log) : csv_source(log, 0);
  std::vector<std::string> texts;
  for (const std::string& name : log.parquet ? names_of(*columns) : log.header)
    texts.push_back(fmt::format("CAST({} AS VARCHAR)", sql_name(name)));
  auto found = database->rows(fmt::format("SELECT {} FROM {} LIMIT {}", fmt::join(texts, ", "), rows, rows_looked_at));
  if (!found) return tl::unexpected(in_file(found.error(), files.front()));
  return TableSample{names_of(*columns), std::move(*found)};
}

Expected<LogFiles> look_at(const Database& database, const std::vector<std::string>& files,
                           const CountOptions& options) {
  LogFiles log;
  const auto columns = look_at_files(database, files, options, log);
  if (!columns) return tl::unexpected(columns.error());
  const Columns& first = *columns;
  if (!options.shape.query.empty()) {
    log.query = options.shape.query;
    if (auto ok = find_asked_columns(log, database.settings(), options); !ok) return tl::unexpected(ok.error());
    return log;
  }
  TableColumns table = table_of(first, log.parquet ? names_of(first) : log.header);
  if (auto ok = find_columns(log, table, options); !ok) return tl::unexpected(ok.error());
  return log;
}

Expected<AskedColumns> asked_of(const std::vector<std::string>& columns, const std::string& file,
                                const CountOptions& options) {
  LogFiles log;
  log.files = {file};
  Columns texts;
  for (const std::string& name : columns) texts.emplace_back(name, "VARCHAR");
  TableColumns table = table_of(texts, columns);
  if (auto ok = find_columns(log, table, options); !ok) return tl::unexpected(ok.error());
  AskedColumns asked;
  for (std::size_t i = 0; i < columns.size(); ++i)
    if (table.all()[i].used) asked.needed.push_back(columns[i]);
  asked.person = parts_of(log.column[static_cast<std::size_t>(Role::person)], table);
  for (std::size_t role = 0; role < kRoles; ++role)
    if (!log.column[role].empty()) asked.roles.emplace_back(kRoleNames[role], log.column[role]);
  std::sort(asked.roles.begin(), asked.roles.end());
  return asked;
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
  if (log.frame != nullptr) {
    std::vector<std::size_t> wanted = log.from_frame;
    if (!log.query.empty()) {
      wanted.resize(static_cast<std::size_t>(log.frame->schema().n_children));
      std::iota(wanted.begin(), wanted.end(), std::size_t{0});
    }
    std::vector<Replay::Column> columns;
    for (const std::size_t column : wanted) columns.push_back({column, frame_name(column)});
    if (!log.place.empty()) columns.push_back({*place_in(*log.frame, log.place), kPlace});
    opened.replay_ = std::make_unique<Replay>(*log.frame, std::move(columns));
    if (auto ok = opened.database_.view(kFrame, opened.replay_->stream()); !ok) return tl::unexpected(ok.error());
  }
  if (!log.query.empty())
    if (auto ok = ask(opened.database_, log); !ok) return tl::unexpected(ok.error());
  return opened;
}

Expected<LogFiles> look_at(const Batches& frame, const Database::Settings& settings, const CountOptions& options) {
  LogFiles log;
  log.frame = &frame;
  log.files = {kFrame};
  log.query = options.shape.query;
  if (!log.query.empty()) {
    if (auto ok = find_asked_columns(log, settings, options); !ok) return tl::unexpected(ok.error());
    return log;
  }
  auto database = Database::open(settings);
  if (!database) return tl::unexpected(database.error());
  std::vector<Replay::Column> all;
  std::vector<std::string> sql_names;
  for (std::size_t i = 0; i < static_cast<std::size_t>(frame.schema().n_children); ++i) {
    all.push_back({i, frame_name(i)});
    sql_names.push_back(frame_name(i));
  }
  Replay replay(frame, std::move(all));
  Columns columns;
  {
    const Database looked = std::move(*database);  // gone before what it looks at
    if (auto ok = looked.view(kFrame, replay.stream()); !ok) return tl::unexpected(ok.error());
    auto found = described(looked, kFrame);
    if (!found) return tl::unexpected(in_file(found.error(), kFrame));
    columns = std::move(*found);
    for (std::size_t i = 0; i < columns.size(); ++i) columns[i].first = frame.schema().children[i]->name;
  }
  TableColumns table = table_of(columns, sql_names);
  if (auto ok = find_columns(log, table, options); !ok) return tl::unexpected(ok.error());
  return log;
}

}  // namespace fairstep::internal
