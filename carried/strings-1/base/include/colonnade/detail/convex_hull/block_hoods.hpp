//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// block_hoods.hpp: both hoods of a tile of points, by one block, in shared memory.
//
//   sort      (where points are not sorted) by x
//   sieve     (where asked for) each half gets a list of the points that may be on its hood
//   rounds    all points that do not bend their list are left out at once, until none does;
//             nearly always these are the hoods
//   chains    else half of the threads find the lower, half the upper hoods of runs of
//             neighbours in what is left, one point after the other
//   merging   hoods of 1, 2, 4, ... runs are joined in pairs, by groups of lanes or by warps; the
//             right hood's rest moves next to the left one's
//
// In: at most Threads * Items points, by x unless sorted here. Out: the places, in the tile, of the
// points of the lower and of the upper hood, left to right. Invariant: as hood.hpp says; after each
// level the hood of joined runs stands at the first one's begin, and the count at its number.
//
// Complexity: work O(n log n) with n points, O(log^2 n) steps one after the other.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/convex_hull/chord_sieve.hpp>
#include <colonnade/detail/convex_hull/hood_rounds.hpp>
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

/// The index in the input of the point at a place of a tile, where it is kept in shared memory.
struct kept_indices {
  const uint32_t *indices;
  COLONNADE_KERNEL_CODE uint32_t operator()(uint32_t place) const { return indices[place]; }
};
/// A hood in shared memory: places [begin, end) of an array of places of points.
template <class T, class Indices> struct tile_hood {
  using position = uint32_t;
  const point_of<T> *points;
  Indices indices;
  const uint16_t *places;
  uint32_t begin, end;

  COLONNADE_KERNEL_CODE hull_vertex<T, index_at<Indices>> at(position i) const {
    return {points[places[i]], {indices, places[i]}};
  }
  COLONNADE_KERNEL_CODE bool empty() const { return begin == end; }
  COLONNADE_KERNEL_CODE position first() const { return begin; }
  COLONNADE_KERNEL_CODE position last() const { return end - 1; }
  COLONNADE_KERNEL_CODE void drop_first() { ++begin; }
  COLONNADE_KERNEL_CODE void drop_last() { --end; }
  COLONNADE_KERNEL_CODE bool has_next(position i) const { return i + 1 < end; }
  COLONNADE_KERNEL_CODE position next(position i) const { return i + 1; }
  /// Hoods of few vertices often hide most of each other: both ends are as good.
  template <class Search, class Found>
  COLONNADE_KERNEL_CODE position find(const Search &search, hood_end, Found found) const {
    return search.first(begin, end, found);
  }
};

/// Where two hoods are joined: how many vertices of the left one stay, how many of the right one do
/// not.
struct hood_cut {
  uint16_t stays, dropped;
};

/// Sorts: or points come by x, and whoever asks knows their indices.
template <class T, uint32_t Threads, uint32_t Items, bool Sorts> struct hood_tile_storage {
  static constexpr uint32_t most_points = Threads * Items;
  static_assert(most_points < 65534, "convex hull: places in a tile are 16-bit numbers");
  union {
    item_cell<point_by_x<T>> cells[Sorts ? order_cells<Items>(Threads) : 1]; // while sorted
    point_of<T> points[most_points];
  };
  uint32_t indices[Sorts ? most_points : 1];
  uint16_t places[2][most_points]; // of the lower and the upper hood
  uint16_t counts[2][Threads / 2]; // by run
  union {
    hood_cut cuts[Threads]; // of the pairs of a level
    chord_sieve_storage<Threads> sieve;
    hood_rounds_storage<Threads, 2> rounds;
  };
};

/// Sieves: whether points are left out before the chains. Indices: of points that come by x, in the
/// input, by their places, if the caller knows them: shared memory then has room for more blocks.
/// MostTurns: of rounds, before chains are made; LeastRun: points of a chain, or more.
template <class T, uint32_t Threads, uint32_t Items, bool Sieves, class Machine,
          class Indices = kept_indices, uint32_t MostTurns = most_hood_turns,
          uint32_t LeastRun = Sieves ? 9 : 15>
class block_hoods {
public:
  static constexpr bool keeps = std::is_same_v<Indices, kept_indices>;
  using storage = hood_tile_storage<T, Threads, Items, keeps>;
  using cut = hood_cut;
  static constexpr uint32_t threads = Threads, warps = Threads / 32,
                            most_points = storage::most_points;

  COLONNADE_KERNEL_CODE block_hoods(const Machine &machine, storage &s)
      : machine_(machine), s_(s), index_{s.indices} {}
  COLONNADE_KERNEL_CODE block_hoods(const Machine &machine, storage &s, const Indices &index)
      : machine_(machine), s_(s), index_(index) {}

