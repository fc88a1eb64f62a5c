#include <cmath>

/// exp of what each lane has, and of what all share, which stays exact.
void growth(const float *rate, float years, float *result) {
  for (int i = 0; i < 4; i++)
    result[i] = std::exp(rate[i]) * std::exp(years);
}
