//===- Require.h - What must hold for any input -----------------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a condition. Out: nothing, or the end of the process, which libFuzzer reports with the
// input that led to it.
// Invariant: holds also where NDEBUG switches assert off.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_TEST_FUZZERS_REQUIRE_H
#define COLONNADE_TEST_FUZZERS_REQUIRE_H

#include <cstdio>
#include <cstdlib>

inline void require(bool holds, const char *what) {
  if (holds)
    return;
  std::fprintf(stderr, "broken: %s\n", what);
  std::abort();
}

#endif // COLONNADE_TEST_FUZZERS_REQUIRE_H
