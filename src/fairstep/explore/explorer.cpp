#include <fairstep/explore/explorer.hpp>

#include <memory>
#include <utility>

#include <fairstep/explore/internal/files.hpp>
#include <fairstep/io/json.hpp>

namespace fairstep {
namespace {

constexpr double kTimeForProof = 60;   ///< seconds, as `fairstep solve` has it
constexpr double kTimeForAnswer = 20;  ///< of a picture: what is not there by then is not what a slider is for

constexpr const char* kPlain = "text/plain; charset=utf-8";

PageReply json_reply(std::string body) { return {200, "application/json", std::move(body)}; }
/// The question is at fault.
PageReply question_refused(const Error& error) { return {400, "application/json", refusal(error)}; }

/// Counts how many there are of it, while it lives.
class Counted {
 public:
  explicit Counted(std::atomic<int>& count) : count_(count), among_(++count) {}
  ~Counted() { --count_; }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;
  [[nodiscard]] int among() const { return among_; }

 private:
  std::atomic<int>& count_;
  int among_;
};

}  // namespace

Explorer::Explorer(Explored explored, std::stop_token stop)
    : explored_(std::move(explored)), stop_(std::move(stop)), proof_(explored_.model) {}

Expected<std::unique_ptr<Explorer>> Explorer::make(Explored explored, std::stop_token stop) {
  std::unique_ptr<Explorer> made(new Explorer(std::move(explored), std::move(stop)));
  const Explored& kept = made->explored_;
  if (kept.baseline) {
    const auto evaluation = evaluate(kept.model, kept.baseline->policy);
    if (!evaluation) return tl::unexpected(evaluation.error());
    made->about_ = about(kept, kept.baseline->name, *evaluation);
    return made;
  }
  SolveOptions options = options_for({}, false);
  options.stop = made->stop_;
  const auto free = solve(kept.model, {}, options);
  if (!free) return tl::unexpected(free.error());
  if (!free->solution) return fail("stopped before a first policy was found");
  made->about_ = about(kept, "the best policy found without limits", free->solution->evaluation);
  return made;
}

PageReply Explorer::reply(std::string_view method, std::string_view path) {
  const std::size_t mark = path.find('?');
  const std::string_view name = path.substr(0, mark);
  const std::string_view query = mark == std::string_view::npos ? std::string_view() : path.substr(mark + 1);
  if (method == "POST") {
    if (name == "proof") return begin_proof(query);
    if (name != "stop") return {405, kPlain, "this is not asked by POST\n"};
    proof_.cancel();
    return json_reply(state_of_proof());
  }
  if (name == "answer") return answer_to(query);
  if (mark == std::string_view::npos) {
    if (name == "about") return json_reply(about_);
    if (name == "proof") return json_reply(state_of_proof());
    if (const internal::PageFile* file = internal::page_file(name)) return {200, file->type, std::string(file->text)};
  }
  return {404, kPlain, "there is nothing of this name\n"};
}

PageReply Explorer::answer_to(std::string_view query) {
  const auto question = explore_question(query);
  if (!question) return question_refused(question.error());
  const Counted busy(solving_);
  if (busy.among() > kExploreAtOnce) return {503, kPlain, "busy: ask again\n"};
  SolveOptions options = options_for(*question, false);
  options.proof.time_limit = kTimeForAnswer;
  options.stop = stop_;
  const auto result = solve(explored_.model, fairness_of(*question), options);
  if (!result) return question_refused(result.error());
  return json_reply(answer(explored_, *question, *result, false));
}

PageReply Explorer::begin_proof(std::string_view query) {
  const auto question = explore_question(query);
  if (!question) return question_refused(question.error());
  if (stop_.stop_requested()) return {503, kPlain, "ending\n"};
  JsonWriter json;
  json.object().field("number", proof_.start(*question, kTimeForProof)).end();
  return json_reply(std::move(json).text());
}

std::string Explorer::state_of_proof() const {
  const BackgroundProof::State state = proof_.state();
  JsonWriter json;
  json.object().field("number", state.number).field("running", state.running);
  json.field("seconds", state.progress.seconds).field("lower", state.progress.bounds.lower);
  json.field("upper", state.progress.bounds.upper);
  json.field("standing", standing(state.progress));
  if (state.question) json.field("question", state.question->as_query());
  if (state.result)
    json.key("answer").document(*state.result ? answer(explored_, *state.question, **state.result, true)
                                              : refusal(state.result->error()));
  json.end();
  return std::move(json).text();
}

}  // namespace fairstep
