#include <colonnade/annotate.h>

// Each cell needs the one before it: no other thread can share the work. Divisions take most of it.
// Cells are not gone through in order, so no strips of rows will do.
COLONNADE_BULK
void slow_recurrence(float *b COLONNADE_EXTENT(n), int n) {
  for (int i = 1; i < n; i++) {
    float x = b[i * 7 % n];
    for (int round = 0; round < 64; round++)
      x = b[(i - 1) * 7 % n] / (x + 1.5f);
    b[i * 7 % n] = x;
  }
}
