// A value that is needed both before a loop that streams and behind it.
// RUN: %colonnade emit %s -f raised --plan streamed --target cuda -o %t -- %include
// RUN: FileCheck %s < %t/raised.bulk.cu
#include <colonnade/annotate.h>

// CHECK: row-wise a: strips of
// CHECK: row_wise_kernel
COLONNADE_BULK
void raised(const float s[2], float a[512], float *last) {
  const float first = s[0];
  float start = 0;
  if (s[1] > first)
    start = first * s[1];
  for (int i = 0; i < 512; i++)
    a[i] = start = start + a[i];
  *last = first + start;
}
