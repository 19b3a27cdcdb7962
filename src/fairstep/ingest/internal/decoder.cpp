#include <fairstep/ingest/internal/decoder.hpp>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

#include <fairstep/core/model.hpp>
#include <fairstep/ingest/internal/calendar.hpp>
#include <fairstep/ingest/internal/shaping.hpp>

namespace fairstep::internal {
namespace {

/// Beyond these numbers of different texts nothing is remembered.
constexpr std::size_t kMostMeanings = 64;
constexpr double kWholeLimit = 0x1p53;

bool is_whole(double number) { return number == std::floor(number) && std::abs(number) < kWholeLimit; }

/// Calls use(row, value) for rows with a value, and missing(row) for those without; an empty text is none, nor are
/// kNoInteger and NaN.
template <class Value, class Use, class Missing>
void each(const RawColumn& column, std::size_t rows, const Use& use, const Missing& missing) {
  const auto* values = column.as<Value>();
  const auto is_empty = [&](std::size_t i) {
    if constexpr (std::is_same_v<Value, duckdb_string_t>) return values[i].value.inlined.length == 0;
    if constexpr (std::is_integral_v<Value>) return values[i] == kNoInteger<Value>;
    if constexpr (std::is_floating_point_v<Value>) return std::isnan(values[i]);
  };
  if (column.validity == nullptr) {
    for (std::size_t i = 0; i < rows; ++i) {
      if (is_empty(i))
        missing(i);
      else
        use(i, values[i]);
    }
    return;
  }
  for (std::size_t i = 0; i < rows; ++i) {
    if (!column.has(i) || is_empty(i))
      missing(i);
    else
      use(i, values[i]);
  }
}

/// The same for a column of any type: use(row, value) is for int64, double and text alike.
template <class Use, class Missing>
void each_value(ValueType type, const RawColumn& column, std::size_t rows, const Use& use, const Missing& missing) {
  switch (type) {
    case ValueType::integer32:
      return each<std::int32_t>(
          column, rows, [&](std::size_t i, std::int32_t value) { use(i, std::int64_t{value}); }, missing);
    case ValueType::integer:
      return each<std::int64_t>(column, rows, use, missing);
    case ValueType::real:
      return each<double>(column, rows, use, missing);
    default:
      return each<duckdb_string_t>(column, rows, use, missing);
  }
}

/// Functions for values of different types as one.
template <class... Cases>
struct Either : Cases... {  // NOLINT(misc-multiple-inheritance): they have nothing but their operator
  using Cases::operator()...;
};
template <class... Cases>
Either(Cases...) -> Either<Cases...>;

/// Tries usual(values) on a column of whole numbers without a gap: the fast way, which gives up on anything else.
template <class Usual>
bool whole_numbers(ValueType type, const RawColumn& column, const Usual& usual) {
  if (column.validity != nullptr) return false;
  if (type == ValueType::integer32) return usual(column.as<std::int32_t>());
  return type == ValueType::integer && usual(column.as<std::int64_t>());
}

/// Without a branch; false if there is anything but 0 and 1.
template <class Integer>
bool all_binary(const Integer* values, std::size_t rows, std::int32_t* numbers) {
  Integer others = 0;
  for (std::size_t i = 0; i < rows; ++i) {
    numbers[i] = static_cast<std::int32_t>(values[i] & 1);
    others |= values[i] & ~Integer{1};
  }
  return others == 0;
}

/// What stands there, whatever its type; marks that a query has put before a value are none of it.
std::string shown(const duckdb_string_t& text) {
  std::string value(without_spaces(view_of(text)));
  std::erase_if(value, [](char c) { return c == kUnknownMark || c == kUnreadableMark; });
  return value;
}
template <class Number>
std::string shown(Number value) {
  return fmt::format("{}", value);
}

bool same_but_case(std::string_view a, std::string_view b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [](char c, char d) {
           return std::tolower(static_cast<unsigned char>(c)) == d;
         });
}

/// The numbers that stand for 0 and 1 where no name of a label or action is a number.
constexpr std::array<double, 2> kUsualCodes{0, 1};

/// `--labels 1,2` are codes: there 1 is the first and 0 is none. A name that is no number has no code.
std::array<double, 2> codes_of(const std::array<std::string, 2>& names) {
  std::array<double, 2> codes{};
  bool any = false;
  for (std::size_t i = 0; i < 2; ++i) {
    const bool is_number = read_number(names.at(i), codes.at(i));
    if (!is_number) codes.at(i) = std::numeric_limits<double>::quiet_NaN();
    any = any || is_number;
  }
  return any ? codes : kUsualCodes;
}

std::int32_t meaning_of_number(double value, const std::array<double, 2>& codes) {
  return value == codes[0] ? 0 : value == codes[1] ? 1 : kUnknown;
}

/// Whole numbers as logs have them; false if it is anything more than digits.
bool read_digits(std::string_view text, std::int64_t& number) {
  if (text.empty() || text.size() > 15) return false;
  std::int64_t value = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return false;
    value = value * 10 + (c - '0');
  }
  number = value;
  return true;
}

}  // namespace

