// What the optimiser answers to a corpus of questions, to the last bit: a change that should change nothing changes no
// line of this.
//
//   fairstep_answers [--seconds] [--heavy] [WORDS]
//
// One line for each question whose name has WORDS in it (all by default): outcome, why it ended, nodes, bounds with all
// digits, a hash of the policy and one of everything else. Limits are on effort, never on time, so that the lines are
// the same at any load. --seconds adds what each took of the processor; --heavy asks those that take longer instead.
// Compilers and libraries may differ in a last digit: compare builds by the same ones.
#include <bit>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <fairstep/environments/environments.hpp>
#include <fairstep/estimate/estimate.hpp>
#include <fairstep/optimise/pareto.hpp>
#include <fairstep/optimise/solve.hpp>
#include <fairstep/simulate/simulate.hpp>

#include "optimise/reference.hpp"

namespace {

using namespace fairstep;

constexpr std::size_t kEffort = 60'000;
constexpr std::size_t kHeavyEffort = 400'000;

template <class T>
T must(Expected<T> expected) {
  if (expected) return std::move(*expected);
  fmt::print(stderr, "{}\n", expected.error().message);
  std::exit(1);
}

struct Question {
  std::string name{};
  Model model;
  Fairness fairness{};
  SolveOptions options{};
};

/// FNV-1a over the bits of numbers.
class Hash {
 public:
  void add(std::uint64_t bits) {
    for (int i = 0; i < 8; ++i, bits >>= 8U) state_ = (state_ ^ (bits & 0xffU)) * 0x100000001b3U;
  }
  void add(double number) { add(std::bit_cast<std::uint64_t>(number)); }
  void add(const std::vector<double>& numbers) {
    for (const double number : numbers) add(number);
  }
  [[nodiscard]] std::string text() const { return fmt::format("{:016x}", state_); }

 private:
  std::uint64_t state_ = 0xcbf29ce484222325U;
};

std::string hash_of(const Policy& policy, const Shape& n) {
  Hash hash;
  for (std::size_t g = 0; g < n.groups; ++g)
    for (const double p : policy.group(g)) hash.add(p);
  return hash.text();
}

std::string hash_of_rest(const SolveResult& result) {
  Hash hash;
  hash.add(result.gap);
  hash.add(result.penalty);
  hash.add(result.parity_gap);
  hash.add(result.shadow_price);
  for (const Binding& binding : result.binding)
    for (const double number : {binding.value, binding.limit, binding.shadow_price}) hash.add(number);
  if (result.infeasibility) {
    hash.add(result.infeasibility->least_excess);
    hash.add(result.infeasibility->attained_excess);
  }
  hash.add(result.randomised_value.value_or(0));
  return hash.text();
}

std::string line_of(const std::string& name, const SolveResult& result, const Shape& n) {
  const std::string policy = result.solution ? hash_of(result.solution->policy, n) : "none";
  return fmt::format("{:<44} {:<10} {:<10} {:>6} {:<24.17g} {:<24.17g} {:<16} {}", name, name_of(result.outcome),
                     name_of(result.stopped_by), result.nodes, result.bounds.lower, result.bounds.upper, policy,
                     hash_of_rest(result));
}

Model random_of(std::size_t groups, std::size_t features, std::size_t horizon, std::uint64_t seed,
                std::size_t successors = 0, double discount = 1) {
  return must(make_random({.groups = groups,
                           .features = features,
                           .horizon = horizon,
                           .discount = discount,
                           .successors = successors,
                           .seed = seed}));
}

/// What so many people of a population look like to somebody who counts them.
Model learned(const Model& truth, std::uint64_t people) {
  const Shape& n = truth.shape();
  const Policy coin = must(Policy::make(Tensor<double, 3>({n.groups, n.horizon, n.features}, 0.5)));
  return must(estimate(must(simulate_counts(truth, coin, {.crowd = {people, true}})))).model;
}

Fairness within(Notion notion, double limit) { return {.parity = {{notion, {limit}}}}; }

Fairness in_doubt(const Model& model, Notion notion, double limit, Doubt::Stance stance) {
  const Shape& n = model.shape();
  Fairness fairness = within(notion, limit);
  fairness.parity[0].doubt = Doubt{.stance = stance,
                                   .start = std::vector<double>(n.groups, 0.001),
                                   .cell = Tensor<double, 4>({n.groups, n.features, kLabels, kActions}, 0.0005)};
  return fairness;
}

class Corpus {
 public:
  SolveOptions& add(std::string name, const Model& model, const Fairness& fairness, std::size_t effort = kEffort) {
    questions_.push_back({std::move(name), model, fairness, {}});
    SolveOptions& options = questions_.back().options;
    options.proof.effort = effort;
    options.proof.time_limit = 1e6;
    return options;
  }
  void add_penalty(std::string name, const Model& model, Notion notion, double lambda, PenaltyForm form,
                   std::size_t effort = kEffort) {
    SolveOptions& options = add(std::move(name), model, within(notion, 0), effort);
    options.method = Method::penalty;
    options.penalty = lambda;
    options.penalty_form = form;
  }
  [[nodiscard]] const std::vector<Question>& questions() const { return questions_; }

