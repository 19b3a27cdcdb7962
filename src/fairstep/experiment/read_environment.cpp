#include <fairstep/experiment/internal/read_environment.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include <fairstep/core/suggest.hpp>
#include <fairstep/environments/environments.hpp>
#include <fairstep/io/files.hpp>
#include <fairstep/io/shared/parse.hpp>

namespace fairstep::internal {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 4> kKinds{"fico", "synthetic", "lending", "random"};
constexpr std::uint64_t kLargestSize = std::uint64_t{1} << 32;

/// What every environment may say of itself.
constexpr std::array<std::string_view, 4> kCommon{"name", "label", "kind", "model"};
constexpr std::array<std::string_view, 8> kFico{"groups", "bands", "horizon", "discount",
                                                "gain",   "loss",  "share",   "score"};
constexpr std::array<std::string_view, 8> kSynthetic{"groups", "horizon", "discount", "qualified",
                                                     "gain",   "loss",    "share",    "score"};
constexpr std::array<std::string_view, 8> kLending{"groups", "horizon", "discount", "interest",
                                                   "move",   "share",   "repay",    "scores"};
constexpr std::array<std::string_view, 8> kRandom{"groups",     "features",     "horizon",       "discount",
                                                  "successors", "reward_noise", "participation", "seed"};

std::span<const std::string_view> options_of(std::string_view kind) {
  if (kind == "fico") return kFico;
  if (kind == "synthetic") return kSynthetic;
  if (kind == "lending") return kLending;
  return kRandom;
}

std::size_t size(TomlTable& table, std::string_view key, std::size_t fallback, std::uint64_t least) {
  return static_cast<std::size_t>(table.whole(key, fallback, least, kLargestSize));
}

/// What fico and synthetic have in common.
template <class Options>
void read_rewards(TomlTable& table, Options& options) {
  options.gain = table.numbers("gain", options.gain, kAnyNumber);
  options.loss = table.numbers("loss", options.loss, kAnyNumber);
  options.score = table.numbers("score", options.score, kAnyNumber);
}

/// Nothing is made of options that could not be read; what was wrong with them stands in the table's error.
template <class Make>
Expected<Model> unless_failed(const TomlTable& table, const Make& make) {
  if (table.failed()) return fail("not read");
  return make();
}

Expected<Model> make(const std::string& kind, TomlTable& table, std::size_t horizon) {
  const auto fill = [&](auto options) {
    options.horizon = size(table, "horizon", horizon, 1);
    options.discount = table.number("discount", options.discount, kAnyNumber);
    return options;
  };
  if (kind == "random") {
    auto options = fill(RandomOptions{});
    options.groups = size(table, "groups", options.groups, 2);
    options.features = size(table, "features", options.features, 1);
    options.successors = size(table, "successors", options.successors, 0);
    options.reward_noise = table.number("reward_noise", options.reward_noise, kAnyNumber);
    options.participation = table.flag("participation", options.participation);
    options.seed = table.whole("seed", options.seed, 0, INT64_MAX);
    return unless_failed(table, [&] { return make_random(options); });
  }
  const auto fill_groups = [&](auto options) {
    options = fill(options);
    options.groups = table.texts("groups", options.groups);
    options.share = table.numbers("share", options.share, kAnyNumber);
    return options;
  };
  if (kind == "fico") {
    auto options = fill_groups(FicoOptions{});
    options.bands = size(table, "bands", options.bands, 0);
    read_rewards(table, options);
    return unless_failed(table, [&] { return make_fico(options); });
  }
  if (kind == "synthetic") {
    auto options = fill_groups(SyntheticOptions{});
    read_rewards(table, options);
    options.qualified = table.numbers("qualified", options.qualified, kAnyNumber);
    return unless_failed(table, [&] { return make_synthetic(options); });
  }
  auto options = fill_groups(LendingOptions{});
  options.interest = table.number("interest", options.interest, kAnyNumber);
  options.move = table.number("move", options.move, kAnyNumber);
  options.repay = table.numbers("repay", options.repay, kAnyNumber);
  options.scores = table.rows("scores", options.scores);
  return unless_failed(table, [&] { return make_lending(options); });
}

/// Whether the file is in the folder or below it, links followed.
bool is_inside(const fs::path& file, const fs::path& folder) {
  if (file.is_absolute()) return false;
  const fs::path plain = file.lexically_normal();
  if (plain.empty() || *plain.begin() == "..") return false;
  std::error_code trouble;
  const fs::path root = fs::weakly_canonical(folder.empty() ? fs::path(".") : folder, trouble);
  const fs::path target = fs::weakly_canonical(root / plain, trouble);
  if (trouble) return true;  // reading it will say what the trouble is
  const auto [end, rest] = std::mismatch(root.begin(), root.end(), target.begin(), target.end());
  return end == root.end();
}

class EnvironmentReader {
 public:
  EnvironmentReader(TomlTable& file, std::optional<Error>& error, const fs::path& folder, std::size_t horizon)
      : file_(file), error_(error), folder_(folder), horizon_(horizon) {}

