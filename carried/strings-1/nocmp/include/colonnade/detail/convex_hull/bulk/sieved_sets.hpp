//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// sieved_sets.hpp: hulls of sets of more points than a block holds, of which it holds what a sieve
// leaves.
//
//   sample   all points are read; one of each run of them is added to a sieve of extreme points
//   sieve    all are read again; the numbers of those that it does not take are kept
//   hoods    of these, by block_hoods.hpp
//
// In: the large sets. Out: the hulls of those that it could find, and of the others a
// count that says hull_to_find: sets that are too long, or of which too many points are left.
// Invariant: what is left keeps its order; a set has the same fate in every step.
//
// Why: the points of a disc, a square or a cloud are nearly all inside; to sort them all takes six
// times as long as to read them twice.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/convex_hull/bulk/sifted_sets.hpp>
#include <colonnade/detail/convex_hull/few_points.hpp>

namespace colonnade::detail {

/// The count of a set whose hull this step is to find later.
constexpr uint32_t hull_in_sieve = hull_to_find - 1;

/// Hulls may be written only when other sets' points are no longer needed where they go.
enum class sieve_step : uint32_t { find, decide, find_decided };

template <class Points, class Offset, class Index>
struct sieved_sets_arguments : bulk_arguments<Points, Offset, Index> {
  sieve_step step;
};

/// Longest: the most points of a set. Items: of a thread, whose loads are under way at once;
/// MostItems: that may be left for it; FewItems: where few are left. Directions: of the sieve.
template <class Points, class Offset, class Index, uint32_t Longest, uint32_t Threads,
          uint32_t Resident, uint32_t Items, uint32_t MostItems, uint32_t FewItems,
          uint32_t Directions, class Machine>
class sieved_sets_block {
public:
  using arguments = sieved_sets_arguments<Points, Offset, Index>;
  using coordinate = typename Points::coordinate;
  using point = point_of<coordinate>;
  using hoods = block_hoods<coordinate, Threads, MostItems, false, Machine>;
  using few_hoods = block_hoods<coordinate, Threads, FewItems, false, Machine>;
  using sieve = extreme_sieve<coordinate, Threads, Directions, Machine>;
  using keep = block_keep<Threads, Items, Machine>;
  static constexpr uint32_t resident =
      (sizeof(coordinate) == 8 ? Resident * 2 / 3 : Resident) / Threads;
  static constexpr uint32_t threads = Threads, tile_points = Threads * Items,
                            most_left = Threads * MostItems;
  static_assert(Longest <= 65535, "bulk convex hulls: numbers of sieved sets' points have 16 bits");
  struct storage {
    union { // the one before the other
      typename hoods::storage hoods_storage;
      typename few_hoods::storage few_storage;
      struct {
        typename sieve::storage sieve_storage;
        typename keep::storage keep_storage;
      };
    };
    uint16_t kept[most_left];
    uint64_t refused[Threads / 32];
  };

  COLONNADE_KERNEL_CODE sieved_sets_block(const Machine &machine, const arguments &a, char *shared)
      : machine_(machine), a_(a), s_(*reinterpret_cast<storage *>(shared)) {}

