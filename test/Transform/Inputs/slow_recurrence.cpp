#include <colonnade/annotate.h>

// Each cell needs the one before it: no other thread can share the work. Divisions take most of it.
COLONNADE_BULK
void slow_recurrence(float *b COLONNADE_EXTENT(n), int n) {
  for (int i = 1; i < n; i++) {
    float x = b[i];
    for (int round = 0; round < 64; round++)
      x = b[i - 1] / (x + 1.5f);
    b[i] = x;
  }
}
