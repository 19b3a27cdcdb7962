#include <fairstep/report/internal/statistics.hpp>

#include <array>
#include <cmath>
#include <vector>

namespace fairstep::report {

double student_t(std::size_t freedom) {
  static constexpr std::array<double, 30> table{12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
                                                2.201,  2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086,
                                                2.080,  2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042};
  if (freedom <= table.size()) return table[freedom == 0 ? 0 : freedom - 1];
  // Cornish and Fisher's first correction of the normal quantile z: z + (z^3 + z) / (4 n), right to 0.001 from n = 30
  // on.
  constexpr double z = 1.959964;
  return z + (z * z * z + z) / (4 * static_cast<double>(freedom));
}

Band band_of(std::span<const double> values) {
  std::vector<double> known;
  for (const double value : values)
    if (!std::isnan(value)) known.push_back(value);
  Band band;
  band.count = known.size();
  if (known.empty()) return band;
  const auto n = static_cast<double>(known.size());
  double sum = 0;
  for (const double value : known) sum += value;
  band.mean = sum / n;
  if (known.size() < 2) return band;
  double squares = 0;
  for (const double value : known) squares += (value - band.mean) * (value - band.mean);
  const double half = student_t(known.size() - 1) * std::sqrt(squares / (n - 1) / n);
  band.low = band.mean - half;
  band.high = band.mean + half;
  return band;
}

}  // namespace fairstep::report
