#include <fairstep/ingest/internal/labels.hpp>

#include <string>
#include <utility>

#include <fmt/format.h>

#include <fairstep/core/tensor.hpp>

namespace fairstep::internal {
namespace {

/// Labels are missing, and nobody said what to do.
Error missing_labels(const Labels& labels, const std::string& column, const std::string& file) {
  const std::string where =
      fmt::format("missing in {} of {} refusals and in {} of {} acceptances", labels.without[0],
                  labels.with[0] + labels.without[0], labels.without[1], labels.with[1] + labels.without[1]);
  return {labels.censored()
              ? fmt::format("the label {} is censored: it is {}. What the refused would have done is not in "
                            "the log",
                            column, where)
              : fmt::format("the label {} is {}. Which labels are missing may depend on what they would have "
                            "said",
                            column, where),
          {},
          file,
          fmt::format(
              "say what to assume: {} leaves decisions without a label out and keeps account of them, {} gives them "
              "the labels of the accepted with the same group and feature (docs/logs.md)",
              option("censored", "drop"), option("censored", "assume-ignorable"))};
}

/// P(y=1 | accepted, group, feature) in the order of the tally's own names.
Expected<Tensor<double, 2>> label_shares(Tally& tally, const std::string& file) {
  Tensor<double, 2> shares({tally.groups().size(), tally.features().size()});
  for (std::size_t g = 0; g < tally.groups().size(); ++g)
    for (std::size_t x = 0; x < tally.features().size(); ++x) {
      std::array<std::int64_t, kLabels> seen{};
      std::int64_t needed = 0;
      for (std::size_t h = 0; h < tally.steps().size(); ++h) {
        for (std::size_t y = 0; y < kLabels; ++y) seen[y] += tally.tables().visits(tally.tables().cell(g, x, y, 1), h);
        for (std::size_t a = 0; a < kActions; ++a) needed += tally.tables().unlabelled(g, x, a, h);
      }
      if (needed > 0 && seen[0] + seen[1] == 0)
        return tl::unexpected(Error{fmt::format("nobody of group {} with x = {} was accepted and has a label, so the "
                                                "labels of {} others cannot be drawn from theirs",
                                                tally.groups()[g], tally.features()[x], needed),
                                    {},
                                    file,
                                    option("censored", "drop") + ", or coarser features"});
      if (seen[0] + seen[1] > 0) shares(g, x) = static_cast<double>(seen[1]) / static_cast<double>(seen[0] + seen[1]);
    }
  return shares;
}

Expected<Censoring> what_to_assume(const Labels& labels, const LogFiles& log, const CountOptions& options) {
  if (!labels.missing()) return Censoring::none;
  if (!options.censoring || *options.censoring == Censoring::none)
    return tl::unexpected(missing_labels(labels, log.column[static_cast<std::size_t>(Role::y)], log.files.front()));
  return *options.censoring;
}

}  // namespace

Labels labels_of(Tally& tally) {
  Labels labels;
  for (std::size_t g = 0; g < tally.groups().size(); ++g)
    for (std::size_t x = 0; x < tally.features().size(); ++x)
      for (std::size_t a = 0; a < kActions; ++a)
        for (std::size_t h = 0; h < tally.steps().size(); ++h) {
          labels.without[a] += tally.tables().unlabelled(g, x, a, h);
          for (std::size_t y = 0; y < kLabels; ++y)
            labels.with[a] += tally.tables().visits(tally.tables().cell(g, x, y, a), h);
        }
  return labels;
}

Expected<Censoring> what_to_assume(Tally& tally, const LogFiles& log, const CountOptions& options) {
  return what_to_assume(labels_of(tally), log, options);
}

Expected<void> draw_labels(Plan& plan, Tally& seen, const LogFiles& log, std::size_t part) {
  auto shares = label_shares(seen, log.files.front());
  if (!shares) return tl::unexpected(shares.error());
  plan.groups = seen.groups();
  plan.features = seen.features();
  plan.impute.at(part) = std::move(*shares);
  return {};
}

Expected<std::vector<Censoring>> what_to_assume(std::vector<Scanned>& parts, const LogFiles& log,
                                                const CountOptions& options) {
  Labels all;
  std::vector<Labels> labels;
  for (Scanned& part : parts) all.add(labels.emplace_back(labels_of(part.tally)));
  const auto assumed = what_to_assume(all, log, options);
  if (!assumed) return tl::unexpected(assumed.error());
  std::vector<Censoring> censoring;
  for (const Labels& part : labels) censoring.push_back(part.missing() ? *assumed : Censoring::none);
  return censoring;
}

Expected<bool> draw_labels(Plan& plan, std::vector<Scanned>& parts, const std::vector<Censoring>& censoring,
                           const LogFiles& log) {
  bool any = false;
  for (std::size_t part = 0; part < parts.size(); ++part) {
    if (censoring[part] != Censoring::ignorable) continue;
    any = true;
    if (auto ok = draw_labels(plan, parts[part].tally, log, part); !ok) {
      Error error = ok.error();
      if (plan.split) error.message.append(fmt::format(" (in the {} part)", name_of(all_of<PartRole>()[part])));
      return tl::unexpected(std::move(error));
    }
  }
  return any;
}

}  // namespace fairstep::internal
