#include <fairstep/monitor/certified.hpp>

#include <algorithm>
#include <limits>
#include <string>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include <fairstep/core/fairness.hpp>
#include <fairstep/core/shape.hpp>
#include <fairstep/io/files.hpp>
#include <fairstep/io/shared/parse.hpp>

namespace fairstep {
namespace {

using internal::Json;

template <class T>
Expected<T> input_of(const Json& certificate, const char* name) {
  auto document = parse_document(certificate.at("inputs").at(name).at("text").get_ref<const std::string&>(), name);
  if (!document) return tl::unexpected(document.error());
  if (auto* wanted = std::get_if<T>(&*document)) return std::move(*wanted);
  return fail("another document is in its place", std::string("/inputs/") + name);
}

/// Of notions that compare the same rate the narrower bound counts.
Expected<Tensor<double, 3>> gaps_of(Rate rate, const Json& certificate, const std::vector<std::string>& groups,
                                    std::size_t steps) {
  Tensor<double, 3> gaps({groups.size(), groups.size(), steps}, std::numeric_limits<double>::infinity());
  const auto number_of = [&](const Json& name) {
    return static_cast<std::size_t>(std::find(groups.begin(), groups.end(), name.get<std::string>()) - groups.begin());
  };
  for (const Json& pair : certificate.at("pairs")) {
    const std::size_t i = number_of(pair.at("groups").at(0));
    const std::size_t j = number_of(pair.at("groups").at(1));
    if (i == groups.size() || j == groups.size()) return fail("it compares a group that it does not have", "/pairs");
    for (const Notion notion : all_of<Notion>()) {
      const std::vector<Rate> compared = rates_of(notion);
      if (!pair.contains(name_of(notion)) || std::find(compared.begin(), compared.end(), rate) == compared.end())
        continue;
      for (std::size_t h = 0; h < steps; ++h) {
        const double bound = pair.at(name_of(notion)).at(h).get<double>();
        gaps(i, j, h) = gaps(j, i, h) = std::min(gaps(i, j, h), bound);
      }
    }
  }
  return gaps;
}

Tensor<Range, 2> range_of(const Json& rate, std::size_t groups, std::size_t steps) {
  Tensor<Range, 2> range({groups, steps});
  for (std::size_t g = 0; g < groups; ++g)
    for (std::size_t h = 0; h < steps; ++h)
      range(g, h) = {rate.at("low").at(g).at(h).get<double>(), rate.at("high").at(g).at(h).get<double>()};
  return range;
}

/// It may be for any groups, but if it names them, then these.
Expected<void> check_policy(const Policy& policy, const Shape& n, const std::vector<std::string>& groups) {
  const char* const at = "/inputs/policy";
  if (policy.horizon() != n.horizon || policy.features() != n.features)
    return fail(fmt::format("the policy has {} steps and {} features, and the counts have {} and {}", policy.horizon(),
                            policy.features(), n.horizon, n.features),
                at);
  if (policy.group_independent()) return {};
  if (policy.groups() != n.groups)
    return fail(fmt::format("the policy has {} groups, and the counts have {}", policy.groups(), n.groups), at);
  const std::vector<std::string>& names = policy.group_names();
  if (!names.empty() && !std::is_permutation(names.begin(), names.end(), groups.begin(), groups.end()))
    return fail("the policy has other groups than the counts", at);
  return {};
}

}  // namespace

Expected<Certified> read_certified(std::string_view text) {
  const auto certificate = internal::parse_json(text);
  if (!certificate) return tl::unexpected(certificate.error());
  try {
    auto counts = input_of<Counts>(*certificate, "counts");
    if (!counts) return tl::unexpected(counts.error());
    auto policy = input_of<Policy>(*certificate, "policy");
    if (!policy) return tl::unexpected(policy.error());
    Certified certified{std::move(*counts), std::move(*policy), {}, {}};
    const Shape n = certified.counts.shape();
    const std::vector<std::string>& groups = certified.counts.names().groups;
    if (auto ok = check_policy(certified.policy, n, groups); !ok) return tl::unexpected(ok.error());
    for (const Rate rate : all_of<Rate>()) {
      if (!certificate->at("rates").contains(name_of(rate))) continue;
      auto gaps = gaps_of(rate, *certificate, groups, n.horizon);
      if (!gaps) return tl::unexpected(gaps.error());
      certified.gaps.emplace_back(rate, std::move(*gaps));
      certified.rates.emplace_back(rate, range_of(certificate->at("rates").at(name_of(rate)), n.groups, n.horizon));
    }
    return certified;
  } catch (const Json::exception&) {
    return fail("it is not of the form that a certificate has", "", verb("check") + " says what is wrong with it");
  }
}

}  // namespace fairstep
