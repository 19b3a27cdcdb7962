// HTTP for one page on this machine: listens on 127.0.0.1 alone, reads the head of each request and never a body, and
// ends each connection with its answer. The only file of the program that opens a socket (Boost.Beast and Asio).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>

#include <fairstep/core/error.hpp>
#include <fairstep/explore/gate.hpp>

namespace fairstep::cli {

class PageServer {
 public:
  /// Port 0 is any that is free. An error if the port is taken.
  [[nodiscard]] static Expected<PageServer> listen(std::uint16_t port);
  ~PageServer();
  PageServer(PageServer&&) noexcept;
  PageServer& operator=(PageServer&&) = delete;
  PageServer(const PageServer&) = delete;
  PageServer& operator=(const PageServer&) = delete;

  [[nodiscard]] std::uint16_t port() const;

  /// Until `stop`. `answer` is called by several threads at once.
  void serve(const std::function<PageReply(const PageRequest&)>& answer, const std::stop_token& stop);

 private:
  struct Inside;
  explicit PageServer(std::unique_ptr<Inside> inside);
  std::unique_ptr<Inside> inside_;
};

}  // namespace fairstep::cli
