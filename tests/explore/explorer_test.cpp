#include <fairstep/explore/explorer.hpp>

#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fairstep/core/simple_policies.hpp>
#include <fairstep/environments/environments.hpp>

#include "support/models.hpp"

namespace fairstep {
namespace {

using Json = nlohmann::json;
using testing::unwrap;

std::unique_ptr<Explorer> explorer_of_fico(std::optional<Baseline> baseline = {}) {
  return unwrap(Explorer::make({.model = unwrap(make_fico()), .name = "fico", .baseline = std::move(baseline)}));
}

TEST(Explorer, ServesItsOwnFilesAndNoOthers) {
  const auto explorer = explorer_of_fico();
  const PageReply page = explorer->reply("GET", "");
  EXPECT_EQ(page.status, 200U);
  EXPECT_EQ(page.type, "text/html; charset=utf-8");
  for (const char* name :
       {"style.css", "main.mjs", "setting.mjs", "controls.mjs", "pictures.mjs", "svg.mjs", "words.mjs"})
    EXPECT_EQ(explorer->reply("GET", name).status, 200U) << name;
  for (const char* name : {"index.html", "explore.css", "../about", "/about", "about/", "About", "main.mjs?x=1",
                           "nothing", "..", "%61bout"})
    EXPECT_EQ(explorer->reply("GET", name).status, 404U) << name;
}

TEST(Explorer, TellsNothingInThePageItself) {
  // Scripts and styles are files of their own, which is what the content policy allows.
  const std::string page = explorer_of_fico()->reply("GET", "").body;
  for (const char* never : {"<style", " style=", " onclick", "http:", "https:", "fico"})
    EXPECT_EQ(page.find(never), std::string::npos) << never;
}

TEST(Explorer, AnswersAQuestionAndRefusesWhatIsNone) {
  const auto explorer = explorer_of_fico();
  const PageReply reply = explorer->reply("GET", "answer?fairness=dp&limit=0.05");
  EXPECT_EQ(reply.status, 200U);
  EXPECT_EQ(reply.type, "application/json");
  EXPECT_EQ(Json::parse(reply.body)["question"], "fairness=dp&limit=0.05");
  const PageReply malformed = explorer->reply("GET", "answer?fairness=dp&limit=lots");
  EXPECT_EQ(malformed.status, 400U);
  EXPECT_EQ(Json::parse(malformed.body)["error"], "limit is \"lots\", expected a number");
  const PageReply impossible = explorer->reply("GET", "answer?fairness=dp&limit=-1");
  EXPECT_EQ(impossible.status, 400U);
  EXPECT_EQ(Json::parse(impossible.body)["error"], "limit is -1, expected between 0 and 1");
}

TEST(Explorer, ComparesWithTheBestPolicyWithoutLimitsOrWithOneThatIsGiven) {
  const Model model = unwrap(make_fico());
  const double free = unwrap(solve(model, {}, {})).solution->evaluation.value;
  const Json about = Json::parse(explorer_of_fico()->reply("GET", "about").body);
  EXPECT_NEAR(about["baseline"]["value"].get<double>(), free, 1e-9);
  EXPECT_EQ(about["baseline"]["name"], "the best policy found without limits");

  const Policy everybody = accept_all(model);
  const Json beside = Json::parse(explorer_of_fico(Baseline{"all.json", everybody})->reply("GET", "about").body);
  EXPECT_EQ(beside["baseline"]["value"].get<double>(), unwrap(evaluate(model, everybody)).value);
  EXPECT_EQ(beside["baseline"]["name"], "all.json");

  const auto unfit =
      Explorer::make({.model = unwrap(make_fico()), .baseline = Baseline{"x", accept_all(testing::hand_model())}});
  EXPECT_FALSE(unfit);
}

TEST(Explorer, ProvesInTheBackground) {
  const auto explorer = explorer_of_fico();
  EXPECT_EQ(explorer->reply("POST", "proof?fairness=dp&limit=x").status, 400U);
  const Json begun = Json::parse(explorer->reply("POST", "proof?fairness=dp&limit=0.05").body);
  EXPECT_EQ(begun["number"], 1);
  Json state;
  do {
    std::this_thread::yield();
    state = Json::parse(explorer->reply("GET", "proof").body);
  } while (state["running"]);
  EXPECT_EQ(state["number"], 1);
  EXPECT_EQ(state["answer"]["solution"]["outcome"], "optimal");
  EXPECT_TRUE(state["answer"]["proven"]);
  EXPECT_EQ(explorer->reply("POST", "about").status, 405U);
  EXPECT_EQ(explorer->reply("POST", "answer?").status, 405U);
}

TEST(Explorer, EndsAProofWhenItIsTold) {
  const auto explorer = unwrap(Explorer::make({.model = testing::random_model(7, 3, 30, 30)}));
  EXPECT_EQ(explorer->reply("POST", "proof?fairness=eqodds&limit=0.01").status, 200U);
  const Json state = Json::parse(explorer->reply("POST", "stop").body);
  EXPECT_FALSE(state["running"]);
  EXPECT_FALSE(state.contains("answer"));
}

TEST(Explorer, AnswersManyAtOnceAlikeOrSaysThatItIsBusy) {
  const auto explorer = explorer_of_fico();
  const std::string path = "answer?fairness=dp&limit=0.05";
  const Json alone = Json::parse(explorer->reply("GET", path).body);
  std::vector<PageReply> replies(16);
  {
    std::vector<std::jthread> asking;
    for (PageReply& reply : replies) asking.emplace_back([&] { reply = explorer->reply("GET", path); });
  }
  int answered = 0;
  for (const PageReply& reply : replies) {
    if (reply.status == 503) continue;
    ASSERT_EQ(reply.status, 200U);
    EXPECT_EQ(Json::parse(reply.body)["file"], alone["file"]);
    ++answered;
  }
  EXPECT_GE(answered, 1);
  EXPECT_EQ(explorer->reply("GET", path).status, 200U);
}

}  // namespace
}  // namespace fairstep
