//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// expand.hpp: relaxes the edges of a set of vertices, shared out by edges.
//
// Every block takes an equal share of the vertices, a thread each; a prefix sum
// over their degrees makes their edges one sequence, which the block's warps share
// out equally, 32 edges at a time whatever vertex they belong to (found by a binary
// search in shared memory). A vertex of very many edges is cut into pieces, which
// the whole GPU expands in the next step. Vertices that a shorter distance reached
// go to the outbox.
//
// Invariant: a vertex whose word waits is in the queue of its pile.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/block_scan.hpp>
#include <colonnade/detail/shortest_paths/outbox.hpp>

namespace colonnade::detail {

template <class Machine>
COLONNADE_KERNEL_CODE void report_path_error(const Machine &machine, path_control *control,
                                             data_error error, uint64_t detail) {
  // Kept inverted: memory that is zero means no error.
  machine.fetch_max(&control->status, ~(detail << 8 | static_cast<uint64_t>(error)));
}

template <class Machine, class Weight, class Distance, class Outbox, class Plan, class Tile>
class expander {
  using words = path_word<Distance>;
  using word_type = typename words::type;
  using arguments_type = path_arguments<Weight, Distance>;

public:
  COLONNADE_KERNEL_CODE expander(const Machine &machine, const arguments_type &arguments,
                                 const Plan &plan, Outbox &outbox, Tile &tile)
      : machine_(machine), arguments_(arguments), plan_(plan), outbox_(outbox), tile_(tile) {}

  /// The block's share of the plan's items: every num_blocks-th row of up to 32, since
  /// what lies together in a queue is of a kind (vertices that others have had, or hubs).
  template <uint32_t HeavyDegree, uint32_t PieceEdges, uint32_t EdgesAtOnce>
  COLONNADE_KERNEL_CODE void run() {
    const uint32_t blocks = machine_.num_blocks(), warps = machine_.num_threads() / 32;
    const uint32_t share = (plan_.num_items + blocks - 1) / blocks;
    const uint32_t width = share < 32 ? share : 32;
    const uint32_t all_rows = (plan_.num_items + width - 1) / width;
    const uint32_t rows = machine_.block() < all_rows ? (all_rows - machine_.block() - 1) / blocks + 1 : 0;
    for (uint32_t row = 0; row < rows; row += warps) {
      if (row)
        machine_.block_sync(); // the tile is free
      const uint64_t item =
          (uint64_t{row + machine_.warp()} * blocks + machine_.block()) * width + machine_.lane();
      const bool has = machine_.lane() < width && item < plan_.num_items;
      edge_range range{};
      if (plan_.step == path_step::expand_pieces)
        range = piece_at<PieceEdges>(has, static_cast<uint32_t>(item));
      else
        range = vertex_at<HeavyDegree, PieceEdges>(has, static_cast<uint32_t>(item), share > 32);
      const uint32_t left = rows - row;
      relax<EdgesAtOnce>(range, left == 1 ? width : 32 * (left < warps ? left : warps));
    }
    note_nearest(machine_, arguments_.control, plan_.set, nearest_far_);
  }

  uint64_t edges = 0; // of the block

private:
  struct edge_range {
    Distance distance = 0; // of the vertex
    uint64_t begin = 0;
    uint32_t degree = 0;
  };

  COLONNADE_KERNEL_CODE uint32_t vertex_of(uint32_t item) const {
    uint32_t pile = near_pile;
    if (item >= plan_.ends[near_pile])
      for (pile = plan_.first_opened; item >= plan_.ends[pile];)
        ++pile;
    const uint32_t before = pile == near_pile ? 0 : plan_.ends[pile - 1];
    return machine_.load_word(
        &pile_items(arguments_, pile, plan_.near_in, 0, plan_.window.far_pile())[item - before]);
  }

