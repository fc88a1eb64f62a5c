//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// sifted_sets.hpp: hulls of sets of points that are almost all inside: the warps of a block sift 32
// sets, and then each lane of the first one finds the hull of what is left of one.
//
//   sift     each set by a warp: a polygon of extreme points; what is not inside goes to a lane of
//            the first warp
//   hulls    of all its lanes at once, by lane_hulls.hpp
//   write    two sets at once
//
// In: the sets of a class. Out: their hulls, but for sets of which too many points are left: these
// get a count that says so, and are found by block_sets.hpp. Invariant: what is left of a set keeps
// its order.
//
// Why: few points are left of most sets, and a block's threads would wait for each other while they
// share them.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/convex_hull/block_sift.hpp>
#include <colonnade/detail/convex_hull/bulk/lane_sets.hpp>

namespace colonnade::detail {

/// The count of a set whose hull is still to be found.
constexpr uint32_t hull_to_find = ~uint32_t{0};

/// A warp of a block, as a block of its own.
template <class Machine> struct warp_as_block {
  const Machine &machine;

  COLONNADE_KERNEL_CODE uint32_t thread() const { return machine.lane(); }
  COLONNADE_KERNEL_CODE uint32_t lane() const { return machine.lane(); }
  COLONNADE_KERNEL_CODE uint32_t warp() const { return 0; }
  COLONNADE_KERNEL_CODE void block_sync() const { machine.warp_sync(); }
  COLONNADE_KERNEL_CODE void warp_sync() const { machine.warp_sync(); }
  COLONNADE_KERNEL_CODE uint32_t ballot(bool predicate) const { return machine.ballot(predicate); }
  COLONNADE_KERNEL_CODE uint32_t largest(uint32_t value) const { return machine.largest(value); }
  template <class T> COLONNADE_KERNEL_CODE T shuffle(T value, uint32_t from) const {
    return machine.shuffle(value, from);
  }
  template <class T> COLONNADE_KERNEL_CODE T shuffle_up(T value, uint32_t distance) const {
    return machine.shuffle_up(value, distance);
  }
  static COLONNADE_KERNEL_CODE uint32_t count_ones(uint32_t x) { return Machine::count_ones(x); }
  static COLONNADE_KERNEL_CODE uint32_t first_one(uint32_t x) { return Machine::first_one(x); }
};

/// SetPoints: at most, of a set; Most: that may be left of it.
template <class Points, class Offset, class Index, set_class Class, uint32_t Threads,
          uint32_t Resident, uint32_t SetPoints, uint32_t Most, uint32_t Directions, class Machine>
class sifted_sets_block {
public:
  using arguments = bulk_arguments<Points, Offset, Index>;
  using coordinate = typename Points::coordinate;
  using point = point_of<coordinate>;
  static constexpr uint32_t resident = Resident / Threads;
  static constexpr uint32_t threads = Threads, warps = Threads / 32, items = (SetPoints + 31) / 32;
  using hulls = lane_hulls<coordinate, Most, Machine>;
  using sift = block_sift<coordinate, 32, items, Directions, warp_as_block<Machine>>;
  struct storage {
    typename hulls::storage lanes;
    typename sift::storage sifts[warps];
    typename sift::numbers kept[warps];
    uint32_t left[32];           // of each lane's set
    uint32_t refused[32];        // the first point that is; all ones: none
    uint16_t numbers[32 * Most]; // of a lane's points, in its set
  };

  COLONNADE_KERNEL_CODE sifted_sets_block(const Machine &machine, const arguments &a, char *shared)
      : machine_(machine), a_(a), s_(*reinterpret_cast<storage *>(shared)),
        hulls_(machine, s_.lanes) {}

