#include <colonnade/annotate.h>

COLONNADE_BULK
void scaled(short *a COLONNADE_EXTENT(n),
    double *d COLONNADE_EXTENT(n), const int COLONNADE_UNIFORM *perm COLONNADE_EXTENT(n), int n) {
  static const float weights[4] = {1, 2, 3, 4};
  short window[4] = {};
  for (int i = 0; i < n; i++)
    window[i % 4] = a[perm[i]];
  for (int i = 0; i < n; i++)
    if (d[i] > 0)
      d[i] = window[i % 4] * weights[i % 4];
}

COLONNADE_BULK
void histogram(int *bins COLONNADE_EXTENT(256),
                                          const unsigned char *pixels COLONNADE_EXTENT(n), int n) {
  for (int i = 0; i < n; i++)
    bins[pixels[i]]++;
}

COLONNADE_BULK
void nest(float *a COLONNADE_EXTENT(n), int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++)
      for (int k = 0; k < j; k++)
        for (int l = 0; l < k; l++)
          a[i] += a[j] * a[k] + a[l];
}

COLONNADE_BULK
void sparse(const float *x COLONNADE_EXTENT(rows),
    float *y COLONNADE_EXTENT(rows), const int COLONNADE_UNIFORM *starts COLONNADE_EXTENT(rows + 1),
                                         const int COLONNADE_UNIFORM *columns COLONNADE_EXTENT(cells),
                                             const float *values COLONNADE_EXTENT(cells), int rows,
                                                                                  int cells) {
  for (int i = 0; i < rows; i++) {
    float sum = 0;
    for (int k = starts[i]; k < starts[i + 1]; k++)
      sum += values[k] * x[columns[k]];
    y[i] = sum;
  }
}

COLONNADE_BULK
void row_sums(float *y COLONNADE_EXTENT(rows),
    const int COLONNADE_UNIFORM *starts COLONNADE_EXTENT(rows + 1),
                                           const float *values COLONNADE_EXTENT(cells), int rows,
                                                                                int cells) {
  for (int i = 0; i < rows; i++) {
    float sum = 0;
    for (int k = starts[i]; k < starts[i + 1]; k++)
      sum += values[k];
    y[i] = sum;
  }
}

COLONNADE_BULK
void squares(int *a COLONNADE_EXTENT(m), int n, int m) {
  for (unsigned i = 0; i < n; i++) {
    a[i * i % m]++;
    for (unsigned j = i * i % 3; j < 2; j++)
      a[j]--;
  }
}

/// The next cell is a random number: neither linear nor periodic.
COLONNADE_BULK
void random_cells(int *a COLONNADE_EXTENT(512), unsigned n) {
  unsigned x = 1;
  for (unsigned i = 0; i < n; i++) {
    x = x * 1664525u + 1013904223u;
    a[x >> 23]++;
  }
}

/// A convolution that leaves out what is beyond the edges.
COLONNADE_BULK
void blurred(const float *a COLONNADE_EXTENT(n *n), float *b COLONNADE_EXTENT(n *n), int n) {
  for (int y = 0; y < n; y++)
    for (int x = 0; x < n; x++) {
      float sum = 0;
      for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
          if (y + dy >= 0 && y + dy < n && x + dx >= 0 && x + dx < n)
            sum += a[(y + dy) * n + x + dx];
      b[y * n + x] = sum;
    }
}

COLONNADE_BULK
void apart(float *a COLONNADE_EXTENT(n *n), int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        if (i != j && j != k)
          a[i * n + j] += a[i * n + k];
}

COLONNADE_BULK
void lowest_bits(float *a COLONNADE_EXTENT(n), int n) {
  for (int i = 1; i < n; i++)
    for (int j = 0; j < (i & -i); j++)
      a[i] += a[i - j];
}

/// A counter that falls and is unsigned; two that are compared; few accesses of many iterations.
COLONNADE_BULK
void falling(short *a COLONNADE_EXTENT(n + 1), unsigned n) {
  for (unsigned i = n; i > 0; i--)
    a[i] += 1;
}

COLONNADE_BULK
void below(int *a COLONNADE_EXTENT(8), int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if (j < i)
        a[3] += 1;
}

COLONNADE_BULK
void rare(int *a COLONNADE_EXTENT(8), int n) {
  for (int i = 0; i < n; i++)
    if (i == n / 2)
      a[3] += 1;
}

/// The end of the innermost loop is a choice.
COLONNADE_BULK
void to_the_least(float *a COLONNADE_EXTENT(n *n), int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < (i < j ? i : j); k++)
        a[i * n + j] -= a[i * n + k] * a[j * n + k];
}

