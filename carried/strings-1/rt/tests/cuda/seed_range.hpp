//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// seed_range.hpp: --seeds A B of a test's command line: a long campaign, of the seeds A to B - 1.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstdint>
#include <cstdlib>
#include <cstring>

struct seed_range {
  uint64_t first = 1, last = 2;

  seed_range(int argc, char **argv) {
    for (int i = 1; i + 2 < argc; ++i)
      if (std::strcmp(argv[i], "--seeds") == 0) {
        first = std::strtoull(argv[i + 1], nullptr, 10);
        last = std::strtoull(argv[i + 2], nullptr, 10);
      }
  }
};
