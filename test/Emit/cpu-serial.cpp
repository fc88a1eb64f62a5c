// Beside the lanes there is a kernel that runs one row-wise instance after the other: the
// function as it came, with branches as branches and nothing in vectors.
// RUN: rm -rf %t && mkdir -p %t
// RUN: %colonnade emit %s -f relax -f scratched --target cpu -o %t -- %include
// RUN: FileCheck %s --check-prefix=RELAX --input-file=%t/relax.bulk.cpp
// RUN: FileCheck %s --check-prefix=SCRATCH --input-file=%t/scratched.bulk.cpp
// RUN: %cxx -std=c++17 -O1 -Wall -Wextra -Werror %include -c %t/relax.bulk.cpp -o %t/relax.o
// RUN: %clangxx -std=c++17 -O1 -Wall -Wextra -Werror %include -c %t/scratched.bulk.cpp -o %t/scratched.o
// RUN: %colonnade check %s -f relax --dump=kernel -- %include | FileCheck %s --check-prefix=KERNEL

#include <colonnade/annotate.h>

void relax(float *d COLONNADE_EXTENT(n), int n) {
  for (int i = 1; i < n; i++)
    if (d[i - 1] < d[i])
      d[i] = d[i - 1];
}
// RELAX: namespace serial {
// RELAX-NEXT: // One instance: relax
// RELAX-NEXT: template <bool Guarded>
// RELAX-NEXT: __attribute__((noinline)) void kernel(float *__restrict d_cells,
// RELAX-NOT: vec<
// RELAX: if (d[{{.*}}] < d[
// RELAX: static constexpr bool is_checked = false;
// RELAX: static_cast<float *>(group.arrays[0]) + j * group.cells[0]
// RELAX: } // namespace serial
// RELAX: make_isa_kernels<entry, serial::entry, lanes>

// KERNEL: "relax" kernel lanes 4
// KERNEL: "relax" kernel serial
// KERNEL-NOT: varying
// KERNEL: if

// Its local arrays beyond the stack have a size of their own, without lanes.
void scratched(const float *a COLONNADE_EXTENT(n), float *b COLONNADE_EXTENT(n), int n) {
  float reversed[n];
  for (int i = 0; i < n; i++)
    reversed[n - 1 - i] = a[i];
  for (int i = 0; i < n; i++)
    b[i] = reversed[i];
}
// SCRATCH: uint64_t scratch_bytes({{.*}}, {{.*}} lanes)
// SCRATCH: bytes += {{.*}} * 4 * lanes + 63) / 64 * 64;
// SCRATCH: uint64_t serial_scratch_bytes({{.*}} *scalars)
// SCRATCH: bytes += {{.*}} * 4 + 63) / 64 * 64;