Decoder::Decoder(const Plan& plan)
    : plan_(plan), vocabulary_(plan), codes_{codes_of(plan.labels), codes_of(plan.actions)} {
  for (const std::string& text : plan.texts.missing) {
    double number = 0;
    if (read_number(text, number)) missing_numbers_.push_back(number);
    longest_missing_ = std::max(longest_missing_, text.size());
    if (!text.empty()) begins_missing_.at(static_cast<unsigned char>(text.front())) = true;
  }
}

template <class Number>
bool Decoder::means_missing(Number value) const {
  return !missing_numbers_.empty() && std::find(missing_numbers_.begin(), missing_numbers_.end(),
                                                static_cast<double>(value)) != missing_numbers_.end();
}

bool Decoder::means_missing(std::string_view text) const {
  text = without_spaces(text);
  return text.size() <= longest_missing_ && plan_.texts.is_missing(text);
}

template <class Use>
auto Decoder::as_real(const Use& use, Role role, Chunk& chunk) const {
  const auto use_number = [this, &use, &chunk, role](std::size_t i, double value) {
    if (means_missing(value))
      chunk.object(i, kMissing, role);
    else
      use(i, value);
  };
  return Either{[use_number](std::size_t i, std::int64_t value) { use_number(i, static_cast<double>(value)); },
                [use_number](std::size_t i, double value) { use_number(i, value); },
                [this, use_number, &chunk, role](std::size_t i, const duckdb_string_t& text) {
                  double value = 0;
                  if (read_number(view_of(text), value))
                    use_number(i, value);
                  else
                    chunk.object(i, means_missing(view_of(text)) ? kMissing : kUnreadable, role, shown(text));
                }};
}

void Decoder::decode(const std::vector<RawColumn>& columns, std::size_t rows, Chunk& chunk) {
  chunk.begin(rows);
  std::size_t next = 0;
  const auto column_of = [&](Role role) -> const RawColumn* {
    return type_of(role) == ValueType::absent ? nullptr : &columns[next++];
  };
  const RawColumn& person = *column_of(Role::person);
  decode_persons(person, chunk);
  decode_steps(*column_of(Role::step), chunk);
  decode_category(*column_of(Role::group), Role::group, vocabulary_.groups, chunk.g, chunk);
  const RawColumn& x = *column_of(Role::x);
  if (plan_.bins.empty())
    decode_category(x, Role::x, vocabulary_.features, chunk.x, chunk);
  else
    decode_bins(x, chunk);
  decode_binary(*column_of(Role::a), Role::a, chunk.a, chunk);
  if (const RawColumn* y = column_of(Role::y)) {
    decode_binary(*y, Role::y, chunk.y, chunk);
  } else {
    std::fill(chunk.y.begin(), chunk.y.end(), kMissing);
    chunk.any_unlabelled = true;
  }
  if (const RawColumn* reward = column_of(Role::reward)) decode_rewards(*reward, chunk);
  if (const RawColumn* time = column_of(Role::time)) decode_days(*time, chunk);
  if (const RawColumn* weight = column_of(Role::weight)) decode_weights(*weight, chunk);
}

void Decoder::decode_persons(const RawColumn& column, Chunk& chunk) const {
  const auto nobody = [&](std::size_t i) { chunk.object(i, kMissing, Role::person); };
  if (type_of(Role::person) == ValueType::text) {
    const auto use = [&](std::size_t i, const duckdb_string_t& text) {
      const std::string_view name = view_of(text);
      if (begins_missing_[static_cast<unsigned char>(name.front())] && means_missing(name)) nobody(i);
    };
    each<duckdb_string_t>(column, chunk.rows, use, nobody);
  } else if (column.validity != nullptr || !missing_numbers_.empty()) {
    const auto use = [&](std::size_t i, std::int64_t value) {
      if (means_missing(value)) nobody(i);
    };
    each<std::int64_t>(column, chunk.rows, use, nobody);
  }
}

