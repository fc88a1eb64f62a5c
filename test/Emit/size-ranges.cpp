// One kernel for a range of sizes: padded to the largest, where arrays then are in registers.
//
// RUN: rm -rf %t && mkdir %t
// RUN: %colonnade emit %s -f sums --size n=8,1..32,1..64 --target cpu,cuda -o %t/out -- %include
// RUN: FileCheck %s --check-prefix=HEADER < %t/out/sums.bulk.hpp
// RUN: FileCheck %s --check-prefix=DISPATCH < %t/out/sums.bulk.cu
// RUN: FileCheck %s --check-prefix=PADDED < %t/out/sums_n1_to_32.bulk.cu
// RUN: FileCheck %s --check-prefix=DESCRIPTOR < %t/out/sums_n1_to_32.bulk.cpp
// RUN: FileCheck %s --check-prefix=API < %t/out/sums_n1_to_32.bulk.hpp
// RUN: %colonnade stems %s -f sums --size n=8,1..32,1..64 -- %include | FileCheck %s --check-prefix=STEMS
// RUN: %colonnade check %s -f sums --size n=1..32 --dump=kernel -- %include | FileCheck %s --check-prefix=KERNEL
//
// RUN: %source/test/Emit/Inputs/check-cuda %clangxx %source %t/out/sums.bulk.cu
// RUN: %source/test/Emit/Inputs/check-cuda %clangxx %source %t/out/sums_n1_to_32.bulk.cu
//
// Rows within an instance are as long as at the largest size; what has no room in registers stays.
// RUN: %colonnade emit %s -f multiply --size n=1..8 --target cuda -o %t/out -- %include
// RUN: FileCheck %s --check-prefix=PRODUCT < %t/out/multiply_n1_to_8.bulk.cu
// RUN: %source/test/Emit/Inputs/check-cuda %clangxx %source %t/out/multiply_n1_to_8.bulk.cu
// RUN: %colonnade emit %s -f eliminate --size n=1..8 --target cuda -o %t/out -- %include
// RUN: FileCheck %s --check-prefix=TRIANGLE < %t/out/eliminate_n1_to_8.bulk.cu
// RUN: %source/test/Emit/Inputs/check-cuda %clangxx %source %t/out/eliminate_n1_to_8.bulk.cu
//
// What is not padded says why, and is the code for all sizes.
// RUN: %colonnade emit %s -f sums --size n=1..200 --target cuda -o %t/long -- %include
// RUN: FileCheck %s --check-prefix=LONG < %t/long/sums_n1_to_200.bulk.cu
// RUN: %colonnade emit %s -f mirrored --size n=1..32 --target cuda -o %t/out -- %include
// RUN: FileCheck %s --check-prefix=MIRRORED < %t/out/mirrored_n1_to_32.bulk.cu
//
// RUN: not %colonnade tune %s -f sums --size n=8,1..32 -o %t/no -- %include 2>&1 | FileCheck %s --check-prefix=TUNE
// RUN: not %colonnade emit %s -f sums --size n=32..1 --target cpu -o %t/no -- %include 2>&1 | FileCheck %s --check-prefix=FALLS
// RUN: not %colonnade emit %s -f sums --size n=1..x --target cpu -o %t/no -- %include 2>&1 | FileCheck %s --check-prefix=WORD
// RUN: not %colonnade emit %s -f sums --size n=1..32,1..32 --target cpu -o %t/no -- %include 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: not %colonnade emit %s -f sums --size m=1..32 --target cpu -o %t/no -- %include 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not %colonnade emit %s -f sums --size n=1..3000000000 --target cpu -o %t/no -- %include 2>&1 | FileCheck %s --check-prefix=WIDE
// RUN: not %colonnade check %s -f sums --size n=1..32 -- %include 2>&1 | FileCheck %s --check-prefix=CHECKED
// RUN: not ls %t/no
//
// The code for each size, for sizes in a range, and for others, against the original.
// RUN: %cxx -std=c++20 -O0 -Wall -Wextra -Werror %include -I %t/out %s %t/out/sums.bulk.cpp %t/out/sums_n8.bulk.cpp %t/out/sums_n1_to_32.bulk.cpp %t/out/sums_n1_to_64.bulk.cpp -DMAIN -pthread -o %t/main
// RUN: %t/main

// HEADER: // Calls at these sizes run code of their own, whose files have to be compiled, too:
// HEADER-NEXT: //   - n = 8: sums_n8.bulk.hpp
// HEADER-NEXT: //   - n = 1..32: sums_n1_to_32.bulk.hpp
// HEADER-NEXT: //   - n = 1..64: sums_n1_to_64.bulk.hpp

// DISPATCH: status detail::launch_cuda(
// DISPATCH-NEXT: if (arguments.scalars[0] == 8u)
// DISPATCH-NEXT: return sums_n8_bulk::
// DISPATCH-NEXT: if (uint32_t(arguments.scalars[0] - 1u) <= 31u)
// DISPATCH-NEXT: return sums_n1_to_32_bulk::
// DISPATCH-NEXT: if (uint32_t(arguments.scalars[0] - 1u) <= 63u)
// DISPATCH-NEXT: return sums_n1_to_64_bulk::

