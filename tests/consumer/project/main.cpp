// How a program uses the library: a ready-made population, a policy, and what the policy does.
#include <cstdio>

#include <fairstep/core/simple_policies.hpp>
#include <fairstep/environments/environments.hpp>
#include <fairstep/evaluate/evaluate.hpp>

int main() {
  const auto model = fairstep::make_fico();
  const auto policy = model.and_then([](const auto& m) { return fairstep::uniform_policy(m, 0.5); });
  const auto result = policy.and_then([&](const auto& p) { return fairstep::evaluate(*model, p); });
  if (!result) return std::fprintf(stderr, "%s\n", result.error().message.c_str()), 1;
  std::printf("value %.4f, widest demographic-parity gap at the first step %.4f\n", result->value,
              result->gap.dp[0].gap);
}
