//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// alignments.cpp: the edit distance of two strings of n bytes, with one row of its table, and the
// best score of a local alignment with affine gaps (Smith, Waterman and Gotoh), with two.
//
//===----------------------------------------------------------------------===//
#include <colonnade/annotate.h>

#include <cstdint>

static int least(int a, int b) { return a < b ? a : b; }
static int greatest(int a, int b) { return a > b ? a : b; }

COLONNADE_BULK
int edit_distance(const uint8_t *a COLONNADE_EXTENT(n), const uint8_t *b COLONNADE_EXTENT(n),
                                                                                          int n) {
  int row[257];
  for (int j = 0; j <= n; ++j)
    row[j] = j;
  for (int i = 1; i <= n; ++i) {
    int diagonal = row[0];
    row[0] = i;
    for (int j = 1; j <= n; ++j) {
      const int changed = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = row[j];
      row[j] = least(changed, least(row[j], row[j - 1]) + 1);
    }
  }
  return row[n];
}

COLONNADE_BULK
int local_score(const uint8_t *a COLONNADE_EXTENT(n), const uint8_t *b COLONNADE_EXTENT(n), int n) {
  const int match = 2, mismatch = -1, opened = -3, longer = -1, none = -1000;
  int score[257], gap[257];
  for (int j = 0; j <= n; ++j) {
    score[j] = 0;
    gap[j] = none;
  }
  int best = 0;
  for (int i = 1; i <= n; ++i) {
    int diagonal = 0, left = 0, gap_left = none;
    for (int j = 1; j <= n; ++j) {
      gap[j] = greatest(gap[j] + longer, score[j] + opened);
      gap_left = greatest(gap_left + longer, left + opened);
      const int paired = diagonal + ((a[i - 1] & 3) == (b[j - 1] & 3) ? match : mismatch);
      left = greatest(greatest(paired, 0), greatest(gap[j], gap_left));
      diagonal = score[j];
      score[j] = left;
      best = greatest(best, left);
    }
  }
  return best;
}

COLONNADE_BULK
int common_subsequence(const uint8_t a[64], const uint8_t b[64]) {
  int length[65][65];
  for (int i = 0; i <= 64; ++i)
    length[i][0] = length[0][i] = 0;
  for (int i = 1; i <= 64; ++i)
    for (int j = 1; j <= 64; ++j)
      if (a[i - 1] == b[j - 1])
        length[i][j] = length[i - 1][j - 1] + 1;
      else
        length[i][j] = length[i - 1][j] > length[i][j - 1] ? length[i - 1][j] : length[i][j - 1];
  return length[64][64];
}
