#include <fairstep/ingest/internal/tally.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <fairstep/core/part.hpp>
#include <fairstep/ingest/internal/trimmed.hpp>

namespace fairstep::internal {
namespace {

/// Why there can be no tables for so many values; empty if there can.
std::string too_large(const Vocabulary& vocabulary, bool by_step) {
  if (vocabulary.steps.too_many()) return fmt::format("step has more than {} different values", StepNumbers::kMost);
  const std::size_t groups = vocabulary.groups.names().size();
  const std::size_t features = vocabulary.features.names().size();
  const std::size_t steps = vocabulary.steps.steps().size();
  if (Tables::entries(groups, features, steps, by_step) <= Tables::kMostEntries) return {};
  if (by_step && Tables::entries(groups, features, steps, false) <= Tables::kMostEntries)
    return fmt::format(
        "there are too many different values to count next states by step: {} of group, {} of x and {} "
        "of step so far",
        groups, features, steps);
  const bool many_groups = groups > features;
  return fmt::format("{} has too many different values for a table: {} so far", many_groups ? "group" : "x",
                     many_groups ? groups : features);
}

}  // namespace

Tally::Tally(const Plan& plan)
    : numbered_(plan.type[static_cast<std::size_t>(Role::person)] == ValueType::integer),
      largest_weight_(plan.largest_weight),
      by_step_(plan.by_step),
      decoder_(plan),
      stitcher_(numbered_, plan.people_together),
      counters_(plan) {
  if (plan.split)
    for (const PartRole role : all_of<PartRole>())
      imputers_.emplace_back(plan.impute.at(part_number(role)), *plan.split, role);
  else
    imputers_.emplace_back(plan.impute.front());
}

Tally::Tally(const Tally& whole, Counter counter)
    : numbered_(whole.numbered_),
      largest_weight_(whole.largest_weight_),
      by_step_(whole.by_step_),
      decoder_(whole.decoder_),
      stitcher_(numbered_, true),
      counters_(std::move(counter)),
      taken_(whole.taken_),
      failure_(whole.failure_) {}

std::vector<Tally> Tally::by_part(Tally tally) {
  std::vector<Tally> parts;
  for (Counter& counter : tally.counters_.each()) parts.push_back(Tally(tally, std::move(counter)));
  return parts;
}

bool Tally::take_rows(const std::vector<RawColumn>& columns, std::size_t rows, RowPlaces places) {
  if (rows == 0) return true;
  if (ended()) return false;
  if (!numbered_ && spaces_around(columns.front(), rows)) {
    std::vector<RawColumn> trimmed = columns;
    trimmed.front() = without_spaces(columns.front(), rows, trimmed_);
    return take_clean_rows(trimmed, rows, places);
  }
  return take_clean_rows(columns, rows, places);
}

bool Tally::take_clean_rows(const std::vector<RawColumn>& columns, std::size_t rows, RowPlaces places) {
  const RawColumn& people = columns.front();
  decoder_.decode(columns, rows, chunk_);
  if (!weights_are_right(places) || !make_room()) return false;
  taken_ += static_cast<std::int64_t>(rows);
  for (std::size_t part = 0; part < imputers_.size(); ++part)
    counters_.each()[part].note_imputed(imputers_[part].draw(people, numbered_, chunk_));
  stitcher_.take(people, chunk_, places, counters_);
  note_windows();
  return !ended();
}

bool Tally::weights_are_right(const RowPlaces& places) {
  if (!chunk_.bad_weight) return true;
  const auto& [row, text] = *chunk_.bad_weight;
  failed_at_ = places[row];
  failure_ = text.empty() ? "has no weight" : fmt::format("has the weight \"{}\"", text);
  failure_ += fmt::format(", expected a number from 0 to {}", largest_weight_);
  return false;
}

bool Tally::make_room() {
  failure_ = too_large(vocabulary(), by_step_);
  if (!failure_.empty()) return false;
  counters_.reserve(vocabulary());
  return true;
}

void Tally::note_windows() {
  for (Counter& counter : counters_.each()) {
    if (!failure_.empty() || counter.tables().windows_fit(groups().size())) continue;
    failure_ = fmt::format(
        "time has too many calendar windows for a table: {} so far, with {} groups; a longer {} makes them fewer",
        counter.tables().windows().size(), groups().size(), option("window"));
  }
}

void Tally::absorb(Tally& other) {
  counters_.add_totals(other.counters_);
  taken_ += other.taken_;
  if (other.disordered()) give_up();
  if (failure_.empty()) {
    failure_ = other.failure_;
    failed_at_ = other.failed_at_;
  }
  if (ended()) return;
  const Renumbering ours = decoder_.vocabulary().take_in(other.vocabulary());
  if (!make_room()) return;
  counters_.add_tables(other.counters_, ours);
  note_windows();
  stitcher_.absorb(other.stitcher_, ours);
}

void Tally::finish() {
  if (failure_.empty()) stitcher_.finish(counters_);
  note_windows();
}

}  // namespace fairstep::internal
