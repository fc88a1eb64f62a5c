#include <cmath>

/// How long a quantity takes to double, and what it is by then.
void growth(const double *rate, double *result) {
  result[0] = std::log(2.0) / rate[0];
  result[1] = std::exp(rate[0] * result[0]);
}
