//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// cpu_instances.hpp: runs instances of one launch on the calling thread.
//
// In: a function's kernels, its arguments in some layout, and which instances. Out: their
// results in the arrays, and their first failure in the worker. A group of instances, one
// for each lane, runs
//
//   in place      if it is whole, the arrays are column-wise or tiled, and each cell is
//                 accessed only a few times
//   in a tile     otherwise: it is copied to a tile that stays in cache, run there, and
//                 what the function writes is copied back
//
// and row-wise instances may run one after the other instead, in place.
//
// Invariant: nothing outside the arrays is touched, nothing of other instances, and no
// array that is only read is written. Lanes beyond the last instance repeat it, in a tile.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/bulk/cpu_kernel.hpp>
#include <colonnade/bulk/host_memory.hpp>

#include <algorithm>
#include <vector>

namespace colonnade::runtime::detail {

class cpu_instances {
public:
  cpu_instances(const cpu_program &program, const raw_arguments &arguments, layout l,
                const isa_kernels &isa, const walk_result &walk)
      : program_(program), function_(program.info()), arguments_(arguments), layout_(l), isa_(isa),
        guarded_(!walk.all_within), tiles_(l == layout::row_wise || reuses(walk)) {}

  const function_info &function() const { return function_; }
  uint64_t count() const { return arguments_.count; }
  uint64_t lanes() const { return isa_.lanes; }
  /// Of an instance, in all arrays.
  uint64_t cells() const {
    uint64_t sum = 0;
    for (uint32_t a = 0; a < function_.num_arrays; ++a)
      sum += is_instance(a) ? arguments_.cells[a] : 0;
    return sum;
  }
  bool has_rows() const { return layout_ == layout::row_wise; }

  using buffer = host_memory<unsigned char>;
  /// One thread's memory.
  struct worker {
    std::vector<buffer> tiles; // per array
    buffer rows;               // of a group that is not whole
    buffer scratch;
    std::vector<void *> lane0;
    lane_failure failure;
  };

  /// False if there is not enough memory.
  bool prepare(worker &w) const {
    w.lane0.assign(arguments_.arrays, arguments_.arrays + function_.num_arrays);
    w.tiles.resize(function_.num_arrays);
    const uint64_t bytes = scratch_bytes();
    if (bytes > 0 && !w.scratch)
      w.scratch = aligned_memory<unsigned char>(bytes);
    return bytes == 0 || w.scratch;
  }

  /// Instances first to end - 1, by lanes or serial code. In place, groups of column-wise and tiled
  /// arrays begin at multiples of lanes(). False if there is not enough memory.
  bool run(worker &w, cpu_plan plan, uint64_t first, uint64_t end) const {
    if (plan == cpu_plan::serial) {
      isa_.serial[guarded_](group_at(w, first), end - first);
      return true;
    }
    for (; first < end; first += isa_.lanes)
      if (!run_group(w, first, std::min(end, first + isa_.lanes)))
        return false;
    return true;
  }

  /// Has the system map the pages of a worker's memory: what is new takes longer to map than many
  /// functions take to compute it. False if there is not enough.
  bool touch(worker &w) const {
    for (uint32_t a = 0; a < function_.num_arrays; ++a) {
      if (!is_instance(a))
        continue;
      if (!has_tile(w, a))
        return false;
      touch_pages(w.tiles[a].get(), arguments_.cells[a] * isa_.lanes * cell_bytes(a));
    }
    touch_pages(w.scratch.get(), scratch_bytes());
    return true;
  }
  /// The same of row-wise instances first to end - 1.
  void touch(uint64_t first, uint64_t end) const {
    for (uint32_t a = 0; a < function_.num_arrays; ++a) {
      if (!is_instance(a))
        continue;
      volatile unsigned char *const rows = cell(a, first, 0);
      const uint64_t bytes = (end - first) * arguments_.cells[a] * cell_bytes(a);
      for (uint64_t at = 0; at < bytes; at += page_bytes) {
        const unsigned char byte = rows[at];
        if (function_.arrays[a].dir != direction::in)
          rows[at] = byte;
      }
    }
  }

private:
  static constexpr uint64_t page_bytes = 4096;

  static void touch_pages(volatile unsigned char *memory, uint64_t bytes) {
    for (uint64_t at = 0; at < bytes; at += page_bytes)
      memory[at] = 0;
  }

  uint64_t scratch_bytes() const {
    return std::max(program_.scratch_bytes(arguments_.scalars, isa_.lanes),
                    program_.serial_scratch_bytes(arguments_.scalars));
  }

  bool has_tile(worker &w, uint32_t a) const {
    if (!w.tiles[a])
      w.tiles[a] = aligned_memory<unsigned char>(arguments_.cells[a] * isa_.lanes * cell_bytes(a));
    return w.tiles[a] != nullptr;
  }

  /// Copying to a tile pays where the function accesses its cells more often than copying does
  /// (six times a cell on average), and the tile stays in the second-level cache (1 MiB).
  bool reuses(const walk_result &walk) const {
    uint64_t bytes = 0;
    for (uint32_t a = 0; a < function_.num_arrays; ++a)
      if (is_instance(a))
        bytes += arguments_.cells[a] * cell_bytes(a) * isa_.lanes;
    return walk.accesses >= 6 * cells() && bytes <= (uint64_t{1} << 20);
  }

  bool is_instance(uint32_t a) const { return !function_.arrays[a].uniform; }
  size_t cell_bytes(uint32_t a) const { return size_bytes(function_.arrays[a].cell); }

