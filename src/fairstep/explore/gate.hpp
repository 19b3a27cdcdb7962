// Who may ask the explorer: whoever knows the token, at the address that was printed, with a request that the page
// makes.
//
// The token keeps out other users of this machine and pages of others in the same browser. That the request names our
// host keeps out a page whose name was made to lead here (DNS rebinding). No request has a body, so that none is read.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fairstep {

/// As much of an HTTP request as matters here.
struct PageRequest {
  std::string method{};
  std::string target{};               ///< `/TOKEN/answer?limit=0.1`
  std::vector<std::string> hosts{};   ///< each header `Host`
  std::vector<std::string> origin{};  ///< each header `Origin`
  bool has_body = false;
};

struct PageReply {
  unsigned status = 200;
  std::string type = "text/plain; charset=utf-8";
  std::string body{};
};

inline constexpr std::string_view kOnlyHost = "127.0.0.1";

/// Whatever is asked of it, an answer goes out with these, and with no leave for other pages to read it.
struct PageHeader {
  const char* name;
  const char* value;
};
[[nodiscard]] const std::vector<PageHeader>& page_headers();

class Gate {
 public:
  /// The token is letters and digits.
  Gate(std::string token, std::uint16_t port);

  /// Where the page is.
  [[nodiscard]] std::string address() const;
  /// The answer to a request that may not come in; nothing (status 0) of one that may.
  [[nodiscard]] PageReply refusal(const PageRequest& request) const;
  /// `answer?limit=0.1` of a target that `refusal` let in.
  [[nodiscard]] std::string_view inside(std::string_view target) const;

 private:
  std::string token_;
  std::string host_;
};

/// 128 bits of the operating system's randomness, in hex; empty if it has none.
[[nodiscard]] std::string random_token();

}  // namespace fairstep
