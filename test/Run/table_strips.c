// subset: Statements: tables whose rows need the row above them, with a row or two in memory
// languages: c c++
// class: P
// arrays: a u8 37; b u8 150; x f32 23; rows u8 150; results s32 3; distance f32 1
// call: table_strips(a, b, x, rows, results, distance)
// RUN: %run-construct
//
// On a GPU, a thread does several rows together, in each layout; what they hand on is in registers.
#include <colonnade/annotate.h>

#include <stdint.h>

static int least(int p, int q) { return p < q ? p : q; }
static int greatest(int p, int q) { return p > q ? p : q; }

COLONNADE_BULK
void table_strips(const uint8_t a[37], const uint8_t b[150], const float x[23], uint8_t rows[150],
                  int32_t results[3], float *distance) {
  int row[151], gap[151], pairs[6][151];
  float path[151];
  /* An edit distance. */
  for (int j = 0; j <= 150; j++)
    row[j] = j;
  for (int i = 1; i <= 37; i++) {
    int diagonal = row[0];
    row[0] = i;
    for (int j = 1; j <= 150; j++) {
      const int changed = diagonal + ((a[i - 1] & 3) != (b[j - 1] & 3));
      diagonal = row[j];
      row[j] = least(changed, least(row[j], row[j - 1]) + 1);
    }
  }
  results[0] = row[150];
  /* A local alignment with affine gaps. */
  int best = 0;
  for (int j = 0; j <= 150; j++) {
    row[j] = 0;
    gap[j] = -99;
  }
  for (int i = 0; i < 37; i++) {
    int diagonal = 0, left = 0, gap_left = -99;
    for (int j = 1; j <= 150; j++) {
      gap[j] = greatest(gap[j] - 1, row[j] - 3);
      gap_left = greatest(gap_left - 1, left - 3);
      left = diagonal + ((a[i] & 3) == (b[j - 1] & 3) ? 2 : -1);
      left = greatest(greatest(left, 0), greatest(gap[j], gap_left));
      diagonal = row[j];
      row[j] = left;
      best = greatest(best, left);
    }
  }
  results[1] = best;
  /* A common subsequence, with the whole table. */
  for (int j = 0; j <= 150; j++)
    pairs[0][j] = 0;
  for (int i = 1; i < 6; i++) {
    pairs[i][0] = 0;
    for (int j = 1; j <= 150; j++)
      if ((a[i] & 7) == (b[j - 1] & 7))
        pairs[i][j] = pairs[i - 1][j - 1] + 1;
      else
        pairs[i][j] = greatest(pairs[i - 1][j], pairs[i][j - 1]);
  }
  results[2] = pairs[5][150];
  /* Two signals, one of which runs faster here and slower there. */
  path[0] = 0.0f;
  for (int j = 1; j <= 150; j++)
    path[j] = 1e30f;
  for (int i = 0; i < 23; i++) {
    float diagonal = path[0];
    path[0] = 1e30f;
    for (int j = 1; j <= 150; j++) {
      const float apart = x[i] < b[j - 1] ? b[j - 1] - x[i] : x[i] - b[j - 1];
      float nearest = diagonal;
      if (path[j] < nearest)
        nearest = path[j];
      if (path[j - 1] < nearest)
        nearest = path[j - 1];
      diagonal = path[j];
      path[j] = nearest + apart;
    }
  }
  *distance = path[150];
  /* Cells of the caller, under a condition. */
  for (int i = 0; i < 37; i++)
    for (int j = 1; j < 150; j++)
      if (rows[j - 1] < a[i])
        rows[j] = (uint8_t)(rows[j] ^ (rows[j - 1] + i));
}
