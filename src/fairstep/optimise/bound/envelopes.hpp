// Products in the master, w = a b, by McCormick's envelopes over the ranges of a and b: four rows each.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include <fairstep/optimise/bound/master.hpp>

namespace fairstep {

class Envelopes {
 public:
  /// The master must outlive them.
  explicit Envelopes(Master& master) : master_(master) {}

  struct Product {
    std::size_t a, b, w;
    std::size_t first_row;  ///< of four
    bool of_difference;     ///< b is a difference of two denominators
  };

  /// Returns w, a new variable.
  std::size_t add(std::size_t a, std::size_t b, bool of_difference = false);
  void require(std::size_t a, std::size_t b, std::size_t w, bool of_difference = false);
  /// After the range of a variable has changed.
  void rewrite(std::size_t variable);

  [[nodiscard]] const std::vector<Product>& products() const { return products_; }

  /// The product whose envelope gives most away in the last solution: for branching.
  struct Split {
    std::size_t product = 0;
    double at = 0;     ///< where the rate is
    double gain = 0;   ///< about what the envelope of this product adds to the bound
    double total = 0;  ///< and that of all products
  };
  [[nodiscard]] std::optional<Split> worst() const;

 private:
  void write(const Product& product);

  Master& master_;
  std::vector<Product> products_{};
};

}  // namespace fairstep
