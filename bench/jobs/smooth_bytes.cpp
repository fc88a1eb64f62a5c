//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// smooth_bytes.cpp: the mean of each cell and its neighbours, of rows of bytes.
//
//===----------------------------------------------------------------------===//
#include <colonnade/annotate.h>

#include <cstdint>

COLONNADE_BULK
void smooth_bytes(const uint8_t *in COLONNADE_EXTENT(n), uint8_t *out COLONNADE_EXTENT(n), int n) {
  out[0] = in[0];
  for (int i = 1; i < n - 1; ++i)
    out[i] = static_cast<uint8_t>((in[i - 1] + in[i] + in[i + 1]) / 3);
  out[n - 1] = in[n - 1];
}