  COLONNADE_KERNEL_CODE void run() {
    const auto of = a_.step == sieve_step::find_decided ? set_class::sieved : set_class::large;
    const uint64_t sets = a_.sets.class_size(of);
    for (uint64_t k = machine_.block(); k < sets; k += machine_.num_blocks()) {
      const uint32_t set = a_.sets.of_class(of, k);
      if (a_.step == sieve_step::find_decided && a_.out.counts[set] != hull_in_sieve)
        continue;            // it is refused
      machine_.block_sync(); // all have seen the count, and the storage is free
      run_set(set);
    }
  }

private:
  COLONNADE_KERNEL_CODE void run_set(uint32_t set) {
    const uint64_t begin = a_.sets.begin(set), size = a_.sets.size(set);
    const auto point_at = [&](uint32_t i) { return a_.points[begin + i]; };
    if (size > Longest)
      return say(set, hull_to_find);
    sieve some(machine_, s_.sieve_storage, point_at(0));
    const uint32_t n = static_cast<uint32_t>(size), run_bits = run_bits_of(n);
    const uint64_t bad = sample(some, begin, n, run_bits);
    if (bad != ~uint64_t{0})
      return refuse(set, bad);
    const bool takes_any =
        some.make([&](uint32_t run) { return point_at(sampled(run, run_bits)); });
    const uint32_t left = takes_any ? sift(some, begin, n) : ~0u;
    if (left > most_left)
      return say(set, hull_to_find);
    if (a_.step == sieve_step::decide)
      return say(set, hull_in_sieve);
    if (left <= few_hoods::most_points)
      find(few_hoods(machine_, s_.few_storage), begin, left, set);
    else
      find(hoods(machine_, s_.hoods_storage), begin, left, set);
  }
  COLONNADE_KERNEL_CODE void say(uint32_t set, uint32_t count) const {
    if (machine_.thread() == 0)
      a_.out.counts[set] = count;
  }
  COLONNADE_KERNEL_CODE void refuse(uint32_t set, uint64_t bad) const {
    if (machine_.thread() == 0)
      a_.out.of(set, 0).refuse(machine_, bad);
  }
  template <class Hoods>
  COLONNADE_KERNEL_CODE void find(Hoods h, uint64_t begin, uint32_t left, uint32_t set) {
    h.run(
        a_.points, left, [&](uint32_t i) { return static_cast<uint32_t>(begin) + s_.kept[i]; },
        a_.by_x);
    write_hoods(machine_, h, a_.points, a_.part, a_.out.of(set, 0));
  }

  /// Runs of points are as short as they can be, so that the sieve can tell them apart.
  static COLONNADE_KERNEL_CODE uint32_t run_bits_of(uint32_t size) {
    uint32_t bits = 0;
    while ((size - 1) >> bits >> extreme_number_bits != 0)
      ++bits;
    return bits;
  }
  /// Which point of a run is in the sample: not always the same one, as rows of a grid may be as
  /// long as runs.
  static COLONNADE_KERNEL_CODE uint32_t sampled(uint32_t run, uint32_t run_bits) {
    return run << run_bits | (run * 0x9e3779b1u >> 16 & ((1u << run_bits) - 1));
  }
  /// use(points, first): of all, a tile after the other: first + k * Threads + thread has point k.
  template <class Use>
  COLONNADE_KERNEL_CODE void for_tiles(uint64_t begin, uint32_t size, Use use) const {
    for (uint32_t first = 0; first < size; first += tile_points) {
      point points[Items];
      COLONNADE_UNROLL
      for (uint32_t k = 0; k < Items; ++k) {
        const uint32_t i = first + place(k);
        points[k] = a_.points[begin + (i < size ? i : 0)];
      }
      use(points, first);
    }
  }
  COLONNADE_KERNEL_CODE uint32_t place(uint32_t k) const { return k * Threads + machine_.thread(); }
  /// What is refused of the set, as in device_status; all ones: nothing.
  COLONNADE_KERNEL_CODE uint64_t sample(sieve &some, uint64_t begin, uint32_t size,
                                        uint32_t run_bits) {
    uint64_t bad = ~uint64_t{0};
    for_tiles(begin, size, [&](const point(&points)[Items], uint32_t first) {
      COLONNADE_UNROLL
      for (uint32_t k = 0; k < Items; ++k) {
        const uint32_t i = first + place(k);
        if (i >= size)
          continue;
        if (bad == ~uint64_t{0} && is_refused(a_.points, points[k], begin, begin + i, a_.by_x))
          bad = refusal_of(a_.points, begin, begin + i, a_.by_x);
        if (sampled(i >> run_bits, run_bits) == i)
          some.add(points[k], i >> run_bits);
      }
    });
    return block_smallest(machine_, bad, s_.refused);
  }
  /// How many points are left; the numbers of the first most_left of them are kept.
  COLONNADE_KERNEL_CODE uint32_t sift(const sieve &some, uint64_t begin, uint32_t size) {
    uint32_t left = 0;
    for_tiles(begin, size, [&](const point(&points)[Items], uint32_t first) {
      const uint32_t taken = some.taken(points);
      left += keep(machine_, s_.keep_storage)
                  .run([&](uint32_t k) { return first + place(k) < size && !(taken >> k & 1); },
                       [&](uint32_t at, uint32_t number) {
                         if (left + at < most_left)
                           s_.kept[left + at] = static_cast<uint16_t>(first + number);
                       });
    });
    return left;
  }

  const Machine &machine_;
  const arguments &a_;
  storage &s_;
};

} // namespace colonnade::detail
