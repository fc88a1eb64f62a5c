// Code for some sizes beside that for all: launches of the latter find the former.
//
// RUN: rm -rf %t && mkdir %t
// RUN: %colonnade emit %s -f ns::scale --size n=8,3 --size up=1,0 --target cpu,cuda -o %t/cuda -- %include
// RUN: FileCheck %s --check-prefix=HEADER < %t/cuda/ns_scale.bulk.hpp
// RUN: FileCheck %s --check-prefix=CPU < %t/cuda/ns_scale.bulk.cpp
// RUN: FileCheck %s --check-prefix=CUDA < %t/cuda/ns_scale.bulk.cu
// RUN: %colonnade emit %s -f ns::steps --size n=8,3 --target cpu,cuda -o %t/cuda -- %include
// RUN: FileCheck %s --check-prefix=SITES < %t/cuda/ns_steps.bulk.cu
// RUN: FileCheck %s --check-prefix=SIZED < %t/cuda/ns_steps_n3.bulk.cu
// RUN: %colonnade stems %s -f ns::scale --size n=8,3 --size up=1,0 -- %include | FileCheck %s --check-prefix=STEMS
//
// Sizes with code of their own, and others, against the original.
// RUN: %colonnade emit %s -f ns::scale --size n=8,3 --target cpu -o %t/cpu -- %include
// RUN: %cxx -std=c++20 -O0 -Wall -Wextra -Werror %include -I %t/cpu %s %t/cpu/ns_scale.bulk.cpp %t/cpu/ns_scale_n8.bulk.cpp %t/cpu/ns_scale_n3.bulk.cpp -DMAIN -pthread -o %t/main
// RUN: %t/main
//
// RUN: not %colonnade emit %s -f ns::scale --size n=8,3,8 --target cpu -o %t/no -- %include 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: not %colonnade emit %s -f ns::scale --size n=8..8 --target cpu -o %t/no -- %include 2>&1 | FileCheck %s --check-prefix=RANGE
// RUN: not %colonnade emit %s -f ns::scale --size n=1,2 --size n=3 --target cpu -o %t/no -- %include 2>&1 | FileCheck %s --check-prefix=TWO
// RUN: not %colonnade emit %s -f ns::scale --size n=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33 --size up=1,0 --target cpu -o %t/no -- %include 2>&1 | FileCheck %s --check-prefix=MANY
// RUN: not %colonnade check %s -f ns::scale --size n=1,2 -- %include 2>&1 | FileCheck %s --check-prefix=CHECKED
// RUN: not ls %t/no

