//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// merge_tile.hpp: brings a tile of the merged sequence to shared memory.
//
// In: a plan and the splits of its tiles. Out: the pieces of the tile, one of each run, and their
// cells (cells.hpp). Invariant: a tile never has more elements than there are cells.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/lsm/cells.hpp>
#include <colonnade/detail/lsm/rows.hpp>
#include <colonnade/lsm_tuning.hpp>

#include <bit>

namespace colonnade::detail {

template <class Table> struct lsm_merge_arguments {
  using table_type = Table;
  using plan_type = lsm_plan<typename Table::raw, typename Table::value>;
  const plan_type *plan;
  const uint64_t *splits;
  typename Table::format_type format;
  typename Table::slice staging; // of an insertion: null keys if nothing is staged
  uint32_t *tile_counts;         // of a cleanup: null for an insertion
  lsm_state *state;              // of an insertion: null for a cleanup
};

/// The part of a run that is in a tile.
template <class Raw, class Value> struct lsm_piece {
  const Raw *keys;
  const Value *values;        // null: they have none
  const uint32_t *tombstones; // of the run
  uint64_t begin;             // its place in the run
  bool all_erased;

  COLONNADE_KERNEL_CODE bool is_tombstone(uint64_t i) const {
    return tombstones ? tombstones[(begin + i) / 32] >> (begin + i) % 32 & 1 : all_erased;
  }
  /// Erased: whether there may be tombstones; values are missing only where all are.
  template <bool Erased, class Machine>
  COLONNADE_KERNEL_CODE Value value(const Machine &machine, uint32_t i) const {
    return Erased && !values ? Value{} : machine.load_once(values + i);
  }
};

/// Drops: a cleanup.
template <class Tuning, bool Drops, class Arguments, class Machine> class lsm_merge_tile {
public:
  using table = typename Arguments::table_type;
  using raw = typename table::raw;
  using value = typename table::value;
  using piece = lsm_piece<raw, value>;
  using element = lsm_element<raw, value>;
  static constexpr uint32_t threads = Tuning::value.threads,
                            items_per_thread = Tuning::value.items_per_thread,
                            max_items = (threads - 1) * items_per_thread;
  static_assert(items_per_thread % 2 == 1 && items_per_thread < 32);
  static_assert(max_items > 0);
  using origin = lsm_origin<static_cast<uint32_t>(std::bit_width(max_items))>;
  using cell = lsm_cell<raw, origin>;
  using cell_order = lsm_cell_order<cell>;
  static constexpr bool keeps_words = sizeof(raw) == 8; // since cells may have less than them

  struct storage {
    // Pieces, each with the largest cell behind it; and what is read beyond it.
    cell cells[max_items + most_lsm_runs + items_per_thread + 1];
    raw words[keeps_words ? max_items : 1]; // of all pieces, if they are kept
    piece pieces[most_lsm_runs];
    uint64_t scratch[threads / 32];
    uint32_t size[most_lsm_runs], bound[most_lsm_runs + 1], kept;
    uint32_t only;  // the one run that has elements in the tile; most_lsm_runs if several have
    uint32_t share; // cells that a thread merges
    bool by_words;  // cells that agree in what they have of the word are in the order of words
    // Of a cleanup: what each run has first in the next tile.
    raw next_keys[most_lsm_runs];
    bool has_next[most_lsm_runs];
  };

  COLONNADE_KERNEL_CODE lsm_merge_tile(const Machine &machine, const Arguments &a, char *shared)
      : machine_(machine), a_(a), plan_(*a.plan), s_(*reinterpret_cast<storage *>(shared)) {}

protected:
  /// bound[r]: how many elements of the tile are in pieces before r.
  COLONNADE_KERNEL_CODE void find_pieces(uint64_t tile) const {
    for (uint32_t r = machine_.thread(); r < plan_.num_runs; r += threads) {
      const auto &run = plan_.runs[r];
      const uint64_t begin = lsm_piece_begin(plan_, a_.splits, tile, r);
      s_.size[r] = static_cast<uint32_t>(lsm_piece_begin(plan_, a_.splits, tile + 1, r) - begin);
      s_.pieces[r] = {run.keys + begin, run.values ? run.values + begin : nullptr, run.tombstones,
                      begin, run.all_erased};
    }
    machine_.block_sync();
    for (uint32_t r = machine_.thread(); r <= plan_.num_runs; r += threads) {
      uint32_t before = 0;
      for (uint32_t i = 0; i < r; ++i)
        before += s_.size[i];
      s_.bound[r] = before < max_items ? before : max_items;
    }
    if (machine_.thread() == threads - 1)
      describe_tile();
    machine_.block_sync();
  }
  COLONNADE_KERNEL_CODE uint32_t items_of_tile() const { return s_.bound[plan_.num_runs]; }

  /// Element i of the tile, of piece r, is cell i + r. All keys are on their way at once.
  template <bool Erased> COLONNADE_KERNEL_CODE void load(uint64_t tile) const {
    for (uint32_t r = machine_.thread(); r < plan_.num_runs; r += threads)
      s_.cells[s_.bound[r + 1] + r] = cell::largest();
    const raw *keys = s_.pieces[0].keys;
    uint32_t of = 0;
    for_own_elements([&](uint32_t i, uint32_t r, uint32_t begin) {
      if (r != of) {
        of = r;
        keys = s_.pieces[r].keys;
      }
      const uint32_t place = i - begin;
      machine_.template copy_async<sizeof(raw)>(&loaded_word(i, r), keys + place);
      if constexpr (!keeps_words)
        s_.cells[i + r].origin_bits = origin_of<Erased>(r, place);
    });
    if constexpr (Drops)
      load_next(tile);
    machine_.wait_for_copies();
    if (!a_.format.is_identity())
      for_own_elements([&](uint32_t i, uint32_t r, uint32_t) {
        loaded_word(i, r) = a_.format.word(loaded_word(i, r));
      });
    if constexpr (keeps_words) {
      machine_.block_sync();
      make_cells<Erased>();
    }
  }

  template <bool Erased> COLONNADE_KERNEL_CODE element element_at(uint32_t i) const {
    const cell c = s_.cells[i];
    const piece &p = s_.pieces[origin::run(c.origin())];
    const uint32_t place = origin::place(c.origin());
    return {key_of(c, p, place), p.template value<Erased>(machine_, place),
            Erased && origin::is_tombstone(c.origin())};
  }
  COLONNADE_KERNEL_CODE raw key_of(const cell &c, [[maybe_unused]] const piece &p,
                                   [[maybe_unused]] uint32_t place) const {
    if constexpr (table::format_type::invertible)
      return a_.format.key(word_of(c));
    else
      return p.keys[place];
  }
  COLONNADE_KERNEL_CODE raw word_of(const cell &c) const {
    if constexpr (keeps_words)
      return order().word(c);
    else
      return c.word;
  }
  COLONNADE_KERNEL_CODE cell_order order() const {
    if constexpr (keeps_words)
      return {s_.words, s_.bound, max_items - 1, s_.by_words};
    else
      return {};
  }

  const Machine &machine_;
  const Arguments &a_;
  const typename Arguments::plan_type &plan_;
  storage &s_;

private:
  /// Where the word of element i, of piece r, is loaded to.
  COLONNADE_KERNEL_CODE raw &loaded_word(uint32_t i, [[maybe_unused]] uint32_t r) const {
    if constexpr (keeps_words)
      return s_.words[i];
    else
      return s_.cells[i + r].word;
  }
  template <bool Erased>
  COLONNADE_KERNEL_CODE uint32_t origin_of(uint32_t r, uint32_t place) const {
    return origin::of(r, place, Erased && s_.pieces[r].is_tombstone(place));
  }
  /// Of the words of all pieces.
  template <bool Erased> COLONNADE_KERNEL_CODE void make_cells() const {
    const lsm_scale scale = scale_of_tile();
    if (machine_.thread() == 0)
      s_.by_words = !scale.keeps_all(64 - origin::bits);
    for_own_elements([&](uint32_t i, uint32_t r, uint32_t begin) {
      s_.cells[i + r] = scale.template cell<cell>(s_.words[i], origin_of<Erased>(r, i - begin));
    });
  }
  /// A lane looks at each piece.
  COLONNADE_KERNEL_CODE lsm_scale scale_of_tile() const {
    const uint32_t lanes = 1u << lsm_log2_group(plan_.num_runs), r = machine_.lane() & (lanes - 1);
    const bool has = r < plan_.num_runs && s_.bound[r] < s_.bound[r + 1];
    raw least = has ? s_.words[s_.bound[r]] : static_cast<raw>(~raw{0}),
        most = has ? s_.words[s_.bound[r + 1] - 1] : raw{0};
    for (uint32_t mask = lanes / 2; mask > 0; mask /= 2) {
      const raw other_least = machine_.shuffle_xor(least, mask),
                other_most = machine_.shuffle_xor(most, mask);
      least = other_least < least ? other_least : least;
      most = other_most > most ? other_most : most;
    }
    return lsm_scale::of(least, most);
  }
  COLONNADE_KERNEL_CODE void describe_tile() const {
    uint32_t with_elements = 0, last = 0, all = 0;
    for (uint32_t i = 0; i < plan_.num_runs; ++i) {
      all += s_.size[i];
      if (s_.size[i]) {
        ++with_elements;
        last = i;
      }
    }
    // Odd, so that accesses with this stride have no bank conflicts.
    const uint32_t sharers = threads - (plan_.num_runs + 1) / 2,
                   share = ((all + sharers - 1) / sharers) | 1;
    s_.share = share < items_per_thread ? share : items_per_thread;
    s_.only = with_elements == 1 ? last : most_lsm_runs;
  }
  COLONNADE_KERNEL_CODE void load_next(uint64_t tile) const {
    for (uint32_t r = machine_.thread(); r < plan_.num_runs; r += threads) {
      const uint64_t end = lsm_piece_begin(plan_, a_.splits, tile + 1, r);
      s_.has_next[r] = end < plan_.runs[r].count;
      if (s_.has_next[r])
        machine_.template copy_async<sizeof(raw)>(s_.next_keys + r, plan_.runs[r].keys + end);
    }
  }
  /// visit(i, r, begin) for this thread's elements of the tile: element i is in piece r, whose
  /// first is element `begin`.
  template <class Visit> COLONNADE_KERNEL_CODE void for_own_elements(Visit visit) const {
    const uint32_t num_items = items_of_tile();
    uint32_t r = 0, begin = 0, end = s_.bound[1];
    for (uint32_t i = machine_.thread(); i < num_items; i += threads) {
      for (; i >= end; end = s_.bound[++r + 1])
        begin = end;
      visit(i, r, begin);
    }
  }
};

} // namespace colonnade::detail