 private:
  std::vector<Question> questions_{};
};

void add_environments(Corpus& corpus) {
  const std::pair<const char*, Model> worlds[] = {{"fico", must(make_fico())},
                                                  {"synthetic", must(make_synthetic())},
                                                  {"lending", must(make_lending({.horizon = 5}))}};
  for (const auto& [name, model] : worlds)
    for (const auto& [notion, word] : {std::pair{Notion::dp, "dp"}, {Notion::eqopt, "eqopt"}})
      for (const double limit : {0.0, 0.02, 0.1})
        corpus.add(fmt::format("{} {} {}", name, word, limit), model, within(notion, limit));
  const Model four = must(make_fico({.groups = {"white", "black", "hispanic", "asian"}, .horizon = 4}));
  corpus.add("fico of four groups eqopt", four, within(Notion::eqopt, 0.02));
  corpus.add("fico eqodds", worlds[0].second, within(Notion::eqodds, 0.05));
  for (const double gap : {1e-2, 1e-4, 1e-6})
    corpus.add(fmt::format("fico eqopt to {}", gap), worlds[0].second, within(Notion::eqopt, 0.01)).proof.gap = gap;
  const Model endless = must(truncate(must(make_fico({.discount = 0.6})), 1e-3));
  corpus.add("fico without end eqopt", endless, within(Notion::eqopt, 0.02));
}

void add_random(Corpus& corpus) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    corpus.add(fmt::format("random {} dp", seed), random_of(2, 4, 4, seed), within(Notion::dp, 0.02));
    corpus.add(fmt::format("random {} eqopt", seed), random_of(2, 4, 4, seed), within(Notion::eqopt, 0.02));
    corpus.add(fmt::format("random of three groups {} eqopt", seed), random_of(3, 3, 3, seed),
               within(Notion::eqopt, 0.03));
    corpus.add(fmt::format("random with zeros {} eqopt", seed), random_of(2, 4, 5, seed, 3),
               within(Notion::eqopt, 0.02));
    corpus.add(fmt::format("learned {} eqopt", seed), learned(random_of(2, 4, 4, seed), 3000),
               within(Notion::eqopt, 0.02));
  }
  corpus.add("random of 12 features dp", random_of(2, 12, 4, 5), within(Notion::dp, 0.02));
  corpus.add("random of 12 features eqopt", random_of(2, 12, 4, 5), within(Notion::eqopt, 0.02));
  corpus.add("random of 40 features eqopt", random_of(2, 40, 9, 6, 10), within(Notion::eqopt, 0.02), kEffort / 20);
  const Model discounted = random_of(2, 4, 5, 9, 0, 0.8);
  corpus.add("random discounted eqodds", discounted, within(Notion::eqodds, 0.05));
  corpus.add("random without end dp", must(truncate(random_of(2, 3, 3, 10, 0, 0.5), 0.01)), within(Notion::dp, 0.02));
}

void add_methods(Corpus& corpus) {
  const Model fico = must(make_fico({.horizon = 4})), any = random_of(2, 3, 3, 11), three = random_of(3, 3, 3, 7);
  for (const double lambda : {0.1, 1.0, 10.0})
    for (const auto& [form, word] : {std::pair{PenaltyForm::rate, "rate"}, {PenaltyForm::cross, "cross"}}) {
      corpus.add_penalty(fmt::format("fico penalty eqopt {} {}", word, lambda), fico, Notion::eqopt, lambda, form);
      corpus.add_penalty(fmt::format("random penalty eqopt {} {}", word, lambda), any, Notion::eqopt, lambda, form);
    }
  corpus.add_penalty("fico penalty dp", fico, Notion::dp, 1, PenaltyForm::rate);
  for (const std::uint64_t seed : {4U, 7U, 13U})  // prices on rates
    corpus.add_penalty(fmt::format("random weak penalty {}", seed), random_of(2 + seed % 2, 3, 3, seed), Notion::eqopt,
                       0.1, PenaltyForm::rate, kHeavyEffort);
  for (const auto& [model, name] : {std::pair{&fico, "fico"}, {&three, "three"}}) {
    corpus.add(fmt::format("{} unconstrained", name), *model, within(Notion::dp, 0.02)).method = Method::unconstrained;
    corpus.add(fmt::format("{} myopic", name), *model, within(Notion::eqopt, 0.02)).method = Method::myopic;
    corpus.add(fmt::format("{} without a proof", name), *model, within(Notion::eqopt, 0.02)).proof.wanted = false;
  }
}