void Decoder::decode_steps(const RawColumn& column, Chunk& chunk) {
  const ValueType type = type_of(Role::step);
  const auto usual = [&](const auto* values) {
    return vocabulary_.steps.known(values, chunk.rows, plan_.first_step.value_or(0),
                                   plan_.horizon.value_or(std::numeric_limits<std::int64_t>::max()), chunk.step.data(),
                                   chunk.h.data());
  };
  if (whole_numbers(type, column, usual)) return;
  const auto unreadable = [&](std::size_t i, const auto& value) {
    chunk.object(i, kUnreadable, Role::step, shown(value));
  };
  const auto missing = [&](std::size_t i) { chunk.object(i, kMissing, Role::step); };
  const auto use = [&](std::size_t i, std::int64_t step) {
    if (means_missing(step)) return missing(i);
    if (std::abs(static_cast<double>(step)) >= kWholeLimit) return unreadable(i, step);
    if (plan_.first_step) {
      const std::int64_t after = step - *plan_.first_step;
      if (after < 0 || (plan_.horizon && after >= *plan_.horizon))
        return chunk.object(i, kOutOfRange, Role::step, shown(step));
    }
    chunk.step[i] = step;
    chunk.h[i] = vocabulary_.steps.number_of(step);
  };
  const auto use_real = [&](std::size_t i, double step) {
    if (is_whole(step))
      use(i, static_cast<std::int64_t>(step));
    else
      unreadable(i, step);
  };
  const auto use_text = [&](std::size_t i, const duckdb_string_t& text) {
    std::int64_t step = 0;
    double number = 0;
    if (read_digits(view_of(text), step))
      use(i, step);
    else if (read_number(view_of(text), number))
      use_real(i, number);
    else if (means_missing(view_of(text)))
      missing(i);
    else
      unreadable(i, text);
  };
  each_value(type, column, chunk.rows, Either{use, use_real, use_text}, missing);
}

void Decoder::decode_category(const RawColumn& column, Role role, Category& category,
                              std::vector<std::int32_t>& numbers, Chunk& chunk) {
  const ValueType type = type_of(role);
  if (whole_numbers(type, column,
                    [&](const auto* values) { return category.known(values, chunk.rows, numbers.data()); }))
    return;
  const auto use = [&](std::size_t i, const auto& value) {
    const std::int32_t number = category.number_of(value);
    if (number < 0 && number > kExcluded) return chunk.object(i, number, role, shown(value));
    numbers[i] = number;
    chunk.any_problem = chunk.any_problem || number < 0;
  };
  each_value(type, column, chunk.rows, use, [&](std::size_t i) { chunk.object(i, kMissing, role); });
}

void Decoder::decode_bins(const RawColumn& column, Chunk& chunk) {
  const auto use = [&](std::size_t i, double value) {
    if (!std::isfinite(value)) return chunk.object(i, kUnreadable, Role::x, shown(value));
    const auto bin = std::upper_bound(plan_.bins.begin(), plan_.bins.end(), value) - plan_.bins.begin();
    if (bin == 0) return chunk.object(i, kUnknown, Role::x, shown(value));
    chunk.x[i] = static_cast<std::int32_t>(bin - 1);
  };
  each_value(type_of(Role::x), column, chunk.rows, as_real(use, Role::x, chunk),
             [&](std::size_t i) { chunk.object(i, kMissing, Role::x); });
}

std::int32_t Decoder::meaning_of(std::string_view text, Role role) const {
  const std::array<std::string, 2>& names = role == Role::y ? plan_.labels : plan_.actions;
  text = without_spaces(text);
  if (text == without_spaces(names[0])) return 0;
  if (text == without_spaces(names[1])) return 1;
  const std::array<double, 2>& codes = codes_.at(role == Role::y ? 0 : 1);
  if (codes == kUsualCodes && same_but_case(text, "false")) return 0;
  if (codes == kUsualCodes && same_but_case(text, "true")) return 1;
  double number = 0;
  if (!read_number(text, number)) return means_missing(text) ? kMissing : kUnknown;
  if (means_missing(number)) return kMissing;
  return meaning_of_number(number, codes);
}

