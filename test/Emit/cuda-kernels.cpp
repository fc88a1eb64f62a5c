// The shape of CUDA kernels: layouts, rounding intrinsics, guards, registers,
// scratch, tables. Every emitted file compiles.
//
// REQUIRES: clang-cuda
// RUN: rm -rf %t && mkdir %t && %colonnade emit %s -f prefix -f clamped -f reversed -f mixed -f scratch -f unused --target cuda -o %t -- %include
// RUN: %source/test/Emit/Inputs/check-cuda %clangxx %source %t/prefix.bulk.cu
// RUN: %source/test/Emit/Inputs/check-cuda %clangxx %source %t/clamped.bulk.cu
// RUN: %source/test/Emit/Inputs/check-cuda %clangxx %source %t/reversed.bulk.cu
// RUN: %source/test/Emit/Inputs/check-cuda %clangxx %source %t/mixed.bulk.cu
// RUN: %source/test/Emit/Inputs/check-cuda %clangxx %source %t/scratch.bulk.cu
// RUN: FileCheck %s --check-prefix=PREFIX < %t/prefix.bulk.cu
// RUN: FileCheck %s --check-prefix=CLAMPED < %t/clamped.bulk.cu
// RUN: FileCheck %s --check-prefix=REVERSED < %t/reversed.bulk.cu
// RUN: FileCheck %s --check-prefix=MIXED < %t/mixed.bulk.cu
// RUN: FileCheck %s --check-prefix=SCRATCH < %t/scratch.bulk.cu
// RUN: FileCheck %s --check-prefix=UNUSED < %t/unused.bulk.cu
// RUN: mkdir %t/sized && %colonnade emit %s -f prefix --size n=8 --target cuda -o %t/sized -- %include
// RUN: %source/test/Emit/Inputs/check-cuda %clangxx %source %t/sized/prefix.bulk.cu
// RUN: FileCheck %s --check-prefix=SIZED < %t/sized/prefix.bulk.cu
#include <colonnade/annotate.h>

// PREFIX: template <class Layout>
// PREFIX: float *__restrict__ const b_memory,
// PREFIX: require_exact_floats();
// PREFIX-NOT: guard
// PREFIX: for (int32_t i = 1; i < n; ++i) {
// PREFIX: __fadd_rn(
// PREFIX: launch<tiled_layout<32>>
// PREFIX: cuda_device<4>::open
//
// SIZED: float b[8];
// SIZED: b_global.load(b);
// SIZED: #pragma unroll
// SIZED: b_global.store(b, cell_range<1, 7>{});
void prefix(float *b COLONNADE_EXTENT(n), int n) {
  for (int i = 1; i < n; i++)
    b[i] += b[i - 1];
}

// An address that only some instances reach is guarded.
// CLAMPED: const failure_guard guard(d_status, instance);
// CLAMPED: if (
// CLAMPED: guard.store(b, {{.*}} + 1{{.*}}, {{.*}}, b_cells, 0);
// CLAMPED: "cuda-kernels.cpp:{{[0-9]+}}: an address lies outside b",
void clamped(const float *a COLONNADE_EXTENT(n), float *b COLONNADE_EXTENT(n), int n) {
  for (int i = 0; i < n; i++)
    if (a[i] > 0)
      b[i + 1] = a[i];
}

// The same cell was accessed by all instances just before: no guard.
// REVERSED-NOT: guard
// REVERSED: if (
// REVERSED: b[{{.*}}] = -b[
void reversed(float *b COLONNADE_EXTENT(n), int n) {
  for (int i = 0; i < n; i++)
    if (b[i] > 0)
      b[i] = -b[i];
}

// MIXED: __constant__ const double weights[] = {
// MIXED: const int32_t *__restrict__ const a_memory,
// MIXED: const double *__restrict__ const scale,
// MIXED: __dsqrt_rn(__dmul_rn(__dmul_rn(static_cast<double>(wrapping::add<int32_t>(
static const double weights[4] = {0.5, 0.25, 0.125, 1e-3};
void mixed(const int *a COLONNADE_EXTENT(n), double *out COLONNADE_EXTENT(n),
           const double *scale COLONNADE_UNIFORM COLONNADE_EXTENT(4), int n) {
  for (int i = 0; i < n; i++) {
    int sum = a[i] + 7;
    out[i] = __builtin_sqrt(sum * weights[i % 4] * scale[i % 4]);
  }
}

// A local array too large for a thread lives in scratch memory, for as many
// threads as run at once.
// SCRATCH: const instance_cells<column_wise_layout, float> copy(copy_memory, thread, copy_cells, threads);
// SCRATCH: scratch_memory memory(stream);
void scratch(float *b COLONNADE_EXTENT(5000)) {
  float copy[5000];
  for (int i = 0; i < 5000; i++)
    copy[i] = b[i];
  for (int i = 0; i < 5000; i++)
    b[i] = copy[4999 - i];
}

// A load that nothing uses is no statement, nor is what only its address needs.
// UNUSED: bulk_kernel(
// UNUSED-NOT: % 4
// UNUSED: b[0] = 1.0f;
COLONNADE_BULK
void unused(const float a[4], float b[1], int n) {
  const unsigned at = static_cast<unsigned short>(n) % 4u;
  const float lost = b[0] > 0 ? a[at] / 2 : 0;
  b[0] = lost > 1 ? 1 : 1;
}
