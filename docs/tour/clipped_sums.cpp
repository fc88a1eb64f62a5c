// The function of docs/tour.md: prefix sums that are not allowed above a limit.
#include <colonnade/annotate.h>

COLONNADE_BULK
int clipped_sums(float *b COLONNADE_EXTENT(n), int n, float limit) {
  int clipped = 0;
  for (int i = 1; i < n; i++) {
    b[i] += b[i - 1];
    if (b[i] > limit) {
      b[i] = limit;
      clipped++;
    }
  }
  return clipped;
}
