// fairstep explore MODEL|COUNTS: a page on this machine where limits are moved and policies change with them.
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include <fairstep/core/objections.hpp>
#include <fairstep/core/shown_text.hpp>
#include <fairstep/estimate/estimate.hpp>
#include <fairstep/explore/explorer.hpp>
#include <fairstep/io/files.hpp>

#include "answers/grounds_summary.hpp"
#include "answers/json_text.hpp"
#include "answers/solve_command.hpp"
#include "options/time_limit.hpp"
#include "shell/interrupt.hpp"
#include "shell/page_server.hpp"
#include "shell/terminal.hpp"
#include "verbs.hpp"

namespace fairstep::cli {
namespace {

struct ExploreArguments {
  std::string file{};
  std::optional<std::string> baseline{};
  std::uint64_t port = 0;
  TimeLimit limit{};
};

/// The model that `fairstep fit` makes of counts if nothing else is said.
Result<Model> fitted(const Counts& counts, const std::string& file) {
  EstimateOptions options;
  options.unvisited = Unvisited::stay;
  options.participation = true;
  auto estimated = estimate(counts, options);
  if (!estimated) return input(estimated.error(), file);
  if (auto ok = refuse_guesswork(estimated->model); !ok) return input(ok.error(), file);
  return std::move(estimated->model);
}

Result<Explored> explored(const ExploreArguments& chosen) {
  auto document = read_document(chosen.file);
  if (!document) return input(document.error(), chosen.file);
  if (std::holds_alternative<Policy>(*document))
    return input(Error{"the file holds a policy, expected a model or counts", "/schema", {}, {}}, chosen.file);
  const bool counted = std::holds_alternative<Counts>(*document);
  auto model = counted ? fitted(std::get<Counts>(*document), chosen.file) : Result<Model>(std::get<Model>(*document));
  if (!model) return tl::unexpected(model.error());
  Explored made{.model = std::move(*model), .name = chosen.file};
  made.rests_on = grounds_warnings(made.model);
  if (made.model.spec().rests_on)
    made.rests_on.insert(made.rests_on.begin(), "estimated from " + grounds_in_short(*made.model.spec().rests_on));
  made.command = [file = chosen.file, counted](const ExploreQuestion& question, bool proof) {
    return solve_command(file, counted, question, proof);
  };
  if (!chosen.baseline) return made;
  auto policy = read_policy(*chosen.baseline);
  if (!policy) return input(policy.error(), *chosen.baseline);
  if (auto fits = policy->check_fits(made.model); !fits) return input(fits.error(), *chosen.baseline);
  made.baseline = Baseline{*chosen.baseline, std::move(*policy)};
  return made;
}

/// Before the page is served, not with the answer, which comes when all is over.
Result<void> announce(const Explored& what, const std::string& address, const Context& context) {
  if (!context.json && !context.quiet) {
    for (const std::string& sentence : what.rests_on) write_stderr(shown_text(sentence) + '\n');
    write_stderr("open this address in a browser; Ctrl-C ends it\n");
  }
  const Json document = {{"schema", "fairstep/explore/1"}, {"warnings", what.rests_on}, {"address", address}};
  if (auto written = write_stdout(context.json ? cli::to_text(document) : address + '\n'); !written)
    return io_failure(written.error());
  return {};
}

Result<Answer> run(const ExploreArguments& chosen, const Context& context) {
  if (auto ok = chosen.limit.check(); !ok) return tl::unexpected(ok.error());
  const auto what = explored(chosen);
  if (!what) return tl::unexpected(what.error());
  const std::string token = random_token();
  if (token.empty())
    return io_failure(Error{"the operating system gives no random numbers, which the page's address needs"});
  const StopOnInterrupt interrupt(chosen.limit.seconds);
  const auto explorer = Explorer::make(*what, interrupt.token());
  if (!explorer) return input(explorer.error(), chosen.file);
  auto server = PageServer::listen(static_cast<std::uint16_t>(chosen.port));
  if (!server) return usage(server.error());
  const Gate gate(token, server->port());
  if (auto said = announce(*what, gate.address(), context); !said) return tl::unexpected(said.error());
  server->serve(
      [&](const PageRequest& request) {
        PageReply refused = gate.refusal(request);
        return refused.status != 0 ? refused : (*explorer)->reply(request.method, gate.inside(request.target));
      },
      interrupt.token());
  Answer answer;
  answer.verbatim = true;  // all of it was said when the page was there
  return answer;
}

}  // namespace

Verb explore_verb() {
  return {
      "explore",
      "a page on this machine to move limits on, and see the policies change",
      "Prints an address on this machine and serves a page there until Ctrl-C: the limit, the notion, the class of "
      "policies, floor and capacity can be moved, and the best policy, its rates and gaps at every step, who gains "
      "and who loses and what the limit costs are shown at once, and proven soon after. Of counts it explores the "
      "model that fairstep fit makes of them. Only this machine can reach the page, and only who knows the address.",
      {"fairstep env fico --horizon 4 -o fico.json", "fairstep explore fico.json --time-limit 1"},
      [](Options& options) -> Action {
        auto chosen = std::make_shared<ExploreArguments>();
        options.positional("MODEL", chosen->file, "model or counts file");
        options.text("--baseline", chosen->baseline, "FILE",
                     "policy that others are compared with; left out: the best one found without limits");
        options.whole("--port", chosen->port, "port to listen on; 0: any that is free", {0, 65535});
        chosen->limit.declare(options, "end by itself after so many seconds");
        options.common();
        return [chosen](const Context& context) { return run(*chosen, context); };
      },
      {}};
}

}  // namespace fairstep::cli
