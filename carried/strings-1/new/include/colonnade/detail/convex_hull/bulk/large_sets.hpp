//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// large_sets.hpp: sets of points that no block holds, all of them at once.
//
//   places    sets that sieved_sets.hpp finds leave; how many points and runs of tiles are before
//             each of the others                                         place_sets_block
//   load      the words of x and the places of all points, set by set    load_sets_block
//   (sort by x, stably, by digits)
//   rank      the numbers of sets instead of the words, points' indices instead of places
//                                                                        rank_sets_block
//   (sort by the sets' numbers; then tiles, joining, ... of many_points.hpp)
//
// In: the sets of a class. Out: the points' indices, set by set. Invariant: sets that have more
// points in all than there are, which only offsets that go back can say, are refused.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/convex_hull/block_hoods.hpp>
#include <colonnade/detail/convex_hull/bulk/sieved_sets.hpp>
#include <colonnade/detail/convex_hull/last_place.hpp>
#include <colonnade/detail/convex_hull/tile_sets.hpp>
#include <colonnade/detail/device/block_offsets.hpp>

namespace colonnade::detail {

/// The sets of the last class.
template <class Offset> struct large_tile_sets {
  static constexpr bool is_one = false;
  bulk_sets<Offset> sets;
  uint64_t *first_points; // of each set, in one array after the other; and the end
  uint32_t *first_tiles;  // of each set; and the number of tiles
  hull_findings *findings;
  uint32_t most_sets, tile_points;
  bool by_x; // points stay where they are

  COLONNADE_KERNEL_CODE uint32_t num_sets() const {
    const uint64_t all = sets.class_size(set_class::large);
    return all < most_sets ? static_cast<uint32_t>(all) : most_sets;
  }
  COLONNADE_KERNEL_CODE uint32_t number(uint32_t k) const {
    return sets.of_class(set_class::large, k);
  }
  COLONNADE_KERNEL_CODE tile_set set(uint32_t k) const {
    const uint32_t mine = number(k);
    return {mine, by_x ? sets.begin(mine) : first_points[k], sets.size(mine), first_tiles[k],
            findings + k};
  }
  COLONNADE_KERNEL_CODE uint32_t num_tiles() const { return first_tiles[num_sets()]; }
  COLONNADE_KERNEL_CODE set_tile tile(uint32_t i) const {
    const uint32_t k = last_upto(first_tiles, i);
    return {k, i - first_tiles[k]};
  }
  /// The last set whose `first` is not beyond x. Refused sets have nothing: they are passed over.
  template <class Number>
  COLONNADE_KERNEL_CODE uint32_t last_upto(const Number *first, Number x) const {
    return last_place(0u, num_sets(), [&](uint32_t k) { return first[k] <= x; });
  }
};

/// What a sort behind a kernel finds zeroed.
struct sort_header {
  uint32_t *words = nullptr;
  uint32_t count = 0;

