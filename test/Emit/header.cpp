// The generated API: shapes, directions, verdict; it compiles alone, and so does
// a call of it.
//
// RUN: rm -rf %t && mkdir %t && %colonnade emit %s -f ns::dot --target cpu,cuda -o %t -- %include
// RUN: FileCheck %s < %t/ns_dot.bulk.hpp
// RUN: FileCheck %s --check-prefix=INFO < %t/ns_dot.bulk.cpp
// RUN: echo '#include "ns_dot.bulk.hpp"' > %t/user.cpp
// RUN: echo 'int main() { colonnade::bulk::ns_dot::arguments a; a.n = 0; return colonnade::bulk::ns_dot::run(a, 0).ok(); }' >> %t/user.cpp
// RUN: %cxx -std=c++20 -Wall -Wextra -Werror -fsyntax-only %include -I %t %t/user.cpp
#include <colonnade/annotate.h>

// CHECK: // Verdict: accepted, class A: oblivious as written.
// CHECK: namespace colonnade::runtime::ns_dot_bulk {
// CHECK: struct arguments {
// CHECK: /// in: (count, n) cells of float
// CHECK-NEXT: const float *a = nullptr;
// CHECK: /// in, uniform: (n) cells of float
// CHECK-NEXT: const float *weights = nullptr;
// CHECK: , the return value
// CHECK-NEXT: double *returned = nullptr;
// CHECK: int32_t n = {};
// CHECK: inline status run_cpu(
// CHECK: inline status run_cuda(
// CHECK: inline status run(const arguments &from, uint64_t count
// CHECK: namespace ns_dot = ::colonnade::runtime::ns_dot_bulk;
//
// INFO: {"a", "a", cell_type::f32, direction::in, false, 1, extent_of_a, false},
// INFO: {"weights", "weights", cell_type::f32, direction::in, true, 1,
// INFO: {"return", "return", cell_type::f64, direction::out, false, 1, extent_of_returned, true},
namespace ns {
double dot(const float *a COLONNADE_EXTENT(n), const float *weights COLONNADE_UNIFORM COLONNADE_EXTENT(n),
           int n) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += a[i] * weights[i];
  return sum;
}
} // namespace ns
