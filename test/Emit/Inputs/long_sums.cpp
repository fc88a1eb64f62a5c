// Sums over long rows, in loops that data ends, that data chooses, and that a size chooses.
#include <colonnade/annotate.h>

void until_end(float *b COLONNADE_EXTENT(n), int n) {
  for (int i = 1; i < n; i++) {
    if (b[i] == 0.0f)
      break;
    b[i] += b[i - 1];
  }
}

void under_sign(float *b COLONNADE_EXTENT(n), int n) {
  if (b[0] > 0.0f)
    for (int i = 1; i < n; i++)
      b[i] += b[i - 1];
}

void under_size(float *b COLONNADE_EXTENT(n), int n, int m) {
  if (m > 0)
    for (int i = 1; i < n; i++)
      b[i] += b[i - 1];
}
