//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// layout.hpp: where cell i of instance j lives, for p instances of n cells.
//
//   row_wise     j*n + i                        what users have
//   column_wise  i*p + j                        coalesced: neighbouring instances are
//                                               neighbours in memory
//   tiled<w>     (j/w)*n*w + i*w + j%w          column-wise within groups of w instances:
//                                               coalesced, and each group on few pages
//
// In: an instance, n and p. Out: the index of its cell 0 and the distance to its next
// cell, in host and device code. Invariant: distinct cells have distinct indices, below
// storage_cells(p, n); tiled has room for ceil(p/w)*w instances.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/bulk/namespace.hpp>
#include <colonnade/detail/compiler.hpp>

#include <cstdint>

namespace colonnade::runtime {

enum class layout : uint8_t { row_wise, column_wise, tiled };

/// Index of cell 0 of an instance, and the distance from each of its cells to the next: for a
/// fixed instance every layout is affine in the cell.
struct instance_view {
  uint64_t base;
  uint64_t stride;
};

struct row_wise_layout {
  static constexpr layout kind = layout::row_wise;
  static constexpr uint64_t tile = 1;
  static COLONNADE_HOST_DEVICE instance_view view(uint64_t instance, uint64_t cells, uint64_t) {
    return {instance * cells, 1};
  }
  static constexpr uint64_t storage_cells(uint64_t count, uint64_t cells) { return count * cells; }
};

struct column_wise_layout {
  static constexpr layout kind = layout::column_wise;
  static constexpr uint64_t tile = 1;
  static COLONNADE_HOST_DEVICE instance_view view(uint64_t instance, uint64_t, uint64_t count) {
    return {instance, count};
  }
  static constexpr uint64_t storage_cells(uint64_t count, uint64_t cells) { return count * cells; }
};

template <uint64_t W> struct tiled_layout {
  static constexpr layout kind = layout::tiled;
  static constexpr uint64_t tile = W;
  static COLONNADE_HOST_DEVICE instance_view view(uint64_t instance, uint64_t cells, uint64_t) {
    return {(instance / W) * cells * W + instance % W, W};
  }
  static constexpr uint64_t storage_cells(uint64_t count, uint64_t cells) {
    return (count + W - 1) / W * W * cells;
  }
};

} // namespace colonnade::runtime
