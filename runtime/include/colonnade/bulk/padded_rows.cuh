//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// padded_rows.cuh: copies between the caller's instances in rows, whose length the launch says, and
// rows in shared memory, which have room for the longest.
//
//   padded_rows<Rows>   the rows of so many neighbouring instances, of a thread each
//     from_memory       into shared memory; there behind wait_for_stages
//     to_memory         back
//
// In: an array and how many cells an instance has of it, at most a row's. Out: the same cells,
// moved by neighbouring threads where they are neighbours: the instances are one piece of memory.
// Invariant: cells of instances beyond the last are not accessed.
//
// Memory traffic: each sector of the rows once.
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/bulk/stage.cuh>

namespace colonnade::runtime {

template <unsigned Rows> class padded_rows {
public:
  /// instance: the calling thread's, of `count`. All threads of the group call it.
  __device__ __forceinline__ padded_rows(uint64_t instance, uint64_t count)
      : own_(threadIdx.x % Rows), first_(instance - own_),
        rows_(first_ >= count          ? 0
              : count - first_ >= Rows ? Rows
                                       : static_cast<unsigned>(count - first_)) {}

  template <class Cell, unsigned Pitch>
  __device__ __forceinline__ void from_memory(Cell (*shared)[Pitch], const Cell *memory,
                                              uint64_t cells) const {
    const Cell *const from = memory + first_ * cells;
    each(static_cast<unsigned>(cells), [&](unsigned row, unsigned cell, unsigned place) {
      begin_copy(&shared[row][cell], from + place);
    });
  }
  template <class Cell, unsigned Pitch>
  __device__ __forceinline__ void to_memory(Cell *memory, Cell (*shared)[Pitch],
                                            uint64_t cells) const {
    Cell *const to = memory + first_ * cells;
    each(static_cast<unsigned>(cells),
         [&](unsigned row, unsigned cell, unsigned place) { to[place] = shared[row][cell]; });
  }

private:
  /// copy(row, cell, place) for each cell that this thread moves. Rows and cells are counted along,
  /// as a division for each would take longer than the copy.
  template <class Copy> __device__ __forceinline__ void each(unsigned cells, Copy copy) const {
    if (cells == 0)
      return;
    const unsigned row_step = Rows / cells, cell_step = Rows % cells, all = rows_ * cells;
    unsigned row = own_ / cells, cell = own_ % cells;
#pragma unroll 8
    for (unsigned place = own_; place < all; place += Rows) {
      copy(row, cell, place);
      row += row_step;
      cell += cell_step;
      if (cell >= cells) {
        cell -= cells;
        ++row;
      }
    }
  }

  unsigned own_;
  uint64_t first_;
  unsigned rows_;
};

} // namespace colonnade::runtime
