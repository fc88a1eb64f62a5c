// Two loops that data may leave, one token apart: if n is the largest unsigned
// value, the first one never ends by its counter.
#include <colonnade/annotate.h>

int some(const int *b COLONNADE_EXTENT(8), unsigned n) {
  for (unsigned i = 0; i <= n; i++)
    if (b[i & 7] < 0)
      return 1;
  return 0;
}

int always(const int *b COLONNADE_EXTENT(8), unsigned n) {
  for (unsigned i = 0; i < n; i++)
    if (b[i & 7] < 0)
      return 1;
  return 0;
}
