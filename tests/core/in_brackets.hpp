#pragma once

#include <string>

#include <fmt/format.h>

#include <fairstep/core/mention.hpp>

namespace fairstep::testing {

/// A front end of which every mark can be told apart.
inline std::string in_brackets(const Mention& mention) {
  return fmt::format("<{}|{}|{}>", mention.name, mention.key, mention.value);
}

}  // namespace fairstep::testing
