// fairstep certificate CERTIFICATE: a certificate as one page to send.
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include <fmt/format.h>

#include <fairstep/certificate_page/certificate_page.hpp>
#include <fairstep/io/files.hpp>

#include "shell/guarded_file.hpp"
#include "verbs.hpp"

namespace fairstep::cli {
namespace {

struct CertificateArguments {
  std::string file{};
  std::optional<std::string> output{};
};

Result<Answer> run(const CertificateArguments& chosen, const Context&) {
  const std::string file = chosen.output.value_or("certificate.html");
  const std::string ending = std::filesystem::path(file).extension().string();
  if (ending != ".html" && ending != ".htm")
    return usage(fmt::format("--output is \"{}\", expected a name that ends in .html", file));
  const auto text = read_text_file(chosen.file);
  if (!text) return input(text.error(), chosen.file);
  const auto page = make_certificate_page(*text, chosen.file);
  if (!page) return input(page.error(), chosen.file);

  Answer answer;
  answer.schema = "fairstep/certificate-page/1";
  const bool holds = page->html.empty() == false;
  answer.body = {{"certificate", chosen.file},
                 {"holds", holds},
                 {"file", holds ? Json(file) : Json()},
                 {"bytes", page->html.size()},
                 {"certified", holds ? Json(what_is_certified(*text)) : Json()}};
  if (!holds) {
    answer.code = ExitCode::no;
    answer.text = fmt::format("{}: does not hold, {} finding{}; no page is made of it\n", chosen.file,
                              page->check.mismatches.size(), page->check.mismatches.size() == 1 ? "" : "s");
    answer.notes.push_back(fmt::format("next: fairstep check {}", chosen.file));
    return answer;
  }
  if (auto ok = write_guarded(file, page->html); !ok) return io_failure(ok.error());
  answer.text = what_is_certified(*text) + "\n";
  answer.notes.push_back(fmt::format("wrote {}: a page that checks itself, {} KB", file, page->html.size() / 1000));
  return answer;
}

}  // namespace

Verb certificate_verb() {
  return {
      "certificate",
      "a certificate as one page to send, which checks itself",
      "Checks a certificate, and writes it as one HTML file: what is certified in a sentence, every assumption, rates "
      "and bounds as pictures and tables, what the data say, hashes, and how to check. When it is opened it derives "
      "the "
      "bounds again from the counts inside it and shows what came out, without a network. A certificate that does not "
      "hold makes no page, and the exit code is 1.",
      {"fairstep env fico -o fico.json", "fairstep policy fico.json --uniform 0.5 -o half.json",
       "fairstep simulate fico.json half.json --people-per-group 1e5 -o counts.json",
       "fairstep certify counts.json half.json -o certificate.json",
       "fairstep certificate certificate.json -o certificate.html"},
      [](Options& options) -> Action {
        auto chosen = std::make_shared<CertificateArguments>();
        options.positional("CERTIFICATE", chosen->file, "certificate file");
        options.output(chosen->output, "the page; left out: certificate.html");
        options.common();
        return [chosen](const Context& context) { return run(*chosen, context); };
      },
      {}};
}

}  // namespace fairstep::cli
