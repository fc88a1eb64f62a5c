#include "colonnade/annotations.h"
#include <cstdint>
int edit_distance(const uint8_t *a COLONNADE_EXTENT(n), const uint8_t *b COLONNADE_EXTENT(n), int n) {
  int row[129];
  for (int j = 0; j <= n; ++j) row[j] = j;
  for (int i = 1; i <= n; ++i) {
    int diag = row[0];
    row[0] = i;
    for (int j = 1; j <= n; ++j) {
      int up = row[j];
      int best = diag + (a[i - 1] != b[j - 1]);
      if (up + 1 < best) best = up + 1;
      if (row[j - 1] + 1 < best) best = row[j - 1] + 1;
      row[j] = best;
      diag = up;
    }
  }
  return row[n];
}
