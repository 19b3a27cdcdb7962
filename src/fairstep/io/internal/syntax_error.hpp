// What is wrong with text that is not JSON: the line, the column, what stands there and what would be right.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <fairstep/core/error.hpp>

namespace fairstep::internal {

/// What the parser knows when it gives up.
struct SyntaxTrouble {
  enum class Inside { nothing, array, object, object_after_key, finished };

  std::string_view text;  ///< the whole document
  std::size_t position;   ///< bytes read, the offending token included
  Inside inside;          ///< the innermost open container
  bool number_too_large;  ///< the token is a number beyond the range of double
  bool invalid_string;    ///< the token is text that is malformed itself
};

[[nodiscard]] Error explain(const SyntaxTrouble& trouble);

}  // namespace fairstep::internal
