// Several threads an instance where loops can be dealt out to them, and why not where they cannot.
//
// RUN: %colonnade check %s -f shorten --size n=8 --dump kernel -- %include | FileCheck %s --check-prefix=SPLIT
// RUN: %colonnade check %s -f smooth --size n=200 --dump kernel -- %include | FileCheck %s --check-prefix=CARRIED
// RUN: %colonnade check %s -f first --size n=200 --dump kernel -- %include | FileCheck %s --check-prefix=LEAVES
// RUN: %colonnade check %s -f all --size n=6 --dump kernel -- %include | FileCheck %s --check-prefix=SMALL
//
// A team of several warps is a block, or some of one, each with a barrier of its own; one of a warp
// is neither.
// RUN: %colonnade emit %s -f shorten --size n=12 --target cuda --plan team=8x8 --dump=kernel -o %t -- %include | FileCheck %s --check-prefix=WARPS
// RUN: %colonnade emit %s -f shorten --size n=12 --target cuda --plan team=8x8 -o %t/warps -- %include
// RUN: FileCheck %s --check-prefix=WARPS-CUDA < %t/warps/shorten.bulk.cu
//
// Of fewer cells, and of loops over one row, teams are of a warp at most.
// RUN: %colonnade check %s -f product --size n=64 --dump kernel -- %include | FileCheck %s --check-prefix=LONG
// RUN: %colonnade check %s -f product --size n=45 --dump kernel -- %include | FileCheck %s --check-prefix=SHORT
// RUN: %colonnade check %s -f twice --size n=64 --dump kernel -- %include | FileCheck %s --check-prefix=SHORT
// RUN: %colonnade emit %s -f shorten --size n=12 --target cuda --plan team=4x8 --dump=kernel -o %t -- %include | FileCheck %s --check-prefix=WARP
// RUN: %colonnade emit %s -f shorten --size n=12 --target cuda --plan team=4x8 -o %t/warp -- %include
// RUN: FileCheck %s --check-prefix=WARP-CUDA < %t/warp/shorten.bulk.cu
#include <colonnade/annotate.h>

// Rows need row k as it was before, or after it was shortened: before k, at k, after k.
// SPLIT: threads {{[0-9]+}} together row_wise team
// SPLIT: for %k
// SPLIT: barrier instance
// SPLIT: barrier instance
// SPLIT: barrier warp
// WARPS: kernel threads 64 together row_wise team 64
// WARPS: local block
// WARPS: barrier instance
// WARPS: kernel threads 512 together column_wise team 64
// WARPS: barrier instance
// WARPS-CUDA: a team of 8 x 8 threads each
// WARPS-CUDA: #include <colonnade/bulk/team_barrier.cuh>
// WARPS-CUDA: __launch_bounds__(64)
// WARPS-CUDA: __syncthreads();
// WARPS-CUDA-NOT: with_instance
// WARPS-CUDA: __launch_bounds__(512)
// WARPS-CUDA: wait_for_team<64>();
// WARP: kernel threads {{[0-9]+}} together row_wise team 32
// WARP: local warp
// WARP: barrier instance
// WARP-CUDA: a team of 4 x 8 threads each
// WARP-CUDA-NOT: team_barrier
// WARP-CUDA: __syncwarp(with_instance);
// WARP-CUDA-NOT: wait_for_team
void shorten(double *d COLONNADE_EXTENT(n *n), double *trace, int n) {
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        if (d[i * n + k] + d[k * n + j] < d[i * n + j])
          d[i * n + j] = d[i * n + k] + d[k * n + j];
  *trace = d[0];
}

// CARRIED: note "one thread an instance: an iteration needs a cell of b that another one has stored or loaded"
// CARRIED-NOT: team
void smooth(float *b COLONNADE_EXTENT(n), int n) {
  for (int i = 1; i < n; i++)
    b[i] += b[i - 1];
}

// LEAVES: note "one thread an instance: accesses to a are checked as they happen"
// LEAVES-NOT: team
int first(const int *a COLONNADE_EXTENT(n), int n) {
  for (int i = 0; i < n; i++)
    if (a[i] > 0)
      return i;
  return n;
}

// Cells in registers of one thread: nothing to gain.
// SMALL-NOT: team
void all(float *b COLONNADE_EXTENT(n), int n) {
  for (int i = 0; i < n; i++)
    b[i] *= 2;
}

// LONG: kernel threads 128 together row_wise team 128
// SHORT: together row_wise team {{[0-9][0-9]?}} {{resident|mangled}}
// SHORT-NOT: team {{[0-9][0-9][0-9]}}
void product(const float *a COLONNADE_EXTENT(n *n), const float *b COLONNADE_EXTENT(n *n),
             float *c COLONNADE_EXTENT(n *n), int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      float sum = 0;
      for (int k = 0; k < n; k++)
        sum += a[i * n + k] * b[k * n + j];
      c[i * n + j] = sum;
    }
}

void twice(float *b COLONNADE_EXTENT(n *n), int n) {
  for (int i = 0; i < n * n; i++)
    b[i] = b[i] * b[i] + 2;
}