  /// index(i): of point i of the tile, in the input; by_x: they come sorted. At least one point.
  template <class Points, class Index>
  COLONNADE_KERNEL_CODE void run(const Points &points, uint32_t num_points, Index index,
                                 bool by_x) {
    static_assert(keeps);
    num_points_ = num_points;
    if (by_x) {
      load(points, index, true);
    } else {
      sort(points, index);
      load(points, index_, false);
    }
    make_hoods();
  }
  /// Of points that come by x.
  template <class Points>
  COLONNADE_KERNEL_CODE void run(const Points &points, uint32_t num_points) {
    num_points_ = num_points;
    load(points, index_, keeps);
    make_hoods();
  }
  /// half: 0 for the lower hood.
  COLONNADE_KERNEL_CODE uint32_t count(uint32_t half) const { return s_.counts[half][0]; }
  COLONNADE_KERNEL_CODE uint32_t index(uint32_t half, uint32_t i) const {
    return index_(s_.places[half][i]);
  }
  COLONNADE_KERNEL_CODE point_of<T> point(uint32_t half, uint32_t i) const {
    return s_.points[s_.places[half][i]];
  }
  /// By x.
  COLONNADE_KERNEL_CODE const point_of<T> &tile_point(uint32_t i) const { return s_.points[i]; }

private:
  using vertex_type = hull_vertex<T, index_at<Indices>>;
  using hood = tile_hood<T, Indices>;

  COLONNADE_KERNEL_CODE void make_hoods() {
    machine_.block_sync();
    list();
    bool are_hoods = false;
    if constexpr (MostTurns > 0)
      are_hoods = sift();
    if (!are_hoods)
      join_chains(*this);
  }
  /// Of lists that rounds have not made hoods. h: a copy, so that what is kept in registers else is
  /// not in memory because of it.
  static COLONNADE_RARE_KERNEL_CODE void join_chains(block_hoods h) {
    const uint32_t longer = h.listed(0) < h.listed(1) ? h.listed(1) : h.listed(0);
    h.run_points_ = run_points_of(longer);
    h.make_chain();
    h.machine_.block_sync();
    for (uint32_t width = 1; width * h.run_points_ < longer; width *= 2) {
      h.merge_level(width, (longer + h.run_points_ - 1) / h.run_points_);
      h.machine_.block_sync();
    }
  }
  /// A thread's loads are all under way at once: the points are anywhere. stores: the indices, too.
  template <class Points, class Index>
  COLONNADE_KERNEL_CODE void load(const Points &points, Index index, bool stores) {
    constexpr uint32_t batch = Items > 8 ? (Items + 1) / 2 : Items;
    COLONNADE_UNROLL
    for (uint32_t first = 0; first < Items; first += batch) {
      uint32_t indices[batch];
      point_of<T> mine[batch];
      COLONNADE_UNROLL
      for (uint32_t k = 0; k < batch; ++k)
        indices[k] = place(first + k) < num_points_ ? index(place(first + k)) : 0;
      COLONNADE_UNROLL
      for (uint32_t k = 0; k < batch; ++k)
        if (place(first + k) < num_points_)
          mine[k] = points[indices[k]];
      COLONNADE_UNROLL
      for (uint32_t k = 0; k < batch; ++k)
        if (place(first + k) < num_points_) {
          s_.points[place(first + k)] = mine[k];
          if (stores)
            s_.indices[place(first + k)] = indices[k];
        }
    }
  }
  COLONNADE_KERNEL_CODE uint32_t place(uint32_t k) const { return k * Threads + machine_.thread(); }
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
  COLONNADE_KERNEL_CODE vertex_type vertex(uint32_t place) const {
    return {s_.points[place], {index_, place}};
  }
  COLONNADE_KERNEL_CODE void list() {
    listed_[0] = listed_[1] = num_points_;
    if constexpr (Sieves) {
      chord_sieve<T, Threads, Items, Machine>(machine_, s_.sieve, s_.points, num_points_)
          .run(s_.places[0], s_.places[1], listed_);
    } else {
      for (uint32_t i = machine_.thread(); i < num_points_; i += Threads)
        s_.places[0][i] = s_.places[1][i] = static_cast<uint16_t>(i);
    }
    machine_.block_sync();
  }
  /// Whether the lists are the hoods afterwards.
  COLONNADE_KERNEL_CODE bool sift() {
    hood_rounds<Threads, 2, false, Machine, MostTurns> rounds(machine_, s_.rounds, s_.places[0],
                                                              most_points, listed_, 0);
    const bool is_done = rounds.run([&](uint32_t place) { return vertex(place); });
    for (uint32_t half = 0; half < 2; ++half) {
      listed_[half] = rounds.listed(half);
      if (machine_.thread() == 0)
        s_.counts[half][0] = static_cast<uint16_t>(listed_[half]);
    }
    machine_.block_sync();
    return is_done;
  }
  COLONNADE_KERNEL_CODE uint32_t listed(uint32_t half) const {
    return half ? listed_[1] : listed_[0];
  }
  /// Of point i of a list.
  COLONNADE_KERNEL_CODE uint32_t listed_place(uint32_t half, uint32_t i) const {
    return s_.places[half][i];
  }
  /// So that there is a thread for each run's two hoods. Odd: threads read points in different
  /// banks.
  static COLONNADE_KERNEL_CODE uint32_t run_points_of(uint32_t num_points) {
    const uint32_t share = (2 * num_points + Threads - 1) / Threads | 1;
    return share < LeastRun ? LeastRun : share;
  }
  COLONNADE_KERNEL_CODE void make_chain() {
    const uint32_t half = machine_.thread() / (Threads / 2),
                   run = machine_.thread() % (Threads / 2);
    const uint32_t begin = run * run_points_, all = listed(half);
    if (begin >= all)
      return;
    // The stack takes the room of the points that the list has had.
    uint16_t *stack = s_.places[half] + begin;
    s_.counts[half][run] = static_cast<uint16_t>(make_hood(
        side_of(half), 0u, begin + run_points_ < all ? run_points_ : all - begin,
        [&](uint32_t i) { return vertex(listed_place(half, begin + i)); },
        [&](uint32_t k) { return vertex(stack[k]); },
        [&](uint32_t k, uint32_t i) {
          stack[k] = static_cast<uint16_t>(listed_place(half, begin + i));
        }));
  }

