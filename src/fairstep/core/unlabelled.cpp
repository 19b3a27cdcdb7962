#include <fairstep/core/unlabelled.hpp>

#include <fairstep/core/axes.hpp>
#include <fairstep/core/shared/add.hpp>
#include <fairstep/core/shared/checks.hpp>

namespace fairstep {

UnlabelledRows UnlabelledRows::zeros(const Shape& shape) {
  return {Tensor<std::int64_t, 2>(extents_of(kFeatureAxes, shape)),
          Tensor<std::int64_t, 4>(extents_of(kFeatureTransitionAxes, shape)), FeatureLost::none(shape)};
}

bool UnlabelledRows::add(const UnlabelledRows& other) {
  if (!lost || !other.lost)
    lost.reset();
  else if (!lost->add(*other.lost))
    return false;
  return internal::add_to(first, other.first) && internal::add_to(transitions, other.transitions);
}

Expected<void> check(const UnlabelledRows& rows, const Shape& shape, const std::vector<std::string>& groups) {
  const auto field = [&](const char* key) {
    internal::Field at("log/unlabelled_rows", key, groups);
    at.name = std::string("log.unlabelled_rows.") + key;
    return at;
  };
  if (auto ok = internal::check_tally(field("first"), rows.first, kFeatureAxes, shape); !ok) return ok;
  if (auto ok = internal::check_tally(field("transitions"), rows.transitions, kFeatureTransitionAxes, shape); !ok)
    return ok;
  return rows.lost ? check(*rows.lost, shape, groups) : Expected<void>{};
}

}  // namespace fairstep
