//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What test programmes and the runners that execute them agree on: a table of
// entries, each a sequential function behind an untyped interface, with its
// arrays, the contents they may be given, and the scalars of the run.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/bulk/function.hpp>

#include <atomic>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace fuzz {

using colonnade::bulk::cell_type;

struct array {
  const char *name; // as array_info: "a", "s.v", "return"
  cell_type cell;
  uint64_t cells; // per instance, or in all if uniform
  bool uniform;
  bool bounded; // integer contents lie in [low, high]
  int64_t low, high;
};

struct scalar {
  const char *name;
  uint64_t bits;
};

struct entry {
  const char *name;
  std::vector<array> arrays;
  std::vector<scalar> scalars;
  // One instance, row-wise cells; arrays and scalars in the order above.
  void (*sequential)(void *const *arrays, const uint64_t *scalars);
  const colonnade::bulk::function_info *bulk; // null: not compiled in
};

std::vector<entry> &entries();

// Set where a form of a kernel was called that was not compiled (one_kernel.hpp).
extern std::atomic<bool> kernel_is_missing;

template <class T> T bits_to(uint64_t bits) {
  T value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

/// Cell `cell` of `instance` of array `a`: bits that depend on nothing else.
uint64_t input_bits(const entry &e, size_t a, uint64_t instance, uint64_t cell, uint64_t seed);
/// Fills one instance's arrays, row-wise: one byte vector per array.
std::vector<std::vector<char>> make_inputs(const entry &e, uint64_t instance, uint64_t seed);
/// Two cells agree: equal bits, or both NaN.
bool same_cell(cell_type type, const void *a, const void *b);
uint64_t load_bits(cell_type type, const void *cell);

} // namespace fuzz
