#include <fairstep/ingest/internal/judge.hpp>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <tuple>

#include <fairstep/ingest/internal/ledger.hpp>

namespace fairstep::internal {
namespace {

/// Who names more groups than these may be of any.
constexpr std::size_t kMostNamed = 16;

/// All rows are usable, of one group, and in order.
bool is_clean(const std::vector<Row>& rows) {
  bool clean = rows.front().usable;
  for (std::size_t i = 1; i < rows.size(); ++i)
    clean = clean && rows[i].usable && rows[i].step > rows[i - 1].step && rows[i].g == rows[i - 1].g;
  return clean;
}

void give_up(Row& row, Anomaly why, Findings& findings) {
  // Other rows have been objected to before.
  if (row.usable || (why == Anomaly::group_change && is_excluded(row.g))) findings.note(why, Role::row, row.place);
  row.usable = false;
}

}  // namespace

bool Judge::judge(std::vector<Row>& rows, Findings& findings) {
  unplaced_.clear();
  if (is_clean(rows)) {
    may_be_ = {rows.front().g};
    return true;
  }
  put_in_order(rows, findings);
  judge_steps(rows, findings);
  return judge_group(rows, findings);
}

/// Rows without a step are set apart, the others put in the order of steps, and those of a step in that of what they
/// say: a log whose persons are all one, by mistake, has many of them.
void Judge::put_in_order(std::vector<Row>& rows, Findings& findings) {
  const Row* before = nullptr;
  for (const Row& row : rows) {
    if (!row.usable) continue;
    if (before != nullptr && row.step < before->step) findings.note(Anomaly::out_of_order, Role::row, row.place);
    before = &row;
  }
  const auto without_step = [](const Row& row) { return row.h < 0; };
  std::copy_if(rows.begin(), rows.end(), std::back_inserter(unplaced_), without_step);
  std::erase_if(rows, without_step);
  std::sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) {
    return std::tuple(a.step, a.said(), a.place) < std::tuple(b.step, b.said(), b.place);
  });
}

/// Of rows of one step that say the same one is kept. If they do not, nobody knows which is true: none is usable.
void Judge::judge_steps(std::vector<Row>& rows, Findings& findings) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < rows.size();) {
    const std::size_t first = kept;
    const std::int64_t step = rows[i].step;
    for (; i < rows.size() && rows[i].step == step; ++i) {
      const Row row = rows[i];
      // Those that say the same are together.
      if (kept > first && row.usable && row.said() == rows[kept - 1].said())
        findings.note(Anomaly::duplicate, Role::row, row.place);
      else
        rows[kept++] = row;
    }
    if (kept - first < 2) continue;
    for (std::size_t k = first; k < kept; ++k) give_up(rows[k], Anomaly::conflict, findings);
  }
  rows.resize(kept);
}

bool Judge::judge_group(std::vector<Row>& rows, Findings& findings) {
  may_be_.clear();
  bool unknown = false, excluded = false;
  for (const auto* part : {&rows, &unplaced_})
    for (const Row& row : *part) {
      unknown = unknown || row.g == kUnknown;
      excluded = excluded || is_excluded(row.g);
      if (row.g >= 0 && may_be_.size() <= kMostNamed &&
          std::find(may_be_.begin(), may_be_.end(), row.g) == may_be_.end())
        may_be_.push_back(row.g);
    }
  if (excluded && !unknown && may_be_.empty()) return false;
  unknown = unknown || may_be_.size() > kMostNamed;
  const bool agree = may_be_.size() + (unknown ? 1 : 0) + (excluded ? 1 : 0) <= 1;
  // A name that is none of the known ones may be meant for any of them.
  if (unknown || may_be_.empty()) may_be_ = {kAny};
  if (agree) return true;
  for (auto* part : {&rows, &unplaced_})
    for (Row& row : *part) give_up(row, Anomaly::group_change, findings);
  return true;
}

}  // namespace fairstep::internal
