//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// expand.hpp: takes the vertices of a step that still wait, and has their edges relaxed.
//
// In: the plan of the step: items, which are vertices in queues or pieces of heavy
// vertices. Out: their edges relaxed, and the vertices that this made wait in the outbox.
// Each block has an equal share of the items. Its warps look up rows of up to 32 items and
// keep the vertices that still wait; a prefix sum over their degrees makes their edges one
// sequence, the tile, whose edges relax.hpp divides among the warps. A heavy vertex, of
// very many edges, is cut into pieces, which all blocks expand in the next step.
// Invariant: a vertex that waits is taken, and marked so, by one thread alone.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/device/block_scan.hpp>
#include <colonnade/detail/shortest_paths/relax.hpp>

namespace colonnade::detail {

template <class Machine, class Weight, class Distance, class Outbox, class Plan, class Work,
          class Tuning>
class expander {
  static constexpr shortest_paths_tuning tuning = Tuning::value;
  static constexpr uint32_t rows_at_once = tuning.rows_at_once;
  static constexpr uint32_t each = rows_at_once + 1; // vertices that a lane takes
  using words = path_word<Distance>;
  using word_type = typename words::type;
  using arguments_type = path_arguments<Weight, Distance>;
  using relaxer_type = edge_relaxer<Machine, Weight, Distance, Outbox, Plan,
                                    typename Work::tile_type, tuning.edges_at_once>;

public:
  COLONNADE_KERNEL_CODE expander(const Machine &machine, const arguments_type &arguments,
                                 const Plan &plan, Outbox &outbox, Work &work)
      : machine_(machine), arguments_(arguments), plan_(plan), work_(work),
        relaxer_(machine, arguments, plan, outbox) {}

  /// The block's share of the plan's items: every num_blocks-th row of up to 32, because
  /// neighbours in a queue are alike (vertices taken already, or of many edges).
  COLONNADE_KERNEL_CODE void run() {
    const uint32_t blocks = machine_.num_blocks();
    const uint32_t share = (plan_.num_items + blocks - 1) / blocks;
    const uint32_t width = share < 32 ? share : 32;
    const uint32_t all_rows = (plan_.num_items + width - 1) / width;
    if (machine_.block() < all_rows)
      run_rows((all_rows - machine_.block() - 1) / blocks + 1, width);
    note_nearest(machine_, arguments_.control, plan_.set, relaxer_.nearest_far);
  }

private:
  static constexpr uint32_t none = ~0u;
  /// Ranges and edges of a tile are counted in one word: ranges in its low bits.
  static constexpr uint32_t range_bits = 11, most_ranges = (1u << range_bits) - 1;
  static_assert(each * tuning.threads < 1u << range_bits);
  static constexpr uint64_t most_edges = // of a range
      tuning.heavy_degree > tuning.piece_edges ? tuning.heavy_degree : tuning.piece_edges;
  static_assert(each * tuning.threads * most_edges < 1u << (32 - range_bits));

  /// The edges of one vertex, or of a piece of one.
  struct edge_range {
    Distance distance = 0; // of the vertex
    uint64_t begin = 0;
    uint32_t degree = 0;
  };

  COLONNADE_KERNEL_CODE void run_rows(uint32_t rows, uint32_t width) {
    uint32_t row = machine_.warp();
    for (bool last = false, left = true; !last;) {
      const uint32_t items = gather(row, rows, width);
      if (left && row >= rows && machine_.lane() == 0)
        machine_.add_shared(&work_.warps_left, ~0u);
      left = row < rows;
      edge_range range[each];
      take(items, range);
      fill_tile(work_.tile, range);
      machine_.block_sync();
      last = work_.tile.last;
      relaxer_.run(work_.tile);
      machine_.block_sync(); // the tile is free
    }
  }

