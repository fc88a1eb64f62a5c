//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// row_strips.cuh: copies between strips of the caller's rows and shared memory.
//
//   row_strips<Cells, Width>   Width cells of each of a warp's rows of Cells cells
//     from_memory              into shared memory; there behind wait_for_stages
//     to_memory                back
//   end_stage                  what this thread has begun to copy since the last one is one stage
//   wait_for_stages_but<N>     waits for all but the last N stages
//
// In: an array whose instances lie row after row, and from which cell on a strip holds Width of
// each; a multiple of 16 bytes, as are Cells and Width. Out: the same cells, moved by neighbouring
// lanes. Invariant: cells of instances beyond the last are not accessed.
//
// What staged_rows (stage.cuh) does for rows of any length, with fewer instructions: each address
// is the lane's first one and a constant. With few warps on a multiprocessor, copies wait for these
// instructions rather than for memory. Arrays that begin between units of 16 bytes, and the last
// rows of all, are copied cell after cell.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/bulk/stage.cuh>

#include <cstdint>
#include <type_traits>

namespace colonnade::runtime {

__device__ __forceinline__ void end_stage() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}
template <unsigned N> __device__ __forceinline__ void wait_for_stages_but() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_group %0;" ::"n"(N) : "memory");
#endif
}

template <unsigned Cells, unsigned Width> class row_strips {
  static constexpr unsigned warp_size = 32;

public:
  /// instance: the calling thread's, of `count`. All threads of the warp call it.
  __device__ __forceinline__ row_strips(uint64_t instance, uint64_t count)
      : lane_(threadIdx.x % warp_size), instance_(instance), count_(count) {}

  template <class Cell, unsigned Pitch>
  __device__ __forceinline__ void from_memory(Cell (*shared)[Pitch], const Cell *memory,
                                              uint64_t at) const {
    each(shared, memory + at, [](auto *row, const auto *from) { begin_copy(row, from); });
  }
  template <class Cell, unsigned Pitch>
  __device__ __forceinline__ void to_memory(Cell *memory, Cell (*shared)[Pitch],
                                            uint64_t at) const {
    each(shared, memory + at, [](const auto *row, auto *to) { *to = *row; });
  }

private:
  /// move(place in shared memory, place in memory) for each unit or cell that this lane moves.
  template <class Cell, class MemoryCell, unsigned Pitch, class Move>
  __device__ __forceinline__ void each(Cell (*shared)[Pitch], MemoryCell *memory, Move move) const {
    const uint64_t first = instance_ - lane_;
    memory += first * Cells;
    if (first + warp_size <= count_ &&
        reinterpret_cast<uintptr_t>(memory) % sizeof(sixteen_bytes) == 0)
      each_unit(shared, memory, move);
    else if (first < count_)
      each_cell(shared, memory,
                static_cast<unsigned>(first + warp_size <= count_ ? warp_size : count_ - first),
                move);
  }

  /// Units of several rows at once, or of a part of one.
  template <class Cell, class MemoryCell, unsigned Pitch, class Move>
  __device__ __forceinline__ void each_unit(Cell (*shared)[Pitch], MemoryCell *memory,
                                            Move move) const {
    constexpr unsigned in_unit = sizeof(sixteen_bytes) / sizeof(Cell), units = Width / in_unit;
    static_assert(Cells % in_unit == 0 && Width % in_unit == 0 && Pitch % in_unit == 0);
    static_assert(units <= warp_size ? warp_size % units == 0 : units % warp_size == 0);
    using unit =
        std::conditional_t<std::is_const_v<MemoryCell>, const sixteen_bytes, sixteen_bytes>;
    constexpr unsigned across = units < warp_size ? units : warp_size; // lanes of a row
    constexpr unsigned down = warp_size / across, parts = units / across;
    const unsigned row = lane_ / across, column = lane_ % across;
    auto *const own = reinterpret_cast<sixteen_bytes *>(shared[row]) + column;
    auto *const other = reinterpret_cast<unit *>(memory + row * uint64_t{Cells}) + column;
#pragma unroll
    for (unsigned r = 0; r < warp_size / down; ++r)
#pragma unroll
      for (unsigned part = 0; part < parts; ++part)
        move(own + r * down * (Pitch / in_unit) + part * across,
             other + uint64_t{r} * down * (Cells / in_unit) + part * across);
  }

  template <class Cell, class MemoryCell, unsigned Pitch, class Move>
  __device__ __forceinline__ void each_cell(Cell (*shared)[Pitch], MemoryCell *memory,
                                            unsigned rows, Move move) const {
#pragma unroll 4
    for (unsigned e = lane_; e < rows * Width; e += warp_size)
      move(&shared[e / Width][e % Width], memory + e / Width * uint64_t{Cells} + e % Width);
  }

  unsigned lane_;
  uint64_t instance_, count_;
};

} // namespace colonnade::runtime
