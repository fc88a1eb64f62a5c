//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// stage_live.cuh: the copies of stage.cuh, of live cells alone.
//
//   staged_live_columns<Layout, Rows>   of instances in columns or tiles: cells from a list
//   staged_live_rows<Rows>              of instances in rows: sectors from a list
//     from_memory                       into shared memory; there behind wait_for_stages
//     to_memory                         back
//
// In: an array, how many cells an instance has of it, and which of them are copied, ascending, the
// same of each instance. Out: the same cells, moved by neighbouring threads where they are
// neighbours. Invariant: no other cell is accessed, on either side.
//
// Memory traffic: each sector with a cell of the list once, if the caller's array begins at a
// sector, and so do instances in rows; of columns, sectors once for each block that has cells of
// them.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/bulk/stage.cuh>

namespace colonnade::runtime {

/// Cells of a column are moved as staged_columns moves all: a warp copies one of all Rows instances
/// at once, or of 32.
template <class Layout, unsigned Rows, unsigned Team = 1, unsigned Skew = 0, unsigned Spread = 1>
class staged_live_columns {
  static constexpr unsigned Threads = Rows * Team;
  static_assert(Rows % Spread == 0);

public:
  /// As of staged_rows.
  __device__ __forceinline__ staged_live_columns(uint64_t instance, uint64_t count)
      : own_(threadIdx.x % Threads), first_(instance - own_ / Team), count_(count) {}

  /// live: of the cells from `at` on.
  template <class Cell, unsigned Pitch, unsigned Count>
  __device__ __forceinline__ void from_memory(Cell (*shared)[Pitch], const Cell *memory,
                                              uint64_t cells, uint64_t at,
                                              const uint16_t (&live)[Count]) const {
    each(memory, cells, at, live, [&](unsigned row, unsigned cell, const Cell *from) {
      shared[row][skewed<Skew>(cell)] = *from;
    });
  }
  template <class Cell, unsigned Pitch, unsigned Count>
  __device__ __forceinline__ void to_memory(Cell *memory, Cell (*shared)[Pitch], uint64_t cells,
                                            uint64_t at, const uint16_t (&live)[Count]) const {
    each(memory, cells, at, live,
         [&](unsigned row, unsigned cell, Cell *to) { *to = shared[row][skewed<Skew>(cell)]; });
  }

private:
  /// copy(row, cell, place) for each cell that this thread moves: every Team-th of the list, of one
  /// instance.
  template <class Cell, unsigned Count, class Copy>
  __device__ __forceinline__ void each(Cell *memory, uint64_t cells, uint64_t at,
                                       const uint16_t (&live)[Count], Copy copy) const {
    constexpr unsigned warp_size = 32;
    constexpr unsigned side = Rows < warp_size ? Rows : warp_size; // instances of a warp's copy
    constexpr unsigned sides = Rows / side;
    const unsigned lane = own_ % warp_size, warp = own_ / warp_size;
    const unsigned row = warp % sides * side + lane % side;
    unsigned number = warp / sides * (warp_size / side) + lane / side;
    if (first_ + row >= count_)
      return;
    constexpr unsigned together = Rows / Spread;
    const unsigned shared_row = row % together * Spread + row / together;
    const instance_view view = Layout::view(first_ + row, cells, count_);
    Cell *const column = memory + view.base + at * view.stride;
    const auto one = [&] {
      const unsigned cell = live[number];
      copy(shared_row, cell, column + cell * view.stride);
    };
    constexpr unsigned turns = Count / Team;
#pragma unroll 32
    for (unsigned turn = 0; turn < turns; ++turn, number += Team)
      one();
    if (Count % Team != 0 && number < Count)
      one();
  }

  unsigned own_;
  uint64_t first_, count_;
};

/// Rows are moved by sectors, 16 bytes at once where they lie so, or cell by cell.
template <unsigned Rows, unsigned Team = 1, unsigned Skew = 0> class staged_live_rows {
  static constexpr unsigned Threads = Rows * Team, SectorBytes = 32;

public:
  /// As of staged_rows.
  __device__ __forceinline__ staged_live_rows(uint64_t instance, uint64_t count)
      : own_(threadIdx.x % Threads), first_(instance - own_ / Team),
        rows_(first_ >= count          ? 0
              : count - first_ >= Rows ? Rows
                                       : static_cast<unsigned>(count - first_)) {}

  /// live: numbers of sectors, counted from cell `at` of an instance.
  template <class Cell, unsigned Pitch, unsigned Count>
  __device__ __forceinline__ void from_memory(Cell (*shared)[Pitch], const Cell *memory,
                                              uint64_t cells, uint64_t at,
                                              const uint16_t (&live)[Count]) const {
    by_units(shared, memory + first_ * cells + at, cells, live,
             [&](auto *to, const auto *from) { begin_copy(to, from); });
  }
  template <class Cell, unsigned Pitch, unsigned Count>
  __device__ __forceinline__ void to_memory(Cell *memory, Cell (*shared)[Pitch], uint64_t cells,
                                            uint64_t at, const uint16_t (&live)[Count]) const {
    by_units(shared, memory + first_ * cells + at, cells, live,
             [&](const auto *from, auto *to) { *to = *from; });
  }

private:
  template <class Cell, unsigned Pitch, class MemoryCell, unsigned Count, class Move>
  __device__ __forceinline__ void by_units(Cell (*shared)[Pitch], MemoryCell *memory,
                                           uint64_t cells, const uint16_t (&live)[Count],
                                           Move move) const {
    constexpr unsigned in_unit = sizeof(sixteen_bytes) / sizeof(Cell);
    if constexpr (Skew == 0 && Pitch % in_unit == 0) {
      const auto places = reinterpret_cast<uintptr_t>(memory) | reinterpret_cast<uintptr_t>(shared);
      if ((places | cells * sizeof(Cell)) % sizeof(sixteen_bytes) == 0) {
        using unit =
            std::conditional_t<std::is_const_v<MemoryCell>, const sixteen_bytes, sixteen_bytes>;
        each(reinterpret_cast<sixteen_bytes(*)[Pitch / in_unit]>(shared),
             reinterpret_cast<unit *>(memory), cells / in_unit, live, move);
        return;
      }
    }
    each(shared, memory, cells, live, move);
  }

  /// move(place in shared memory, place in memory) for each unit that this thread moves.
  template <class Unit, unsigned Pitch, class MemoryUnit, unsigned Count, class Move>
  __device__ __forceinline__ void each(Unit (*shared)[Pitch], MemoryUnit *memory, uint64_t stride,
                                       const uint16_t (&live)[Count], Move move) const {
    constexpr unsigned in_sector = SectorBytes / sizeof(Unit), units = Count * in_sector;
    const auto one = [&](unsigned e) {
      const unsigned row = e / units, number = e % units;
      const unsigned unit = live[number / in_sector] * in_sector + number % in_sector;
      move(&shared[row][skewed<Skew>(unit)], memory + row * stride + unit);
    };
    if (rows_ == Rows) {
      constexpr unsigned turns = Rows * units / Threads;
#pragma unroll 32
      for (unsigned turn = 0; turn < turns; ++turn)
        one(turn * Threads + own_);
      if (Rows * units % Threads != 0 && own_ < Rows * units % Threads)
        one(turns * Threads + own_);
    } else {
      for (unsigned e = own_; e < rows_ * units; e += Threads)
        one(e);
    }
  }

  unsigned own_;
  uint64_t first_;
  unsigned rows_;
};

} // namespace colonnade::runtime
