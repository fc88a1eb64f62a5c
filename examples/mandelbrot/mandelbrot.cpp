//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The escape time of one point of the plane under z -> z*z + c, the picture of
// Mandelbrot's set when every pixel is an instance. Class P: the loop has a
// data-dependent exit, and a uniform bound on its iterations.
//
//===----------------------------------------------------------------------===//
#include <colonnade/annotate.h>

COLONNADE_BULK
int escape_time(COLONNADE_INSTANCE double re, COLONNADE_INSTANCE double im, int limit) {
  double x = 0;
  double y = 0;
  for (int iteration = 0; iteration < limit; iteration++) {
    double xx = x * x;
    double yy = y * y;
    if (xx + yy > 4)
      return iteration;
    y = 2 * x * y + im;
    x = xx - yy + re;
  }
  return limit;
}