  /// With the arrays where the caller has them.
  lane_group group_at(worker &w, uint64_t first) const {
    for (uint32_t a = 0; a < function_.num_arrays; ++a)
      if (is_instance(a))
        w.lane0[a] = cell(a, first, 0);
    return {w.lane0.data(),
            static_cast<int64_t>(stride()),
            arguments_.scalars,
            arguments_.cells,
            w.scratch.get(),
            &w.failure,
            first};
  }

  bool run_group(worker &w, uint64_t first, uint64_t end) const {
    lane_group group = group_at(w, first);
    if (tiles_ || end - first < isa_.lanes)
      return run_in_tile(w, group, end);
    (stride() == isa_.lanes ? isa_.tile : isa_.strided)[guarded_](group);
    return true;
  }

  bool run_in_tile(worker &w, lane_group &group, uint64_t end) const {
    const uint64_t first = group.first_instance;
    if (has_rows() && end - first < isa_.lanes && !has_row_buffer(w))
      return false;
    for (uint32_t a = 0; a < function_.num_arrays; ++a) {
      if (!is_instance(a))
        continue;
      if (!has_tile(w, a))
        return false;
      w.lane0[a] = w.tiles[a].get();
      if (function_.arrays[a].dir != direction::out || !function_.arrays[a].fully_written)
        copy_in(w, a, first, end);
    }
    group.stride = static_cast<int64_t>(isa_.lanes);
    isa_.tile[guarded_](group);
    for (uint32_t a = 0; a < function_.num_arrays; ++a)
      if (is_instance(a) && function_.arrays[a].dir != direction::in)
        copy_out(w, a, first, end);
    return true;
  }

  bool has_row_buffer(worker &w) const {
    uint64_t bytes = 0;
    for (uint32_t a = 0; a < function_.num_arrays; ++a)
      if (is_instance(a))
        bytes = std::max(bytes, arguments_.cells[a] * isa_.lanes * cell_bytes(a));
    if (!w.rows)
      w.rows = aligned_memory<unsigned char>(bytes);
    return w.rows != nullptr;
  }

  unsigned char *cell(uint32_t a, uint64_t instance, uint64_t i) const {
    const uint64_t cells = arguments_.cells[a];
    uint64_t index = 0;
    switch (layout_) {
    case layout::row_wise:
      index = instance * cells + i;
      break;
    case layout::column_wise:
      index = i * arguments_.count + instance;
      break;
    case layout::tiled: {
      const uint64_t tile = function_.cpu_tile;
      index = instance / tile * cells * tile + i * tile + instance % tile;
      break;
    }
    }
    return static_cast<unsigned char *>(arguments_.arrays[a]) + index * cell_bytes(a);
  }

  /// Cells from one cell of an instance to its next; not for row-wise arrays.
  uint64_t stride() const {
    return layout_ == layout::tiled ? function_.cpu_tile : arguments_.count;
  }
  static unsigned log2(size_t bytes) {
    return bytes == 1 ? 0 : bytes == 2 ? 1 : bytes == 4 ? 2 : 3;
  }

  void copy_in(worker &w, uint32_t a, uint64_t first, uint64_t end) const {
    const uint64_t cells = arguments_.cells[a], bytes = cell_bytes(a), lanes = isa_.lanes;
    unsigned char *const tile = w.tiles[a].get();
    const unsigned char *from = cell(a, first, 0);
    if (has_rows()) {
      if (end - first < lanes)
        from = repeated(w.rows.get(), from, end - first, cells * bytes);
      return isa_.rows_to_tile[log2(bytes)](from, tile, cells);
    }
    if (end - first == lanes)
      return isa_.strided_to_tile[log2(bytes)](from, tile, cells, stride());
    for (uint64_t i = 0; i < cells; ++i)
      repeated(tile + i * lanes * bytes, cell(a, first, i), end - first, bytes);
  }
  /// `count` elements, and the last again for each further lane; returns `to`.
  const unsigned char *repeated(unsigned char *to, const unsigned char *from, uint64_t count,
                                uint64_t bytes) const {
    std::memcpy(to, from, count * bytes);
    for (uint64_t lane = count; lane < isa_.lanes; ++lane)
      std::memcpy(to + lane * bytes, from + (count - 1) * bytes, bytes);
    return to;
  }

  void copy_out(worker &w, uint32_t a, uint64_t first, uint64_t end) const {
    const uint64_t cells = arguments_.cells[a], bytes = cell_bytes(a), lanes = isa_.lanes;
    const unsigned char *const tile = w.tiles[a].get();
    unsigned char *const to = cell(a, first, 0);
    if (has_rows()) {
      const bool is_whole = end - first == lanes;
      isa_.tile_to_rows[log2(bytes)](tile, is_whole ? to : w.rows.get(), cells);
      if (!is_whole)
        std::memcpy(to, w.rows.get(), (end - first) * cells * bytes);
      return;
    }
    if (end - first == lanes)
      return isa_.tile_to_strided[log2(bytes)](tile, to, cells, stride());
    for (uint64_t i = 0; i < cells; ++i)
      std::memcpy(cell(a, first, i), tile + i * lanes * bytes, (end - first) * bytes);
  }

  const cpu_program &program_;
  const function_info &function_;
  const raw_arguments &arguments_;
  const layout layout_;
  const isa_kernels &isa_;
  const bool guarded_, tiles_;
};

} // namespace colonnade::runtime::detail
