//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// transpose.cuh: instances between row-wise and the other layouts, on the GPU.
//
//   in, out      count instances of n cells, in row-wise order and in layout `l`
//   work         one read and one write of every cell; a block moves one tile, or more than
//                one beyond 2^31 - 1 tiles
//   temporary    none in global memory; up to 68 KiB of shared memory a block
//   determinism  bit-identical always; cells are moved, never interpreted
//   aliasing     input and output are distinct arrays
//   stream       asynchronous, capturable; no allocation, no synchronisation
//   needs        both arrays aligned to 4 bytes (8-byte cells: to 8), as any
//                whole allocation is
//   sizes        any count and cells, 64-bit; 0 is valid. Instances of few cells (n = 3)
//                are moved many to a tile, so that both sides have long rows
//   returns      cudaErrorInvalidValue, before any CUDA call, for null, unaligned or
//                overlapping arrays, another cell size or tile; else what CUDA returns,
//                which after a launch is also an error that was pending before
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/bulk/transpose_tile.hpp>
#include <colonnade/detail/arrays/temp_storage.hpp>

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace colonnade::runtime {
namespace detail {
inline namespace transpose_v1 {

template <class Cell, bool WholeRows, transpose_way Way, uint32_t Threads, uint32_t InFlight,
          uint32_t MinBlocks>
__global__ void __launch_bounds__(Threads, MinBlocks)
    transpose_kernel(const Cell *__restrict__ source, Cell *__restrict__ target,
                     const __grid_constant__ transpose_shape s) {
  extern __shared__ __align__(16) unsigned char raw_tile[];
  Cell *shared = reinterpret_cast<Cell *>(raw_tile);
  for (uint64_t index = blockIdx.x; index < s.num_tiles; index += gridDim.x) {
    const transpose_tile t = tile_at(s, index);
    if (t.instances < s.tile_instances) {
      move_partial_tile<Threads, Way>(s, t, source, target, threadIdx.x);
      continue;
    }
    load_tile<Way, WholeRows, Threads, InFlight>(s, t, source, shared, threadIdx.x);
    __syncthreads();
    store_tile<Way, WholeRows, Threads, InFlight>(s, t, shared, target, threadIdx.x);
    __syncthreads(); // the next tile overwrites shared memory
  }
}

/// Launches with the first tuning, from number `Rank` on, of which enough whole rows fit.
template <class Cell, transpose_way Way, uint32_t Rank = 0>
cudaError_t launch_transpose(layout l, uint64_t tile, const void *source, void *target,
                             uint64_t count, uint64_t cells, cudaStream_t stream) {
  using word = typename word_of<Cell>::type;
  constexpr transpose_tuning tuning = transpose_tuning_at(Way, sizeof(Cell), Rank);
  constexpr bool whole_rows = tuning.cut_row_bytes == 0;
  if constexpr (whole_rows)
    if (!transpose_fits(tuning, cells, sizeof(Cell)))
      return launch_transpose<Cell, Way, Rank + 1>(l, tile, source, target, count, cells, stream);
  const transpose_shape s = make_transpose_shape(l, tile, count, cells, sizeof(Cell), tuning);
  const unsigned blocks = static_cast<unsigned>(std::min<uint64_t>(s.num_tiles, 0x7fffffff));
  const size_t shared_bytes = transpose_shared_words(s, sizeof(Cell)) * sizeof(word);
  const auto kernel = transpose_kernel<Cell, whole_rows, Way, tuning.threads,
                                       tuning.loads_in_flight, tuning.min_blocks>;
  if (shared_bytes > 48 << 10) // beyond what a kernel gets unasked
    if (const cudaError_t error = cudaFuncSetAttribute(
            kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(shared_bytes)))
      return error;
  kernel<<<blocks, tuning.threads, shared_bytes, stream>>>(static_cast<const Cell *>(source),
                                                           static_cast<Cell *>(target), s);
  return cudaPeekAtLastError();
}

template <transpose_way Way, unsigned CellSizes>
cudaError_t transpose(layout l, uint64_t tile, const void *source, void *target, uint64_t count,
                      uint64_t cells, size_t cell_bytes, cudaStream_t stream) {
  if (count == 0 || cells == 0)
    return cudaSuccess;
  const uint64_t bytes = count * cells * cell_bytes; // without the padding lanes
  if (!source || !target || cell_bytes == 0 || 8 % cell_bytes != 0 ||
      colonnade::detail::ranges_overlap(source, bytes, target, bytes))
    return cudaErrorInvalidValue;
  if (l == layout::row_wise || cells == 1) // one cell per instance: every layout is the same
    return cudaMemcpyAsync(target, source, count * cells * cell_bytes, cudaMemcpyDeviceToDevice,
                           stream);
  if (l == layout::tiled && (tile == 0 || 32 % tile != 0 || tile < 4))
    return cudaErrorInvalidValue;
  if ((reinterpret_cast<uintptr_t>(source) | reinterpret_cast<uintptr_t>(target)) %
      (cell_bytes == 8 ? 8 : 4))
    return cudaErrorInvalidValue;
  if constexpr ((CellSizes & 1) != 0)
    if (cell_bytes == 1)
      return launch_transpose<uint8_t, Way>(l, tile, source, target, count, cells, stream);
  if constexpr ((CellSizes & 2) != 0)
    if (cell_bytes == 2)
      return launch_transpose<uint16_t, Way>(l, tile, source, target, count, cells, stream);
  if constexpr ((CellSizes & 4) != 0)
    if (cell_bytes == 4)
      return launch_transpose<uint32_t, Way>(l, tile, source, target, count, cells, stream);
  if constexpr ((CellSizes & 8) != 0)
    if (cell_bytes == 8)
      return launch_transpose<uint64_t, Way>(l, tile, source, target, count, cells, stream);
  return cudaErrorInvalidValue;
}

} // namespace transpose_v1
} // namespace detail

/// Row-wise instances to layout `l`. Device pointers. tile: of the tiled layout, 4, 8, 16 or 32
/// instances; the lanes of the last tile that have no instance are not written. CellSizes: the
/// sum of the cell sizes in bytes (1, 2, 4, 8) that may occur; fewer compile faster.
template <unsigned CellSizes = 15>
[[nodiscard]] inline cudaError_t
transpose_to_layout(layout l, uint64_t tile, const void *d_rows, void *d_laid, uint64_t count,
                    uint64_t cells, size_t cell_bytes, cudaStream_t stream = nullptr) {
  return detail::transpose<detail::transpose_way::rows_to_layout, CellSizes>(
      l, tile, d_rows, d_laid, count, cells, cell_bytes, stream);
}

/// The inverse: from layout `l` to row-wise.
template <unsigned CellSizes = 15>
[[nodiscard]] inline cudaError_t
transpose_to_rows(layout l, uint64_t tile, const void *d_laid, void *d_rows, uint64_t count,
                  uint64_t cells, size_t cell_bytes, cudaStream_t stream = nullptr) {
  return detail::transpose<detail::transpose_way::layout_to_rows, CellSizes>(
      l, tile, d_laid, d_rows, count, cells, cell_bytes, stream);
}

} // namespace colonnade::runtime
