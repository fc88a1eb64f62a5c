//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Prefix sums in place: b[i] becomes b[0] + ... + b[i]. The first algorithm of
// "Bulk Execution of Oblivious Algorithms on the UMM", section III. Class A.
//
//===----------------------------------------------------------------------===//
#include <colonnade/annotate.h>

COLONNADE_BULK
void prefix_sums(float *b COLONNADE_EXTENT(n), int n) {
  for (int i = 1; i < n; i++)
    b[i] += b[i - 1];
}
