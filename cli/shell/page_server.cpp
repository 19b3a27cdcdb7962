#include "shell/page_server.hpp"

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <exception>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <boost/asio/ip/address_v4.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/strand.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http.hpp>
#include <boost/system/system_error.hpp>
#include <fmt/format.h>

namespace fairstep::cli {
namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using asio::ip::tcp;
using boost::beast::error_code;
using Answering = std::function<PageReply(const PageRequest&)>;

constexpr std::size_t kThreads = 8;        // more than are let solve at once, so that the page itself is always there
constexpr int kMostConnections = 64;       // at a time
constexpr std::uint32_t kMostHead = 8192;  // bytes of a request's head
constexpr std::size_t kMostDrained = std::size_t{1} << 20;  // bytes of a body that nobody reads
constexpr std::chrono::seconds kPatience(10);               // for a request to come, and for an answer to go

PageRequest request_of(const http::request_parser<http::empty_body>& parser) {
  const auto& head = parser.get();
  PageRequest request{.method = std::string(head.method_string()), .target = std::string(head.target())};
  for (const auto& field : head) {
    if (field.name() == http::field::host) request.hosts.emplace_back(field.value());
    if (field.name() == http::field::origin) request.origin.emplace_back(field.value());
  }
  request.has_body = parser.chunked() || parser.content_length().value_or(0) > 0 ||
                     head.find(http::field::transfer_encoding) != head.end();
  return request;
}

/// One request and its answer.
class Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(tcp::socket socket, const Answering& answer, std::atomic<int>& connections)
      : stream_(std::move(socket)), buffer_(kMostHead), answer_(answer), connections_(connections) {
    parser_.header_limit(kMostHead);
  }
  ~Connection() { --connections_; }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  void start() {
    stream_.expires_after(kPatience);
    http::async_read_header(stream_, buffer_, parser_, [self = shared_from_this()](error_code error, std::size_t) {
      if (!error) self->reply_to(request_of(self->parser_));
      if (error == http::error::header_limit || error == http::error::buffer_overflow)
        self->write({.status = 431, .body = "this request is too long\n"});
    });
  }

 private:
  void reply_to(const PageRequest& request) {
    try {
      write(answer_(request));
    } catch (const std::exception& error) {  // no memory, most likely: this answer is lost, and not the page
      write({.status = 500, .body = fmt::format("{}\n", error.what())});
    }
  }

  void write(PageReply reply) {
    response_.version(11);
    response_.result(reply.status);
    response_.set(http::field::content_type, reply.type);
    for (const PageHeader& header : page_headers()) response_.set(header.name, header.value);
    response_.keep_alive(false);
    response_.body() = std::move(reply.body);
    response_.prepare_payload();
    stream_.expires_after(kPatience);
    http::async_write(stream_, response_, [self = shared_from_this()](error_code error, std::size_t) {
      if (!error && !self->stream_.socket().shutdown(tcp::socket::shutdown_send, error)) self->drain();
    });
  }

  /// What was sent and not read is thrown away: a connection that is closed before would lose the answer too.
  void drain() {
    stream_.async_read_some(asio::buffer(rest_), [self = shared_from_this()](error_code error, std::size_t read) {
      self->drained_ += read;
      if (!error && self->drained_ < kMostDrained) self->drain();
    });
  }

  boost::beast::tcp_stream stream_;
  boost::beast::flat_buffer buffer_;
  http::request_parser<http::empty_body> parser_{};
  http::response<http::string_body> response_{};
  const Answering& answer_;
  std::atomic<int>& connections_;
  std::array<char, 4096> rest_{};
  std::size_t drained_ = 0;
};

}  // namespace

struct PageServer::Inside {
  asio::io_context context{};
  tcp::acceptor acceptor{context};
  std::atomic<int> connections = 0;
  Answering answer{};

  void accept() {
    acceptor.async_accept(asio::make_strand(context), [this](error_code error, tcp::socket socket) {
      if (error == asio::error::operation_aborted) return;
      if (!error && ++connections <= kMostConnections)
        std::make_shared<Connection>(std::move(socket), answer, connections)->start();
      else if (!error)
        --connections;  // the socket closes as it goes
      accept();
    });
  }
};

PageServer::PageServer(std::unique_ptr<Inside> inside) : inside_(std::move(inside)) {}
PageServer::PageServer(PageServer&&) noexcept = default;
PageServer::~PageServer() = default;

Expected<PageServer> PageServer::listen(std::uint16_t port) {
  auto inside = std::make_unique<Inside>();
  tcp::acceptor& acceptor = inside->acceptor;
  try {
    acceptor.open(tcp::v4());
    acceptor.set_option(tcp::acceptor::reuse_address(true));
    acceptor.bind({asio::ip::address_v4::loopback(), port});
    acceptor.listen();
  } catch (const boost::system::system_error& failed) {
    return fail_option("port", fmt::format(" {} cannot be listened on: {}", port, failed.code().message()), {},
                       "without it any port that is free is taken");
  }
  return PageServer(std::move(inside));
}

std::uint16_t PageServer::port() const { return inside_->acceptor.local_endpoint().port(); }

void PageServer::serve(const std::function<PageReply(const PageRequest&)>& answer, const std::stop_token& stop) {
  Inside& inside = *inside_;
  inside.answer = answer;
  inside.accept();
  const std::stop_callback end(stop, [&inside] { inside.context.stop(); });
  std::vector<std::jthread> helpers;
  for (std::size_t i = 1; i < kThreads; ++i) helpers.emplace_back([&inside] { inside.context.run(); });
  inside.context.run();
}

}  // namespace fairstep::cli