void add_classes_and_limits(Corpus& corpus) {
  const Model fico = must(make_fico({.horizon = 4})), any = random_of(2, 4, 4, 12), small = random_of(2, 3, 3, 14);
  for (const auto& [model, name] : {std::pair{&fico, "fico"}, {&any, "random"}}) {
    corpus.add(fmt::format("{} one table", name), *model, within(Notion::eqopt, 0.02)).policies.group_independent =
        true;
    corpus.add(fmt::format("{} floor", name), *model, within(Notion::eqopt, 0.02)).policies.floor = 0.1;
    PolicyClass& accepting =
        corpus.add(fmt::format("{} accepting floor", name), *model, within(Notion::dp, 0.02)).policies;
    accepting.floor = 0.2;
    accepting.floor_kind = FloorKind::accept_only;
    corpus.add(fmt::format("{} no coins", name), *model, within(Notion::dp, 0.1)).policies.deterministic = true;
    Fairness whole = within(Notion::eqopt, 0.05);
    whole.aggregate_eqopt = 0.01;
    corpus.add(fmt::format("{} whole episode", name), *model, whole);
    Fairness few = within(Notion::eqopt, 0.05);
    few.capacity = Capacity{{0.3}};
    corpus.add(fmt::format("{} capacity", name), *model, few);
    Fairness moments = within(Notion::dp, 0.1);
    moments.moments.push_back(testing::moment_row(*model, 0.2));
    corpus.add(fmt::format("{} moments", name), *model, moments);
    for (const auto& [stance, word] :
         {std::pair{Doubt::Stance::hopeful, "hopeful"}, {Doubt::Stance::cautious, "cautious"}})
      corpus.add(fmt::format("{} {}", name, word), *model, in_doubt(*model, Notion::eqopt, 0.03, stance));
  }
  corpus.add("no coins, eqopt", small, within(Notion::eqopt, 0.05)).policies.deterministic = true;
  // Floors accept more than the capacity allows.
  Fairness impossible = within(Notion::dp, 0.05);
  impossible.capacity = Capacity{{0.1}};
  corpus.add("infeasible", small, impossible).policies.floor = 0.2;
  SolveOptions& coins = corpus.add("tight without coins", small, within(Notion::dp, 0.0));
  coins.policies = {.floor = 0.1, .floor_kind = FloorKind::accept_only, .deterministic = true};
}

void add_heavy(Corpus& corpus) {
  corpus.add("synthetic eqopt", must(make_synthetic()), within(Notion::eqopt, 0.02), kHeavyEffort);
  corpus.add("fico eqodds to 1e-6", must(make_fico()), within(Notion::eqodds, 0.02), kHeavyEffort).proof.gap = 1e-6;
  corpus.add("random eqopt", random_of(2, 4, 4, 2), within(Notion::eqopt, 0.02), kHeavyEffort).proof.gap = 1e-5;
  corpus.add("random with zeros eqopt", random_of(2, 4, 5, 3, 3), within(Notion::eqopt, 0.02), kHeavyEffort);
  corpus.add("random of 20 features eqopt", random_of(2, 20, 5, 23, 8), within(Notion::eqopt, 0.02), kHeavyEffort / 5);
  corpus.add_penalty("weak penalty", random_of(3, 4, 5, 24), Notion::eqopt, 0.1, PenaltyForm::rate, kHeavyEffort);
  corpus.add("one table", random_of(2, 4, 4, 12), within(Notion::eqopt, 0.02), kHeavyEffort)
      .policies.group_independent = true;
  corpus.add("no coins", random_of(2, 4, 4, 12), within(Notion::dp, 0.1), kHeavyEffort).policies.deterministic = true;
}

double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

}  // namespace

int main(int argc, char** argv) {
  bool seconds = false, heavy = false;
  std::string_view words;
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "--seconds")
      seconds = true;
    else if (word == "--heavy")
      heavy = true;
    else
      words = word;
  }
  Corpus corpus;
  if (heavy) {
    add_heavy(corpus);
  } else {
    add_environments(corpus);
    add_random(corpus);
    add_methods(corpus);
    add_classes_and_limits(corpus);
  }
  for (const Question& question : corpus.questions()) {
    if (question.name.find(words) == std::string::npos) continue;
    const double begin = processor_seconds();
    const SolveResult result = must(solve(question.model, question.fairness, question.options));
    const std::string line = line_of(question.name, result, question.model.shape());
    fmt::print("{}{}\n", line, seconds ? fmt::format(" {:.2f} s", processor_seconds() - begin) : "");
    std::fflush(stdout);
  }
  if (heavy || std::string_view("pareto").find(words) == std::string_view::npos) return 0;
  const Model model = must(make_fico({.horizon = 4}));
  const std::vector<double> limits{0.0, 0.01, 0.05, 0.2};
  SolveOptions options;
  options.proof.effort = kEffort;
  options.proof.time_limit = 1e6;
  for (const ParetoPoint& point : must(pareto(model, within(Notion::eqopt, 0), limits, options)))
    fmt::print("{}\n", line_of(fmt::format("pareto {}", point.limit), point.result, model.shape()));
  return 0;
}
