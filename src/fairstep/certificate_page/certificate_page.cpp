#include <fairstep/certificate_page/certificate_page.hpp>

#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <fairstep/certificate_page/assets.hpp>
#include <fairstep/certificate_page/content.hpp>
#include <fairstep/core/sha256.hpp>
#include <fairstep/page/html.hpp>
#include <fairstep/page/page.hpp>

namespace fairstep {
namespace {

using nlohmann::json;

/// A JSON string that cannot end the element that it stands in.
std::string inside_script(std::string_view text) {
  std::string out;
  for (const char c : json(text).dump()) {
    if (c == '<')
      out += "\\u003c";
    else
      out += c;
  }
  return out;
}

std::string as_page(const json& certificate, std::string_view text) {
  const page::Page content = certificate_page::content_of(certificate);
  const std::string style = std::string(page::document_style()) + std::string(certificate_page::certificate_style());
  const std::string_view script = certificate_page::check_script();
  page::Html html;
  page::write_head(
      html, content.title,
      fmt::format("default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{}'; base-uri 'none'; "
                  "form-action 'none'",
                  sha256_base64(script)),
      style);
  html.open("body").line().open("main").line().element("h1", content.title).line();
  html.element("p", certificate_page::claim_of(certificate), {{"class", "claim"}}).line();
  html.open("section", {{"class", "check"}, {"id", "check"}, {"aria-live", "polite"}, {"aria-label", "Check"}}).line();
  html.element("p", "Not checked: scripts do not run here.", {{"class", "verdict"}}).line();
  html.close().line();
  page::write_blocks(html, content);
  html.close().line();
  html.open("script", {{"type", "application/json"}, {"id", "certificate"}}).raw(inside_script(text)).close().line();
  html.open("script").raw(script).close().line();
  html.close().line().close().line();
  return std::move(html).finish();
}

}  // namespace

Expected<CertificatePage> make_certificate_page(std::string_view text, const std::string& file) {
  auto check = check_certificate(text, file);
  if (!check) return tl::unexpected(std::move(check.error()));
  CertificatePage made{std::move(*check), {}};
  if (made.check.mismatches.empty()) made.html = as_page(json::parse(text), text);
  return made;
}

std::string what_is_certified(std::string_view text) { return certificate_page::claim_of(json::parse(text)); }

}  // namespace fairstep
