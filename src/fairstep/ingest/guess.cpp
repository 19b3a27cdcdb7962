#include <fairstep/ingest/guess.hpp>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <iterator>
#include <set>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <fairstep/ingest/internal/category.hpp>
#include <fairstep/ingest/internal/column_names.hpp>
#include <fairstep/ingest/internal/engine.hpp>
#include <fairstep/ingest/internal/look.hpp>
#include <fairstep/ingest/internal/roles.hpp>
#include <fairstep/ingest/internal/shaping.hpp>

namespace fairstep {
namespace {

using internal::Role;

/// A number with more different values than these is a feature only when it is cut.
constexpr std::size_t kMostFeatures = 20;
constexpr std::size_t kBins = 4;
constexpr std::size_t kValuesShown = 4;

/// The different values of each column, in the order in which they came, without those that stand for none.
class Values {
 public:
  Values(const internal::TableSample& sample, const CountOptions& options) : by_column_(sample.columns.size()) {
    const internal::TextRules rules{internal::missing_texts(options.shape), false};
    std::vector<std::set<std::string, std::less<>>> seen(sample.columns.size());
    for (const std::vector<std::string>& row : sample.rows)
      for (std::size_t i = 0; i < row.size(); ++i) {
        const std::string_view text = internal::without_spaces(row[i]);
        if (!rules.is_missing(text) && seen[i].emplace(text).second) by_column_[i].emplace_back(text);
      }
  }

  [[nodiscard]] const std::vector<std::string>& of(std::size_t column) const { return by_column_[column]; }

  [[nodiscard]] bool numbers(std::size_t column) const {
    return std::all_of(of(column).begin(), of(column).end(), [](const std::string& text) {
      double number = 0;
      return internal::read_number(text, number);
    });
  }
  [[nodiscard]] bool dates(std::size_t column) const {
    return std::all_of(of(column).begin(), of(column).end(), [](const std::string& text) {
      return text.size() >= 8 && std::isdigit(static_cast<unsigned char>(text.front())) != 0 &&
             text.find_first_of("-/.") != std::string::npos && text.find_first_of("-/.") < 5;
    });
  }
  [[nodiscard]] bool may_be(Role role, std::size_t column) const {
    if (of(column).empty()) return false;
    if (role == Role::y || role == Role::a) return of(column).size() <= 2;
    if (role == Role::step) return numbers(column) || dates(column);
    if (role == Role::reward) return numbers(column);
    return true;
  }

 private:
  std::vector<std::vector<std::string>> by_column_;
};

/// Two codes of a label or a decision.
struct Codes {
  std::string zero{}, one{};
  bool plain = false;   ///< 0 and 1, or words for them
  bool by_name = true;  ///< neither says by itself which is the one that nobody wants: the column's name may
};

/// Nothing if there are not two. The one that sounds bad is 0: `deny` before `approve`.
std::optional<Codes> codes_of(const std::vector<std::string>& values) {
  if (values.size() != 2) return std::nullopt;
  const auto places = internal::places_in_order(values);
  std::size_t first = places[0] < places[1] ? 0 : 1;
  const bool bad[] = {internal::sounds_bad(values[0]), internal::sounds_bad(values[1])};
  if (bad[0] != bad[1]) first = bad[0] ? 0 : 1;
  Codes codes{values[first], values[1 - first], false, bad[0] == bad[1]};
  std::string lower = codes.zero + "," + codes.one;
  std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return std::tolower(c); });
  codes.plain = lower == "0,1" || lower == "false,true";
  return codes;
}

/// What has to be said about the codes of a label or a decision.
void add_codes(GuessedTable& guessed, Role role, const std::string& column, const std::vector<std::string>& values) {
  const auto codes = codes_of(values);
  const bool turned = role == Role::y && internal::sounds_bad(column) && (!codes || codes->by_name);
  if (turned)
    guessed.options.emplace_back("recode", codes ? fmt::format("{}:{}=1,{}=0", column, codes->zero, codes->one)
                                                 : fmt::format("{}:0=1,1=0", column));
  else if (codes && !codes->plain)
    guessed.options.emplace_back(role == Role::y ? "labels" : "actions", codes->zero + "," + codes->one);
}

