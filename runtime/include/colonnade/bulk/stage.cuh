//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// stage.cuh: copies between the caller's instances and rows in shared memory.
//
//   skewed<Skew>                  where a cell of a skewed row lies
//   staged_rows<Rows, Width>      the rows of so many neighbouring instances
//     from_memory                 into shared memory; there behind wait_for_stages
//     to_memory                   back
//   staged_columns<Layout, Rows, Width>   the same of instances in columns or tiles
//   allow_shared_memory           lets a kernel's blocks have more shared memory than every GPU has
//
// In: an array, how many cells an instance has of it, and from which on a row holds Width of them.
// Out: the same cells, moved by neighbouring threads where they are neighbours. Invariant: cells of
// instances beyond the last are not accessed.
//
// Memory traffic: each sector of the rows once; of columns, sectors once for each block that
// has cells of them.
// Cells need no more alignment than their type; 16 bytes are copied at once where rows lie so, and
// cells of 1 and 2 bytes as words.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/bulk/kernel.cuh>
#include <colonnade/detail/device/allowed_devices.hpp>

#include <cuda_runtime.h>

#include <cstdint>
#include <type_traits>

namespace colonnade::runtime {

/// Cells that are moved at once.
struct alignas(16) sixteen_bytes {
  uint32_t words[4];
};

/// Copies a cell to shared memory; it is there behind wait_for_stages. Needs no register where the
/// hardware copies.
template <class Cell> __device__ __forceinline__ void begin_copy(Cell *shared, const Cell *memory) {
#if __CUDA_ARCH__ >= 800
  if constexpr (sizeof(Cell) == 4 || sizeof(Cell) == 8) {
    const auto to = static_cast<uint32_t>(__cvta_generic_to_shared(shared));
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(to), "l"(memory),
                 "n"(sizeof(Cell)));
    return;
  }
  if constexpr (sizeof(Cell) == 16) {
    const auto to = static_cast<uint32_t>(__cvta_generic_to_shared(shared));
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(memory));
    return;
  }
#endif
  *shared = *memory;
}

/// Waits for what this thread has begun to copy.
__device__ __forceinline__ void wait_for_stages() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_all;" ::: "memory");
#endif
}

/// Where cell `cell` of a row lies that leaves a cell free behind each Skew cells (0: none), so
/// that cells a power of two apart lie in different banks.
template <unsigned Skew, class Int> __device__ __forceinline__ constexpr Int skewed(Int cell) {
  if constexpr (Skew == 0)
    return cell;
  else
    return cell + static_cast<Int>(static_cast<std::make_unsigned_t<Int>>(cell) / Skew);
}

/// Rows of Width cells, one for each of so many neighbouring instances, of a warp or the block;
/// each instance has Team threads. Rows in shared memory are skewed by Skew cells.
template <unsigned Rows, unsigned Width, unsigned Team = 1, unsigned Skew = 0> class staged_rows {
  static constexpr unsigned Threads = Rows * Team;

public:
  /// instance: the calling thread's, of `count`; cells: of each in memory; the rows begin at cell
  /// `at`. All threads of the group call it.
  __device__ __forceinline__ staged_rows(uint64_t instance, uint64_t count)
      : own_(threadIdx.x % Threads), first_(instance - own_ / Team),
        rows_(first_ >= count          ? 0
              : count - first_ >= Rows ? Rows
                                       : static_cast<unsigned>(count - first_)) {}

  template <class Cell, unsigned Pitch>
  __device__ __forceinline__ void from_memory(Cell (*shared)[Pitch], const Cell *memory,
                                              uint64_t cells, uint64_t at) const {
    by_words(shared, memory + first_ * cells + at, cells, [&](auto *rows, auto *from, auto shape) {
      each(shape, [&](unsigned row, unsigned cell, uint64_t offset) {
        begin_copy(&rows[row][skewed<Skew>(cell)], from + offset);
      });
    });
  }
  template <class Cell, unsigned Pitch>
  __device__ __forceinline__ void to_memory(Cell *memory, Cell (*shared)[Pitch], uint64_t cells,
                                            uint64_t at) const {
    by_words(shared, memory + first_ * cells + at, cells, [&](auto *rows, auto *to, auto shape) {
      each(shape, [&](unsigned row, unsigned cell, uint64_t offset) {
        to[offset] = rows[row][skewed<Skew>(cell)];
      });
    });
  }

private:
  /// Units of a row that are moved at once, and their distance from row to row in memory.
  template <unsigned Units> struct row_shape {
    static constexpr unsigned units = Units;
    uint64_t stride;
  };

  /// Several cells are moved at once where they lie in a Unit in memory and in shared memory: as 16
  /// bytes, or those that share words as words.
  template <class Cell, unsigned Pitch, class MemoryCell, class Move>
  __device__ __forceinline__ void by_words(Cell (*shared)[Pitch], MemoryCell *memory,
                                           uint64_t cells, Move move) const {
    if (!by_units<sixteen_bytes>(shared, memory, cells, move) &&
        !by_units<uint32_t>(shared, memory, cells, move))
      move(shared, memory, row_shape<Width>{cells});
  }

  template <class Unit, class Cell, unsigned Pitch, class MemoryCell, class Move>
  __device__ __forceinline__ bool by_units(Cell (*shared)[Pitch], MemoryCell *memory,
                                           uint64_t cells, Move move) const {
    constexpr unsigned in_unit = sizeof(Unit) / sizeof(Cell);
    if constexpr (in_unit > 1 && Skew == 0 && Width % in_unit == 0 && Pitch % in_unit == 0) {
      const auto places = reinterpret_cast<uintptr_t>(memory) | reinterpret_cast<uintptr_t>(shared);
      if ((places | cells * sizeof(Cell)) % sizeof(Unit) == 0) {
        using unit = std::conditional_t<std::is_const_v<MemoryCell>, const Unit, Unit>;
        move(reinterpret_cast<Unit(*)[Pitch / in_unit]>(shared), reinterpret_cast<unit *>(memory),
             row_shape<Width / in_unit>{cells / in_unit});
        return true;
      }
    }
    return false;
  }

  /// unit(row, number, offset) for each unit that this thread moves.
  template <unsigned Units, class Unit>
  __device__ __forceinline__ void each(row_shape<Units> shape, Unit unit) const {
    const auto one = [&](unsigned e) {
      unit(e / Units, e % Units, e / Units * shape.stride + e % Units);
    };
    if (rows_ == Rows) {
      constexpr unsigned turns = Rows * Units / Threads;
#pragma unroll 32
      for (unsigned r = 0; r < turns; ++r)
        one(r * Threads + own_);
      if (Rows * Units % Threads != 0 && own_ < Rows * Units % Threads)
        one(turns * Threads + own_);
    } else {
      for (unsigned e = own_; e < rows_ * Units; e += Threads)
        one(e);
    }
  }

  unsigned own_;
  uint64_t first_;
  unsigned rows_;
};

