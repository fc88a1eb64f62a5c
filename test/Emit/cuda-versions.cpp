// The text of kernels whose nests need cells as they were and as they are; it compiles.
//
// REQUIRES: clang-cuda
// RUN: rm -rf %t && mkdir %t && %colonnade emit %s -f shorten --size n=32 --target cuda -o %t/whole -- %include
// RUN: FileCheck %s --check-prefix=WHOLE < %t/whole/shorten.bulk.cu
// RUN: %source/test/Emit/Inputs/check-cuda %clangxx %source %t/whole/shorten.bulk.cu
// RUN: %colonnade emit %s -f shorten --size n=64 --target cuda -o %t/large -- %include
// RUN: FileCheck %s --check-prefix=LARGE < %t/large/shorten.bulk.cu
// RUN: %colonnade emit %s -f shorten --size n=33 --target cuda -o %t/parts -- %include
// RUN: FileCheck %s --check-prefix=PARTS < %t/parts/shorten.bulk.cu
// RUN: %source/test/Emit/Inputs/check-cuda %clangxx %source %t/parts/shorten.bulk.cu
//
// Other names, an order of operands, and what is computed do not matter.
// RUN: %colonnade emit %s -f reach --size vertices=32 --target cuda -o %t/other -- %include
// RUN: FileCheck %s --check-prefix=OTHER < %t/other/reach.bulk.cu
// RUN: %source/test/Emit/Inputs/check-cuda %clangxx %source %t/other/reach.bulk.cu
//
// Where another iteration's cell is at another place, its version is not known.
// RUN: %colonnade emit %s -f next --size n=32 --target cuda -o %t/none -- %include
// RUN: FileCheck %s --check-prefix=NONE < %t/none/next.bulk.cu
#include <colonnade/annotate.h>

// Row k and column k are copied to shared memory by the threads that have them in registers; one
// cell of each is renewed by a thread; then each takes of both what its place has seen. The
// distances are in registers alone, and in shared memory on their way from and to the caller's.
// WHOLE: //   row-wise instances: a team of 4 x 8 threads each; its arrays are rows in shared memory
// WHOLE-NEXT: //   each step is done at once: of what it needs of row and column k, there are the cells as they were and as they are
// WHOLE-NEXT: //   distance: each thread has its own cells in registers{{$}}
// WHOLE: distance_row_of_warps[4][1][192];
// WHOLE: distance_column_of_warps[4][1][192];
// WHOLE: float distance_own[32] = {};
// WHOLE: distance_own[{{.*}}] = distance_rows[
// WHOLE: for (int32_t k_block = 0; k_block < 4; ++k_block)
// WHOLE: #pragma unroll
// WHOLE-NEXT: for (int32_t k_within = 0; k_within < 8; ++k_within) {
// WHOLE-NOT: distance_rows
// WHOLE: if (k_within == [[U:u[0-9_]*]] && k_block == {{t_[0-9]+}}) {
// WHOLE: distance_row[{{.*}}] = distance_own[
// WHOLE: if (k_within % 4 == [[V:v[0-9_]*]] && k_block * 2 + k_within / 4 == {{t_[0-9]+}}) {
// WHOLE: distance_column[{{.*}}] = distance_own[
// WHOLE: __syncwarp(with_instance);
// WHOLE-NEXT: int32_t [[J:j[0-9_]*]] =
// WHOLE: distance_row[{{.*}}] = [[T:t_[0-9]+]] < as_compared([[OLD:t_[0-9]+]]) ? [[T]] : [[OLD]];
// WHOLE: distance_column[{{.*}}] = [[T2:t_[0-9]+]] < as_compared([[OLD2:t_[0-9]+]]) ? [[T2]] : [[OLD2]];
// WHOLE: __syncwarp(with_instance);
// WHOLE: distance_row[{{.*}}static_cast<int64_t>(k_block < {{t_[0-9]+}} || (k_within < {{u[0-9_]*}} && k_block == {{t_[0-9]+}}))
// WHOLE: = distance_column[
// WHOLE: distance_own[{{.*}}] = [[T3:t_[0-9]+]] < as_compared([[OLD3:t_[0-9]+]]) ? [[T3]] : [[OLD3]];
// WHOLE-NOT: __syncwarp(with_instance);
// WHOLE: distance_rows[{{.*}}] = distance_own[
//
// 64 cells a thread of two warps, in blocks of 4 x 4.
// LARGE: //   row-wise instances: a team of 8 x 8 threads each
// LARGE: float distance_own[64] = {};
// LARGE: for (int32_t k_block = 0; k_block < 16; ++k_block)
//
// The last block of steps is shorter.
// PARTS: for (int32_t k_block = 0; k_block < 7; ++k_block)
// PARTS: if (k < 33) {
void shorten(float *distance COLONNADE_EXTENT(n *n), int n) {
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        if (distance[i * n + k] + distance[k * n + j] < distance[i * n + j])
          distance[i * n + j] = distance[i * n + k] + distance[k * n + j];
}

// OTHER: //   row-wise instances: a team of 4 x 8 threads each; its arrays are rows in shared memory
// OTHER-NEXT: //   each step is done at once: of what it needs of row and column through, there
// OTHER: pairs_own[{{.*}}] = {{.*}} | ({{.*}} & {{.*}})
void reach(unsigned *pairs COLONNADE_EXTENT(vertices *vertices), int vertices) {
  for (int through = 0; through < vertices; through++)
    for (int from = 0; from < vertices; from++)
      for (int to = 0; to < vertices; to++)
        pairs[to + vertices * from] |=
            pairs[through * vertices + to] & pairs[through + from * vertices];
}

// NONE-NOT: cell_row_of_warps
void next(float *cell COLONNADE_EXTENT(n *n), int n) {
  for (int k = 0; k < n - 1; k++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        cell[i * n + j] += cell[i * n + k + 1] * cell[k * n + j];
}