  std::optional<ExperimentEnvironment> read(const toml::node& entry, std::size_t index) {
    const std::string name = fmt::format("environments[{}]", index);
    const std::string pointer = fmt::format("/environments/{}", index);
    if (const auto* word = entry.as_string()) {
      if (!is_kind(word->get())) {
        file_.fail_entry("environments", index, entry, "\"fico\", \"synthetic\", \"lending\" or \"random\"",
                         hint_for(word->get()));
        return std::nullopt;
      }
      toml::table none;
      TomlTable table(none, error_, name, pointer);
      return ready_made({word->get(), word->get()}, word->get(), table);
    }
    const auto* content = entry.as_table();
    if (content == nullptr) {
      file_.fail_entry("environments", index, entry, "a name in quotes, or a table with the key \"name\"");
      return std::nullopt;
    }
    TomlTable table(*content, error_, name, pointer);
    return from_table(table);
  }

 private:
  struct Title {
    std::string name, label;
  };

  static bool is_kind(std::string_view word) { return std::find(kKinds.begin(), kKinds.end(), word) != kKinds.end(); }

  static std::string hint_for(std::string_view word) {
    std::string hint = did_you_mean(word, kKinds);
    return hint.empty() ? "a model file of your own is {name = \"loans\", model = \"loans.json\"}" : hint;
  }

  std::optional<ExperimentEnvironment> from_table(TomlTable& table) {
    const bool is_file = table.has("model");
    // Which options there are depends on the kind, which must be known before the keys are looked at.
    const std::string_view by = table.has("kind") ? "kind" : "name";
    const std::string kind = is_file ? "" : table.text(by);
    std::vector<std::string_view> known(kCommon.begin(), kCommon.end());
    if (!is_file && is_kind(kind)) {
      const auto options = options_of(kind);
      known.insert(known.end(), options.begin(), options.end());
    }
    if (!is_file && table.has(by) && !is_kind(kind) && !table.failed())
      table.fail_key(by, "\"fico\", \"synthetic\", \"lending\" or \"random\"", hint_for(kind));
    table.check_keys(known, std::array<std::string_view, 1>{"name"});
    Title title;
    title.name = table.text("name");
    title.label = table.text("label", title.name);
    if (!table.failed() && !is_folder_name(title.name)) table.fail_key("name", kFolderName);
    if (is_file && table.has("kind"))
      table.fail("kind", fmt::format("{} and {} are both given, expected one of them", table.called("kind"),
                                     table.called("model")));
    if (table.failed()) return std::nullopt;
    return is_file ? from_file(title, table) : ready_made(title, kind, table);
  }

  std::optional<ExperimentEnvironment> ready_made(const Title& title, const std::string& kind, TomlTable& table) {
    auto model = make(kind, table, horizon_);
    if (!model && !error_) {
      const auto& [message, pointer, file, hint, disk, ours, option, input] = model.error();
      table.fail(table.has(option) ? option : "",
                 message.spelled([&](const Mention& mention) { return table.called(mention.name); }), hint);
    }
    if (!model) return std::nullopt;
    return ExperimentEnvironment{title.name, title.label, kind, std::move(*model)};
  }

  std::optional<ExperimentEnvironment> from_file(const Title& title, TomlTable& table) {
    const std::string path = table.text("model");
    if (error_) return std::nullopt;
    if (!is_inside(path, folder_)) {
      table.fail_key("model", "a file in the folder of the experiment file or below it",
                     "an experiment can be moved together with what it needs");
      return std::nullopt;
    }
    auto model = read_model(folder_ / path);
    if (!model) {
      error_ = model.error();
      if (error_->hint.empty()) error_->hint = fmt::format("it is {} of the experiment", table.called("model"));
      return std::nullopt;
    }
    if (auto ok = require_pooled(model->periods(), "the model", "an experiment"); !ok) {
      error_ = ok.error();
      return std::nullopt;
    }
    return ExperimentEnvironment{title.name, title.label, "file " + path, std::move(*model)};
  }

  TomlTable& file_;
  std::optional<Error>& error_;
  const fs::path& folder_;
  std::size_t horizon_;
};

}  // namespace

bool is_folder_name(std::string_view name) {
  const auto plain = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); };
  return !name.empty() && name.size() <= 64 && plain(name.front()) &&
         std::all_of(name.begin(), name.end(), [&](char c) { return plain(c) || c == '.' || c == '-' || c == '_'; });
}

std::vector<ExperimentEnvironment> read_environments(TomlTable& file, std::optional<Error>& error,
                                                     const fs::path& folder, std::size_t horizon) {
  const toml::node* value = file.find("environments");
  if (value == nullptr) return {};
  const auto* list = value->as_array();
  if (list == nullptr || list->empty()) {
    file.fail_key("environments", "a list of names or tables");
    return {};
  }
  EnvironmentReader reader(file, error, folder, horizon);
  std::vector<ExperimentEnvironment> environments;
  for (std::size_t i = 0; i < list->size(); ++i) {
    auto environment = reader.read(*list->get(i), i);
    if (!environment) return {};
    for (const ExperimentEnvironment& other : environments)
      if (other.name == environment->name) {
        file.fail_entry("environments", i, *list->get(i), fmt::format("a name other than \"{}\"", other.name),
                        "give one of the two a name of its own: {name = \"other\", kind = \"fico\"}");
        return {};
      }
    environments.push_back(std::move(*environment));
  }
  return environments;
}

}  // namespace fairstep::internal
