//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Prints the records of all families for scripts/kernel-budgets: family, name, type,
// architecture, threads, bytes of dynamic shared memory, with tabs between. Needs no GPU.
//
//===----------------------------------------------------------------------===//

#include "kernel_record.hpp"

#include <cstdio>

using namespace colonnade::testing;

// families.inc: COLONNADE_FAMILY(multisplit) and so on, written by CMake.
#define COLONNADE_FAMILY(name)                                                                     \
  namespace colonnade::testing {                                                                   \
  kernel_records name##_kernels();                                                                 \
  }
#include "families.inc"
#undef COLONNADE_FAMILY

static void print(const char *family, const kernel_records &records) {
  for (const kernel_record &r : records)
    for (size_t i = 0; i < std::size(r.blocks); ++i)
      std::printf("%s\t%s\t%s\tsm_%d\t%u\t%zu\n", family, r.name, r.type,
                  static_cast<int>(colonnade::gpu_architectures[i]), r.blocks[i].threads,
                  r.blocks[i].dynamic_shared_bytes);
}

int main() {
#define COLONNADE_FAMILY(name) print(#name, name##_kernels());
#include "families.inc"
}
