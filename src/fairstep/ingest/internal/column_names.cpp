#include <fairstep/ingest/internal/column_names.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <tuple>

namespace fairstep::internal {
namespace {

using Words = std::vector<std::string_view>;

/// Of each role, the likeliest first.
const std::array<std::pair<Role, Words>, 7>& words_of_roles() {
  static const std::array<std::pair<Role, Words>, 7> words{{
      {Role::person,
       {"person", "customer", "client", "borrower", "applicant", "account", "member", "user", "student", "patient",
        "subject", "individual", "name", "id", "uid", "pid"}},
      {Role::step,
       {"step", "period", "month", "quarter", "year", "week", "round", "term", "semester", "time", "date", "day",
        "cycle"}},
      {Role::group,
       {"group", "sex", "gender", "race", "ethnicity", "ethnic", "minority", "protected", "nationality", "religion",
        "disability", "region"}},
      {Role::a,
       {"a", "action", "decision", "approved", "accepted", "granted", "offered", "admitted", "hired", "selected",
        "decided", "approval", "approve", "accept", "grant", "lent"}},
      {Role::y,
       {"y", "label", "qualified", "repaid", "outcome", "target", "success", "passed", "paid", "good", "default",
        "defaulted", "bad", "delinquent", "recid", "late"}},
      {Role::reward, {"reward", "profit", "gain", "earnings", "payoff", "utility", "revenue", "return"}},
      {Role::x,
       {"x", "feature", "score", "band", "bucket", "grade", "rating", "risk", "decile", "fico", "status", "tier",
        "level", "points"}},
  }};
  return words;
}

/// `ScoreBand` and `score_band` are score and band.
std::vector<std::string> tokens_of(std::string_view name) {
  std::vector<std::string> tokens;
  bool after_lower = false, apart = true;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) == 0) {
      apart = true;
      continue;
    }
    const bool upper = std::isupper(byte) != 0;
    if (apart || (upper && after_lower)) tokens.emplace_back();
    tokens.back() += static_cast<char>(std::tolower(byte));
    after_lower = !upper;
    apart = false;
  }
  return tokens;
}

/// How far a name is from a word; nothing if the word is not in it. `customer_id` is a customer first.
constexpr std::size_t kFar = 99;
constexpr std::size_t kMostTokens = 3;  ///< a longer name is a sentence
std::size_t distance(const std::vector<std::string>& tokens, std::string_view word) {
  const auto found = std::find(tokens.begin(), tokens.end(), word);
  if (found == tokens.end() || tokens.size() > kMostTokens) return kFar;
  return tokens.size() - 1;
}

}  // namespace

std::vector<std::pair<Role, std::size_t>> roles_by_name(const std::vector<std::string>& columns, const MayBe& may_be) {
  std::vector<std::tuple<std::size_t, std::size_t, std::size_t, Role>> near;  // distance, rank, column
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const std::vector<std::string> tokens = tokens_of(columns[i]);
    for (const auto& [role, words] : words_of_roles())
      for (std::size_t rank = 0; rank < words.size(); ++rank)
        if (const std::size_t far = distance(tokens, words[rank]); far < kFar) near.emplace_back(far, rank, i, role);
  }
  std::sort(near.begin(), near.end());
  std::vector<std::pair<Role, std::size_t>> chosen;
  for (const auto& [far, rank, column, role] : near) {
    const bool taken = std::any_of(chosen.begin(), chosen.end(), [wanted = role, at = column](const auto& entry) {
      return entry.first == wanted || entry.second == at;
    });
    if (!taken && (!may_be || may_be(role, column))) chosen.emplace_back(role, column);
  }
  return chosen;
}

bool sounds_bad(std::string_view text) {
  constexpr std::array<std::string_view, 18> bad{
      "default", "defaulted", "bad",    "delinquent", "recid",    "late",    "unpaid",   "fail",   "failed",
      "deny",    "denied",    "refuse", "refused",    "rejected", "decline", "declined", "reject", "unqualified"};
  const std::vector<std::string> tokens = tokens_of(text);
  return std::any_of(bad.begin(), bad.end(), [&](std::string_view word) {
    return std::find(tokens.begin(), tokens.end(), word) != tokens.end();
  });
}

}  // namespace fairstep::internal
