// The text of kernels for row-wise instances; it compiles.
//
// REQUIRES: clang-cuda
// RUN: rm -rf %t && mkdir %t && %colonnade emit %s -f prefix --size n=40 --target cuda -o %t/strips -- %include
// RUN: FileCheck %s --check-prefix=STRIPS < %t/strips/prefix.bulk.cu
// RUN: %source/test/Emit/Inputs/check-cuda %clangxx %source %t/strips/prefix.bulk.cu
// RUN: %colonnade emit %s -f smooth --size n=300 --target cuda -o %t/whole -- %include
// RUN: FileCheck %s --check-prefix=WHOLE < %t/whole/smooth.bulk.cu
// RUN: %source/test/Emit/Inputs/check-cuda %clangxx %source %t/whole/smooth.bulk.cu
// RUN: %colonnade emit %s -f prefix --size n=400 --target cuda -o %t/large -- %include
// RUN: FileCheck %s --check-prefix=LARGE < %t/large/prefix.bulk.cu
// RUN: %source/test/Emit/Inputs/check-cuda %clangxx %source %t/large/prefix.bulk.cu
// RUN: %colonnade emit %source/bench/jobs/tridiagonal.cpp --size n=64 --target cuda -o %t/columns -- %include
// RUN: FileCheck %s --check-prefix=COLUMNS < %t/columns/tridiagonal.bulk.cu
// RUN: %source/test/Emit/Inputs/check-cuda %clangxx %source %t/columns/tridiagonal.bulk.cu
#include <colonnade/annotate.h>

#include <cstdint>

// STRIPS: //   row-wise b: to registers and back in strips of 20 cells through shared memory
// STRIPS: #include <colonnade/bulk/stage.cuh>
// STRIPS: bulk_kernel(
// STRIPS: __global__ void __launch_bounds__(128)
// STRIPS-NEXT: row_wise_kernel(
// STRIPS-NOT: return
// STRIPS: alignas(16) __shared__ float b_strip_of_warps[4][32][21];
// STRIPS: float(*const b_strip)[21] = b_strip_of_warps[threadIdx.x / 32];
// STRIPS: staged_rows<32, 20>(instance, count).from_memory(b_strip, b_memory, 40, 0);
// STRIPS-NEXT: staged_rows<32, 20>(instance, count).from_memory(b_strip_2, b_memory, 40, 20);
// STRIPS-NEXT: wait_for_stages();
// STRIPS-NEXT: __syncwarp();
// STRIPS: staged_rows<32, 20>(instance, count).to_memory(b_memory, b_strip, 40, 0);
// STRIPS: if constexpr (Layout::kind == layout::row_wise) {
// STRIPS: row_wise_kernel<<<
// STRIPS: } else {
// STRIPS: bulk_kernel<Layout><<<
//
// More shared memory than every GPU has is asked for; where there is less, rows are as others.
// Where one thread's registers are too few, instances in columns and tiles are staged, too: each warp copies those of its
// own 32. Then no layout is left for a kernel for all.
// COLUMNS: //   column-wise and tiled c: rows of 64 cells in shared memory
// COLUMNS-NOT: bulk_kernel
// COLUMNS: row_wise_kernel(
// COLUMNS: template <class Layout>
// COLUMNS-NEXT: __global__ void __launch_bounds__(
// COLUMNS-NEXT: column_wise_kernel(
// COLUMNS: staged_columns<Layout, 32, 64>(instance, count).from_memory(d_rows, d_memory, 64, 0);
// COLUMNS: if constexpr (Layout::kind == layout::row_wise) {
// COLUMNS: row_wise_kernel<<<
// COLUMNS: } else {
// COLUMNS: column_wise_kernel<Layout><<<
// COLUMNS-NOT: bulk_kernel
//
// LARGE: alignas(16) extern __shared__ unsigned char shared_memory[];
// LARGE-NEXT: float(*const b_rows)[401] = reinterpret_cast<float(*)[401]>(shared_memory);
// LARGE: if constexpr (Layout::kind == layout::row_wise) {
// LARGE: allow_shared_memory(row_wise_kernel, 51328, is_allowed)
// LARGE: if (is_allowed) {
// LARGE: row_wise_kernel<<<static_cast<unsigned>(blocks), threads, 51328, stream>>>(
// LARGE: {{^}}    }
// LARGE-NEXT: {{^}}  }
// LARGE-NEXT: unsigned threads = 256;
// LARGE-NEXT: if (status s = spread_threads(arguments.count, threads); !s)
// LARGE: bulk_kernel<Layout><<<
void prefix(float *b COLONNADE_EXTENT(n), int n) {
  for (int i = 1; i < n; i++)
    b[i] += b[i - 1];
}

// WHOLE: alignas(16) __shared__ uint8_t in_rows_of_warps[2][32][300];
// WHOLE: staged_rows<32, 300>(instance, count).from_memory(in_rows, in_memory, 300, 0);
void smooth(const uint8_t *in COLONNADE_EXTENT(n), uint8_t *out COLONNADE_EXTENT(n), int n) {
  for (int i = 1; i < n - 1; i++)
    out[i] = (in[i - 1] + in[i] + out[i - 1]) / 3;
}
