// The text of kernels of teams; it compiles.
//
// REQUIRES: clang-cuda
// RUN: rm -rf %t && mkdir %t && %colonnade emit %s -f multiply --size n=16 --target cuda --plan team=16 -o %t/product -- %include
// RUN: FileCheck %s --check-prefix=PRODUCT < %t/product/multiply.bulk.cu
// RUN: %source/test/Emit/Inputs/check-cuda %clangxx %source %t/product/multiply.bulk.cu
// RUN: %colonnade emit %s -f eliminate --size n=24 --target cuda --plan team=8 -o %t/barriers -- %include
// RUN: FileCheck %s --check-prefix=BARRIERS < %t/barriers/eliminate.bulk.cu
// RUN: %source/test/Emit/Inputs/check-cuda %clangxx %source %t/barriers/eliminate.bulk.cu
// RUN: %colonnade emit %s -f blur --size n=300 --target cuda -o %t/bytes -- %include
// RUN: FileCheck %s --check-prefix=BYTES < %t/bytes/blur.bulk.cu
#include <colonnade/annotate.h>

#include <cstdint>

// Sixteen threads an instance, eight instances a block. What is wholly written is not read before.
// PRODUCT: //   row-wise instances: a team of 16 threads each; its arrays are rows in shared memory
// PRODUCT: __global__ void __launch_bounds__(128, 8)
// PRODUCT-NEXT: row_wise_kernel(
// PRODUCT: const uint64_t instance = thread / 16;
// PRODUCT-NOT: __ballot_sync
// PRODUCT: alignas(16) __shared__ float a_rows_of_warps[4][2][272];
// PRODUCT: staged_rows<2, 256, 16>(instance, count).from_memory(a_rows, a_memory, 256, 0);
// PRODUCT-NEXT: staged_rows<2, 256, 16>(instance, count).from_memory(b_rows, b_memory, 256, 0);
// PRODUCT-NEXT: wait_for_stages();
// PRODUCT-NEXT: __syncwarp();
// PRODUCT-NEXT: if (instance < count) {
// PRODUCT: staged_rows<2, 256, 16>(instance, count).to_memory(c_memory, c_rows, 256, 0);
// PRODUCT: const uint64_t blocks = blocks_for(arguments.count, 8);
void multiply(const float *a COLONNADE_EXTENT(n *n), const float *b COLONNADE_EXTENT(n *n),
              float *c COLONNADE_EXTENT(n *n), int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      float sum = 0;
      for (int k = 0; k < n; k++)
        sum += a[i * n + k] * b[k * n + j];
      c[i * n + j] = sum;
    }
}

// A step needs the rows that others' threads have stored; rows are skewed, as threads walk along
// columns.
// BARRIERS: const unsigned with_instance = __ballot_sync(~0u, instance < count);
// BARRIERS: __syncwarp(with_instance);
// BARRIERS: a_rows[{{.*}}][skewed<32>(
void eliminate(float *a COLONNADE_EXTENT(n *n), int n) {
  for (int k = 0; k < n; k++)
    for (int i = k + 1; i < n; i++) {
      float factor = a[i * n + k] / a[k * n + k];
      for (int j = k; j < n; j++)
        a[i * n + j] -= factor * a[k * n + j];
    }
}

// Rows of bytes are copied word by word, which is counted so: a team takes less time.
// BYTES: //   row-wise instances: a team of
void blur(const uint8_t *in COLONNADE_EXTENT(n), uint8_t *out COLONNADE_EXTENT(n), int n) {
  for (int i = 1; i < n - 1; ++i)
    out[i] = static_cast<uint8_t>((in[i - 1] + 2 * in[i] + in[i + 1]) / 4);
}
