//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// cells.hpp: what is merged in shared memory: cells that stand for elements, and their order.
//
// A cell is a number of 64 bits: the word of a key above where the element is: its run, its place
// in that run's piece of the tile, and whether it is a tombstone. So no two cells of a tile are
// equal, they are in order exactly as the merged sequence is, and the largest cell of all stands
// for no element. For words of 64 bits there is not that much room: a cell has what the word
// exceeds the smallest of the tile by, as many bits of it as there is room for from the highest on
// that differs in the tile. Where these are not all, cells that agree in them are in the order of
// their words.
//
// In: two sorted sequences of cells, each with the largest cell behind it. Out: a thread's share of
// the merged sequence. Invariant: since the largest cell comes last, no step asks whether a
// sequence has ended; reads go no further beyond it than the share is long.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/lsm/levels.hpp>

#include <cstdint>

namespace colonnade::detail {

/// Where an element of a tile is: its run, its place in the run's piece, whether it is a tombstone.
template <uint32_t PlaceBits> struct lsm_origin {
  static constexpr uint32_t run_bits = 5, bits = run_bits + PlaceBits + 1;

  static COLONNADE_KERNEL_CODE uint32_t of(uint32_t run, uint32_t place, bool is_tombstone) {
    return run << (PlaceBits + 1) | place << 1 | uint32_t{is_tombstone};
  }
  static COLONNADE_KERNEL_CODE uint32_t run(uint32_t origin) { return origin >> (PlaceBits + 1); }
  static COLONNADE_KERNEL_CODE uint32_t place(uint32_t origin) {
    return origin >> 1 & ((1u << PlaceBits) - 1);
  }
  static COLONNADE_KERNEL_CODE bool is_tombstone(uint32_t origin) { return origin & 1; }
};

template <class Raw, class Origin> struct lsm_cell; // of words of 32 and 64 bits

template <class Origin> struct alignas(8) lsm_cell<uint32_t, Origin> {
  uint32_t origin_bits, word; // as the halves of a number of 64 bits

  static COLONNADE_KERNEL_CODE lsm_cell largest() { return {~0u, ~0u}; }
  static COLONNADE_KERNEL_CODE lsm_cell of_bits(uint64_t bits) {
    return {static_cast<uint32_t>(bits), static_cast<uint32_t>(bits >> 32)};
  }
  COLONNADE_KERNEL_CODE uint64_t bits() const { return uint64_t{word} << 32 | origin_bits; }
  COLONNADE_KERNEL_CODE uint32_t origin() const { return origin_bits; }
};

template <class Origin> struct lsm_cell<uint64_t, Origin> {
  static constexpr uint64_t origin_mask = (uint64_t{1} << Origin::bits) - 1;
  uint64_t number;

  static COLONNADE_KERNEL_CODE lsm_cell largest() { return {~uint64_t{0}}; }
  static COLONNADE_KERNEL_CODE lsm_cell of_bits(uint64_t bits) { return {bits}; }
  COLONNADE_KERNEL_CODE uint64_t bits() const { return number; }
  COLONNADE_KERNEL_CODE uint32_t origin() const {
    return static_cast<uint32_t>(number & origin_mask);
  }
};

/// How words of 64 bits become those of cells: `least` is the smallest of the tile, and the highest
/// bit that may differ from it becomes the highest of all.
struct lsm_scale {
  uint64_t least;
  uint32_t shift;