COLONNADE_BULK
void chequered(float *a COLONNADE_EXTENT(n *n), int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++)
      if ((i + j) % 2 == 0)
        a[i * n + j] += a[j * n + i];
}

/// Conditions on remainders, side by side and of periods that are not made of each other.
COLONNADE_BULK
void inner_pixels(float *a COLONNADE_EXTENT(n + 1), int n) {
  for (int i = 0; i < n; i++) {
    int row = i / 1920, column = i % 1920;
    if (column > 0 && column < 1919)
      a[i] += a[row * 1920 + column - 1];
  }
}

COLONNADE_BULK
void several_periods(float *a COLONNADE_EXTENT(n), int n) {
  for (int i = 0; i < n; i++)
    if (i % 3 == 0) {
      if (i % 7 < 3)
        a[i] += 1;
    } else if (i & 64)
      a[i] += 2;
}

/// The same remainder by 1,009 and by 1,013.
COLONNADE_BULK
void long_period(float *a COLONNADE_EXTENT(n), int n) {
  for (int i = 0; i < n; i++)
    if (i % 1009 == i % 1013)
      a[i] += 1;
}

/// Masks whose ones do not lie side by side.
COLONNADE_BULK
void scattered_bits(float *a COLONNADE_EXTENT(n), int n) {
  for (int i = 0; i < n; i++)
    a[i ^ 85] += a[i & 21];
}

COLONNADE_BULK
void cube(float *a COLONNADE_EXTENT(n), long n) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      for (long k = 0; k < n; k++)
        a[i] += a[j] * a[k];
}

/// Of c the cells that are perhaps not stored to keep what they hold.
void kept(const float *b COLONNADE_EXTENT(n), float *c COLONNADE_EXTENT(n), int n) {
  for (int i = 0; i < n; i++)
    if (b[i] > 0)
      c[i] = b[i];
}

void copied(const float *b COLONNADE_EXTENT(n), float *c COLONNADE_EXTENT(n), int n) {
  for (int i = 0; i < n; i++)
    c[i] = b[i];
}

/// At the first i, all of the loops within are new.
void rising(float *a COLONNADE_EXTENT(n), int n) {
  for (int i = 0; i < n; i++)
    for (int j = i; j < n; j++)
      for (int k = j; k < n; k++)
        for (int l = k; l < n; l++)
          a[l] += a[i];
}

/// Loops between two counters.
COLONNADE_BULK
void between(float *a COLONNADE_EXTENT(n *n), int n) {
  for (int i = 0; i < n; i++)
    for (int j = i; j < n; j++)
      for (int k = i; k <= j; k++)
        for (int l = i; l < k; l++)
          a[i * n + j] += a[i * n + k] * a[k * n + l];
}

COLONNADE_BULK
void sieve(float *a COLONNADE_EXTENT(n + 1), int n) {
  for (int i = 1; i <= n; i++)
    for (int j = i; j <= n; j += i)
      a[j] += 1;
}

/// Ends that are compared with sums and products of the counter.
COLONNADE_BULK
void windows(float *a COLONNADE_EXTENT(n), int n, int width) {
  for (int i = 0; i + width <= n; i++)
    a[i] += a[i + width - 1];
  for (int i = 0; 2 * i + 1 < n; i++)
    a[i] += a[2 * i + 1];
}

/// Conditions on several counters, the loops in an order that suits none of them.
COLONNADE_BULK
void either(float *a COLONNADE_EXTENT(n *n), int n) {
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      for (int k = 0; k < n; k++)
        if (k > j || k < i)
          a[i * n + k] += a[k * n + j];
}

COLONNADE_BULK
void thirds(float *a COLONNADE_EXTENT(n *n), int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        if ((i + j + k) % 3 == 0)
          a[i * n + k] += a[k * n + j];
}

COLONNADE_BULK
void triangles(float *a COLONNADE_EXTENT(n *n), unsigned n) {
  for (unsigned k = 0; k < n; k++)
    for (unsigned i = 0; i < n; i++)
      for (unsigned j = 0; j < n; j++) {
        if (k >= i + j)
          continue;
        a[i * n + k] += a[k * n + j];
      }
}

COLONNADE_BULK
void butterflies(float *a COLONNADE_EXTENT(n), int n) {
  for (int i = 0; i < 1000; i++)
    for (int j = 0; j < n; j++) {
      const int other = j ^ i;
      if (other > j && other < n) {
        const float t = a[j];
        a[j] = a[other];
        a[other] = t;
      }
    }
}

/// In neither counter is a part of the iterations linear.
COLONNADE_BULK
void quarter_circle(float *a COLONNADE_EXTENT(n), int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if (i * i + j * j < n)
        a[i] += a[j];
}
