// Rows of a table that one thread does together, however the table is kept; and why not.
//
// RUN: %colonnade check %s -f copied --size n=128 --dump kernel -- %include | FileCheck %s --check-prefix=ALL
// RUN: %colonnade check %s -f in_turn --size n=128 --dump kernel -- %include | FileCheck %s --check-prefix=ALL
// RUN: %colonnade check %s -f by_columns --size n=60 --dump kernel -- %include | FileCheck %s --check-prefix=COLUMNS
// RUN: %colonnade check %s -f warped --size n=100 --dump kernel -- %include | FileCheck %s --check-prefix=FLOATS
// RUN: %colonnade check %s -f summed --size n=128 --dump kernel -- %include | FileCheck %s --check-prefix=NONE
// RUN: %colonnade check %s -f few --size n=16 --dump kernel -- %include | FileCheck %s --check-prefix=NONE
// RUN: %colonnade check %s -f copied --dump kernel -- %include | FileCheck %s --check-prefix=NONE
#include <colonnade/annotate.h>

// ALL: note "strips: 32 of 128 rows
// COLUMNS: note "strips: 30 of 60 rows
// FLOATS: note "strips: 8 of 100 rows
// NONE-NOT: note "strips

// A common subsequence, with two rows, one of which becomes the other.
int copied(const unsigned char *a COLONNADE_EXTENT(n),
                                                   const unsigned char *b COLONNADE_EXTENT(n),
                                                                                           int n) {
  int above[140], row[140];
  for (int j = 0; j <= n; j++)
    above[j] = 0;
  for (int i = 0; i < n; i++) {
    row[0] = 0;
    for (int j = 1; j <= n; j++) {
      row[j] = row[j - 1] > above[j] ? row[j - 1] : above[j];
      if (a[i] == b[j - 1])
        row[j] = above[j - 1] + 1;
    }
    for (int j = 0; j <= n; j++)
      above[j] = row[j];
  }
  return above[n];
}

int in_turn(const unsigned char *a COLONNADE_EXTENT(n),
                                                    const unsigned char *b COLONNADE_EXTENT(n),
                                                                                            int n) {
  int rows[2][140] = {};
  for (int i = 1; i <= n; i++)
    for (int j = 1; j <= n; j++)
      if (a[i - 1] == b[j - 1])
        rows[i & 1][j] = rows[(i - 1) & 1][j - 1] + 1;
      else
        rows[i & 1][j] =
            rows[i & 1][j - 1] > rows[(i - 1) & 1][j] ? rows[i & 1][j - 1] : rows[(i - 1) & 1][j];
  return rows[n & 1][n];
}

// The loops the other way round.
int by_columns(
    const unsigned char *a COLONNADE_EXTENT(n), const unsigned char *b COLONNADE_EXTENT(n), int n) {
  int length[61][61] = {};
  for (int j = 1; j <= n; j++)
    for (int i = 1; i <= n; i++)
      if (a[i - 1] == b[j - 1])
        length[i][j] = length[i - 1][j - 1] + 1;
      else
        length[i][j] = length[i - 1][j] > length[i][j - 1] ? length[i - 1][j] : length[i][j - 1];
  return length[n][n];
}

float warped(const float *x COLONNADE_EXTENT(n), const float *y COLONNADE_EXTENT(n), int n) {
  float row[140];
  row[0] = 0;
  for (int j = 1; j <= n; j++)
    row[j] = 1e30f;
  for (int i = 0; i < n; i++) {
    float diagonal = row[0];
    row[0] = 1e30f;
    for (int j = 1; j <= n; j++) {
      float nearest = diagonal < row[j] ? diagonal : row[j];
      nearest = row[j - 1] < nearest ? row[j - 1] : nearest;
      diagonal = row[j];
      row[j] = nearest + (x[i] < y[j - 1] ? y[j - 1] - x[i] : x[i] - y[j - 1]);
    }
  }
  return row[n];
}

// A sum of floats, in the order of the source.
float summed(const float *x COLONNADE_EXTENT(n), int n) {
  float row[140] = {}, sum = 0;
  for (int i = 0; i < n; i++)
    for (int j = 1; j <= n; j++) {
      row[j] = row[j] * x[i] + row[j - 1];
      sum += row[j];
    }
  return sum;
}

// Registers hold the row.
int few(const unsigned char *a COLONNADE_EXTENT(n), int n) {
  int row[17] = {};
  for (int i = 0; i < n; i++)
    for (int j = 1; j <= n; j++)
      row[j] = row[j] > row[j - 1] + a[i] ? row[j] : row[j - 1] + a[i];
  return row[n];
}
