//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// relax.hpp: relaxes the edges of a tile: the edges of several vertices as one sequence.
//
// In: a tile in shared memory. Out: shorter distances in the vertices' words, and the
// vertices that got them in the outbox. The edges are divided equally among the block's
// warps; a warp takes rows of 32 edges, whichever vertices they start from.
// Invariant: a vertex whose word says that it waits is in the queue of its distance's pile,
// or in an outbox on the way there.
//
// Three accesses to memory overlap: while the words of the ends of some rows are loaded,
// the next rows' edges are loaded too, and the results of the atomics of the rows before
// are handled.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/shortest_paths/outbox.hpp>

namespace colonnade::detail {

/// Of all errors the one with the least detail stays, as in report.hpp.
template <class Machine>
COLONNADE_KERNEL_CODE void report_path_error(const Machine &machine, path_control *control,
                                             data_error error, uint64_t detail) {
  // Inverted, because the control is zeroed before the kernel: zero means no error.
  machine.fetch_max(&control->status, ~(detail << 8 | static_cast<uint64_t>(error)));
}

/// Called by all lanes: makes the least of their words that went to the far pile (`unreached` if
/// none did) known to all blocks.
template <class Machine, class Word>
COLONNADE_KERNEL_CODE void note_nearest(const Machine &machine, path_control *control, uint32_t set,
                                        Word nearest) {
  if (!machine.ballot(nearest != static_cast<Word>(~Word{0}))) // unreached
    return;
  COLONNADE_UNROLL
  for (uint32_t mask = 16; mask; mask /= 2) {
    const Word other = machine.shuffle_xor(nearest, mask);
    nearest = other < nearest ? other : nearest;
  }
  if (machine.lane() == 0)
    machine.fetch_max(&control->nearest_far[set], ~static_cast<uint64_t>(nearest));
}

template <class Machine, class Weight, class Distance, class Outbox, class Plan, class Tile,
          uint32_t AtOnce>
class edge_relaxer {
  using words = path_word<Distance>;
  using word_type = typename words::type;
  using arguments_type = path_arguments<Weight, Distance>;

public:
  COLONNADE_KERNEL_CODE edge_relaxer(const Machine &machine, const arguments_type &arguments,
                                     const Plan &plan, Outbox &outbox)
      : machine_(machine), arguments_(arguments), plan_(plan), outbox_(outbox) {}

  /// Relaxes the warp's share of the tile's edges.
  COLONNADE_KERNEL_CODE void run(const Tile &tile) {
    const uint32_t total = tile.num_edges, warps = machine_.num_threads() / 32;
    const uint32_t share = ((total + 31) / 32 + warps - 1) / warps * 32;
    const uint32_t begin = share * machine_.warp();
    const uint32_t end = begin + share < total ? begin + share : total;
    if (begin >= end)
      return;
    constexpr uint32_t step = 32 * AtOnce;
    uint32_t vertex = vertex_of(tile, begin);
    edge_rows loaded;
    relaxed_rows now, sent{};
    load(tile, begin, end, vertex, loaded);
    for (uint32_t first = begin; first < end; first += step) {
      add(tile, first, end, loaded, now);
      look(now);
      if (first + step < end)
        load(tile, first + step, end, vertex, loaded);
      if (first != begin)
        queue(sent);
      relax(now, sent);
    }
    queue(sent);
  }

  word_type nearest_far = words::unreached; // of what the lane sent to the far pile

private:
  /// A lane's edges, one in each of AtOnce rows.
  struct edge_rows {
    uint32_t to[AtOnce];
    Weight weight[AtOnce];
    word_type from[AtOnce]; // the distance that the edge starts from
  };
  /// Their ends, the word that the edge gives its end (`unreached` if there is no edge), and the
  /// word that the end had.
  struct relaxed_rows {
    uint32_t to[AtOnce];
    word_type reached[AtOnce], known[AtOnce];
  };

  /// Loads the edges of AtOnce rows from edge `first` on. vertex: the tile's vertex that `first`
  /// starts from; it becomes that of the edge after these rows.
  COLONNADE_KERNEL_CODE void load(const Tile &tile, uint32_t first, uint32_t end, uint32_t &vertex,
                                  edge_rows &rows) const {
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < AtOnce; ++k) {
      rows.to[k] = 0, rows.weight[k] = 0, rows.from[k] = 0;
      const uint32_t row = first + 32 * k;
      if (row >= end)
        continue;
      const uint32_t last = end - 1 - row; // lanes beyond the end load the last edge again
      const uint32_t at = machine_.lane() < last ? machine_.lane() : last;
      const uint32_t owner = owner_in_row(tile, row, at, vertex);
      const uint64_t edge = tile.start[owner] + (row + at);
      rows.to[k] = machine_.read_once(arguments_.graph.d_columns + edge);
      rows.weight[k] = machine_.read_once(arguments_.graph.d_weights + edge);
      rows.from[k] = tile.distance[owner];
    }
  }