  /// Gathers the items of the warp's rows, from `row` on, whose vertices wait, until there are
  /// more than 32 of them: many of a bucket's vertices have been expanded since. Gives how many
  /// they are; `row` becomes the next row.
  COLONNADE_KERNEL_CODE uint32_t gather(uint32_t &row, uint32_t rows, uint32_t width) {
    const uint32_t warps = machine_.num_threads() / 32;
    const bool pieces = plan_.step == path_step::expand_pieces;
    uint32_t *const gathered = work_.gathered(machine_.warp());
    uint32_t count = 0;
    for (; row < rows && count <= 32; row += rows_at_once * warps) {
      uint32_t item[rows_at_once], found[rows_at_once];
      word_type word[rows_at_once];
      COLONNADE_UNROLL
      for (uint32_t k = 0; k < rows_at_once; ++k) {
        const uint64_t of_all =
            uint64_t{row + k * warps} * machine_.num_blocks() + machine_.block();
        item[k] = item_at(of_all, width);
        found[k] = pieces || item[k] == none ? item[k] : vertex_of(item[k]);
      }
      COLONNADE_UNROLL
      for (uint32_t k = 0; k < rows_at_once; ++k) {
        // Only of a bucket, not of the near pile or of pieces.
        const bool had_perhaps = !pieces && item[k] != none && item[k] >= plan_.ends[near_pile];
        word[k] = had_perhaps ? machine_.load_atomic(&arguments_.words[found[k]]) : word_type{0};
      }
      COLONNADE_UNROLL
      for (uint32_t k = 0; k < rows_at_once; ++k) {
        const bool has = item[k] != none && is_waiting(word[k]);
        const uint32_t lanes = machine_.ballot(has);
        const uint32_t before = lanes & other_lanes(machine_.lane()).below;
        if (has)
          gathered[count + Machine::count_ones(before)] = found[k];
        count += Machine::count_ones(lanes);
      }
    }
    machine_.warp_sync();
    return count;
  }

  COLONNADE_KERNEL_CODE uint32_t item_at(uint64_t row, uint32_t width) const {
    const uint64_t item = row * width + machine_.lane();
    return machine_.lane() < width && item < plan_.num_items ? static_cast<uint32_t>(item) : none;
  }

  /// The vertex of an item: items are numbered through the opened piles, near pile first.
  COLONNADE_KERNEL_CODE uint32_t vertex_of(uint32_t item) const {
    uint32_t pile = near_pile;
    if (item >= plan_.ends[near_pile])
      for (pile = plan_.first_opened; item >= plan_.ends[pile];)
        ++pile;
    const uint32_t before = pile == near_pile ? 0 : plan_.ends[pile - 1];
    return machine_.load_word(
        &pile_items(arguments_, pile, plan_.near_in, 0, plan_.window.far_pile())[item - before]);
  }

  COLONNADE_KERNEL_CODE void take(uint32_t items, edge_range (&range)[each]) {
    uint32_t item[each];
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < each; ++k) {
      const uint32_t place = 32 * k + machine_.lane();
      item[k] = place < items ? work_.gathered(machine_.warp())[place] : none;
    }
    if (plan_.step == path_step::expand_pieces)
      take_pieces(item, range);
    else
      take_vertices(item, range);
  }