/// The same for instances in columns or tiles. A warp copies cells of all Rows instances at once,
/// or of 32, as memory is asked for neighbours together. Rows of neighbouring instances lie Spread
/// rows apart, as many as there is room for, and then as many again beside them.
template <class Layout, unsigned Rows, unsigned Width, unsigned Team = 1, unsigned Skew = 0,
          unsigned Spread = 1>
class staged_columns {
  static constexpr unsigned Threads = Rows * Team;
  static_assert(Rows % Spread == 0);

public:
  /// As of staged_rows.
  __device__ __forceinline__ staged_columns(uint64_t instance, uint64_t count)
      : own_(threadIdx.x % Threads), first_(instance - own_ / Team), count_(count) {}

  template <class Cell, unsigned Pitch>
  __device__ __forceinline__ void from_memory(Cell (*shared)[Pitch], const Cell *memory,
                                              uint64_t cells, uint64_t at) const {
    each(memory, cells, at, [&](unsigned row, unsigned cell, const Cell *from) {
      shared[row][skewed<Skew>(cell)] = *from; // asynchronous copies of a word each take longer
    });
  }
  template <class Cell, unsigned Pitch>
  __device__ __forceinline__ void to_memory(Cell *memory, Cell (*shared)[Pitch], uint64_t cells,
                                            uint64_t at) const {
    each(memory, cells, at,
         [&](unsigned row, unsigned cell, Cell *to) { *to = shared[row][skewed<Skew>(cell)]; });
  }

private:
  /// copy(row, cell, place) for each cell that this thread moves: every Team-th of one instance.
  template <class Cell, class Copy>
  __device__ __forceinline__ void each(Cell *memory, uint64_t cells, uint64_t at, Copy copy) const {
    constexpr unsigned warp_size = 32;
    constexpr unsigned side = Rows < warp_size ? Rows : warp_size; // instances of a warp's copy
    constexpr unsigned sides = Rows / side;
    const unsigned lane = own_ % warp_size, warp = own_ / warp_size;
    const unsigned row = warp % sides * side + lane % side;
    unsigned cell = warp / sides * (warp_size / side) + lane / side;
    if (first_ + row >= count_)
      return;
    constexpr unsigned together = Rows / Spread;
    const unsigned shared_row = row % together * Spread + row / together;
    const instance_view view = Layout::view(first_ + row, cells, count_);
    Cell *place = memory + view.base + (at + cell) * view.stride;
    constexpr unsigned turns = Width / Team;
#pragma unroll 32
    for (unsigned turn = 0; turn < turns; ++turn, cell += Team, place += Team * view.stride)
      copy(shared_row, cell, place);
    if (Width % Team != 0 && cell < Width)
      copy(shared_row, cell, place);
  }

  unsigned own_;
  uint64_t first_, count_;
};

/// Lets blocks of `kernel` have so many bytes of shared memory on the current device, if it has as
/// many for a block: 227 KiB on sm_90 and sm_100, 163 on sm_80, 99 on sm_120. Makes no call that a
/// stream's capture forbids.
template <class... Parameters>
status allow_shared_memory(void (*kernel)(Parameters...), unsigned bytes, bool &is_allowed) {
  static colonnade::detail::allowed_devices allowed;
  int device = 0, most = 0;
  cudaError_t error = cudaGetDevice(&device);
  if (error == cudaSuccess)
    error = cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
  is_allowed = error == cudaSuccess && bytes <= static_cast<unsigned>(most);
  const void *handle = reinterpret_cast<const void *>(kernel);
  if (is_allowed && !allowed.has(handle, device)) {
    error = cudaFuncSetAttribute(handle, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                 static_cast<int>(bytes));
    if (error == cudaSuccess)
      allowed.add(handle, device);
  }
  return cuda_status(error, "asking for shared memory");
}

} // namespace colonnade::runtime