// PADDED: //   n = 1..32: one kernel, padded to the largest size
// PADDED-NEXT: //   b: n cells, padded to 32
// PADDED-NOT: one kernel
// PADDED: #include <colonnade/bulk/padded_rows.cuh>
// PADDED: bulk_kernel(
// PADDED: float b_padded[32] = {};
// PADDED: #pragma unroll
// PADDED-NEXT: for (int64_t i = 0; i < 32; ++i) {
// PADDED: if (i < {{.*}}) {
// PADDED: b_padded[i] = b[i];
// PADDED: #pragma unroll
// PADDED-NEXT: for (int32_t i{{.*}} = 1; i{{.*}} < 32; ++i{{.*}}) {
// PADDED-NEXT: if (i{{.*}} < n) {
// PADDED: b[i{{.*}}] = b_padded[i{{.*}}];
// PADDED: row_wise_kernel(
// PADDED: padded_rows<32>(instance, count).from_memory(b_rows, b_memory, b_cells);
// PADDED: padded_rows<32>(instance, count).to_memory(b_memory, b_rows, b_cells);

// PRODUCT: //   a: n x n cells, padded to 8 x 8
// PRODUCT-NOT: c_padded
// PRODUCT: //   row-wise c: rows of at most 64 cells in shared memory
// PRODUCT: for (int64_t i = 0; i < 8; ++i) {
// PRODUCT-NEXT: if (i < n) {
// PRODUCT: for (int64_t i_2 = 0; i_2 < 8; ++i_2) {
// PRODUCT-NEXT: int64_t t = static_cast<int64_t>(n);
// PRODUCT-NEXT: if (i_2 < t) {
// PRODUCT-NEXT: a_padded[i * 8 + i_2] = a[i * t + i_2];
// TRIANGLE: a_padded: 35 of 64 cells in registers
// TRIANGLE: a_padded[i * 8 + i_2] = a[i * t + i_2];

// DESCRIPTOR: {"n", cell_type::s32, "1..32", 1u},
// API: uniform: the same for all instances; the code is for 32 values alone, from 1

// STEMS: {{^}}sums{{$}}
// STEMS-NEXT: {{^}}sums_n8{{$}}
// STEMS-NEXT: {{^}}sums_n1_to_32{{$}}
// STEMS-NEXT: {{^}}sums_n1_to_64{{$}}

// KERNEL: func "sums" kernel threads
// KERNEL: func "sums" kernel threads
// KERNEL: array @b_padded : f32[32] local instance reads writes{{.*}} in registers
// KERNEL: note "n = 1..32: one kernel, padded to the largest size"

// LONG: //   n = 1..200: the code for all sizes: b: 200 registers for the largest size are more than a thread has room for
// LONG-NOT: b_padded
// MIRRORED: //   n = 1..32: the code for all sizes: b: a subscript depends on the size by more than the length of rows
// MIRRORED-NOT: b_padded

// TUNE: error: --size: 'n=1..32' is a range, whose kernel has one plan: tune takes sizes by name, as in n=8,16
// FALLS: error: --size: '32..1' is no range: it begins at 32 and ends at 1
// WORD: error: --size: expected a whole number, got 'x'
// TWICE: error: --size: 'n=1..32,1..32' names 1..32 twice
// NAME: error: --size m: 'sums' has no parameter of that name; it has 'b', 'n'
// WIDE: error: --size n=3000000000: 'n' cannot hold it: its type is int32_t
// CHECKED: error: --size: takes several values of a scalar only with emit and tune: name one

#ifndef MAIN
#include <colonnade/annotate.h>
#endif
#ifdef MAIN
#include "sums.bulk.hpp"
#include "sums_n1_to_32.bulk.hpp"
#define COLONNADE_EXTENT(x)
#endif

void sums(float *b COLONNADE_EXTENT(n), int n) {
  for (int i = 1; i < n; i++)
    b[i] += b[i - 1];
}

#ifndef MAIN
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

void eliminate(float *a COLONNADE_EXTENT(n *n), int n) {
  for (int j = 0; j < n; j++)
    for (int i = j; i < n; i++)
      for (int k = 0; k < j; k++)
        a[i * n + j] -= a[i * n + k] * a[j * n + k];
}

void mirrored(float *b COLONNADE_EXTENT(n), int n) {
  for (int i = 0; i < n / 2; i++)
    b[i] += b[n - 1 - i];
}
#endif

#ifdef MAIN
#include <cstdio>
#include <string>
#include <vector>

int main() {
  namespace ranged = colonnade::bulk::sums_n1_to_32;
  using colonnade::runtime::layout;
  constexpr int count = 80; // whole tiles
  for (const int n : {1, 2, 7, 8, 9, 31, 32, 33, 63, 64, 65}) {
    std::vector<float> rows(count * n);
    for (int i = 0; i < count * n; ++i)
      rows[i] = float(i % 97);
    std::vector<float> expected = rows;
    for (int j = 0; j < count; ++j)
      ::sums(&expected[j * n], n);
    ::colonnade::bulk::sums::arguments a;
    a.b = rows.data();
    a.n = n;
    if (!::colonnade::bulk::sums::run_cpu(a, count, layout::row_wise) || rows != expected)
      return std::printf("n = %d\n", n), 1;
  }
  // The code for a range is for no other size.
  for (const int n : {0, 33}) {
    std::vector<float> rows(count * 33);
    ranged::arguments a;
    a.b = rows.data();
    a.n = n;
    const auto refused = ranged::run_cpu(a, count, layout::row_wise);
    const std::string message = refused.message;
    if (refused || message.find("n must be 1..32") == std::string::npos)
      return std::printf("n = %d is accepted: %s\n", n, message.c_str()), 1;
  }
  return 0;
}
#endif