  /// Takes the item's vertex, unless somebody had it already. `look_first`: many have been
  /// had, and a look costs less than taking.
  template <uint32_t HeavyDegree, uint32_t PieceEdges>
  COLONNADE_KERNEL_CODE edge_range vertex_at(bool has, uint32_t item, bool look_first) {
    edge_range range;
    uint32_t vertex = 0;
    uint64_t degree = 0;
    if (has) {
      vertex = vertex_of(item);
      has = !look_first || is_waiting(machine_.load_atomic(&arguments_.words[vertex]));
    }
    if (has) {
      range.begin = machine_.read(arguments_.graph.d_row_offsets + vertex);
      const uint64_t end = machine_.read(arguments_.graph.d_row_offsets + vertex + 1);
      const word_type word = machine_.fetch_or(&arguments_.words[vertex], word_type{1});
      if (is_waiting(word)) {
        range.distance = words::distance(word);
        if (range.begin <= end && end <= arguments_.graph.num_edges)
          degree = end - range.begin;
        else
          report_path_error(machine_, arguments_.control, data_error::index_out_of_range, vertex);
      }
    }
    const bool heavy = degree > HeavyDegree;
    for (uint32_t lanes = machine_.ballot(heavy); lanes; lanes &= lanes - 1) {
      const uint32_t lane = Machine::first_one(lanes);
      add_pieces(machine_.shuffle(vertex, lane),
                 static_cast<uint32_t>((machine_.shuffle(degree, lane) + PieceEdges - 1) / PieceEdges));
    }
    range.degree = heavy ? 0 : static_cast<uint32_t>(degree);
    return range;
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

  /// The vertex has been taken by the step before; if it got nearer since, so much the better.
  template <uint32_t PieceEdges>
  COLONNADE_KERNEL_CODE edge_range piece_at(bool has, uint32_t item) const {
    edge_range range;
    if (!has || item >= arguments_.num_pieces)
      return range;
    const uint32_t vertex = machine_.load_word(&arguments_.pieces[item].vertex);
    const uint32_t piece = machine_.load_word(&arguments_.pieces[item].piece);
    const uint64_t end = machine_.read(arguments_.graph.d_row_offsets + vertex + 1);
    range.begin =
        machine_.read(arguments_.graph.d_row_offsets + vertex) + uint64_t{piece} * PieceEdges;
    const uint64_t left = end - range.begin;
    range.degree = static_cast<uint32_t>(left < PieceEdges ? left : PieceEdges);
    range.distance = words::distance(machine_.load_atomic(&arguments_.words[vertex]));
    return range;
  }

  /// All edges of the block's threads' ranges; only the first `items` threads have any.
  template <uint32_t EdgesAtOnce>
  COLONNADE_KERNEL_CODE void relax(const edge_range &range, uint32_t items) {
    const uint32_t thread = machine_.thread();
    const uint32_t before = block_exclusive_sum(machine_, range.degree, tile_.warp_sums);
    tile_.start[thread] = range.begin - before; // wraps, and is added to
    tile_.end[thread] = before + range.degree;
    tile_.distance[thread] = words::waiting(range.distance);
    machine_.block_sync();
    const uint32_t total = tile_.end[machine_.num_threads() - 1];
    const uint32_t warps = machine_.num_threads() / 32;
    const uint32_t share = ((total + 31) / 32 + warps - 1) / warps * 32;
    const uint32_t begin = share * machine_.warp();
    const uint32_t end = begin + share < total ? begin + share : total;
    edges += total;
    uint32_t half = 1; // of the vertices to search among
    while (2 * half < items)
      half *= 2;
    for (uint32_t first = begin; first < end; first += 32 * EdgesAtOnce)
      relax_rows<EdgesAtOnce>(first + machine_.lane(), end, half);
  }

  template <uint32_t EdgesAtOnce>
  COLONNADE_KERNEL_CODE void relax_rows(uint32_t first, uint32_t end, uint32_t half) {
    outbox_.template make_room<EdgesAtOnce>(); // first, while few registers are in use
    uint32_t to[EdgesAtOnce];
    word_type reached[EdgesAtOnce], known[EdgesAtOnce];
    load<EdgesAtOnce>(first, end, half, to, reached);
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < EdgesAtOnce; ++k)
      known[k] = machine_.load_atomic(&arguments_.words[to[k]]);
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < EdgesAtOnce; ++k) {
      const bool nearer = (reached[k] | 1) < known[k];
      if (nearer)
        known[k] = machine_.fetch_min(&arguments_.words[to[k]], reached[k]);
      if (!nearer || reached[k] >= known[k])
        reached[k] = words::unreached;
    }
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < EdgesAtOnce; ++k)
      queue(to[k], reached[k], known[k]);
  }

  /// The lane's edges of some rows: where each leads, and the word of its end by it;
  /// `unreached` where there is no edge. No load waits for another edge's.
  template <uint32_t EdgesAtOnce>
  COLONNADE_KERNEL_CODE void load(uint32_t first, uint32_t end, uint32_t half,
                                  uint32_t (&to)[EdgesAtOnce],
                                  word_type (&reached)[EdgesAtOnce]) const {
    uint32_t owner[EdgesAtOnce];
    Weight weight[EdgesAtOnce];
    find_owners<EdgesAtOnce>(first, end, half, owner);
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < EdgesAtOnce; ++k) {
      const uint64_t edge = tile_.start[owner[k]] + edge_in_tile(first, k, end);
      to[k] = machine_.read_once(arguments_.graph.d_columns + edge);
      weight[k] = machine_.read_once(arguments_.graph.d_weights + edge);
    }
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < EdgesAtOnce; ++k) {
      Distance sum;
      const bool good = to[k] < arguments_.graph.num_vertices && words::valid(weight[k]);
      const bool fits = words::add(words::distance(tile_.distance[owner[k]]), weight[k], sum);
      if (!good || !fits)
        complain(good, words::valid(weight[k]),
                 tile_.start[owner[k]] + edge_in_tile(first, k, end));
      reached[k] = good && fits && first + 32 * k < end ? words::waiting(sum) : words::unreached;
      to[k] = good ? to[k] : 0;
    }
  }

  /// Row k's edge; beyond the end the last one again.
  static COLONNADE_KERNEL_CODE uint32_t edge_in_tile(uint32_t first, uint32_t k, uint32_t end) {
    return first + 32 * k < end ? first + 32 * k : end - 1;
  }

  /// The first threads whose edges end beyond these: binary searches side by side.
  template <uint32_t EdgesAtOnce>
  COLONNADE_KERNEL_CODE void find_owners(uint32_t first, uint32_t end, uint32_t half,
                                         uint32_t (&owner)[EdgesAtOnce]) const {
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < EdgesAtOnce; ++k)
      owner[k] = 0;
    for (uint32_t step = half; step; step /= 2) {
      COLONNADE_UNROLL
      for (uint32_t k = 0; k < EdgesAtOnce; ++k)
        if (tile_.end[owner[k] + step - 1] <= edge_in_tile(first, k, end))
          owner[k] += step;
    }
  }

  COLONNADE_KERNEL_CODE void complain(bool good, bool valid, uint64_t edge) const {
    if (good)
      arguments_.control->overflowed = 1;
    else
      report_path_error(machine_, arguments_.control,
                        valid ? data_error::index_out_of_range : data_error::value_out_of_range,
                        edge);
  }

  /// Puts a vertex that got nearer where it now waits, unless it waits there already.
  COLONNADE_KERNEL_CODE void queue(uint32_t vertex, word_type reached, word_type before) {
    bool has = reached != words::unreached;
    uint32_t pile = near_pile;
    if (has) {
      pile = plan_.window.pile(words::distance(reached));
      has = !is_waiting(before) || plan_.window.pile(words::distance(before)) != pile;
      if (has && pile == plan_.window.far_pile() && reached < nearest_far_)
        nearest_far_ = reached;
    }
    outbox_.put(has, vertex, pile);
  }

public:
  template <class Word>
  static COLONNADE_KERNEL_CODE void note_nearest(const Machine &machine, path_control *control,
                                                 uint32_t set, Word nearest) {
    if (!machine.ballot(nearest != words::unreached))
      return;
    COLONNADE_UNROLL
    for (uint32_t mask = 16; mask; mask /= 2) {
      const Word other = machine.shuffle_xor(nearest, mask);
      nearest = other < nearest ? other : nearest;
    }
    if (machine.lane() == 0)
      machine.fetch_max(&control->nearest_far[set], ~static_cast<uint64_t>(nearest));
  }

private:
  const Machine &machine_;
  const arguments_type &arguments_;
  const Plan &plan_;
  Outbox &outbox_;
  Tile &tile_;
  word_type nearest_far_ = words::unreached;
};

} // namespace colonnade::detail
