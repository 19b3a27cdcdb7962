#include <fairstep/ingest/internal/tally.hpp>

#include <fmt/format.h>

namespace fairstep::internal {
namespace {

/// Why there can be no tables for so many values; empty if there can.
std::string too_large(const Vocabulary& vocabulary) {
  if (vocabulary.steps.too_many()) return fmt::format("step has more than {} different values", StepNumbers::kMost);
  const std::size_t groups = vocabulary.groups.names().size();
  const std::size_t features = vocabulary.features.names().size();
  if (Tables::entries(groups, features, vocabulary.steps.steps().size()) <= Tables::kMostEntries) return {};
  const bool many_groups = groups > features;
  return fmt::format("{} has too many different values for a table: {} so far", many_groups ? "group" : "x",
                     many_groups ? groups : features);
}

}  // namespace

Tally::Tally(const Plan& plan)
    : numbered_(plan.type[static_cast<std::size_t>(Role::person)] == ValueType::integer),
      decoder_(plan),
      imputer_(plan.impute),
      stitcher_(numbered_, plan.people_together),
      counter_(plan) {}

bool Tally::take_rows(const std::vector<RawColumn>& columns, std::size_t rows, RowPlaces places) {
  if (rows == 0) return true;
  if (ended()) return false;
  const RawColumn& people = columns.front();
  decoder_.decode(columns, rows, chunk_);
  if (!make_room()) return false;
  counter_.note_rows(static_cast<std::int64_t>(rows), imputer_.draw(people, numbered_, chunk_));
  stitcher_.take(people, chunk_, places, counter_);
  note_windows();
  return !ended();
}

bool Tally::make_room() {
  failure_ = too_large(vocabulary());
  if (!failure_.empty()) return false;
  counter_.reserve(vocabulary());
  return true;
}

void Tally::note_windows() {
  if (!failure_.empty() || tables().windows_fit(groups().size())) return;
  failure_ = fmt::format(
      "time has too many calendar windows for a table: {} so far, with {} groups; a longer {} makes them fewer",
      tables().windows().size(), groups().size(), option("window"));
}

void Tally::absorb(Tally& other) {
  counter_.add_totals(other.counter_);
  if (other.disordered()) give_up();
  if (failure_.empty()) failure_ = other.failure_;
  if (ended()) return;
  const Renumbering ours = decoder_.vocabulary().take_in(other.vocabulary());
  if (!make_room()) return;
  counter_.add_tables(other.counter_, ours);
  note_windows();
  stitcher_.absorb(other.stitcher_, ours);
}

void Tally::finish() {
  if (failure_.empty()) stitcher_.finish(counter_);
  note_windows();
}

}  // namespace fairstep::internal
