//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// scatter.hpp: the second pass of a multisplit: one block moves one tile.
//
//   load       items come in rows of 32, one contiguous stretch a warp   scatter_tile.hpp
//   count      per warp and bucket (or: rank, which counts as well)    scatter_counts.hpp
//   publish    the tile's counts, at once, for the tiles behind        scatter_counts.hpp
//   stage      every item goes to its place in the tile, sorted by
//              bucket, stable                                           scatter_ranks.hpp
//   look back  how many items of each bucket are in the tiles before  scatter_targets.hpp
//   write      neighbours in the tile are neighbours in the output      scatter_write.hpp
//   in turn    (optional) values then take the keys' room: stage, write
//
// In: base[b], the index of the first item of bucket b of this portion; look-back
// words empty; ticket zero. Out: the portion's items in the output; base of the next portion.
// Invariant: every output index is written once. The last tile may be partial: copies of its
// last item stand for what is missing, and are not written.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/scatter/scatter_arguments.hpp>
#include <colonnade/detail/scatter/scatter_counts.hpp>
#include <colonnade/detail/scatter/scatter_ranks.hpp>
#include <colonnade/detail/scatter/scatter_targets.hpp>
#include <colonnade/detail/scatter/scatter_tile.hpp>
#include <colonnade/detail/scatter/scatter_write.hpp>

namespace colonnade::detail {

template <class Tuning, class Bits, class Arguments, class Machine> class scatter_block {
  using tile = scatter_tile<Tuning, Bits, Arguments, Machine>;
  using key = typename tile::key;
  using value = typename tile::value;
  static constexpr multisplit_tuning tuning = Tuning::value;
  static constexpr uint32_t items = tile::items;
  static constexpr bool in_turn = tile::in_turn, rank_first = tuning.rank_first;
  /// So many rows before they are staged values are loaded.
  static constexpr uint32_t ahead =
      (rank_first && !in_turn) || tuning.value_rows_ahead > items ? items : tuning.value_rows_ahead;

public:
  using storage = typename tile::storage;
  static constexpr uint32_t threads = tile::threads, tile_items = tile::tile_items;

  COLONNADE_KERNEL_CODE scatter_block(const Machine &machine, const Arguments &a, char *shared)
      : machine_(machine), t_(machine, a, shared) {}

  COLONNADE_KERNEL_CODE void run() {
    const uint32_t valid = take_tile();
    t_.index = t_.begin() + t_.first_of_lane();
    if (valid > 0) // or nobody looks back here
      move_tile(valid);
  }

private:
  /// What a thread keeps from step to step.
  struct registers {
    key keys[items];
    value values[tile::has_values ? items : 1];
    uint32_t ranks[rank_first ? (items + 1) / 2 : 1] = {}; // two 16-bit ranks a register
    uint32_t places[in_turn ? (items + 1) / 2 : 1] = {};   // two 16-bit places a register
    uint32_t ids[in_turn ? (items + 3) / 4 : 1] = {};      // four ids a register
  };

  /// Which tile is this block's. Returns how many items it has.
  COLONNADE_KERNEL_CODE uint32_t take_tile() {
    if constexpr (tuning.ticket) {
      if (machine_.thread() == 0) {
        t_.s.ticket()[0] = machine_.take_ticket(t_.a.ticket);
        t_.s.ticket()[1] = t_.items_of(t_.s.ticket()[0]);
      }
      machine_.block_sync();
      t_.number = t_.s.ticket()[0];
      return t_.s.ticket()[1];
    } else {
      t_.number = machine_.block();
      return t_.items_of(t_.number);
    }
  }

  COLONNADE_KERNEL_CODE void move_tile(uint32_t valid) {
    t_.set_valid(valid);
    registers r;
    if (t_.is_full())
      load_and_count<true>(r);
    else
      load_and_count<false>(r);
    if constexpr (tuning.values_early && !in_turn)
      t_.template load_values<ahead>(r.values);
    if constexpr (rank_first)
      rank_first_of_all(r);
    publish_counts(t_);
    if constexpr (!tuning.values_early && !in_turn)
      t_.template load_values<ahead>(r.values);
    stage(r);
    if constexpr (in_turn) // the keys' registers are free
      t_.template load_values<ahead>(r.values);
    find_targets(t_);
    machine_.block_sync(); // staged, and targets known
    write_tile(t_, r.ids);
    if constexpr (in_turn) {
      machine_.block_sync(); // the keys' room is free
      stage_values(r);
      machine_.block_sync();
      write_values(t_, r.ids);
    }
  }

  /// Together: keys are counted while others are under way. All behind is the same code for
  /// full and for partial tiles.
  template <bool Full> COLONNADE_KERNEL_CODE void load_and_count(registers &r) const {
    t_.template load_keys<Full>(r.keys);
    if constexpr (!rank_first)
      count_keys(t_, r.keys);
  }
  COLONNADE_KERNEL_CODE void rank_first_of_all(registers &r) const {
    clear_counters(t_);
    rank_keys<items>(t_, r.keys, r.values,
                     [&](uint32_t k, uint32_t rank) { r.ranks[k / 2] |= rank << k % 2 * 16; });
  }

  /// Every key, and if not in turn its value, to its place in the tile.
  COLONNADE_KERNEL_CODE void stage(registers &r) const {
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < items; ++k)
      forget(r.keys[k]);
    const auto put = [&](uint32_t k, uint32_t place) {
      *t_.s.key_at(place) = r.keys[k];
      if constexpr (in_turn)
        pack<2>(r.places[k / 2], place / tile::scale, k);
      else if constexpr (tile::has_values)
        *t_.s.value_at(place) = r.values[k];
    };
    if constexpr (rank_first) {
      const uint32_t *start = t_.s.counters(machine_.warp());
      COLONNADE_UNROLL
      for (uint32_t k = 0; k < items; ++k)
        put(k, start[t_.id_of(r.keys[k], k)] + unpack<2>(r.ranks[k / 2], k) * tile::scale);
    } else {
      rank_keys<in_turn ? items : ahead>(t_, r.keys, r.values, put);
    }
  }
  /// Values take the places their keys had.
  COLONNADE_KERNEL_CODE void stage_values(registers &r) const {
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < items; ++k) {
      t_.load_value_row(k + ahead, r.values);
      t_.s.values()[unpack<2>(r.places[k / 2], k)] = r.values[k];
    }
  }

  const Machine &machine_;
  tile t_;
};

} // namespace colonnade::detail
