// The text of copies that leave out dead cells, which nothing reads or writes; it compiles.
//
// REQUIRES: clang-cuda
// RUN: rm -rf %t && mkdir %t && %colonnade emit %s -f factor --size n=24 --target cuda --plan team=4 -o %t/live -- %include
// RUN: FileCheck %s --check-prefixes=LIVE,COLUMNS < %t/live/factor.bulk.cu
// RUN: %source/test/Emit/Inputs/check-cuda %clangxx %source %t/live/factor.bulk.cu
// RUN: %colonnade emit %s -f sums --size n=12 --target cuda --plan team=4 -o %t/none -- %include
// RUN: FileCheck %s --check-prefix=NONE < %t/none/sums.bulk.cu
// RUN: %source/test/Emit/Inputs/check-cuda %clangxx %source %t/none/sums.bulk.cu
// RUN: %colonnade emit %s -f factor --size n=12 --target cuda -o %t/registers -- %include
// RUN: FileCheck %s --check-prefix=REGISTERS < %t/registers/factor.bulk.cu
// RUN: %colonnade emit %s -f factor --size n=7 --target cuda --plan team=4 -o %t/odd -- %include
// RUN: FileCheck %s --check-prefix=ODD < %t/odd/factor.bulk.cu
#include <colonnade/annotate.h>

#include <cmath>

// Of rows the sectors that have a cell of the lower triangle; of columns these cells.
// LIVE: #include <colonnade/bulk/stage_live.cuh>
// LIVE: __device__ const uint16_t row_wise_kernel_sectors[] = {
// LIVE-NEXT: 0u, 3u, 6u, 9u, 12u, 15u, 18u, 21u, 24u, 25u, 27u,
// LIVE: staged_live_rows<8, 4>(instance, count).from_memory(a_rows, a_memory, 576, 0, row_wise_kernel_sectors);
// LIVE: staged_live_rows<8, 4>(instance, count).to_memory(a_memory, a_rows, 576, 0, row_wise_kernel_sectors);
// COLUMNS: __constant__ const uint16_t column_wise_kernel_cells[] = {
// COLUMNS-NEXT: 0u, 24u, 25u, 48u, 49u, 50u, 72u,
// COLUMNS-NOT: uint16_t
// COLUMNS: staged_live_columns<Layout, 32, 4, 0, 4>(instance, count).from_memory(a_rows, a_memory, 576, 0, column_wise_kernel_cells);
// COLUMNS: staged_live_columns<Layout, 32, 4, 0, 4>(instance, count).to_memory(a_memory, a_rows, 576, 0, column_wise_kernel_cells);
// 78 cells of 144: one thread has them in registers. ptxas moves no load past the barrier.
// REGISTERS: a: 78 of 144 cells in registers, every subscript is known after unrolling
// REGISTERS: float a[144];
// REGISTERS-NEXT: a_global.load(a);
// REGISTERS-NEXT: if constexpr (Layout::kind == layout::tiled)
// REGISTERS-NEXT: __syncwarp(); // all loads before the first value is used
// REGISTERS: a_global.store(a, cell_range<0, 0>{});
// REGISTERS-NEXT: a_global.store(a, cell_range<12, 13>{});
// An instance of 49 cells ends within a sector: all cells of rows are copied.
// ODD: staged_rows<8, 49, 4>(instance, count).from_memory(
// ODD: staged_rows<8, 49, 4>(instance, count).to_memory(
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

// What is written in any case is not loaded, and the other half is not touched: no sector is written
// in part.
// NONE: row_wise_kernel_sectors[] = {
// NONE-NOT: from_memory(sum_rows
// NONE: staged_live_rows<8, 4>(instance, count).to_memory(sum_memory, sum_rows, 288, 0, row_wise_kernel_sectors);
void sums(const float *a COLONNADE_EXTENT(n *n), float *sum COLONNADE_EXTENT(2 * n * n), int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      sum[i * n + j] = a[i * n + j] + a[j * n + i];
}