  /// Joins hoods of `width` runs in pairs: first all bridges are found, by groups of as many lanes
  /// as there are for each, and then warps move. A half may have fewer runs.
  COLONNADE_KERNEL_CODE void merge_level(uint32_t width, uint32_t runs) {
    const uint32_t tasks = 2 * ((runs + width - 1) / (2 * width));
    uint32_t log2_lanes = 0; // of a task; there are no more tasks than threads
    while (log2_lanes < 5 && tasks << (log2_lanes + 1) <= Threads)
      ++log2_lanes;
    const uint32_t task = machine_.thread() >> log2_lanes;
    const cut found = find_cut(task, width, task < tasks && has_pair(task, width),
                               search_by_group<Machine>{machine_, log2_lanes});
    if (task < tasks && (task << log2_lanes) == machine_.thread())
      s_.cuts[task] = found;
    machine_.block_sync();
    for (uint32_t moved = machine_.warp(); moved < tasks; moved += warps)
      if (has_pair(moved, width))
        move(moved, width, s_.cuts[moved]);
  }
  COLONNADE_KERNEL_CODE bool has_pair(uint32_t task, uint32_t width) const {
    return (first_of(task, width) + width) * run_points_ < listed(task % 2);
  }
  /// The first run of a task's left hood; the task's lowest bit is its half.
  static COLONNADE_KERNEL_CODE uint32_t first_of(uint32_t task, uint32_t width) {
    return task / 2 * 2 * width;
  }
  COLONNADE_KERNEL_CODE hood hood_of(uint32_t half, uint32_t run) const {
    const uint32_t begin = run * run_points_;
    return {s_.points, index_, s_.places[half], begin, begin + s_.counts[half][run]};
  }
  /// is_task: or only lanes that join in the others' search.
  template <class Search>
  COLONNADE_KERNEL_CODE cut find_cut(uint32_t task, uint32_t width, bool is_task,
                                     const Search &search) const {
    const uint32_t half = task % 2, run = is_task ? first_of(task, width) : 0;
    hood left = hood_of(half, run), right = hood_of(half, is_task ? run + width : 0);
    if (is_task)
      part_hoods(side_of(half), left, right);
    hood from = left, to = right; // where the bridge is
    if (!is_task || left.empty() || right.empty())
      from.end = from.begin, to.end = to.begin;
    const auto bridge = find_bridge(search, search_alone{}, search, side_of(half), from, to);
    if (!from.empty()) {
      left.end = bridge.left + 1;
      right.begin = bridge.right;
    }
    return {static_cast<uint16_t>(left.end - left.begin),
            static_cast<uint16_t>(right.begin - (run + width) * run_points_)};
  }
  COLONNADE_KERNEL_CODE void move(uint32_t task, uint32_t width, const cut &c) {
    const uint32_t half = task % 2, run = first_of(task, width);
    const hood right = hood_of(half, run + width);
    const uint16_t *from = right.places + right.begin + c.dropped;
    uint16_t *to = s_.places[half] + run * run_points_ + c.stays;
    const uint32_t moved = right.end - right.begin - c.dropped;
    for (uint32_t i = 0; i < moved; i += 32) {
      const uint32_t mine = i + machine_.lane();
      const uint16_t place = mine < moved ? from[mine] : uint16_t{0};
      machine_.warp_sync(); // all have read what others overwrite
      if (mine < moved)
        to[mine] = place;
    }
    if (machine_.lane() == 0)
      s_.counts[half][run] = static_cast<uint16_t>(c.stays + moved);
  }

  const Machine &machine_;
  storage &s_;
  const Indices index_;
  uint32_t num_points_ = 0, run_points_ = 0, listed_[2] = {0, 0};
};

} // namespace colonnade::detail
