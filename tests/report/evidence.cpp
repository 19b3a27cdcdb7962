#include "evidence.hpp"

#include <cstdlib>
#include <fstream>
#include <utility>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fairstep/core/simple_policies.hpp>
#include <fairstep/io/files.hpp>
#include <fairstep/io/json.hpp>

namespace fairstep::report::test {
namespace {

namespace fs = std::filesystem;

Model model_with(const std::string& first_group) {
  ModelSpec spec;
  spec.horizon = 2;
  spec.names.groups = {first_group, "b"};
  spec.names.features = {"x"};
  spec.share = {0.5, 0.5};
  spec.initial = Tensor<double, 3>({2, 1, 2}, 0.5);
  spec.transition = Tensor<double, 6>({2, 1, 2, 2, 1, 2}, 0.5);
  spec.reward = Tensor<double, 4>({2, 1, 2, 2}, 0.25);
  return Model::make(std::move(spec)).value();
}

void write(const fs::path& file, const std::string& text) {
  fs::create_directories(file.parent_path());
  std::ofstream(file) << text;
}

std::string result_text(const std::string& first_group, double violation, double value) {
  JsonWriter json;
  json.object().field("schema", "fairstep/run/1").field("finished", true);
  json.field("groups", std::vector<std::string>{first_group, "b"})
      .field("relaxation_mode", "scaled")
      .field("safe", false);
  json.key("oracle").object().field("outcome", "optimal");
  json.key("bounds").object().field("lower", 1.0).field("upper", 1.0).end().end();
  json.key("updates").array();
  for (std::uint64_t l = 0; l < 3; ++l) {
    // Violations 4, 2 and 1 times the last one.
    const double now = violation * static_cast<double>(4U >> l);
    json.object().field("k", std::uint64_t{8} << l).field("policy", fmt::format("updates/{:04}.policy.json", l));
    json.field("limit", std::vector<double>{0, 0}).field("relaxation", std::vector<double>{now, now});
    json.field("vacuous", std::vector<std::size_t>{}).field("bonus_max", 0.0).field("floor", 0.1).field("unvisited", 0);
    json.key("bounds").object().field("lower", value).field("upper", value).end();
    json.field("gap_to_bound", 0.0005).field("outcome", "optimal").field("stopped_by", "finished");
    json.field("value", value).key("gap").object();
    for (const char* notion : {"dp", "eqopt", "eqodds"}) json.field(notion, std::vector<double>{now, now});
    json.end().field("reward_regret", 1 - value).field("reward_regret_bound", 1 - value).field("violation", now);
    json.key("reference").object().field("reward_regret", 1.0).field("violation", 1.0).end().end();
  }
  json.end().end();
  return std::move(json).text();
}

}  // namespace

RunRecord run_with(const std::vector<double>& violation, const std::vector<double>& value) {
  RunRecord run;
  run.finished = true;
  for (std::size_t l = 0; l < violation.size(); ++l) {
    UpdateRecord update;
    update.k = std::uint64_t{8} << l;
    update.violation = violation[l];
    update.value = value[l];
    update.dp = update.eqopt = {violation[l], violation[l]};
    update.limit = {0, 0};
    update.relaxation = {violation[l], violation[l]};
    update.gap_to_bound = 0;
    run.updates.push_back(std::move(update));
  }
  return run;
}

MethodRuns ending_at(Kind kind, const std::vector<Point>& final, double lambda) {
  MethodRuns made;
  made.kind = kind;
  made.about.label = made.about.id = name_of(kind);
  made.about.method = kind == Kind::penalty ? "penalty" : kind == Kind::unconstrained ? "unconstrained" : "constrained";
  made.about.lambda = lambda;
  for (const Point& point : final) made.repeats.push_back(run_with({point.violation}, {point.value}));
  return made;
}

const Model& small_model() {
  static const Model model = model_with("a");
  return model;
}

Setting setting_of(std::vector<MethodRuns> methods) {
  Setting made;
  made.id = "town-dp";
  made.environment = "Town";
  made.name = "Town, demographic parity";
  made.model = &small_model();
  made.names = &small_model().names();
  made.methods = std::move(methods);
  return made;
}

Disk::Disk(const std::string& first_group, const std::string& label) {
  std::string pattern = (fs::temp_directory_path() / "fairstep-report-XXXXXX").string();
  folder = ::mkdtemp(pattern.data());
  const Model model = model_with(first_group);
  write(folder / "models/town.json", to_text(model));
  JsonWriter json;
  json.object().field("schema", "fairstep/experiment-run/1").field("name", "tiny").field("version", "0.0.0");
  json.field("seed", 1)
      .field("repeats", 2)
      .field("horizon", 2)
      .field("schedule", std::vector<std::uint64_t>{8, 16, 32});
  json.field("relaxation", "scaled").field("delta", 0.1);
  json.key("certificate").object().field("gap", 0.001).field("time_limit", 1.0).end();
  json.key("environments").array().object().field("name", "town").field("label", label).end().end();
  json.field("notions", std::vector<std::string>{"dp"}).key("methods").array();
  struct Method {
    const char* id;
    const char* method;
    double violation, value;
  };
  for (const Method& method : {Method{"ours", "constrained", 1.0 / 64, 0.75},
                               {"unconstrained", "unconstrained", 0.25, 0.875},
                               {"penalty-1", "penalty", 1.0 / 32, 0.5}}) {
    json.object().field("id", method.id).field("label", method.id).field("method", method.method).key("lambda");
    std::string(method.id) == "penalty-1" ? json.value(1.0) : json.value(nullptr);
    json.end();
    for (int r = 0; r < 2; ++r) {
      const fs::path run = folder / "runs/town/dp" / method.id / std::to_string(r);
      write(run / "result.json", result_text(first_group, method.violation + r / 32.0, method.value));
      const auto policy = Policy::make(Tensor<double, 3>({2, 2, 1}, 0.5), model.names().groups);
      for (int l = 0; l < 3; ++l) write(run / fmt::format("updates/{:04}.policy.json", l), to_text(policy.value()));
    }
  }
  json.end().end();
  write(folder / "experiment.json", std::move(json).text());
}

Disk::~Disk() {
  std::error_code ignored;
  fs::remove_all(folder, ignored);
}

}  // namespace fairstep::report::test