  /// The vertex that edge row + at starts from. vertex: that of the row's first edge; it becomes
  /// that of the next row's. Each lane looks where the edges of one of the next vertices end.
  COLONNADE_KERNEL_CODE uint32_t owner_in_row(const Tile &tile, uint32_t row, uint32_t at,
                                              uint32_t &vertex) const {
    const uint32_t mine = vertex + machine_.lane();
    const uint32_t end = mine < tile.num_vertices ? tile.end[mine] - row : ~0u;
    const uint32_t begins = machine_.any_of(end < 32 ? 1u << end : 0);
    const uint32_t owner = vertex + Machine::count_ones(begins & ((2u << at) - 1));
    vertex += Machine::count_ones(machine_.ballot(end <= 32));
    return owner;
  }

  /// The words that the edges would give their ends; checks the edges' data.
  COLONNADE_KERNEL_CODE void add(const Tile &tile, uint32_t first, uint32_t end,
                                 const edge_rows &rows, relaxed_rows &now) const {
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < AtOnce; ++k) {
      const uint32_t edge = first + 32 * k + machine_.lane();
      Distance sum;
      const bool valid = words::valid(rows.weight[k]);
      const bool good = rows.to[k] < arguments_.graph.num_vertices && valid;
      const bool fits = words::add(words::distance(rows.from[k]), rows.weight[k], sum);
      if ((!good || !fits) && edge < end)
        complain(tile, good, valid, edge);
      now.reached[k] = good && fits && edge < end ? words::waiting(sum) : words::unreached;
      now.to[k] = good ? rows.to[k] : 0;
    }
  }

  /// The words that the ends have.
  COLONNADE_KERNEL_CODE void look(relaxed_rows &now) const {
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < AtOnce; ++k)
      now.known[k] = machine_.load_atomic(&arguments_.words[now.to[k]]);
  }

  /// An atomic minimum where the edge gives a shorter distance. What the atomics return is
  /// neither used nor copied here: that would wait for it.
  COLONNADE_KERNEL_CODE void relax(const relaxed_rows &now, relaxed_rows &sent) const {
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < AtOnce; ++k) {
      const bool nearer = (now.reached[k] | 1) < now.known[k];
      sent.to[k] = now.to[k];
      sent.reached[k] = nearer ? now.reached[k] : words::unreached;
      if (nearer)
        sent.known[k] = machine_.fetch_min(&arguments_.words[now.to[k]], now.reached[k]);
    }
  }

  /// Puts the vertices that got a shorter distance into the outbox, unless they wait in the same
  /// pile already.
  COLONNADE_KERNEL_CODE void queue(const relaxed_rows &rows) {
    outbox_.template make_room<AtOnce>();
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < AtOnce; ++k) {
      const word_type reached = rows.reached[k], before = rows.known[k];
      bool has = reached < before;
      uint32_t pile = near_pile;
      if (has) {
        pile = plan_.window.pile(words::distance(reached));
        has = !is_waiting(before) || plan_.window.pile(words::distance(before)) != pile;
        if (has && pile == plan_.window.far_pile() && reached < nearest_far)
          nearest_far = reached;
      }
      outbox_.put(has, rows.to[k], pile);
    }
  }

  /// The vertex of the tile that this edge starts from: the first whose edges end after it.
  static COLONNADE_KERNEL_CODE uint32_t vertex_of(const Tile &tile, uint32_t edge) {
    uint32_t vertex = 0;
    for (uint32_t left = tile.num_vertices; left > 1; left -= left / 2)
      if (tile.end[vertex + left / 2 - 1] <= edge)
        vertex += left / 2;
    return vertex;
  }

  COLONNADE_KERNEL_CODE void complain(const Tile &tile, bool good, bool valid,
                                      uint32_t edge) const {
    if (good)
      arguments_.control->overflowed = 1;
    else
      report_path_error(machine_, arguments_.control,
                        valid ? data_error::index_out_of_range : data_error::value_out_of_range,
                        tile.start[vertex_of(tile, edge)] + edge);
  }

  const Machine &machine_;
  const arguments_type &arguments_;
  const Plan &plan_;
  Outbox &outbox_;
};

} // namespace colonnade::detail
