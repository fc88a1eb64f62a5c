// The text of kernels of teams that lie in grids; it compiles.
//
// REQUIRES: clang-cuda
// RUN: rm -rf %t && mkdir %t && %colonnade emit %s -f multiply --size n=32 --target cuda -o %t/product -- %include
// RUN: FileCheck %s --check-prefix=PRODUCT < %t/product/multiply.bulk.cu
// RUN: %source/test/Emit/Inputs/check-cuda %clangxx %source %t/product/multiply.bulk.cu
// RUN: %colonnade emit %s -f factor --size n=32 --target cuda -o %t/rows -- %include
// RUN: FileCheck %s --check-prefix=ROWS < %t/rows/factor.bulk.cu
// RUN: %source/test/Emit/Inputs/check-cuda %clangxx %source %t/rows/factor.bulk.cu
// RUN: %colonnade emit %s -f mirror --size n=12 --plan team=2x4 --target cuda -o %t/cells -- %include
// RUN: FileCheck %s --check-prefix=CELLS < %t/cells/mirror.bulk.cu
// RUN: %source/test/Emit/Inputs/check-cuda %clangxx %source %t/cells/mirror.bulk.cu
// RUN: %colonnade emit %s -f shorten --size n=64 --plan team=1x32 --target cuda -o %t/all -- %include
// RUN: FileCheck %s --check-prefix=ALL < %t/all/shorten.bulk.cu
// RUN: %source/test/Emit/Inputs/check-cuda %clangxx %source %t/all/shorten.bulk.cu
//
// What is not legal is not replaced, and says why.
// RUN: not %colonnade emit %s -f multiply --size n=32 --plan team=1x32 --target cuda -o %t/none -- %include 2> %t/none.txt
// RUN: FileCheck %s --check-prefix=NONE < %t/none.txt
#include <colonnade/annotate.h>

#include <cmath>

// Each thread has 8 x 4 cells: for each k it loads 8 cells of a and 4 of b. Nothing is loaded from c.
// PRODUCT: //   row-wise instances: a team of 4 x 8 threads each; its arrays are rows in shared memory
// PRODUCT-NEXT: //   c: stored to where the caller has it
// PRODUCT: float [[SUMS:kept_[0-9]+]][32] = {};
// PRODUCT: float [[B:kept_[0-9]+]][4] = {};
// PRODUCT: float [[A:kept_[0-9]+]][8] = {};
// PRODUCT: #pragma unroll 4
// PRODUCT-NEXT: for (int32_t k = 0; k < 32; ++k)
// PRODUCT: [[B]][v{{.*}}] = b_rows
// PRODUCT: [[A]][u{{.*}}] = a_rows
// PRODUCT: __fadd_rn([[SUMS]]{{.*}}__fmul_rn([[A]]{{.*}}[[B]]
// PRODUCT: c[{{.*}}] = [[SUMS]]
// PRODUCT-NOT: c_rows
//
// Instances in columns have teams, too. A block copies the columns of its eight instances: a sector of each. There
// members' cells fill no sectors, so c has rows.
// PRODUCT: template <class Layout>
// PRODUCT-NEXT: __global__ void __launch_bounds__(256)
// PRODUCT-NEXT: column_wise_kernel(
// PRODUCT: float(*const c_rows)[1028] = reinterpret_cast<float(*)[1028]>(shared_memory + 65792);
// PRODUCT: staged_columns<Layout, 8, 1024, 32>(instance, count).from_memory(a_rows, a_memory, 1024, 0);
// PRODUCT-NEXT: staged_columns<Layout, 8, 1024, 32>(instance, count).from_memory(b_rows, b_memory, 1024, 0);
// PRODUCT-NEXT: wait_for_stages();
// PRODUCT-NEXT: __syncthreads();
// PRODUCT-NEXT: if (instance < count) {
// PRODUCT: __syncthreads();
// PRODUCT-NEXT: staged_columns<Layout, 8, 1024, 32>(instance, count).to_memory(c_memory, c_rows, 1024, 0);
// PRODUCT: if constexpr (Layout::kind == layout::row_wise) {
// PRODUCT: if constexpr (Layout::kind != layout::row_wise) {
// PRODUCT: allow_shared_memory(column_wise_kernel<Layout>, 98688, is_allowed)
// PRODUCT: bulk_kernel<Layout><<<
// NONE: no plan 'team=1x32' for the rows of 'multiply': a member has all rows of a nest with a loop
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

// Rows of the factor that one thread computes are in its registers; row j, which is another's, is not.
// ROWS: //   row-wise instances: a team of 8 x 1 threads each; its arrays are rows in shared memory
// ROWS-NEXT: //   a: each thread has its own cells in registers, too
// ROWS: float a_own[124] = {};
// ROWS: for (int64_t i = 0; i < 7; ++i) {
// ROWS-NEXT: a_own[int64_t{0} * 31 + i] = a_rows
// ROWS: for (int64_t i_{{[0-9]+}} = 0; i_{{[0-9]+}} < 31; ++i_{{[0-9]+}}) {
// ROWS-NEXT: a_own[int64_t{3} * 31 + {{.*}}] = a_rows
// ROWS: __syncwarp(with_instance);
// ROWS: __fsub_rn({{.*}}__fmul_rn(a_own[{{.*}}k{{.*}}],
void factor(float *a COLONNADE_EXTENT(n *n), int n) {
  for (int j = 0; j < n; j++) {
    float diagonal = a[j * n + j];
    for (int k = 0; k < j; k++)
      diagonal -= a[j * n + k] * a[j * n + k];
    diagonal = std::sqrt(diagonal);
    a[j * n + j] = diagonal;
    for (int i = j + 1; i < n; i++) {
      float sum = a[i * n + j];
      for (int k = 0; k < j; k++)
        sum -= a[i * n + k] * a[j * n + k];
      a[i * n + j] = sum / diagonal;
    }
  }
}

// Stores go to the thread's registers and to shared memory, where others load them.
// CELLS: //   row-wise instances: a team of 2 x 4 threads each; its arrays are rows in shared memory
// CELLS-NEXT: //   d: each thread has its own cells in registers, too
// CELLS: float d_own[18] = {};
// CELLS: = __fmul_rn(d_own[
// CELLS: d_rows[{{.*}}] =
// CELLS-NEXT: d_own[{{.*}}] =
void mirror(float *d COLONNADE_EXTENT(n *n), float *sums COLONNADE_EXTENT(n *n), int n) {
  for (int k = 0; k < n; k++) {
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        d[i * n + j] = d[i * n + j] * 0.5f;
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        sums[i * n + j] = d[j * n + i];
  }
}

// A thread has all rows, four at a time of each of two columns, and loads all of their cells first.
// ALL: //   row-wise instances: a team of 1 x 32 threads each; its arrays are rows in shared memory
// ALL: i += 4) {
// ALL: for (int32_t u = 0; u < 4; ++u)
void shorten(float *d COLONNADE_EXTENT(n *n), int n) {
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        if (d[i * n + k] + d[k * n + j] < d[i * n + j])
          d[i * n + j] = d[i * n + k] + d[k * n + j];
}
