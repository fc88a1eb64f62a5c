//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// block_hoods.hpp: both hoods of a tile of points, by one block, in shared memory.
//
//   sort      (where points are not sorted) by x
//   chains    every thread finds the hoods of a few neighbours, one point after the other
//   merging   hoods of 1, 2, 4, ... threads are joined in pairs: few points by a thread, many by a
//             warp; the right hood's rest moves next to the left one's
//
// In: at most Threads * Items points, by x unless sorted here. Out: the places, in the tile, of the
// points of the lower and of the upper hood, left to right. Invariant: as hood.hpp says; after each
// level the hood of a run stands at the run's begin, and the count at its first thread's.
//
// Complexity: work O(n log n) with n points, O(log^2 n) steps one after the other.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/convex_hull/hood.hpp>
#include <colonnade/detail/digits/key_words.hpp>
#include <colonnade/detail/merging/block_order.hpp>

namespace colonnade::detail {

template <class T>
constexpr auto order_flip =
    static_cast<typename sorted_as<T>::raw>(sorted_as<T>::flip(false)); // as device code may ask

/// The word by which coordinates are sorted.
template <class T> COLONNADE_KERNEL_CODE auto order_word(T coordinate) {
  using sorted = sorted_as<T>;
  typename sorted::raw bits;
  memcpy(&bits, &coordinate, sizeof bits);
  return static_cast<typename sorted::raw>(typename sorted::word{}(bits) ^ order_flip<T>);
}

template <class T> struct point_by_x {
  typename sorted_as<T>::raw x;
  uint32_t index;
};
struct less_by_x {
  template <class Item> COLONNADE_KERNEL_CODE bool operator()(const Item &a, const Item &b) const {
    return a.x < b.x;
  }
};

/// A hood in shared memory: places [begin, end) of an array of places of points.
template <class T> struct tile_hood {
  using position = uint32_t;
  const point_of<T> *points;
  const uint32_t *indices;
  const uint16_t *places;
  uint32_t begin, end;

  COLONNADE_KERNEL_CODE hull_vertex<T> at(position i) const {
    return {points[places[i]], indices[places[i]]};
  }
  COLONNADE_KERNEL_CODE bool empty() const { return begin == end; }
  COLONNADE_KERNEL_CODE position first() const { return begin; }
  COLONNADE_KERNEL_CODE position last() const { return end - 1; }
  COLONNADE_KERNEL_CODE void drop_first() { ++begin; }
  COLONNADE_KERNEL_CODE void drop_last() { --end; }
  COLONNADE_KERNEL_CODE bool has_next(position i) const { return i + 1 < end; }
  COLONNADE_KERNEL_CODE position next(position i) const { return i + 1; }
  template <class Search, class Found>
  COLONNADE_KERNEL_CODE position find(const Search &search, Found found) const {
    return search.first(begin, end, found);
  }
};

/// Where two hoods are joined: how many vertices of the left one stay, how many of the right one do
/// not.
struct hood_cut {
  uint16_t stays, dropped;
};

template <class T, uint32_t Threads, uint32_t Items> struct hood_tile_storage {
  static constexpr uint32_t most_points = Threads * Items;
  static_assert(most_points <= 65536, "convex hull: places in a tile are 16-bit numbers");
  union {
    item_cell<point_by_x<T>> cells[order_cells<Items>(Threads)]; // while points are sorted
    point_of<T> points[most_points];
  };
  uint32_t indices[most_points];
  uint16_t places[2][most_points]; // of the lower and the upper hood
  uint16_t counts[2][Threads];
  hood_cut cuts[Threads]; // of the pairs of a level
};

template <class T, uint32_t Threads, uint32_t Items, class Machine> class block_hoods {
public:
  using storage = hood_tile_storage<T, Threads, Items>;
  using cut = hood_cut;
  static constexpr uint32_t threads = Threads, warps = Threads / 32,
                            most_points = storage::most_points;

  COLONNADE_KERNEL_CODE block_hoods(const Machine &machine, storage &s)
      : machine_(machine), s_(s) {}

  /// index(i): of point i of the tile, in the input; by_x: they come sorted. At least one point.
  template <class Points, class Index>
  COLONNADE_KERNEL_CODE void run(const Points &points, uint32_t num_points, Index index,
                                 bool by_x) {
    num_points_ = num_points;
    if (by_x) {
      for (uint32_t i = machine_.thread(); i < num_points; i += Threads)
        s_.indices[i] = index(i);
    } else {
      sort(points, index);
    }
    for (uint32_t i = machine_.thread(); i < num_points; i += Threads)
      s_.points[i] = points[s_.indices[i]];
    machine_.block_sync();
    make_chain(0);
    make_chain(1);
    machine_.block_sync();
    for (uint32_t width = 1; width * Items < num_points; width *= 2) {
      merge_level(width);
      machine_.block_sync();
    }
  }
  /// half: 0 for the lower hood.
  COLONNADE_KERNEL_CODE uint32_t count(uint32_t half) const { return s_.counts[half][0]; }
  COLONNADE_KERNEL_CODE uint32_t index(uint32_t half, uint32_t i) const {
    return s_.indices[s_.places[half][i]];
  }
  COLONNADE_KERNEL_CODE point_of<T> point(uint32_t half, uint32_t i) const {
    return s_.points[s_.places[half][i]];
  }

private:
  template <class Points, class Index>
  COLONNADE_KERNEL_CODE void sort(const Points &points, Index index) {
    order_items<Items, point_by_x<T>>(
        machine_, whole_block<Machine>{machine_}, s_.cells, num_points_,
        [&](uint32_t i) {
          const uint32_t at = index(i);
          return point_by_x<T>{order_word(points[at].x), at};
        },
        [&](uint32_t i, const point_by_x<T> &item) { s_.indices[i] = item.index; }, less_by_x{});
  }
  COLONNADE_KERNEL_CODE hull_vertex<T> vertex(uint32_t place) const {
    return {s_.points[place], s_.indices[place]};
  }
  COLONNADE_KERNEL_CODE void make_chain(uint32_t half) {
    const uint32_t begin = machine_.thread() * Items;
    const uint32_t end = begin + Items < num_points_ ? begin + Items : num_points_;
    uint16_t *stack = s_.places[half] + begin;
    uint32_t count = 0;
    for (uint32_t i = begin; i < end; ++i)
      count = add_to_hood(
          side_of(half), vertex(i), count, [&](uint32_t k) { return vertex(stack[k]); },
          [&](uint32_t k) { stack[k] = static_cast<uint16_t>(i); });
    s_.counts[half][machine_.thread()] = static_cast<uint16_t>(count);
  }

  /// Joins runs of `width` threads in pairs: as many as there are threads each by a thread; of
  /// fewer first all bridges are found, by groups of as many lanes as there are for each, and then
  /// groups or warps move.
  COLONNADE_KERNEL_CODE void merge_level(uint32_t width) {
    const uint32_t runs = (num_points_ + Items - 1) / Items;
    const uint32_t tasks = 2 * ((runs + width - 1) / (2 * width));
    if (2 * tasks > Threads) {
      for (uint32_t task = machine_.thread(); task < tasks; task += Threads)
        move(task, width, find_cut(task, width, true, search_alone{}), alone{});
      return;
    }
    uint32_t log2_lanes = 0; // of a task; there are no more tasks than threads
    while (log2_lanes < 5 && tasks << (log2_lanes + 1) <= Threads)
      ++log2_lanes;
    const uint32_t task = machine_.thread() >> log2_lanes;
    const cut found =
        find_cut(task, width, task < tasks, search_by_group<Machine>{machine_, log2_lanes});
    if (task < tasks && (task << log2_lanes) == machine_.thread())
      s_.cuts[task] = found;
    machine_.block_sync();
    for (uint32_t moved = machine_.warp(); moved < tasks; moved += warps)
      move(moved, width, s_.cuts[moved], as_warp{machine_});
  }
  /// Who moves a hood's rest.
  struct alone {
    static constexpr uint32_t lanes = 1;
    COLONNADE_KERNEL_CODE uint32_t lane() const { return 0; }
    COLONNADE_KERNEL_CODE void sync() const {}
  };
  struct as_warp {
    static constexpr uint32_t lanes = 32;
    const Machine &machine;
    COLONNADE_KERNEL_CODE uint32_t lane() const { return machine.lane(); }
    COLONNADE_KERNEL_CODE void sync() const { machine.warp_sync(); }
  };
  /// The first thread of a task's left run; the task's lowest bit is its half.
  static COLONNADE_KERNEL_CODE uint32_t first_of(uint32_t task, uint32_t width) {
    return task / 2 * 2 * width;
  }
  COLONNADE_KERNEL_CODE tile_hood<T> hood_of(uint32_t half, uint32_t thread) const {
    const uint32_t begin = thread * Items;
    return {s_.points, s_.indices, s_.places[half], begin, begin + s_.counts[half][thread]};
  }
  /// is_task: or only lanes that join in the others' search.
  template <class Search>
  COLONNADE_KERNEL_CODE cut find_cut(uint32_t task, uint32_t width, bool is_task,
                                     const Search &search) const {
    const uint32_t half = task % 2, thread = is_task ? first_of(task, width) : 0;
    tile_hood<T> left = hood_of(half, thread), right = hood_of(half, is_task ? thread + width : 0);
    if (is_task)
      part_hoods(side_of(half), left, right);
    tile_hood<T> from = left, to = right; // where the bridge is
    if (!is_task || left.empty() || right.empty())
      from.end = from.begin, to.end = to.begin;
    const auto bridge = find_bridge(search, side_of(half), from, to);
    if (!from.empty()) {
      left.end = bridge.left + 1;
      right.begin = bridge.right;
    }
    return {static_cast<uint16_t>(left.end - left.begin),
            static_cast<uint16_t>(right.begin - (thread + width) * Items)};
  }
  template <class Group>
  COLONNADE_KERNEL_CODE void move(uint32_t task, uint32_t width, const cut &c, const Group &group) {
    const uint32_t half = task % 2, thread = first_of(task, width);
    const tile_hood<T> right = hood_of(half, thread + width);
    const uint16_t *from = right.places + right.begin + c.dropped;
    uint16_t *to = s_.places[half] + thread * Items + c.stays;
    const uint32_t moved = right.end - right.begin - c.dropped;
    for (uint32_t i = 0; i < moved; i += Group::lanes) {
      const uint32_t mine = i + group.lane();
      const uint16_t place = mine < moved ? from[mine] : uint16_t{0};
      group.sync(); // all have read what others overwrite
      if (mine < moved)
        to[mine] = place;
    }
    if (group.lane() == 0)
      s_.counts[half][thread] = static_cast<uint16_t>(c.stays + moved);
  }

  const Machine &machine_;
  storage &s_;
  uint32_t num_points_ = 0;
};

} // namespace colonnade::detail
