#include <fairstep/explore/gate.hpp>

#include <array>
#include <cerrno>
#include <cstddef>
#include <utility>

#include <fmt/format.h>
#include <sys/random.h>

namespace fairstep {
namespace {

/// In a time that does not tell how far they agree.
bool are_equal(std::string_view one, std::string_view other) {
  if (one.size() != other.size()) return false;
  unsigned difference = 0;
  for (std::size_t i = 0; i < one.size(); ++i)
    difference |= static_cast<unsigned>(static_cast<unsigned char>(one[i]) ^ static_cast<unsigned char>(other[i]));
  return difference == 0;
}

}  // namespace

const std::vector<PageHeader>& page_headers() {
  // The page's own files and nothing else: no script or style in the page's text, no address elsewhere, no frame.
  static const std::vector<PageHeader> headers = {
      {"Content-Security-Policy",
       "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; "
       "form-action 'none'; frame-ancestors 'none'"},
      {"X-Content-Type-Options", "nosniff"},
      {"Referrer-Policy", "no-referrer"},  // the address has the token
      {"Cross-Origin-Opener-Policy", "same-origin"},
      {"Cross-Origin-Resource-Policy", "same-origin"},
      {"Cache-Control", "no-store"},
  };
  return headers;
}

Gate::Gate(std::string token, std::uint16_t port)
    : token_(std::move(token)), host_(fmt::format("{}:{}", kOnlyHost, port)) {}

std::string Gate::address() const { return fmt::format("http://{}/{}/", host_, token_); }

PageReply Gate::refusal(const PageRequest& request) const {
  if (request.hosts.size() != 1 || request.hosts.front() != host_)
    return {.status = 421, .body = "this address is not served here\n"};
  if (request.has_body) return {.status = 413, .body = "nothing is asked here with a body\n"};
  if (request.method != "GET" && request.method != "POST")
    return {.status = 405, .body = "nothing is asked here but by GET and POST\n"};
  for (const std::string& origin : request.origin)
    if (origin != "http://" + host_) return {.status = 403, .body = "other pages may not ask here\n"};
  const std::string_view target = request.target;
  const bool is_inside =
      target.size() >= token_.size() + 2 && target.front() == '/' && target[token_.size() + 1] == '/';
  if (!is_inside || !are_equal(target.substr(1, token_.size()), token_))
    return {.status = 404, .body = "there is nothing here: open the address that was printed\n"};
  return {.status = 0};
}

std::string_view Gate::inside(std::string_view target) const { return target.substr(token_.size() + 2); }

std::string random_token() {
  std::array<unsigned char, 16> bytes{};
  std::size_t filled = 0;
  while (filled < bytes.size()) {
    const ssize_t got = getrandom(bytes.data() + filled, bytes.size() - filled, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return {};
    filled += static_cast<std::size_t>(got);
  }
  std::string text;
  for (const unsigned char byte : bytes) text += fmt::format("{:02x}", byte);
  return text;
}

}  // namespace fairstep