/// Where quarters of the different values begin.
std::string quarters_of(const std::string& column, const std::vector<std::string>& values) {
  std::vector<double> numbers;
  for (const std::string& text : values) {
    double number = 0;
    if (internal::read_number(text, number)) numbers.push_back(number);
  }
  std::sort(numbers.begin(), numbers.end());
  std::vector<double> edges;
  for (std::size_t i = 0; i < kBins; ++i) edges.push_back(numbers[i * numbers.size() / kBins]);
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  return fmt::format("{}={}", column, fmt::join(edges, ","));
}

/// The column that alone has dates, whatever it is called.
std::optional<std::size_t> only_dates(std::size_t columns, const Values& values) {
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < columns; ++i) {
    if (values.of(i).empty() || !values.dates(i)) continue;
    if (found) return std::nullopt;
    found = i;
  }
  return found;
}

}  // namespace

Expected<std::optional<GuessedTable>> guess_columns(const std::vector<std::string>& files,
                                                    const CountOptions& options) {
  const auto engine = internal::Engine::make(options);
  if (!engine) return tl::unexpected(engine.error());
  const auto sample = internal::sample_of(engine->settings(), {files.front()}, options);
  if (!sample) return tl::unexpected(sample.error());
  const std::vector<std::string>& columns = sample->columns;
  const std::vector<Role> needed{Role::person, Role::step, Role::group, Role::x, Role::y, Role::a};
  const auto name_of_role = [](Role role) { return std::string(internal::kRoleNames[static_cast<std::size_t>(role)]); };
  const auto is_there = [&](Role role) {
    return std::find(columns.begin(), columns.end(), name_of_role(role)) != columns.end();
  };
  // Of a table in which labels alone are not to be found something else is to be said.
  if (std::all_of(needed.begin(), needed.end(), [&](Role role) { return role == Role::y || is_there(role); }))
    return std::nullopt;

  const Values values(*sample, options);
  auto chosen =
      internal::roles_by_name(columns, [&](Role role, std::size_t column) { return values.may_be(role, column); });
  if (const auto dated = only_dates(columns.size(), values); dated) {
    const bool known = std::any_of(chosen.begin(), chosen.end(), [&](const auto& entry) {
      return entry.first == Role::step || entry.second == *dated;
    });
    if (!known) chosen.emplace_back(Role::step, *dated);
  }
  GuessedTable guessed;
  std::vector<bool> used(columns.size());
  for (const Role role : {Role::person, Role::step, Role::group, Role::x, Role::y, Role::a, Role::reward}) {
    const auto found =
        std::find_if(chosen.begin(), chosen.end(), [&](const auto& entry) { return entry.first == role; });
    if (found == chosen.end()) {
      if (role != Role::reward) guessed.not_found.push_back(name_of_role(role));
      continue;
    }
    const std::size_t column = found->second;
    const std::vector<std::string>& its = values.of(column);
    used[column] = true;
    GuessedRole entry{name_of_role(role), columns[column], {}};
    entry.values.assign(its.begin(), its.begin() + static_cast<std::ptrdiff_t>(std::min(its.size(), kValuesShown)));
    if (its.size() > kValuesShown) entry.values.emplace_back("...");
    guessed.roles.push_back(std::move(entry));
    if (role == Role::step && !values.numbers(column)) {
      guessed.options.emplace_back("step_from", columns[column]);
      guessed.options.emplace_back("every", "month");
    }
    if (role == Role::x && values.numbers(column) && its.size() > kMostFeatures)
      guessed.options.emplace_back("bins", quarters_of(columns[column], its));
    if (role == Role::y || role == Role::a) add_codes(guessed, role, columns[column], its);
  }
  // What was said of the file has to be said again.
  if (options.encoding != CountOptions{}.encoding) guessed.options.emplace_back("encoding", name_of(options.encoding));
  for (std::size_t i = 0; i < columns.size(); ++i)
    if (!used[i]) guessed.unused.push_back(columns[i]);
  return guessed;
}

}  // namespace fairstep
