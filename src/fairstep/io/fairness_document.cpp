#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <fairstep/core/axes.hpp>
#include <fairstep/core/fairness.hpp>
#include <fairstep/core/suggest.hpp>
#include <fairstep/io/internal/documents.hpp>
#include <fairstep/io/internal/object_reader.hpp>

namespace fairstep::internal {
namespace {

/// Where we are in the document, for people and for programs.
struct Place {
  std::string name{};     ///< moments[0].means[1]
  std::string pointer{};  ///< /moments/0/means/1

  [[nodiscard]] Place operator/(std::string_view key) const {
    return {name.empty() ? std::string(key) : fmt::format("{}.{}", name, key), fmt::format("{}/{}", pointer, key)};
  }
  [[nodiscard]] Place operator[](std::size_t i) const {
    return {fmt::format("{}[{}]", name, i), fmt::format("{}/{}", pointer, i)};
  }
};

class FairnessReader {
 public:
  FairnessReader(const Names& names, const Shape& shape, std::optional<Error>& error)
      : names_(names), n_(shape), error_(error) {}

  Fairness read(const Json& document) {
    ObjectReader in(
        document, {{"schema"}, {"parity", "aggregate_dp", "aggregate_eqopt", "capacity", "moments", "ratios"}}, error_);
    Fairness fairness;
    for_each(in.find("parity"), Place{} / "parity", "an array of objects",
             [&](const Json& entry, const Place& at) { fairness.parity.push_back(parity(entry, at)); });
    for (const EpisodeLimit& whole : kEpisodeLimits)
      if (in.has(whole.name)) fairness.*whole.limit = in.number(whole.name, 0);
    if (in.has("capacity")) fairness.capacity = Capacity{per_step(in, "capacity", Place{})};
    for_each(in.find("moments"), Place{} / "moments", "an array of objects",
             [&](const Json& entry, const Place& at) { fairness.moments.push_back(moment(entry, at)); });
    for_each(in.find("ratios"), Place{} / "ratios", "an array of objects",
             [&](const Json& entry, const Place& at) { fairness.ratios.push_back(ratio(entry, at)); });
    return fairness;
  }

 private:
  void set(const Place& at, const std::string& what, Text hint = {}) {
    if (!error_) error_ = Error{at.name + " " + what, at.pointer, {}, std::move(hint)};
  }

  template <class Read>
  void for_each(const Json* list, const Place& at, const char* expected, const Read& read) {
    if (list == nullptr || error_) return;
    if (!list->is_array()) return set(at, fmt::format("is {}, expected {}", describe(*list), expected));
    for (std::size_t i = 0; i < list->size() && !error_; ++i) read((*list)[i], at[i]);
  }

  std::vector<double> per_step(ObjectReader& in, std::string_view key, const Place& parent) {
    const Json* value = in.find(key);
    if (value == nullptr) return {};
    if (value->is_number()) return {value->get<double>()};
    if (value->is_array()) return in.numbers(key, Axis::h, n_, names_.groups);
    set(parent / key, fmt::format("is {}, expected a number, or an array with one for each step", describe(*value)));
    return {};
  }

  template <Worded E>
  E notion(ObjectReader& in, const Place& at) {
    const std::string word = in.text("notion");
    const auto found = fairstep::named<E>(word);
    if (!error_ && !found)
      set(at / "notion", fmt::format("is {}, expected {}", quote(word), alternatives(all_names<E>())),
          did_you_mean(word, all_names<E>()));
    return found.value_or(E{});
  }

  StepwiseParity parity(const Json& entry, const Place& at) {
    ObjectReader in(entry, {{"notion", "limit"}}, error_, at.name, at.pointer);
    StepwiseParity parity;
    parity.notion = notion<Notion>(in, at);
    parity.limit = per_step(in, "limit", at);
    return parity;
  }

  StepwiseRatio ratio(const Json& entry, const Place& at) {
    ObjectReader in(entry, {{"notion", "limit"}, {"reference"}}, error_, at.name, at.pointer);
    StepwiseRatio ratio;
    ratio.notion = notion<RatioNotion>(in, at);
    ratio.limit = per_step(in, "limit", at);
    if (!in.has("reference")) return ratio;
    const std::string group = in.text("reference");
    if (!error_) ratio.reference = group_called(group, at / "reference");
    return ratio;
  }

  std::optional<std::size_t> group_called(const std::string& name, const Place& at) {
    const auto& groups = names_.groups;
    const auto found = std::find(groups.begin(), groups.end(), name);
    if (found != groups.end()) return static_cast<std::size_t>(found - groups.begin());
    set(at, fmt::format("is {}, which the model does not have", quote(name)), hint_at(name, groups));
    return std::nullopt;
  }

  /// The name that may have been meant, or all there are.
  static std::string hint_at(const std::string& name, const std::vector<std::string>& known) {
    const std::vector<std::string_view> views(known.begin(), known.end());
    std::string hint = did_you_mean(name, views);
    return hint.empty() ? fmt::format("the model has {}", fmt::join(known, ", ")) : hint;
  }

