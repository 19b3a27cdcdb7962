#include <fairstep/explore/gate.hpp>

#include <set>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace fairstep {
namespace {

const std::string kToken = "0123456789abcdef0123456789abcdef";

PageRequest a_request() { return {"GET", "/" + kToken + "/about", {"127.0.0.1:8000"}, {}, false}; }
unsigned status_of(const PageRequest& request) { return Gate(kToken, 8000).refusal(request).status; }

TEST(Gate, LetsThePageIn) {
  const Gate gate(kToken, 8000);
  EXPECT_EQ(gate.address(), "http://127.0.0.1:8000/" + kToken + "/");
  EXPECT_EQ(gate.refusal(a_request()).status, 0U);
  EXPECT_EQ(gate.inside(a_request().target), "about");
  EXPECT_EQ(gate.inside("/" + kToken + "/"), "");
  PageRequest posted = a_request();
  posted.method = "POST";
  posted.origin = {"http://127.0.0.1:8000"};
  EXPECT_EQ(status_of(posted), 0U);
}

TEST(Gate, RefusesOtherHostsAndRequestsWithoutOne) {
  for (const char* host :
       {"localhost:8000", "127.0.0.1", "127.0.0.1:8001", "evil.example:8000", "127.0.0.1:8000.evil", ""}) {
    PageRequest request = a_request();
    request.hosts = {host};
    EXPECT_EQ(status_of(request), 421U) << host;
  }
  PageRequest request = a_request();
  request.hosts.clear();
  EXPECT_EQ(status_of(request), 421U);
  request.hosts = {"127.0.0.1:8000", "127.0.0.1:8000"};
  EXPECT_EQ(status_of(request), 421U);
}

TEST(Gate, RefusesBodiesOtherMethodsAndPagesFromElsewhere) {
  PageRequest request = a_request();
  request.has_body = true;
  EXPECT_EQ(status_of(request), 413U);
  for (const char* method : {"HEAD", "PUT", "DELETE", "OPTIONS", "TRACE", "get", ""}) {
    request = a_request();
    request.method = method;
    EXPECT_EQ(status_of(request), 405U) << method;
  }
  for (const char* origin : {"null", "https://evil.example", "https://127.0.0.1:8000", "http://127.0.0.1:80000"}) {
    request = a_request();
    request.origin = {origin};
    EXPECT_EQ(status_of(request), 403U) << origin;
  }
}

TEST(Gate, KnowsNobodyWithoutTheWholeToken) {
  for (const std::string& target :
       {std::string(), std::string("/"), std::string("//"), "/" + kToken, kToken + "/", "/" + kToken.substr(1) + "/",
        "/" + kToken + "0/", "/" + kToken.substr(0, 31) + "e/", "/" + std::string(32, '0') + "/about",
        "http://127.0.0.1:8000/" + kToken + "/", "/x/../" + kToken + "/"}) {
    PageRequest request = a_request();
    request.target = target;
    EXPECT_EQ(status_of(request), 404U) << target;
  }
}

TEST(Gate, LetsNoPageOfAnothersReadAnything) {
  std::string policy;
  for (const PageHeader& header : page_headers()) {
    EXPECT_FALSE(std::string_view(header.name).starts_with("Access-Control"));
    if (std::string_view(header.name) == "Content-Security-Policy") policy = header.value;
  }
  EXPECT_TRUE(policy.starts_with("default-src 'none'; "));
  for (const char* never : {"unsafe", "http:", "https:", "*"})
    EXPECT_EQ(policy.find(never), std::string::npos) << never;
}

TEST(Gate, HasATokenThatIsAnotherEveryTime) {
  std::set<std::string> tokens;
  for (int i = 0; i < 100; ++i) {
    const std::string token = random_token();
    ASSERT_EQ(token.size(), 32U);  // 128 bits
    EXPECT_EQ(token.find_first_not_of("0123456789abcdef"), std::string::npos);
    tokens.insert(token);
  }
  EXPECT_EQ(tokens.size(), 100U);  // two alike: one chance in 10^34
}

}  // namespace
}  // namespace fairstep
