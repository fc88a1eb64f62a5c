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
// words empty; ticket zero. Every output index is written once. The last tile may
// be partial: what is missing counts as items of the last bucket, which come last
// in the tile and are not written.
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

template <class Tuning, uint32_t Bits, class Offset, class Arguments, class Machine>
class scatter_block {
  using tile = scatter_tile<Tuning, Bits, Offset, Arguments, Machine>;
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
    t_.index = t_.a.first + uint64_t{t_.number} * tile_items + t_.first_of_lane();
    if (valid == tile_items)
      move_tile<true>(tile_items);
    else if (valid > 0) // or nobody looks back here
      move_tile<false>(valid);
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

  template <bool Full> COLONNADE_KERNEL_CODE void move_tile(uint32_t valid) {
    t_.set_valid(valid);
    registers r;
    t_.template load_keys<Full>(r.keys);
    if constexpr (tuning.values_early && !in_turn)
      t_.template load_values<Full, ahead>(r.values);
    count<Full>(r);
    publish_counts(t_);
    if constexpr (!tuning.values_early && !in_turn)
      t_.template load_values<Full, ahead>(r.values);
    stage<Full>(r);
    if constexpr (in_turn) // the keys' registers are free
      t_.template load_values<Full, ahead>(r.values);
    find_targets(t_);
    machine_.block_sync(); // staged, and targets known
    write_tile<Full>(t_, r.ids);
    if constexpr (in_turn) {
      machine_.block_sync(); // the keys' room is free
      stage_values<Full>(r);
      machine_.block_sync();
      write_values<Full>(t_, r.ids);
    }
  }

  template <bool Full> COLONNADE_KERNEL_CODE void count(registers &r) const {
    if constexpr (rank_first) {
      clear_counters(t_);
      rank_keys<Full, items>(t_, r.keys, r.values, [&](uint32_t k, uint32_t rank) {
        r.ranks[k / 2] |= rank << k % 2 * 16;
      });
    } else {
      count_keys<Full>(t_, r.keys);
    }
  }

  /// Every key, and if not in turn its value, to its place in the tile.
  template <bool Full> COLONNADE_KERNEL_CODE void stage(registers &r) const {
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
        put(k, start[t_.template id_of<Full>(r.keys[k], k)] +
                   unpack<2>(r.ranks[k / 2], k) * tile::scale);
    } else {
      rank_keys<Full, in_turn ? items : ahead>(t_, r.keys, r.values, put);
    }
  }
  /// Values take the places their keys had.
  template <bool Full> COLONNADE_KERNEL_CODE void stage_values(registers &r) const {
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < items; ++k) {
      t_.template load_value_row<Full>(k + ahead, r.values);
      t_.s.values()[unpack<2>(r.places[k / 2], k)] = r.values[k];
    }
  }

  const Machine &machine_;
  tile t_;
};

} // namespace colonnade::detail