  static COLONNADE_KERNEL_CODE lsm_scale of(uint64_t least, uint64_t most) {
    return {least, 63 - log2_below(most - least)};
  }
  /// Whether cells that have `bits` bits for it have all of a word.
  COLONNADE_KERNEL_CODE bool keeps_all(uint32_t bits) const { return shift + bits >= 64; }
  template <class Cell> COLONNADE_KERNEL_CODE Cell cell(uint64_t word, uint32_t origin) const {
    return {((word - least) << shift & ~Cell::origin_mask) | origin};
  }
};

/// Whether a cell comes before another one: by their numbers.
template <class Cell> struct lsm_cell_order {
  COLONNADE_KERNEL_CODE bool operator()(const Cell &a, const Cell &b) const {
    return a.bits() < b.bits();
  }
  /// Whether two cells stand for the same word.
  COLONNADE_KERNEL_CODE bool same_word(const Cell &a, const Cell &b) const {
    return a.word == b.word;
  }
};

/// The same where cells may have less than the whole word: `words` are those of the tile, run by
/// run, that of run r from begin[r] on.
template <class Origin> struct lsm_cell_order<lsm_cell<uint64_t, Origin>> {
  using cell = lsm_cell<uint64_t, Origin>;
  const uint64_t *words;
  const uint32_t *begin;
  uint32_t last; // of the words
  bool by_words; // cells that agree in what they have of the word are compared by words

  COLONNADE_KERNEL_CODE bool operator()(const cell &a, const cell &b) const {
    return by_words && differ_in_origin_alone(a, b) ? words_less(a, b) : a.bits() < b.bits();
  }
  COLONNADE_KERNEL_CODE bool same_word(const cell &a, const cell &b) const {
    return differ_in_origin_alone(a, b) && (!by_words || word(a) == word(b));
  }
  COLONNADE_KERNEL_CODE uint64_t word(const cell &c) const {
    const uint32_t origin = c.origin(), i = begin[Origin::run(origin)] + Origin::place(origin);
    return words[i < last ? i : last];
  }

private:
  static COLONNADE_KERNEL_CODE bool differ_in_origin_alone(const cell &a, const cell &b) {
    return (a.bits() ^ b.bits()) <= cell::origin_mask;
  }
  /// Of cells that stand for no element, which are behind all others, the words do not matter.
  COLONNADE_KERNEL_CODE bool words_less(const cell &a, const cell &b) const {
    const uint64_t none = cell::largest().bits();
    if (a.bits() == none || b.bits() == none)
      return a.bits() < b.bits();
    const uint64_t word_a = word(a), word_b = word(b);
    return word_a < word_b || (word_a == word_b && a.bits() < b.bits());
  }
};

/// How many of the first `diagonal` cells of the merged sequence come from a.
template <class Cell>
COLONNADE_KERNEL_CODE uint32_t cells_from_first(const Cell *a, uint32_t num_a, const Cell *b,
                                                uint32_t num_b, uint32_t diagonal,
                                                const lsm_cell_order<Cell> &before) {
  uint32_t low = diagonal > num_b ? diagonal - num_b : 0;
  uint32_t high = diagonal < num_a ? diagonal : num_a;
  while (low < high) {
    const uint32_t middle = (low + high) / 2;
    if (before(b[diagonal - 1 - middle], a[middle]))
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

#if defined(__CUDA_ARCH__)

/// The next `count` cells of two sequences that go on at a and b. Eight instructions a cell:
/// compilers make twice as many of it.
template <uint32_t I, class Origin>
__device__ __forceinline__ void merge_cells(const lsm_cell<uint32_t, Origin> *a,
                                            const lsm_cell<uint32_t, Origin> *b, uint32_t count,
                                            const lsm_cell_order<lsm_cell<uint32_t, Origin>> &,
                                            lsm_cell<uint32_t, Origin> (&cells)[I]) {
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
    cells[i] = lsm_cell<uint32_t, Origin>::of_bits(next);
  }
}
/// The same of words of 64 bits. Cells that differ in their upper halves, as most do, need no more.
template <uint32_t I, class Origin>
__device__ __forceinline__ void
merge_cells(const lsm_cell<uint64_t, Origin> *a, const lsm_cell<uint64_t, Origin> *b,
            uint32_t count, const lsm_cell_order<lsm_cell<uint64_t, Origin>> &before,
            lsm_cell<uint64_t, Origin> (&cells)[I]) {
  using cell = lsm_cell<uint64_t, Origin>;
  uint64_t next_a = a->bits(), next_b = b->bits();
  uint32_t at_a = static_cast<uint32_t>(__cvta_generic_to_shared(a)),
           at_b = static_cast<uint32_t>(__cvta_generic_to_shared(b));
  COLONNADE_UNROLL
  for (uint32_t i = 0; i < I; ++i) {
    if (i == count)
      break;
    uint32_t from_b = next_b < next_a;
    if (before.by_words && (next_a ^ next_b) >> 32 == 0)
      from_b = before(cell{next_b}, cell{next_a});
    asm volatile("{\n\t.reg .pred from_b;\n\t"
                 "setp.ne.u32 from_b, %5, 0;\n\t"
                 "selp.b64 %0, %2, %1, from_b;\n\t"
                 "@from_b add.u32 %4, %4, 8;\n\t@from_b ld.shared.b64 %2, [%4];\n\t"
                 "@!from_b add.u32 %3, %3, 8;\n\t@!from_b ld.shared.b64 %1, [%3];\n\t}"
                 : "=&l"(cells[i].number), "+l"(next_a), "+l"(next_b), "+r"(at_a), "+r"(at_b)
                 : "r"(from_b)
                 : "memory");
  }
}

#else

template <uint32_t I, class Cell>
COLONNADE_KERNEL_CODE void merge_cells(const Cell *a, const Cell *b, uint32_t count,
                                       const lsm_cell_order<Cell> &before, Cell (&cells)[I]) {
  for (uint32_t i = 0; i < count; ++i)
    cells[i] = before(*b, *a) ? *b++ : *a++;
}

#endif

} // namespace colonnade::detail
