//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// distances.cpp: the edit distance of two strings of n bytes, two rows of its table at a time,
// and the length of their longest common subsequence, with the whole table.
//
//===----------------------------------------------------------------------===//
#include <colonnade/annotate.h>

#include <cstdint>

static int least(int a, int b) { return a < b ? a : b; }

COLONNADE_BULK
int edit_distance(const uint8_t a[128], const uint8_t b[128]) {
  int row[129];
  for (int j = 0; j <= 128; ++j)
    row[j] = j;
  for (int i = 1; i <= 128; ++i) {
    int diagonal = row[0];
    row[0] = i;
    for (int j = 1; j <= 128; ++j) {
      const int changed = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = row[j];
      row[j] = least(changed, least(row[j], row[j - 1]) + 1);
    }
  }
  return row[128];
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
