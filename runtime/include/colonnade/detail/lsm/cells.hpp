//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// cells.hpp: what is merged in shared memory: cells that stand for elements, and their order.
//
// A cell holds the word of a key, then where the element is: its run, its place in that run's piece
// of the tile, and whether it is a tombstone. So no two cells of a tile are equal, they are in
// order exactly as the merged sequence is, and the largest cell of all stands for no element.
//
// In: two sorted sequences of cells, each with the largest cell behind it. Out: a thread's share of
// the merged sequence. Invariant: since the largest cell comes last, no step asks whether a
// sequence has ended; reads go no further beyond it than the share is long.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/compiler.hpp>

#include <cstdint>

namespace colonnade::detail {

/// Where an element of a tile is: its run, its place in the run's piece, whether it is a tombstone.
struct lsm_origin {
  static constexpr uint32_t place_bits = 16;

  static COLONNADE_KERNEL_CODE uint32_t of(uint32_t run, uint32_t place, bool is_tombstone) {
    return run << (place_bits + 1) | place << 1 | uint32_t{is_tombstone};
  }
  static COLONNADE_KERNEL_CODE uint32_t run(uint32_t origin) { return origin >> (place_bits + 1); }
  static COLONNADE_KERNEL_CODE uint32_t place(uint32_t origin) {
    return origin >> 1 & ((1u << place_bits) - 1);
  }
  static COLONNADE_KERNEL_CODE bool is_tombstone(uint32_t origin) { return origin & 1; }
};

template <class Raw> struct lsm_cell; // of words of 32 and 64 bits

template <> struct alignas(8) lsm_cell<uint32_t> {
  uint32_t origin, word; // as the halves of a number of 64 bits

  static COLONNADE_KERNEL_CODE lsm_cell largest() { return {~0u, ~0u}; }
  COLONNADE_KERNEL_CODE uint64_t bits() const { return uint64_t{word} << 32 | origin; }
  COLONNADE_KERNEL_CODE bool operator<(const lsm_cell &other) const {
    return bits() < other.bits();
  }
};

template <> struct alignas(16) lsm_cell<uint64_t> {
  uint64_t word;
  uint32_t origin;

  static COLONNADE_KERNEL_CODE lsm_cell largest() { return {~uint64_t{0}, ~0u}; }
  COLONNADE_KERNEL_CODE bool operator<(const lsm_cell &other) const {
    return word < other.word || (word == other.word && origin < other.origin);
  }
};

/// How many of the first `diagonal` cells of the merged sequence come from a.
template <class Cell>
COLONNADE_KERNEL_CODE uint32_t cells_from_first(const Cell *a, uint32_t num_a, const Cell *b,
                                                uint32_t num_b, uint32_t diagonal) {
  uint32_t low = diagonal > num_b ? diagonal - num_b : 0;
  uint32_t high = diagonal < num_a ? diagonal : num_a;
  while (low < high) {
    const uint32_t middle = (low + high) / 2;
    if (b[diagonal - 1 - middle] < a[middle])
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

/// The next `count` cells of two sequences that go on at a and b.
template <uint32_t I>
COLONNADE_KERNEL_CODE void merge_cells(const lsm_cell<uint64_t> *a, const lsm_cell<uint64_t> *b,
                                       uint32_t count, lsm_cell<uint64_t> (&cells)[I]) {
  lsm_cell<uint64_t> next_a = *a, next_b = *b;
  COLONNADE_UNROLL
  for (uint32_t i = 0; i < I; ++i) {
    if (i == count)
      break;
    if (next_b < next_a) {
      cells[i] = next_b;
      next_b = *++b;
    } else {
      cells[i] = next_a;
      next_a = *++a;
    }
  }
}

#if defined(__CUDA_ARCH__)

/// Eight instructions a cell: compilers make twice as many of it.
template <uint32_t I>
__device__ __forceinline__ void merge_cells(const lsm_cell<uint32_t> *a,
                                            const lsm_cell<uint32_t> *b, uint32_t count,
                                            lsm_cell<uint32_t> (&cells)[I]) {
  uint64_t next_a = a->bits(), next_b = b->bits();
  uint32_t at_a = static_cast<uint32_t>(__cvta_generic_to_shared(a)),
           at_b = static_cast<uint32_t>(__cvta_generic_to_shared(b));
  COLONNADE_UNROLL
  for (uint32_t i = 0; i < I; ++i) {
    if (i == count)
      break;
    uint64_t next;
    asm volatile("{\n\t.reg .pred from_a;\n\t"
                 "setp.ge.u64 from_a, %2, %1;\n\t"
                 "selp.b64 %0, %1, %2, from_a;\n\t"
                 "@!from_a add.u32 %4, %4, 8;\n\t@!from_a ld.shared.b64 %2, [%4];\n\t"
                 "@from_a add.u32 %3, %3, 8;\n\t@from_a ld.shared.b64 %1, [%3];\n\t}"
                 : "=&l"(next), "+l"(next_a), "+l"(next_b), "+r"(at_a), "+r"(at_b)
                 :
                 : "memory");
    cells[i] = {static_cast<uint32_t>(next), static_cast<uint32_t>(next >> 32)};
  }
}

#else

template <uint32_t I>
COLONNADE_KERNEL_CODE void merge_cells(const lsm_cell<uint32_t> *a, const lsm_cell<uint32_t> *b,
                                       uint32_t count, lsm_cell<uint32_t> (&cells)[I]) {
  for (uint32_t i = 0; i < count; ++i)
    cells[i] = *b < *a ? *b++ : *a++;
}

#endif

} // namespace colonnade::detail
