#include <fairstep/core/log_record.hpp>

#include <algorithm>
#include <array>
#include <limits>
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <fairstep/core/axes.hpp>
#include <fairstep/core/shared/add.hpp>
#include <fairstep/core/shared/checks.hpp>

namespace fairstep {
namespace {

template <std::size_t Rank>
Expected<void> check_counts(const internal::Field& field, const Tensor<std::int64_t, Rank>& tensor,
                            const Layout<Rank>& axes, const Shape& shape) {
  if (auto ok = internal::check_extents(field, tensor, axes, shape); !ok) return ok;
  return internal::check_entries(field, tensor, axes, std::int64_t{0}, std::numeric_limits<std::int64_t>::max(),
                                 "a count of 0 or more");
}

/// Nothing is added where there is nothing; false if a sum overflows or the extents differ.
template <std::size_t Rank>
bool add_any_to(Tensor<std::int64_t, Rank>& to, const Tensor<std::int64_t, Rank>& from) {
  if (from.empty()) return true;
  if (to.empty()) {
    to = from;
    return true;
  }
  return internal::add_to(to, from);
}

Expected<void> check_excluded(const std::vector<Excluded>& excluded) {
  for (std::size_t i = 0; i < excluded.size(); ++i) {
    const std::string pointer = fmt::format("/log/excluded/{}", i);
    if (excluded[i].rows < 1)
      return fail(fmt::format("log.excluded[{}] has {} rows, expected at least one", i, excluded[i].rows),
                  pointer + "/rows");
    if (i > 0 && excluded[i].group <= excluded[i - 1].group)
      return fail(fmt::format("log.excluded[{}] is group {}, expected one after {}", i, excluded[i].group,
                              excluded[i - 1].group),
                  pointer);
  }
  return {};
}

std::string columns_text(const LogRecord& record) {
  std::string text;
  for (const auto& [role, column] : record.columns)
    text += fmt::format("{}{}={}", text.empty() ? "" : ",", role, column);
  return text;
}

std::string shape_text(const TableShape& shape) {
  return shape.empty() ? "nothing" : fmt::format("\"{}\"", fmt::join(in_words(shape), "; "));
}

Expected<void> merge_findings(std::vector<Finding>& ours, const std::vector<Finding>& theirs) {
  for (const Finding& found : theirs) {
    const auto same = std::find_if(ours.begin(), ours.end(), [&](const Finding& finding) {
      return finding.anomaly == found.anomaly && finding.role == found.role;
    });
    if (same == ours.end())
      ours.push_back(found);
    else if (__builtin_add_overflow(same->rows, found.rows, &same->rows))
      return fail("the rows add up to more than a count can hold", "/log/findings");
  }
  std::sort(ours.begin(), ours.end(), [](const Finding& a, const Finding& b) {
    return std::pair(a.anomaly, a.role) < std::pair(b.anomaly, b.role);
  });
  return {};
}

Expected<void> merge_excluded(std::vector<Excluded>& ours, const std::vector<Excluded>& theirs) {
  for (const Excluded& group : theirs) {
    const auto place = std::lower_bound(ours.begin(), ours.end(), group,
                                        [](const Excluded& a, const Excluded& b) { return a.group < b.group; });
    if (place == ours.end() || place->group != group.group)
      ours.insert(place, group);
    else if (__builtin_add_overflow(place->rows, group.rows, &place->rows))
      return fail("the rows add up to more than a count can hold", "/log/excluded");
  }
  return {};
}

/// A log whose labels were all there needs no assumption, and goes with any.
bool has_all_labels(const LogRecord& record) {
  return record.censoring == Censoring::none && record.unlabelled.empty() && record.imputed == 0;
}

/// What is known of the rows of a log that have no label, none of which there may be; nothing if nobody knows.
std::optional<UnlabelledRows> unlabelled_rows(const LogRecord& record, const Shape& shape) {
  if (record.unlabelled_rows || !record.unlabelled.empty()) return record.unlabelled_rows;
  UnlabelledRows rows = UnlabelledRows::zeros(shape);
  const auto lost = losses(record, shape);
  rows.lost = lost ? FeatureLost::of(*lost) : std::nullopt;
  return rows;
}

Expected<void> merge_unlabelled(LogRecord& both, const LogRecord& ours, const LogRecord& theirs, const Shape& shape) {
  both.unlabelled_rows.reset();
  if (ours.unlabelled.empty() && theirs.unlabelled.empty()) return {};
  auto rows = unlabelled_rows(ours, shape);
  const auto more = unlabelled_rows(theirs, shape);
  if (!rows || !more) return {};
  if (!rows->add(*more))
    return fail("the rows without a label add up to more than a count can hold", "/log/unlabelled_rows");
  both.unlabelled_rows = std::move(rows);
  return {};
}

Expected<void> merge_windows(LogRecord& ours, const LogRecord& theirs) {
  if (ours.window != theirs.window)
    return fail(fmt::format("the window is {}, expected {} as in the counts added to",
                            theirs.window.empty() ? "none" : theirs.window, ours.window.empty() ? "none" : ours.window),
                "/log/window");
  for (const Window& window : theirs.windows) {
    const auto place = std::lower_bound(ours.windows.begin(), ours.windows.end(), window,
                                        [](const Window& a, const Window& b) { return a.from < b.from; });
    if (place == ours.windows.end() || place->from != window.from) {
      ours.windows.insert(place, window);
      continue;
    }
    if (!add_any_to(place->decisions, window.decisions) || !add_any_to(place->unlabelled, window.unlabelled))
      return fail("the windows add up to more than a count can hold", "/log/windows");
  }
  return {};
}

}  // namespace

Expected<void> check(const LogRecord& record, const Shape& shape, const std::vector<std::string>& groups) {
  if (auto ok = check(record.shape); !ok) return fail(ok.error().message, "/log/shape");
  if (record.rows < 0) return fail(fmt::format("log.rows is {}, expected 0 or more", record.rows), "/log/rows");
  if (record.imputed < 0)
    return fail(fmt::format("log.imputed is {}, expected 0 or more", record.imputed), "/log/imputed");
  if (record.unrecorded_people < 0)
    return fail(fmt::format("log.unrecorded_people is {}, expected 0 or more", record.unrecorded_people),
                "/log/unrecorded_people");
  for (std::size_t i = 0; i < record.findings.size(); ++i)
    if (record.findings[i].rows < 1 || record.findings[i].row < 0)
      return fail(fmt::format("log.findings[{}] has {} rows, the first in row {}: expected at least one row, and a row "
                              "number of 0 or more",
                              i, record.findings[i].rows, record.findings[i].row),
                  fmt::format("/log/findings/{}", i));
  if (!record.unlabelled.empty()) {
    if (auto ok = check_counts({"log", "unlabelled", groups}, record.unlabelled, kFeatureVisitsAxes, shape); !ok)
      return ok;
  }
  if (record.unlabelled_rows) {
    if (record.unlabelled.empty())
      return fail("log.unlabelled_rows is there without log.unlabelled, expected both or none", "/log/unlabelled_rows");
    if (auto ok = check(*record.unlabelled_rows, shape, groups); !ok) return ok;
  }
  if (record.lost)
    if (auto ok = check(*record.lost, shape, groups); !ok) return ok;
  if (auto ok = check_excluded(record.excluded); !ok) return ok;
  for (std::size_t w = 0; w < record.windows.size(); ++w) {
    const Window& window = record.windows[w];
    const std::string name = fmt::format("windows/{}", w);
    constexpr Layout<3> axes{Axis::g, Axis::y, Axis::a};
    constexpr Layout<2> unlabelled_axes{Axis::g, Axis::a};
    if (w > 0 && window.from <= record.windows[w - 1].from)
      return fail(fmt::format("log.windows[{}] is from {}, expected a day after {}", w, window.from,
                              record.windows[w - 1].from),
                  "/log/" + name);
    if (auto ok = check_counts({"log", name, groups}, window.decisions, axes, shape); !ok) return ok;
    if (auto ok = check_counts({"log", name, groups}, window.unlabelled, unlabelled_axes, shape); !ok) return ok;
  }
  return {};
}

bool is_lost(Anomaly anomaly) {
  switch (anomaly) {
    case Anomaly::malformed:
    case Anomaly::missing:
    case Anomaly::unreadable:
    case Anomaly::unknown:
    case Anomaly::conflict:
    case Anomaly::group_change:
      return true;
    case Anomaly::out_of_range:
    case Anomaly::out_of_order:
    case Anomaly::duplicate:
    case Anomaly::gap:
      return false;
  }
  return true;
}

bool is_loss(const Finding& finding) {
  return is_lost(finding.anomaly) && !(finding.anomaly == Anomaly::missing && finding.role == "y");
}

LossShare loss_share(const LogRecord& record) {
  LossShare share{0, record.rows};
  for (const Finding& finding : record.findings) {
    if (is_loss(finding)) share.lost += finding.rows;
    if (finding.anomaly == Anomaly::malformed) share.of += finding.rows;
  }
  for (const Excluded& excluded : record.excluded) share.of -= excluded.rows;
  return share;
}

std::optional<Lost> losses(const LogRecord& record, const Shape& shape) {
  if (record.lost) return record.lost;
  const bool any = std::any_of(record.findings.begin(), record.findings.end(),
                               [](const Finding& finding) { return is_lost(finding.anomaly); });
  if (any || !record.unlabelled.empty()) return std::nullopt;
  return Lost::none(shape);
}

Expected<LogRecord> merge(const LogRecord& ours, const LogRecord& theirs, const Shape& shape) {
  LogRecord both = ours;
  const auto differ = [](const std::string& what, const std::string& here, const std::string& there,
                         const std::string& key) {
    return fail(fmt::format("{} {}, expected {} as in the counts added to", what, there, here), "/log/" + key);
  };
  if (ours.columns != theirs.columns) return differ("columns are", columns_text(ours), columns_text(theirs), "columns");
  if (ours.bins != theirs.bins)
    return differ("bins are", fmt::format("[{}]", fmt::join(ours.bins, ",")),
                  fmt::format("[{}]", fmt::join(theirs.bins, ",")), "bins");
  if (ours.shape != theirs.shape)
    return differ("the table was shaped by", shape_text(ours.shape), shape_text(theirs.shape), "shape");
  if (ours.first_step != theirs.first_step)
    return differ("the first step is", fmt::format("{}", ours.first_step), fmt::format("{}", theirs.first_step),
                  "first_step");
  if (has_all_labels(ours))
    both.censoring = theirs.censoring;
  else if (!has_all_labels(theirs) && ours.censoring != theirs.censoring)
    return differ("censored labels are treated as", fmt::format("\"{}\"", name_of(ours.censoring)),
                  fmt::format("\"{}\"", name_of(theirs.censoring)), "censored");
  both.files.insert(both.files.end(), theirs.files.begin(), theirs.files.end());
  if (__builtin_add_overflow(both.rows, theirs.rows, &both.rows) ||
      __builtin_add_overflow(both.imputed, theirs.imputed, &both.imputed) ||
      __builtin_add_overflow(both.unrecorded_people, theirs.unrecorded_people, &both.unrecorded_people) ||
      !add_any_to(both.unlabelled, theirs.unlabelled))
    return fail("the rows add up to more than a count can hold", "/log/rows");
  if (auto ok = merge_unlabelled(both, ours, theirs, shape); !ok) return tl::unexpected(ok.error());
  if (auto ok = merge_findings(both.findings, theirs.findings); !ok) return tl::unexpected(ok.error());
  if (auto ok = merge_excluded(both.excluded, theirs.excluded); !ok) return tl::unexpected(ok.error());
  both.lost = losses(ours, shape);
  const auto lost = losses(theirs, shape);
  if (!lost) both.lost.reset();
  if (both.lost && !both.lost->add(*lost))
    return fail("what is lost adds up to more than a count can hold", "/log/lost");
  if (auto ok = merge_windows(both, theirs); !ok) return tl::unexpected(ok.error());
  return both;
}

}  // namespace fairstep
