//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Batcher's bitonic sort of n keys, n a power of two. Which keys are compared
// depends on n alone; whether they change places depends on data. Class P.
//
//===----------------------------------------------------------------------===//
#include <colonnade/annotate.h>

#include <utility>

COLONNADE_BULK
void bitonic_sort(float *keys COLONNADE_EXTENT(n), int n) {
  for (int run = 2; run <= n; run *= 2) {
    for (int distance = run / 2; distance > 0; distance /= 2) {
      for (int i = 0; i < n; i++) {
        int partner = i ^ distance;
        if (partner < i)
          continue;
        bool ascending = (i & run) == 0;
        if (ascending ? keys[partner] < keys[i] : keys[i] < keys[partner])
          std::swap(keys[i], keys[partner]);
      }
    }
  }
}
