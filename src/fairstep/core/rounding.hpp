// A bound that is shown with fewer digits must still hold: upper bounds are rounded up, lower bounds down.
//
// All of it is exact. The decimal that is returned, read as a number without any rounding, is never on the wrong side
// of the double: 0.1 is a little more than a tenth, so that it rounds up to 0.11 with two digits, and 0.25 stays 0.25.
#pragma once

#include <string>

namespace fairstep {

/// `0.0269` for 0.026826: with so many digits after the point, and never below the number. Never `-0`.
/// What is not finite is `inf`, `-inf` or `nan`.
[[nodiscard]] std::string round_up_text(double number, int decimals);
/// `0.0268`: never above the number.
[[nodiscard]] std::string round_down_text(double number, int decimals);

/// With so many significant digits and no zeros at the end, as `%g` has it: `1.3e-07`, `0.554`, `1.24e+06`.
[[nodiscard]] std::string round_up_short(double number, int significant);
[[nodiscard]] std::string round_down_short(double number, int significant);

/// A share in hundredths, without a sign for them: `2.69` for 0.026826 with two digits after the point.
[[nodiscard]] std::string round_up_percent(double share, int decimals);

/// A bound beside the limit that it is compared with, which is shown as it was given: as many digits as it takes, from
/// `decimals` on, for the two to be seen on their right sides. A bound that equals the limit is written like it.
[[nodiscard]] std::string round_up_beside(double bound, double limit, int decimals);
[[nodiscard]] std::string round_down_beside(double bound, double limit, int decimals);

/// The probability that is left when `delta` may fail, from the digits that delta has: `0.93` for 0.07, and
/// `1 - 1e-17` where writing it out would hide that it is less than 1.
[[nodiscard]] std::string one_minus_text(double delta);

}  // namespace fairstep
