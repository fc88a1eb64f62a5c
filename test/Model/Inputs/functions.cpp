#include <colonnade/annotate.h>

COLONNADE_BULK
void scaled(short *a COLONNADE_EXTENT(n), double *d COLONNADE_EXTENT(n),
            const int COLONNADE_UNIFORM *perm COLONNADE_EXTENT(n), int n) {
  static const float weights[4] = {1, 2, 3, 4};
  short window[4] = {};
  for (int i = 0; i < n; i++)
    window[i % 4] = a[perm[i]];
  for (int i = 0; i < n; i++)
    if (d[i] > 0)
      d[i] = window[i % 4] * weights[i % 4];
}

COLONNADE_BULK
void histogram(int *bins COLONNADE_EXTENT(256), const unsigned char *pixels COLONNADE_EXTENT(n),
               int n) {
  for (int i = 0; i < n; i++)
    bins[pixels[i]]++;
}