  MomentConstraint moment(const Json& entry, const Place& at) {
    ObjectReader in(entry, {{"means", "rows"}}, error_, at.name, at.pointer);
    MomentConstraint moment;
    for_each(in.find("means"), at / "means", "an array of objects",
             [&](const Json& value, const Place& here) { moment.means.push_back(mean(value, here)); });
    if (!error_ && moment.means.empty()) set(at / "means", "is empty, expected at least 1 mean");
    const std::size_t means = moment.means.size();
    std::vector<double> matrix;
    for_each(in.find("rows"), at / "rows", "an array of objects", [&](const Json& value, const Place& here) {
      ObjectReader row(value, {{"coefficients", "at_most"}, {"name"}}, error_, here.name, here.pointer);
      moment.names.push_back(row.text("name", here.name));
      coefficients(row.find("coefficients"), here / "coefficients", means, matrix);
      moment.bound.push_back(row.number("at_most", 0));
    });
    if (!error_ && moment.bound.empty()) set(at / "rows", "is empty, expected at least 1 row");
    if (error_) return {};
    moment.matrix = Tensor<double, 2>({moment.bound.size(), means});
    std::copy(matrix.begin(), matrix.end(), moment.matrix.flat().begin());
    return moment;
  }

  void coefficients(const Json* list, const Place& at, std::size_t means, std::vector<double>& matrix) {
    if (list == nullptr) return;
    std::size_t read = 0;
    for_each(list, at, "an array of numbers", [&](const Json& value, const Place& here) {
      if (!value.is_number()) return set(here, fmt::format("is {}, expected a number", describe(value)));
      matrix.push_back(value.get<double>());
      ++read;
    });
    if (!error_ && read != means)
      set(at, fmt::format("has {} {}, expected {} (one for each mean)", read, read == 1 ? "entry" : "entries", means));
  }

  ConditionalMean mean(const Json& entry, const Place& at) {
    ObjectReader in(entry, {{"name", "payoff"}, {"event"}}, error_, at.name, at.pointer);
    ConditionalMean mean;
    mean.name = in.text("name");
    mean.payoff = payoff(in, at);
    mean.event = Tensor<double, 3>({n_.groups, n_.features, kLabels}, 1.0);
    if (const Json* event = in.find("event")) restrict_to(*event, at / "event", mean.event);
    return mean;
  }

  Tensor<double, 4> payoff(ObjectReader& in, const Place& parent) {
    const Json* value = in.find("payoff");
    if (value == nullptr) return {};
    if (value->is_array()) return in.tensor<double>("payoff", kCellAxes, n_, names_.groups);
    if (*value != "accept") {
      set(parent / "payoff", fmt::format("is {}, expected \"accept\" or an array [g][x][y][a]", describe(*value)));
      return {};
    }
    Tensor<double, 4> accepted(extents_of(kCellAxes, n_));
    for (std::size_t g = 0; g < n_.groups; ++g)
      for (std::size_t x = 0; x < n_.features; ++x)
        for (std::size_t y = 0; y < kLabels; ++y) accepted(g, x, y, 1) = 1;
    return accepted;
  }

  void restrict_to(const Json& entry, const Place& at, Tensor<double, 3>& event) {
    ObjectReader in(entry, {{}, {"groups", "features", "labels"}}, error_, at.name, at.pointer);
    const auto groups = named(in, "groups", at, names_.groups);
    const auto features = named(in, "features", at, names_.features);
    const auto labels = chosen_labels(in.find("labels"), at / "labels");
    if (error_) return;
    for (std::size_t g = 0; g < n_.groups; ++g)
      for (std::size_t x = 0; x < n_.features; ++x)
        for (std::size_t y = 0; y < kLabels; ++y) event(g, x, y) = groups[g] && features[x] && labels[y] ? 1 : 0;
  }

  /// Which of the model's names are listed; all of them if the key is left out.
  std::vector<bool> named(ObjectReader& in, std::string_view key, const Place& parent,
                          const std::vector<std::string>& known) {
    if (!in.has(key)) return std::vector<bool>(known.size(), true);
    std::vector<bool> listed(known.size(), false);
    const std::vector<std::string> names = in.texts(key);
    const Place at = parent / key;
    if (!error_ && names.empty()) set(at, "is empty, expected at least 1 name", "leave the key out for all of them");
    for (std::size_t i = 0; i < names.size() && !error_; ++i) {
      const auto found = std::find(known.begin(), known.end(), names[i]);
      if (found == known.end()) {
        set(at[i], fmt::format("is {}, which the model does not have", quote(names[i])), hint_at(names[i], known));
        break;
      }
      listed[static_cast<std::size_t>(found - known.begin())] = true;
    }
    return listed;
  }

  std::array<bool, kLabels> chosen_labels(const Json* list, const Place& at) {
    if (list == nullptr) return {true, true};
    std::array<bool, kLabels> chosen{};
    for_each(list, at, "an array with 0, 1 or both", [&](const Json& value, const Place& here) {
      if (value != 0 && value != 1) return set(here, fmt::format("is {}, expected 0 or 1", describe(value)));
      chosen[value.get<std::size_t>()] = true;
    });
    if (!error_ && list->empty()) set(at, "is empty, expected 0, 1 or both", "leave the key out for both");
    return chosen;
  }

  const Names& names_;
  const Shape n_;
  std::optional<Error>& error_;
};

}  // namespace

Expected<Fairness> fairness_from(const Json& document, const Names& names, const Shape& shape) {
  std::optional<Error> error;
  Fairness fairness = FairnessReader(names, shape, error).read(document);
  if (error) return tl::unexpected(std::move(*error));
  if (auto ok = check(fairness, shape); !ok) return tl::unexpected(ok.error());
  return fairness;
}

}  // namespace fairstep::internal