// HEADER: // Calls at these sizes run code of their own, whose files have to be compiled, too:
// HEADER-NEXT: //   - n = 8, up = 1: ns_scale_n8_up1.bulk.hpp
// HEADER-NEXT: //   - n = 8, up = 0: ns_scale_n8_up0.bulk.hpp
// HEADER-NEXT: //   - n = 3, up = 1: ns_scale_n3_up1.bulk.hpp
// HEADER-NEXT: //   - n = 3, up = 0: ns_scale_n3_up0.bulk.hpp
// CPU: #include "ns_scale_n8_up1.bulk.hpp"
// CPU: status detail::launch_cpu(
// CPU-NEXT: if (arguments.scalars[0] == 8u && arguments.scalars[1] == 1u)
// CPU-NEXT: ns_scale_n8_up1_bulk::detail::launch_cpu(arguments, l, options);
// CUDA: status detail::launch_cuda(
// CUDA-NEXT: if (arguments.scalars[0] == 8u && arguments.scalars[1] == 1u)
// CUDA-NEXT: return ns_scale_n8_up1_bulk::detail::launch_cuda(arguments, l, stream, d_status);
// SITES: guard.check({{.*}}, 0);
// SITES: detail::cuda_failure(
// SITES-NEXT: if (site >= 43690)
// SITES-NEXT: return ns_steps_n3_bulk::detail::cuda_failure(site);
// SITES-NEXT: if (site >= 21845)
// SITES-NEXT: return ns_steps_n8_bulk::detail::cuda_failure(site);
// SITES: if (site < 1)
// SIZED: guard.check({{.*}}, 43690);
// SIZED: if (site - 43690 < 1)
// SIZED-NEXT: return messages[site - 43690];
// SITES: layout detail::device_layout(
// SITES-NEXT: if (scalars[0] == 8u)
// SITES-NEXT: return ns_steps_n8_bulk::detail::device_layout(scalars);
// SITES: return layout::tiled;
// SIZED: return layout::row_wise;
// STEMS: {{^}}ns_scale{{$}}
// STEMS-NEXT: {{^}}ns_scale_n8_up1{{$}}
// STEMS-NEXT: {{^}}ns_scale_n8_up0{{$}}
// STEMS-NEXT: {{^}}ns_scale_n3_up1{{$}}
// STEMS-NEXT: {{^}}ns_scale_n3_up0{{$}}
// TWICE: error: --size: 'n=8,3,8' names 8 twice
// RANGE: error: --size: '8..8' is no range: it begins at 8 and ends at 8
// TWO: error: --size: two values for 'n'
// MANY: error: --size: more than 64 combinations of sizes; name fewer, or make several libraries
// CHECKED: error: --size: takes several values of a scalar only with emit and tune: name one

#ifndef MAIN
#include <colonnade/annotate.h>
#endif
#ifdef MAIN
#include "ns_scale.bulk.hpp"
#define COLONNADE_EXTENT(x)
#endif

namespace ns {
void scale(float *b COLONNADE_EXTENT(n), const int *at COLONNADE_EXTENT(1), int n, bool up) {
  for (int i = 0; i < n; i++)
    b[i] = up ? b[i] * (float)i : b[i] + (float)at[0];
}

#ifndef MAIN
void steps(const unsigned *x COLONNADE_EXTENT(n), int *out COLONNADE_EXTENT(1), int n) {
  int sum = 0;
  for (int i = 0; i < n; i++) {
    unsigned rest = x[i];
    while (rest > 0) {
      COLONNADE_BOUND(8);
      rest /= 2;
      ++sum;
    }
  }
  out[0] = sum;
}
#endif
} // namespace ns

#ifdef MAIN
#include <cstdio>
#include <vector>

int main() {
  using namespace colonnade::bulk;
  using colonnade::runtime::layout;
  constexpr int count = 80; // whole tiles
  for (const int n : {1, 2, 3, 4, 7, 8, 9, 20})
    for (const bool up : {false, true}) {
      std::vector<float> rows(count * n);
      std::vector<int> at(count);
      for (int j = 0; j < count; ++j)
        at[j] = j;
      for (int i = 0; i < count * n; ++i)
        rows[i] = (float)(i % 97);
      std::vector<float> expected = rows, columns(count * n);
      for (int j = 0; j < count; ++j)
        ns::scale(&expected[j * n], &at[j], n, up);
      for (int j = 0; j < count; ++j)
        for (int i = 0; i < n; ++i)
          columns[i * count + j] = rows[j * n + i];
      ns_scale::arguments a;
      a.at = at.data();
      a.n = n;
      a.up = up;
      a.b = rows.data();
      if (!ns_scale::run_cpu(a, count, layout::row_wise) || rows != expected)
        return std::printf("row-wise, n = %d\n", n), 1;
      a.b = columns.data();
      if (!ns_scale::run_cpu(a, count, layout::column_wise))
        return std::printf("column-wise, n = %d\n", n), 1;
      for (int j = 0; j < count; ++j)
        for (int i = 0; i < n; ++i)
          if (columns[i * count + j] != expected[j * n + i])
            return std::printf("column-wise, n = %d, cell %d of %d\n", n, i, j), 1;
    }
  return 0;
}
#endif