  /// By one block.
  template <uint32_t Threads, class Machine>
  COLONNADE_KERNEL_CODE void zero(const Machine &machine) const {
    for (uint32_t k = machine.thread(); k < count; k += Threads)
      words[k] = 0;
  }
};

template <class Offset, class Index> struct place_sets_arguments {
  large_tile_sets<Offset> large;
  uint32_t *by_class; // of all sets
  uint64_t *class_begins;
  uint64_t *num_points; // that are sorted
  uint64_t most_points;
  bulk_output<Offset, Index> out;
  sort_header by_x;
};

/// One block.
template <class Offset, class Index, uint32_t Threads, class Machine> class place_sets_block {
public:
  using arguments = place_sets_arguments<Offset, Index>;
  static constexpr uint32_t threads = Threads;
  using storage = block_offsets_storage<uint64_t, Threads>;
  static constexpr uint32_t of_large = static_cast<uint32_t>(set_class::large);

  COLONNADE_KERNEL_CODE place_sets_block(const Machine &machine, const arguments &a, char *shared)
      : machine_(machine), a_(a), s_(*reinterpret_cast<storage *>(shared)) {}

  COLONNADE_KERNEL_CODE void run() {
    a_.by_x.template zero<Threads>(machine_);
    part_found();
    const auto &large = a_.large;
    const uint64_t all = large.sets.class_size(set_class::large);
    for (uint64_t k = large.num_sets() + machine_.thread(); k < all; k += Threads)
      refuse(large.sets.of_class(set_class::large, k));
    place<uint64_t>(large.first_points, [&](uint32_t k) { return size_of(k); });
    if (machine_.thread() == 0)
      *a_.num_points = large.first_points[large.num_sets()];
    machine_.block_sync();
    for (uint32_t k = machine_.thread(); k < large.num_sets(); k += Threads) {
      large.findings[k] = {~uint64_t{0}, {0, 0}};
      if (has_room(k))
        continue;
      large.findings[k].refused = refuse(large.number(k));
      if (k == 0 || has_room(k - 1)) // nor have those behind it
        *a_.num_points = large.first_points[k];
    }
    place<uint32_t>(large.first_tiles, [&](uint32_t k) {
      return has_room(k) ? runs_of(size_of(k), large.tile_points) : 0;
    });
  }

private:
  /// Those large sets that sieved_sets.hpp finds go behind the others and become the last class.
  /// Of those seen so far the ones that stay large come first.
  COLONNADE_KERNEL_CODE void part_found() {
    const uint64_t begin = a_.class_begins[of_large],
                   all = a_.large.sets.class_size(set_class::large);
    uint32_t *sets = a_.by_class + begin;
    uint64_t large = 0;
    for (uint64_t first = 0; first < all; first += Threads) {
      const uint64_t k = first + machine_.thread();
      const uint32_t set = k < all ? sets[k] : 0;
      const bool stays = k < all && a_.out.counts[set] == hull_to_find;
      const uint64_t before = block_exclusive_sum(machine_, uint64_t{stays}, s_.scratch);
      const uint64_t to = large + before; // where a found set has to give way, if it stands there
      const uint32_t moved = stays && to < first ? sets[to] : 0;
      if (machine_.thread() == Threads - 1)
        s_.last = before + stays;
      machine_.block_sync(); // all have read what others overwrite
      const uint64_t stay = s_.last, found = first - large, give_way = stay < found ? stay : found;
      const uint64_t behind = large + stay < first ? first : large + stay;
      if (stays)
        sets[to] = set;
      if (stays && to < first)
        sets[behind + before] = moved;
      if (!stays && k < all)
        sets[behind + give_way + (k - first - before)] = set;
      large += stay;
      machine_.block_sync(); // the storage is free
    }
    if (machine_.thread() == 0)
      a_.class_begins[of_large + 1] = begin + large;
    machine_.block_sync();
  }
  COLONNADE_KERNEL_CODE uint64_t size_of(uint32_t k) const {
    return a_.large.sets.size(a_.large.number(k));
  }
  COLONNADE_KERNEL_CODE bool has_room(uint32_t k) const {
    return a_.large.first_points[k] + size_of(k) <= a_.most_points;
  }
  COLONNADE_KERNEL_CODE uint64_t refuse(uint32_t set) const {
    const uint64_t bad = refusal(data_error::bucket_out_of_range, set);
    a_.out.of(set, 0).refuse(machine_, bad);
    return bad;
  }
  /// The sums of what is before each set; and behind the last one the sum of all.
  template <class Number, class Of> COLONNADE_KERNEL_CODE void place(Number *places, Of of) {
    const uint32_t sets = a_.large.num_sets();
    const uint64_t sum = block_offsets(
        machine_, s_, sets,
        [&](uint64_t k) { return static_cast<uint64_t>(of(static_cast<uint32_t>(k))); },
        [&](uint64_t k, uint64_t before) { places[k] = static_cast<Number>(before); });
    if (machine_.thread() == 0)
      places[sets] = static_cast<Number>(sum);
    machine_.block_sync();
  }

  const Machine &machine_;
  const arguments &a_;
  storage &s_;
};

template <class Points, class Offset> struct load_sets_arguments {
  Points points;
  large_tile_sets<Offset> large;
  typename sorted_as<typename Points::coordinate>::raw *words; // of x
  uint32_t *places;
};

template <class Points, class Offset, uint32_t Threads, class Machine> class load_sets_block {
public:
  using arguments = load_sets_arguments<Points, Offset>;
  static constexpr uint32_t threads = Threads;

  COLONNADE_KERNEL_CODE load_sets_block(const Machine &machine, const arguments &a)
      : machine_(machine), a_(a) {}

  COLONNADE_KERNEL_CODE void run() const {
    const uint32_t tiles = a_.large.num_tiles(), tile_points = a_.large.tile_points;
    for (uint32_t tile = machine_.block(); tile < tiles; tile += machine_.num_blocks()) {
      const set_tile at = a_.large.tile(tile);
      const tile_set set = a_.large.set(at.set);
      const uint64_t from = a_.large.sets.begin(set.number);
      for (uint32_t j = machine_.thread(); j < tile_points; j += Threads) {
        const uint64_t i = uint64_t{at.place} * tile_points + j;
        if (i >= set.num_points)
          break;
        a_.words[set.first_point + i] = order_word(a_.points[from + i].x);
        a_.places[set.first_point + i] = static_cast<uint32_t>(set.first_point + i);
        const uint64_t bad = refusal_of(a_.points, from, from + i, false);
        if (bad != ~uint64_t{0})
          machine_.min_global(&set.findings->refused, bad);
      }
    }
  }

private:
  const Machine &machine_;
  const arguments &a_;
};

template <class Offset> struct rank_sets_arguments {
  large_tile_sets<Offset> large;
  const uint64_t *num_points;
  uint32_t *ranks, *places; // in: the places of points by x; out: their indices
  sort_header by_rank;
};

template <class Offset, uint32_t Threads, class Machine> class rank_sets_block {
public:
  using arguments = rank_sets_arguments<Offset>;
  static constexpr uint32_t threads = Threads;

  COLONNADE_KERNEL_CODE rank_sets_block(const Machine &machine, const arguments &a)
      : machine_(machine), a_(a) {}

  COLONNADE_KERNEL_CODE void run() const {
    if (machine_.block() == 0)
      a_.by_rank.template zero<Threads>(machine_);
    const uint64_t n = *a_.num_points, step = uint64_t{machine_.num_blocks()} * Threads;
    for (uint64_t i = uint64_t{machine_.block()} * Threads + machine_.thread(); i < n; i += step) {
      const uint64_t place = a_.places[i];
      const uint32_t k = a_.large.last_upto(a_.large.first_points, place);
      a_.ranks[i] = k;
      a_.places[i] = static_cast<uint32_t>(a_.large.sets.begin(a_.large.number(k)) + place -
                                           a_.large.first_points[k]);
    }
  }

private:
  const Machine &machine_;
  const arguments &a_;
};

} // namespace colonnade::detail