  COLONNADE_KERNEL_CODE void run() {
    const uint64_t sets = a_.sets.class_size(Class);
    for (uint64_t first = uint64_t{machine_.block()} * 32; first < sets;
         first += uint64_t{machine_.num_blocks()} * 32)
      run_sets(first, sets - first < 32 ? static_cast<uint32_t>(sets - first) : 32);
  }

private:
  COLONNADE_KERNEL_CODE void run_sets(uint64_t first, uint32_t sets) {
    lane_set mine{~0u, 0, 0, ~uint64_t{0}};
    if (machine_.lane() < sets) {
      mine.number = a_.sets.of_class(Class, first + machine_.lane());
      mine.begin = static_cast<uint32_t>(a_.sets.begin(mine.number));
      mine.size = static_cast<uint32_t>(a_.sets.size(mine.number));
    }
    for (uint32_t k = machine_.warp(); k < sets; k += warps) {
      const uint32_t begin = machine_.shuffle(mine.begin, k), size = machine_.shuffle(mine.size, k);
      point points[items];
      const uint32_t bad = load(begin, size, points);
      const uint32_t of_set = bad < size ? 0 : sift_set(k, begin, size, points);
      if (machine_.lane() == 0)
        s_.left[k] = of_set, s_.refused[k] = bad;
    }
    machine_.block_sync();
    if (machine_.warp() == 0)
      find_hulls(mine);
    machine_.block_sync(); // points and stacks are free
  }
  COLONNADE_KERNEL_CODE void find_hulls(lane_set &mine) {
    const uint32_t left = mine.number != ~0u ? s_.left[machine_.lane()] : 0;
    if (const uint32_t bad = left == 0 ? s_.refused[machine_.lane()] : ~0u;
        mine.number != ~0u && bad != ~0u)
      mine.refused = refusal_of(a_.points, mine.begin, uint64_t{mine.begin} + bad, a_.by_x);
    const bool fits = left > 0 && left <= Most;
    const uint32_t most = machine_.largest(fits ? left : 0);
    typename hulls::vertices hull{0, 0};
    if (fits)
      hull = hulls_.find(left, most, a_.by_x, [](uint32_t i) { return i; });
    const auto part = hulls_.written(hull, a_.part);
    machine_.warp_sync();
    write_lane_hulls(machine_, a_, mine, hulls_, hull, part, [&](uint32_t lane, uint32_t i) {
      return uint32_t{s_.numbers[i * 32 + lane]};
    });
    if (left > Most)
      a_.out.counts[mine.number] = hull_to_find;
  }
  /// The number of the first point that is refused, or all ones.
  COLONNADE_KERNEL_CODE uint32_t load(uint32_t begin, uint32_t size, point (&points)[items]) const {
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < items; ++k)
      if (k * 32 + machine_.lane() < size)
        points[k] = a_.points[begin + k * 32 + machine_.lane()];
    uint32_t bad = ~0u;
    COLONNADE_UNROLL
    for (uint32_t k = items; k-- > 0;) {
      const uint32_t i = k * 32 + machine_.lane();
      if (i < size && is_refused(a_.points, points[k], begin, begin + i, a_.by_x))
        bad = i;
    }
    return ~machine_.largest(~bad);
  }
  /// Of the set of lane k: how many points are left.
  COLONNADE_KERNEL_CODE uint32_t sift_set(uint32_t k, uint32_t begin, uint32_t size,
                                          const point (&points)[items]) {
    const warp_as_block<Machine> warp{machine_};
    sift some(warp, s_.sifts[machine_.warp()], s_.kept[machine_.warp()]);
    const uint32_t left = some.run(size, points, [&](uint32_t i) { return a_.points[begin + i]; });
    for (uint32_t i = machine_.lane(); i < left && left <= Most; i += 32) {
      const uint32_t number = some.kept(i);
      hulls_.place(k, i) = a_.points[begin + number];
      s_.numbers[i * 32 + k] = static_cast<uint16_t>(number);
    }
    machine_.warp_sync(); // the numbers are free
    return left;
  }

  const Machine &machine_;
  const arguments &a_;
  storage &s_;
  hulls hulls_;
};

} // namespace colonnade::detail
