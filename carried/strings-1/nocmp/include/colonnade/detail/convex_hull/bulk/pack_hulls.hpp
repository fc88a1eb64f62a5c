//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// pack_hulls.hpp: moves hulls that stand at their sets' own offsets one behind the other.
//
//   sums    the vertices of each tile of sets          sum_hulls_block
//   places  what is before each tile, by one block     place_hulls_block
//   move    the vertices, and where each hull begins   move_hulls_block
//
// In: counts of vertices, and the hulls. Out: p + 1 offsets, and the first vertices of all, as many
// as there is room for. Invariant: the last offset is the true number.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/convex_hull/bulk/bulk_sets.hpp>
#include <colonnade/detail/convex_hull/last_place.hpp>
#include <colonnade/detail/device/block_offsets.hpp>

namespace colonnade::detail {

template <class Offset, class Index> struct pack_hulls_arguments {
  bulk_output<Offset, uint32_t> hulls; // status: the caller's
  uint64_t num_sets;
  uint64_t *tile_places; // of each tile of sets; and the number of all vertices
  Index *d_hull;         // null: vertices are only counted
  uint64_t capacity;
  uint64_t *hull_offsets;
};

/// A thread for each set of a tile.
template <class Offset, class Index, uint32_t Threads, class Machine> class sum_hulls_block {
public:
  using arguments = pack_hulls_arguments<Offset, Index>;
  static constexpr uint32_t threads = Threads;
  struct storage {
    uint64_t scratch[Threads / 32];
  };
  COLONNADE_KERNEL_CODE sum_hulls_block(const Machine &machine, const arguments &a, char *shared)
      : machine_(machine), a_(a), s_(*reinterpret_cast<storage *>(shared)) {}

  COLONNADE_KERNEL_CODE void run() const {
    for (uint64_t tile = machine_.block(); tile * Threads < a_.num_sets;
         tile += machine_.num_blocks()) {
      const uint64_t set = tile * Threads + machine_.thread();
      const uint64_t count = set < a_.num_sets ? a_.hulls.counts[set] : 0;
      const uint64_t before = block_exclusive_sum(machine_, count, s_.scratch);
      if (machine_.thread() == Threads - 1)
        a_.tile_places[tile] = before + count;
      machine_.block_sync(); // scratch is free
    }
  }

private:
  const Machine &machine_;
  const arguments &a_;
  storage &s_;
};

/// One block.
template <class Offset, class Index, uint32_t Threads, class Machine> class place_hulls_block {
public:
  using arguments = pack_hulls_arguments<Offset, Index>;
  static constexpr uint32_t threads = Threads;
  using storage = block_offsets_storage<uint64_t, Threads>;
  COLONNADE_KERNEL_CODE place_hulls_block(const Machine &machine, const arguments &a, char *shared)
      : machine_(machine), a_(a), s_(*reinterpret_cast<storage *>(shared)) {}

  COLONNADE_KERNEL_CODE void run() const {
    const uint64_t tiles = (a_.num_sets + Threads - 1) / Threads;
    const uint64_t all = block_offsets(
        machine_, s_, tiles, [&](uint64_t k) { return a_.tile_places[k]; },
        [&](uint64_t k, uint64_t before) { a_.tile_places[k] = before; });
    if (machine_.thread() != 0)
      return;
    a_.hull_offsets[a_.num_sets] = all;
    if (a_.hulls.status && a_.d_hull && all > a_.capacity)
      report_error(machine_, a_.hulls.status, data_error::buffer_too_small, all);
  }

private:
  const Machine &machine_;
  const arguments &a_;
  storage &s_;
};

template <class Offset, class Index, uint32_t Threads, class Machine> class move_hulls_block {
public:
  using arguments = pack_hulls_arguments<Offset, Index>;
  static constexpr uint32_t threads = Threads;
  struct storage {
    uint64_t scratch[Threads / 32];
    uint64_t places[Threads + 1]; // of the hulls, from the tile's first on
  };
  COLONNADE_KERNEL_CODE move_hulls_block(const Machine &machine, const arguments &a, char *shared)
      : machine_(machine), a_(a), s_(*reinterpret_cast<storage *>(shared)) {}

  COLONNADE_KERNEL_CODE void run() const {
    for (uint64_t tile = machine_.block(); tile * Threads < a_.num_sets;
         tile += machine_.num_blocks()) {
      place(tile);
      if (a_.d_hull)
        move(tile);
      machine_.block_sync(); // the storage is free
    }
  }

private:
  COLONNADE_KERNEL_CODE void place(uint64_t tile) const {
    const uint64_t set = tile * Threads + machine_.thread(), before = a_.tile_places[tile];
    const uint64_t count = set < a_.num_sets ? a_.hulls.counts[set] : 0;
    const uint64_t mine = block_exclusive_sum(machine_, count, s_.scratch);
    s_.places[machine_.thread()] = mine;
    if (machine_.thread() == Threads - 1)
      s_.places[Threads] = mine + count;
    if (set < a_.num_sets)
      a_.hull_offsets[set] = before + mine;
    machine_.block_sync();
  }
  COLONNADE_KERNEL_CODE void move(uint64_t tile) const {
    const uint64_t before = a_.tile_places[tile], all = s_.places[Threads];
    for (uint64_t i = machine_.thread(); i < all && before + i < a_.capacity; i += Threads) {
      const uint32_t low = last_place(0u, Threads, [&](uint32_t k) { return s_.places[k] <= i; });
      const uint64_t from = a_.hulls.offsets[tile * Threads + low];
      a_.d_hull[before + i] = static_cast<Index>(a_.hulls.hulls[from + i - s_.places[low]]);
    }
  }

  const Machine &machine_;
  const arguments &a_;
  storage &s_;
};

} // namespace colonnade::detail
