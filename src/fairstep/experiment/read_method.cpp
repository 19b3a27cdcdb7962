#include <fairstep/experiment/internal/read_method.hpp>

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <fairstep/experiment/internal/read_environment.hpp>

namespace fairstep::internal {
namespace {

constexpr std::array kMethods{Method::constrained, Method::unconstrained, Method::penalty};
constexpr std::array<std::string_view, 11> kMethodKeys{"name",         "label",      "method",      "lambda",
                                                       "penalty_form", "relaxation", "bonus_scale", "relaxation_scale",
                                                       "limit",        "safe",       "fairness"};

ExperimentRelaxation factors_of(RelaxationMode mode) {
  if (is_scaled(mode)) return {mode};
  return {mode, 1, {1, 1, 1}};
}

/// A number for all notions, or a table with some of them.
void read_scales(TomlTable& table, std::optional<Error>& error, std::array<double, 3>& scales) {
  constexpr std::string_view kKey = "relaxation_scale";
  const toml::node* value = table.find(kKey);
  if (value == nullptr) return;
  if (const auto* by_notion = value->as_table()) {
    TomlTable inner(*by_notion, error, table.called(kKey), table.pointer_to(kKey));
    inner.check_keys(all_names<Notion>());
    for (const Notion notion : all_of<Notion>()) {
      double& scale = scales[static_cast<std::size_t>(notion)];
      scale = inner.number(name_of(notion), scale, kNotNegative);
    }
    return;
  }
  constexpr NumberRange kOrTable{0, 1e300, false,
                                 "a number of 0 or more, or a table such as {dp = 0.001, eqopt = 0.0001}"};
  scales.fill(table.number(kKey, scales[0], kOrTable));
}

/// Those notions of the experiment that the method runs under; all, unless it names some.
std::vector<Notion> read_notions(TomlTable& table, const std::vector<Notion>& all) {
  if (!table.has("fairness")) return all;
  std::vector<Notion> own = table.choices<Notion>("fairness");
  for (const Notion notion : own)
    if (std::find(all.begin(), all.end(), notion) == all.end())
      table.fail("fairness", fmt::format("{} has {}, which is not one of the experiment's own",
                                         table.called("fairness"), name_of(notion)));
  return own;
}

/// What only some methods have.
void check_fitting(TomlTable& table, Method method) {
  for (const char* key : {"lambda", "penalty_form"})
    if (method != Method::penalty && table.has(key))
      table.fail(key,
                 fmt::format("{} is for the penalty method, and this one is {}", table.called(key), name_of(method)));
  for (const char* key : {"safe", "limit", "relaxation_scale"})
    if (method != Method::constrained && table.has(key))
      table.fail(
          key, fmt::format("{} is for the constrained method, and this one is {}", table.called(key), name_of(method)));
}

std::string default_name(Method method) {
  return method == Method::constrained ? "ours" : std::string(name_of(method));
}

}  // namespace

ExperimentRelaxation read_relaxation(TomlTable& table, std::optional<Error>& error, const ExperimentRelaxation* outer) {
  const RelaxationMode inherited = outer != nullptr ? outer->mode : RelaxationMode::scaled_width;
  const RelaxationMode mode = table.choice("relaxation", inherited);
  ExperimentRelaxation relaxation = outer != nullptr && mode == inherited ? *outer : factors_of(mode);
  for (const char* key : {"bonus_scale", "relaxation_scale"})
    if (mode == RelaxationMode::literal && table.has(key))
      table.fail(key, fmt::format("{} leaves nothing literal", table.called(key)), "use relaxation = \"scaled\"");
  relaxation.bonus_scale = table.number("bonus_scale", relaxation.bonus_scale, kNotNegative);
  read_scales(table, error, relaxation.scale);
  return relaxation;
}

std::vector<MethodOfTable> read_methods(TomlTable& file, std::optional<Error>& error, const MethodDefaults& shared) {
  const toml::node* value = file.find("method");
  if (value == nullptr) return {};
  const auto* list = value->as_array();
  if (list == nullptr || list->empty()) {
    file.fail_key("method", "tables [[method]]");
    return {};
  }
  std::vector<MethodOfTable> methods;
  for (std::size_t i = 0; i < list->size(); ++i) {
    const auto* content = list->get(i)->as_table();
    if (content == nullptr) {
      file.fail_entry("method", i, *list->get(i), "a table");
      return {};
    }
    TomlTable table(*content, error, fmt::format("method[{}]", i), fmt::format("/method/{}", i));
    table.check_keys(kMethodKeys, std::array<std::string_view, 1>{"method"});
    ExperimentMethod method;
    method.method = table.choice("method", Method::constrained, kMethods);
    check_fitting(table, method.method);
    method.id = table.text("name", default_name(method.method));
    method.label = table.text("label", method.id);
    method.penalty_form = table.choice("penalty_form", shared.penalty_form);
    method.notions = read_notions(table, shared.notions);
    method.limit = table.number_or_numbers("limit", shared.limit, kShare);
    method.relaxation = read_relaxation(table, error, &shared.relaxation);
    method.safe = table.flag("safe", false);
    std::vector<double> lambdas = table.number_or_numbers("lambda", {}, kNotNegative);
    if (method.method == Method::penalty && lambdas.empty())
      table.fail({}, fmt::format("missing key \"lambda\" in method[{}], which is a penalty", i),
                 "one number, or a list of them: lambda = [0.1, 1, 10]");
    if (!table.failed() && !is_folder_name(method.id)) table.fail_key("name", kFolderName);
    if (error) return {};

    const auto add = [&](ExperimentMethod one) {
      const bool taken = std::any_of(methods.begin(), methods.end(),
                                     [&](const MethodOfTable& other) { return other.method.id == one.id; });
      if (taken)
        table.fail(table.has("name") ? "name" : "method",
                   fmt::format("method[{}] is the second one called \"{}\"", i, one.id), "give it a name of its own");
      methods.push_back({std::move(one), i});
    };
    if (method.method != Method::penalty) add(method);
    for (const double lambda : lambdas) {
      ExperimentMethod one = method;
      one.lambda = lambda;
      one.id = fmt::format("{}-{}", method.id, lambda);
      one.label = fmt::format("{}, lambda {}", method.label, lambda);
      add(std::move(one));
    }
    if (error) return {};
  }
  return methods;
}

}  // namespace fairstep::internal