void Decoder::decode_binary(const RawColumn& column, Role role, std::vector<std::int32_t>& numbers, Chunk& chunk) {
  const auto missing = [&](std::size_t i) {
    // A decision without a label is still a decision.
    if (role != Role::y) return chunk.object(i, kMissing, role);
    numbers[i] = kMissing;
    chunk.any_unlabelled = true;
  };
  const auto use = [&](std::size_t i, std::int32_t meaning, const auto& value) {
    if (meaning == kMissing) return missing(i);
    if (meaning < 0) return chunk.object(i, meaning, role, shown(value));
    numbers[i] = meaning;
  };
  const ValueType type = type_of(role);
  const std::size_t which = role == Role::y ? 0 : 1;
  const std::array<double, 2>& codes = codes_.at(which);
  if (codes == kUsualCodes &&
      whole_numbers(type, column, [&](const auto* values) { return all_binary(values, chunk.rows, numbers.data()); }))
    return;
  const auto use_number = [&](std::size_t i, auto value) {
    use(i, means_missing(value) ? kMissing : meaning_of_number(static_cast<double>(value), codes), value);
  };
  Category& texts = binary_[which];
  std::vector<std::int32_t>& meanings = meanings_[which];
  const auto use_text = [&](std::size_t i, const duckdb_string_t& text) {
    if (meanings.size() >= kMostMeanings) return use(i, meaning_of(view_of(text), role), text);
    const std::int32_t name = texts.number_of(text);
    if (name < 0) return missing(i);  // nothing but spaces
    const auto number = static_cast<std::size_t>(name);
    if (number >= meanings.size()) meanings.push_back(meaning_of(view_of(text), role));
    use(i, meanings[number], text);
  };
  each_value(type, column, chunk.rows,
             Either{[&](std::size_t i, std::int64_t value) { use_number(i, value); },
                    [&](std::size_t i, double value) { use_number(i, value); }, use_text},
             missing);
}

void Decoder::decode_rewards(const RawColumn& column, Chunk& chunk) {
  chunk.reward.resize(chunk.rows);
  const auto use = [&](std::size_t i, double value) {
    if (!(std::abs(value) <= kLargestReward)) return chunk.object(i, kUnreadable, Role::reward, shown(value));
    chunk.reward[i] = value;
  };
  each_value(type_of(Role::reward), column, chunk.rows, as_real(use, Role::reward, chunk),
             [&](std::size_t i) { chunk.object(i, kMissing, Role::reward); });
}

void Decoder::decode_days(const RawColumn& column, Chunk& chunk) {
  chunk.day.resize(chunk.rows);
  const auto* days = column.as<std::int32_t>();
  for (std::size_t i = 0; i < chunk.rows; ++i) {
    chunk.day[i] = days[i];
    if (days[i] == kNoDay) chunk.object(i, kMissing, Role::time);
    if (days[i] == kBadDay) chunk.object(i, kUnreadable, Role::time);
  }
}

/// Whoever has no weight, or one that cannot be, would make every rate another: that is no row to be lost.
void Decoder::decode_weights(const RawColumn& column, Chunk& chunk) const {
  chunk.weight.resize(chunk.rows);
  const auto bad = [&](std::size_t i, std::string text) {
    if (!chunk.bad_weight) chunk.bad_weight = {i, std::move(text)};
  };
  const auto use = [&](std::size_t i, double value, const auto& there) {
    if (!(value >= 0 && value <= plan_.largest_weight)) return bad(i, shown(there));
    chunk.weight[i] = value;
  };
  const auto use_number = [&](std::size_t i, auto value) { use(i, static_cast<double>(value), value); };
  const auto use_text = [&](std::size_t i, const duckdb_string_t& text) {
    double value = 0;
    if (!read_number(view_of(text), value)) return bad(i, shown(text));
    use(i, value, text);
  };
  each_value(type_of(Role::weight), column, chunk.rows,
             Either{[&](std::size_t i, std::int64_t value) { use_number(i, value); },
                    [&](std::size_t i, double value) { use_number(i, value); }, use_text},
             [&](std::size_t i) { bad(i, {}); });
}

}  // namespace fairstep::internal