  /// Marks the vertices as expanded; those that were marked before have no edges here.
  COLONNADE_KERNEL_CODE void take_vertices(const uint32_t (&vertex)[each],
                                           edge_range (&range)[each]) {
    word_type word[each];
    uint64_t end[each];
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < each; ++k) {
      word[k] = words::unreached;
      end[k] = 0;
      if (vertex[k] != none) {
        range[k].begin = machine_.read(arguments_.graph.d_row_offsets + vertex[k]);
        end[k] = machine_.read(arguments_.graph.d_row_offsets + vertex[k] + 1);
        word[k] = machine_.fetch_or(&arguments_.words[vertex[k]], word_type{1});
      }
    }
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < each; ++k) {
      uint64_t degree = 0;
      if (is_waiting(word[k])) {
        range[k].distance = words::distance(word[k]);
        if (range[k].begin <= end[k] && end[k] <= arguments_.graph.num_edges)
          degree = end[k] - range[k].begin;
        else
          report_path_error(machine_, arguments_.control, data_error::index_out_of_range,
                            vertex[k]);
      }
      const bool heavy = degree > tuning.heavy_degree;
      for (uint32_t lanes = machine_.ballot(heavy); lanes; lanes &= lanes - 1) {
        const uint32_t lane = Machine::first_one(lanes);
        add_pieces(machine_.shuffle(vertex[k], lane),
                   static_cast<uint32_t>((machine_.shuffle(degree, lane) + tuning.piece_edges - 1) /
                                         tuning.piece_edges));
      }
      range[k].degree = heavy ? 0 : static_cast<uint32_t>(degree);
    }
  }

  COLONNADE_KERNEL_CODE void add_pieces(uint32_t vertex, uint32_t count) {
    uint32_t first = 0;
    if (machine_.lane() == 0)
      first = machine_.fetch_add(&arguments_.control->counts[plan_.set][heavy_pieces].value, count);
    first = machine_.shuffle(first, 0);
    if (uint64_t{first} + count > arguments_.num_pieces) // rows overlap
      report_path_error(machine_, arguments_.control, data_error::index_out_of_range, vertex);
    for (uint32_t i = machine_.lane(); i < count; i += 32)
      if (uint64_t{first} + i < arguments_.num_pieces)
        arguments_.pieces[first + i] = {vertex, i};
  }

  /// The vertices were taken in the step before. If one got a shorter distance since then, that
  /// is used: it is right as well.
  COLONNADE_KERNEL_CODE void take_pieces(const uint32_t (&item)[each],
                                         edge_range (&range)[each]) const {
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < each; ++k) {
      if (item[k] >= arguments_.num_pieces)
        continue;
      const uint32_t vertex = machine_.load_word(&arguments_.pieces[item[k]].vertex);
      const uint32_t piece = machine_.load_word(&arguments_.pieces[item[k]].piece);
      const uint64_t end = machine_.read(arguments_.graph.d_row_offsets + vertex + 1);
      range[k].begin = machine_.read(arguments_.graph.d_row_offsets + vertex) +
                       uint64_t{piece} * tuning.piece_edges;
      const uint64_t left = end - range[k].begin;
      range[k].degree =
          static_cast<uint32_t>(left < tuning.piece_edges ? left : tuning.piece_edges);
      range[k].distance = words::distance(machine_.load_atomic(&arguments_.words[vertex]));
    }
  }

  /// The number of ranges that have edges, and, range_bits higher, the number of their edges.
  static COLONNADE_KERNEL_CODE uint32_t count(const edge_range (&range)[each]) {
    uint32_t sum = 0;
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < each; ++k)
      sum += range[k].degree << range_bits | (range[k].degree != 0);
    return sum;
  }

  /// Puts the block's ranges that have edges into the tile, one after the other.
  template <class Tile>
  COLONNADE_KERNEL_CODE void fill_tile(Tile &tile, const edge_range (&range)[each]) {
    uint32_t at = block_exclusive_sum(machine_, count(range), work_.warp_sums);
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < each; ++k) {
      if (!range[k].degree)
        continue;
      const uint32_t place = at & most_ranges, before = at >> range_bits;
      tile.start[place] = range[k].begin - before; // may wrap; the edge's number is added to it
      tile.end[place] = before + range[k].degree;
      tile.distance[place] = words::waiting(range[k].distance);
      at += range[k].degree << range_bits | 1;
    }
    if (machine_.thread() != machine_.num_threads() - 1)
      return;
    tile.num_vertices = at & most_ranges;
    tile.num_edges = at >> range_bits;
    tile.last = work_.warps_left == 0;
    work_.edges += tile.num_edges;
  }

private:
  const Machine &machine_;
  const arguments_type &arguments_;
  const Plan &plan_;
  Work &work_;
  relaxer_type relaxer_;
};

} // namespace colonnade::detail
