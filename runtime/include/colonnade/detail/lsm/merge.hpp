//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// merge.hpp: merges the runs of a plan, tile by tile.
//
// A tile has a piece of each run. Cells (cells.hpp) that stand for their elements are merged in
// shared memory, so global memory is read and written once, however many runs there are. Runs
// become twice as large from the newest to the oldest: all but the oldest are merged in pairs, from
// the newest on, until they are one; this one is merged with the oldest, which is half of all.
// Values are read when their place is known, and never are in shared memory. A tile with elements
// of one run alone is copied.
//
// In: a plan and the splits of its tiles. Out: an insertion writes the merged sequence to its
// slices, or to the staging area; a cleanup drops what is stale, writes what is left of each tile
// to the place of the tile in the staging area, and how many they are. Invariant: a tile never has
// more elements than there are cells; stale is all but the last of equal keys, and tombstones.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/device/block_scan.hpp>
#include <colonnade/detail/lsm/cells.hpp>
#include <colonnade/detail/lsm/rows.hpp>
#include <colonnade/lsm_tuning.hpp>

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
  template <bool Erased> COLONNADE_KERNEL_CODE Value value(uint32_t i) const {
    return Erased && !values ? Value{} : values[i];
  }
};

/// Drops: a cleanup.
template <class Tuning, bool Drops, class Arguments, class Machine> class lsm_merge_block {
public:
  using table = typename Arguments::table_type;
  using raw = typename table::raw;
  using value = typename table::value;
  using cell = lsm_cell<raw>;
  using piece = lsm_piece<raw, value>;
  using element = lsm_element<raw, value>;
  static constexpr uint32_t threads = Tuning::value.threads,
                            items_per_thread = Tuning::value.items_per_thread,
                            max_items = (threads - 1) * items_per_thread;
  static constexpr bool stages_values = Tuning::value.stages_values,
                        loads_ahead = Tuning::value.loads_ahead;
  static_assert(!stages_values || !loads_ahead, "copies of values are waited for with all others");
  static_assert(items_per_thread % 2 == 1 && items_per_thread < 32);
  static_assert(max_items < 1u << lsm_origin::place_bits);

  struct tile_storage {
    // Pieces, each with the largest cell behind it; and what is read beyond it.
    cell cells[max_items + most_lsm_runs + items_per_thread + 1];
    value values[stages_values ? max_items : 1]; // of element i of the tile, before it is merged
    piece pieces[most_lsm_runs];
    uint64_t target;
    uint32_t size[most_lsm_runs], bound[most_lsm_runs + 1];
    uint32_t only;  // the one run that has elements in the tile; most_lsm_runs if several have
    uint32_t share; // cells that a thread merges
    // Of a cleanup: what each run has first in the next tile.
    raw next_keys[most_lsm_runs];
    bool has_next[most_lsm_runs];
  };
  struct storage {
    tile_storage tiles[loads_ahead ? 2 : 1];
    uint64_t scratch[threads / 32];
    uint32_t kept;
  };

  COLONNADE_KERNEL_CODE lsm_merge_block(const Machine &machine, const Arguments &a, char *shared)
      : machine_(machine), a_(a), plan_(*a.plan), s_(*reinterpret_cast<storage *>(shared)) {}

  COLONNADE_KERNEL_CODE void run() {
    machine_.wait_for_previous_kernel();
    machine_.let_next_kernel_start();
    if (!Drops && plan_.changes_state && machine_.block() == 0 && machine_.thread() == 0)
      *a_.state = plan_.after;
    if (plan_.erased)
      merge_all<true>();
    else
      merge_all<false>();
  }

private:
  /// Erased: whether there may be tombstones.
  template <bool Erased> COLONNADE_KERNEL_CODE void merge_all() const {
    if constexpr (loads_ahead)
      merge_ahead<Erased>();
    else
      merge_tiles<Erased>();
  }
  template <bool Erased> COLONNADE_KERNEL_CODE void merge_tiles() const {
    for (uint64_t tile = machine_.block(); tile < plan_.num_tiles; tile += machine_.num_blocks()) {
      find_pieces(tile);
      if (!Drops && s_.tiles[0].only < most_lsm_runs) {
        copy<Erased>();
      } else {
        load<Erased>(tile);
        merge<Erased>();
        finish<Erased>(tile);
      }
      machine_.block_sync(); // before the next tile's pieces
    }
  }
  /// The next tile's keys are on their way while a tile is written.
  template <bool Erased> COLONNADE_KERNEL_CODE void merge_ahead() const {
    uint64_t tile = machine_.block();
    if (tile < plan_.num_tiles)
      begin<Erased>(tile);
    while (tile < plan_.num_tiles) {
      if (!is_copied())
        merge<Erased>();
      const uint64_t next = tile + machine_.num_blocks();
      if (next < plan_.num_tiles) {
        turn();
        begin<Erased>(next);
        turn();
      }
      if (is_copied())
        copy<Erased>();
      else
        finish<Erased>(tile);
      machine_.block_sync();
      turn();
      tile = next;
    }
  }
  COLONNADE_KERNEL_CODE tile_storage &t() const {
    if constexpr (loads_ahead)
      return s_.tiles[current_];
    else
      return s_.tiles[0];
  }
  COLONNADE_KERNEL_CODE void turn() const { current_ ^= 1; }
  COLONNADE_KERNEL_CODE bool is_copied() const { return !Drops && t().only < most_lsm_runs; }

  template <bool Erased> COLONNADE_KERNEL_CODE void begin(uint64_t tile) const {
    find_pieces(tile);
    if (!is_copied())
      load<Erased>(tile);
  }
  template <bool Erased> COLONNADE_KERNEL_CODE void finish(uint64_t tile) const {
    if constexpr (Drops)
      keep<Erased>(tile);
    else
      write<Erased>();
  }
  /// All runs; of a cleanup, all but the oldest.
  template <bool Erased> COLONNADE_KERNEL_CODE void merge() const {
    finish_load<Erased>();
    machine_.block_sync();
    for (uint32_t width = 1; width + 1 < plan_.num_runs; width *= 2)
      merge_newer(width);
    if (!Drops && plan_.num_runs > 1)
      merge_oldest();
  }

  /// bound[r]: how many elements of the tile are in pieces before r; target: where the tile begins
  /// in the merged sequence.
  COLONNADE_KERNEL_CODE void find_pieces(uint64_t tile) const {
    for (uint32_t r = machine_.thread(); r < plan_.num_runs; r += threads) {
      const auto &run = plan_.runs[r];
      const uint64_t begin = lsm_piece_begin(plan_, a_.splits, tile, r);
      t().size[r] = static_cast<uint32_t>(lsm_piece_begin(plan_, a_.splits, tile + 1, r) - begin);
      t().pieces[r] = {run.keys + begin, run.values ? run.values + begin : nullptr, run.tombstones,
                       begin, run.all_erased};
    }
    machine_.block_sync();
    for (uint32_t r = machine_.thread(); r <= plan_.num_runs; r += threads) {
      uint32_t before = 0;
      for (uint32_t i = 0; i < r; ++i)
        before += t().size[i];
      t().bound[r] = before < max_items ? before : max_items;
    }
    if (machine_.thread() == threads - 1)
      describe_tile();
    machine_.block_sync();
  }
  COLONNADE_KERNEL_CODE void describe_tile() const {
    uint64_t target = 0;
    uint32_t with_elements = 0, last = 0, all = 0;
    for (uint32_t i = 0; i < plan_.num_runs; ++i) {
      target += t().pieces[i].begin;
      all += t().size[i];
      if (t().size[i]) {
        ++with_elements;
        last = i;
      }
    }
    // Odd, so that accesses with this stride have no bank conflicts.
    const uint32_t sharers = threads - (plan_.num_runs + 1) / 2,
                   share = ((all + sharers - 1) / sharers) | 1;
    t().share = share < items_per_thread ? share : items_per_thread;
    t().target = target;
    t().only = with_elements == 1 ? last : most_lsm_runs;
  }
  COLONNADE_KERNEL_CODE uint32_t items_of_tile() const { return t().bound[plan_.num_runs]; }

  /// Element i of the tile, of piece r, is cell i + r. All keys are on their way at once.
  template <bool Erased> COLONNADE_KERNEL_CODE void load(uint64_t tile) const {
    for (uint32_t r = machine_.thread(); r < plan_.num_runs; r += threads)
      t().cells[t().bound[r + 1] + r] = cell::largest();
    const raw *keys = t().pieces[0].keys;
    uint32_t of = 0;
    for_own_elements([&](uint32_t i, uint32_t r, uint32_t begin) {
      if (r != of) {
        of = r;
        keys = t().pieces[r].keys;
      }
      const uint32_t place = i - begin;
      machine_.template copy_async<sizeof(raw)>(&t().cells[i + r].word, keys + place);
      t().cells[i + r].origin =
          lsm_origin::of(r, place, Erased && t().pieces[r].is_tombstone(place));
    });
    if constexpr (Drops)
      load_next(tile);
    if constexpr (stages_values) {
      machine_.close_copies();
      load_values<Erased>();
    }
  }
  /// This thread's keys are there.
  template <bool Erased> COLONNADE_KERNEL_CODE void finish_load() const {
    if constexpr (stages_values)
      machine_.wait_for_closed_copies();
    else
      machine_.wait_for_copies();
    if (a_.format.is_identity())
      return;
    for_own_elements([&](uint32_t i, uint32_t r, uint32_t) {
      t().cells[i + r].word = a_.format.word(t().cells[i + r].word);
    });
  }
  /// They are on their way while keys are merged.
  template <bool Erased> COLONNADE_KERNEL_CODE void load_values() const {
    for_own_elements([&](uint32_t i, uint32_t r, uint32_t begin) {
      const value *const values = t().pieces[r].values;
      if (!Erased || values)
        machine_.template copy_async<sizeof(value)>(t().values + i, values + (i - begin));
    });
  }
  COLONNADE_KERNEL_CODE void load_next(uint64_t tile) const {
    for (uint32_t r = machine_.thread(); r < plan_.num_runs; r += threads) {
      const uint64_t end = lsm_piece_begin(plan_, a_.splits, tile + 1, r);
      t().has_next[r] = end < plan_.runs[r].count;
      if (t().has_next[r])
        machine_.template copy_async<sizeof(raw)>(t().next_keys + r, plan_.runs[r].keys + end);
    }
  }
  /// visit(i, r, begin) for this thread's elements of the tile: element i is in piece r, whose
  /// first is element `begin`.
  template <class Visit> COLONNADE_KERNEL_CODE void for_own_elements(Visit visit) const {
    const uint32_t num_items = items_of_tile();
    uint32_t r = 0, begin = 0, end = t().bound[1];
    for (uint32_t i = machine_.thread(); i < num_items; i += threads) {
      for (; i >= end; end = t().bound[++r + 1])
        begin = end;
      visit(i, r, begin);
    }
  }

  /// Neighbouring runs first to middle - 1 and middle to end - 1, each merged before.
  struct pair {
    uint32_t first, middle, end;
  };
  /// Of the runs but the oldest, from the newest on, `width` are merged.
  COLONNADE_KERNEL_CODE void merge_newer(uint32_t width) const {
    uint32_t sharer = machine_.thread(), end = plan_.num_runs;
    pair chosen{0, 0, 0};
    while (end > width + 1 && !chosen.end) {
      const uint32_t middle = end - width, first = middle > width + 1 ? middle - width : 1;
      if (shares({first, middle, end}, sharer))
        chosen = {first, middle, end};
      end = first;
    }
    merge(chosen, sharer);
  }
  COLONNADE_KERNEL_CODE void merge_oldest() const {
    uint32_t sharer = machine_.thread();
    const pair both{0, 1, plan_.num_runs};
    merge(shares(both, sharer) ? both : pair{0, 0, 0}, sharer);
  }
  /// Whether thread `sharer` of those that are left has a share of the pair. No thread has a share
  /// of two.
  COLONNADE_KERNEL_CODE bool shares(const pair &p, uint32_t &sharer) const {
    const uint32_t begin = t().bound[p.first], middle = t().bound[p.middle], end = t().bound[p.end],
                   share = t().share;
    if (middle == end) // what is there stays where it is
      return false;
    if (sharer * share < end - begin)
      return true;
    sharer -= (end - begin + share - 1) / share;
    return false;
  }
  /// The thread's share of the pair, if it has an end.
  COLONNADE_KERNEL_CODE void merge(const pair &p, uint32_t sharer) const {
    const uint32_t share = t().share, diagonal = sharer * share,
                   num_items = t().bound[p.end] - t().bound[p.first];
    cell *const cells = t().cells + t().bound[p.first] + p.first;
    cell merged[items_per_thread];
    if (p.end)
      merge_to(p, diagonal, merged);
    machine_.block_sync();
    if (p.end) {
      const uint32_t left = num_items - diagonal;
      COLONNADE_UNROLL
      for (uint32_t i = 0; i < items_per_thread; ++i)
        if (i < share && i < left)
          cells[diagonal + i] = merged[i];
      if (left <= share)
        cells[num_items] = cell::largest();
    }
    if constexpr (stages_values)
      machine_.wait_for_copies();
    machine_.block_sync();
  }
  /// A share of the pair from `diagonal` on.
  COLONNADE_KERNEL_CODE void merge_to(const pair &p, uint32_t diagonal,
                                      cell (&merged)[items_per_thread]) const {
    const uint32_t num_a = t().bound[p.middle] - t().bound[p.first],
                   num_b = t().bound[p.end] - t().bound[p.middle];
    const cell *const a = t().cells + t().bound[p.first] + p.first;
    const cell *const b = t().cells + t().bound[p.middle] + p.middle;
    const uint32_t from_a = cells_from_first<cell>(a, num_a, b, num_b, diagonal);
    merge_cells<items_per_thread>(a + from_a, b + (diagonal - from_a), t().share, merged);
  }

  template <bool Erased> COLONNADE_KERNEL_CODE element element_at(uint32_t i) const {
    const cell c = t().cells[i];
    const piece &p = t().pieces[lsm_origin::run(c.origin)];
    const uint32_t place = lsm_origin::place(c.origin);
    return {key_of(c, p, place), value_of<Erased>(c, p, place),
            Erased && lsm_origin::is_tombstone(c.origin)};
  }
  template <bool Erased>
  COLONNADE_KERNEL_CODE value value_of([[maybe_unused]] const cell &c, const piece &p,
                                       uint32_t place) const {
    if constexpr (stages_values)
      return Erased && !p.values ? value{}
                                 : t().values[t().bound[lsm_origin::run(c.origin)] + place];
    else
      return p.template value<Erased>(place);
  }
  COLONNADE_KERNEL_CODE raw key_of(const cell &c, [[maybe_unused]] const piece &p,
                                   [[maybe_unused]] uint32_t place) const {
    if constexpr (table::format_type::invertible)
      return a_.format.key(c.word);
    else
      return p.keys[place];
  }
  template <bool Erased> COLONNADE_KERNEL_CODE void write() const {
    write_to_slices<Erased>(
        machine_, t().target, items_of_tile(), [&](uint64_t at) { return slice_of(at); },
        [&](uint32_t i) { return element_at<Erased>(i); },
        [&](uint32_t i) { return t().cells[i].word; });
  }
  template <bool Erased> COLONNADE_KERNEL_CODE void copy() const {
    const piece p = t().pieces[t().only];
    write_to_slices<Erased, Tuning::value.copied_rows>(
        machine_, t().target, items_of_tile(), [&](uint64_t at) { return slice_of(at); },
        [&](uint32_t i) {
          return element{p.keys[i], p.template value<Erased>(i), Erased && p.is_tombstone(i)};
        },
        [&](uint32_t i) { return a_.format.word(p.keys[i]); });
  }
  COLONNADE_KERNEL_CODE typename table::slice slice_of(uint64_t at) const {
    if (at < plan_.staged_begin || at >= plan_.staged_end || !a_.staging.keys)
      return planned_slice(plan_, at);
    typename table::slice slice = a_.staging;
    slice.begin = plan_.staged_begin;
    slice.count = plan_.staged_end - plan_.staged_begin;
    return slice;
  }

  /// Merges with the oldest run and drops what is stale; what is left goes to the staging area.
  template <bool Erased> COLONNADE_KERNEL_CODE void keep(uint64_t tile) const {
    const uint32_t num_items = items_of_tile(), first = machine_.thread() * t().share,
                   left = first < num_items ? num_items - first : 0,
                   num_own = left < t().share ? left : t().share;
    cell cells[items_per_thread];
    merge_own(first, num_own, cells);
    if constexpr (stages_values)
      machine_.wait_for_copies();
    machine_.block_sync(); // all cells have been read
    if (num_own)
      t().cells[machine_.thread()] = cells[0];
    machine_.block_sync();
    const uint32_t kept = kept_of<Erased>(cells, num_own, left == num_own);
    const uint64_t num_kept = Machine::count_ones(kept);
    // Beyond its barrier nobody reads the cells of before.
    uint32_t at = static_cast<uint32_t>(block_exclusive_sum(machine_, num_kept, s_.scratch));
    if (machine_.thread() == threads - 1)
      s_.kept = at + static_cast<uint32_t>(num_kept);
    COLONNADE_UNROLL
    for (uint32_t i = 0; i < items_per_thread; ++i)
      if (kept >> i & 1)
        t().cells[at++] = cells[i];
    machine_.block_sync();
    stage<Erased>(s_.kept);
    if (machine_.thread() == 0)
      a_.tile_counts[tile] = s_.kept;
  }
  /// The thread's share of the whole tile.
  COLONNADE_KERNEL_CODE void merge_own(uint32_t first, uint32_t num_own,
                                       cell (&cells)[items_per_thread]) const {
    const pair both{0, 1, plan_.num_runs};
    uint32_t sharer = machine_.thread();
    if (plan_.num_runs > 1 && shares(both, sharer)) {
      merge_to(both, first, cells);
      return;
    }
    COLONNADE_UNROLL
    for (uint32_t i = 0; i < items_per_thread; ++i)
      if (i < num_own)
        cells[i] = t().cells[first + i];
  }
  /// A bit for each of the thread's cells that stays: the last of its key, and no tombstone. The
  /// first cell of every thread is in shared memory.
  template <bool Erased>
  COLONNADE_KERNEL_CODE uint32_t kept_of(const cell (&cells)[items_per_thread], uint32_t num_own,
                                         bool ends_tile) const {
    uint32_t kept = 0;
    raw last{};
    COLONNADE_UNROLL
    for (uint32_t i = 0; i < items_per_thread; ++i) {
      if (i >= num_own)
        continue;
      last = cells[i].word;
      const uint32_t next = i + 1 < items_per_thread ? i + 1 : i;
      if (i + 1 == num_own || cells[next].word != last)
        kept |= 1u << i;
      if (Erased && lsm_origin::is_tombstone(cells[i].origin))
        kept &= ~(1u << i);
    }
    if (num_own && (ends_tile ? goes_on(last) : t().cells[machine_.thread() + 1].word == last))
      kept &= ~(1u << (num_own - 1));
    return kept;
  }
  /// Whether the tile's last key goes on in the next tile: then it is first in what some run has
  /// there.
  COLONNADE_KERNEL_CODE bool goes_on(raw last) const {
    for (uint32_t r = 0; r < plan_.num_runs; ++r)
      if (t().has_next[r] && a_.format.word(t().next_keys[r]) == last)
        return true;
    return false;
  }
  template <bool Erased> COLONNADE_KERNEL_CODE void stage(uint32_t num_kept) const {
    typename table::slice slice = a_.staging;
    slice.index = nullptr;
    const lsm_part_writer<Machine, decltype(slice)> writer(machine_, slice, t().target, num_kept);
    writer.template write<false>([&](uint32_t i) { return element_at<Erased>(i); });
  }

  const Machine &machine_;
  const Arguments &a_;
  const typename Arguments::plan_type &plan_;
  storage &s_;
  mutable uint32_t current_ = 0; // of the tiles in shared memory
};

} // namespace colonnade::detail
