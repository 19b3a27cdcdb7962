// A policy as a table: who is accepted, group by step by feature, with what is alike shown once.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <fairstep/core/model.hpp>
#include <fairstep/core/policy.hpp>
#include <fairstep/page/page.hpp>

namespace fairstep::cli {

/// The largest table there is room for.
struct TableRoom {
  std::size_t rows = 24;
  std::size_t columns = 12;
};
inline constexpr TableRoom kScreen{};
inline constexpr TableRoom kPaper{.rows = 1000, .columns = 100};

/// `[first, last]`
struct Stretch {
  std::size_t first = 0;
  std::size_t last = 0;

  /// `3` or `3-7`
  [[nodiscard]] std::string in_steps() const;
};

/// The groups that a policy treats alike at all steps, and the steps at which it decides alike.
struct AlikeGroups {
  std::vector<std::size_t> groups{};
  std::vector<Stretch> steps{};
};
[[nodiscard]] std::vector<AlikeGroups> alike_groups(const Policy& policy);

/// Names for a policy that is looked at without its model: those of its groups that it has, and `x=3`.
[[nodiscard]] Names names_of(const Policy& policy);

/// Tables of what is accepted, whether acceptance falls, and lines by feature for where there are pictures.
void add_policy(page::Page& page, const Policy& policy, const Names& names, TableRoom room);

}  // namespace fairstep::cli
