//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// hood_rounds.hpp: the hoods of lists of points by x, by all threads of a block, in rounds: all
// points at which a list does not bend as a hood must are left out at once.
//
//   parts    each list is cut into parts, at most one a warp
//   round    a warp asks each point of its part by its neighbours, and those that stay move
//   together;
//            or of each 32 points, in registers, until all stay (rows): more instructions, but
//            fewer steps one after the other, which is faster where few warps are at work
//   turn     rounds of a part until nothing changes, with the neighbours of the part as they were
//            before it; a barrier; and again, until nothing changes anywhere. Parts move together,
//            and are cut anew, when a quarter of all points has left
//
// In: a list for each hood, of places of points by x, those of one x in any order. Out: shorter
// lists with the same hoods, and whether they are the hoods: else there would have been too many
// turns. Invariant:
// a point is left out below or on a chord between two points of its list, one to the left and one
// to the right, or for a better one with its x, whether these are left out themselves or not; a
// list that bends everywhere is a hood.
//
// Why: of a thousand points in a strip half are left out in each of the first rounds, and five to
// ten rounds are all, where chains and joinings take their steps one after the other.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/convex_hull/hood.hpp>
#include <colonnade/detail/convex_hull/rough.hpp>
#include <colonnade/detail/digits/key_words.hpp>

#include <bit>
#include <cstring>

namespace colonnade::detail {

template <uint32_t Threads, uint32_t Lists> struct hood_rounds_storage {
  static constexpr uint32_t warps = Threads / 32,
                            parts = warps < Lists ? 1 : warps / Lists; // of a list, at most
  struct part {
    uint16_t count, first, last; // places of its ends, if any are left
    uint16_t changed;
    uint16_t before, behind; // the neighbours with which nothing changes
  };
  part lists[2][Lists][parts]; // before and after a turn, in turns
};

constexpr uint16_t no_neighbour = 0xffff;

/// The highest bit; there is one.
COLONNADE_KERNEL_CODE uint32_t last_one(uint32_t bits) {
#if defined(__CUDA_ARCH__)
  return 31 - static_cast<uint32_t>(__clz(static_cast<int>(bits)));
#else
  return 31 - static_cast<uint32_t>(std::countl_zero(bits));
#endif
}

template <class Machine, class T>
COLONNADE_KERNEL_CODE point_of<T> point_of_lane(const Machine &machine, const point_of<T> &mine,
                                                uint32_t lane) {
  using word = typename sorted_as<T>::raw;
  word x, y;
  memcpy(&x, &mine.x, sizeof x);
  memcpy(&y, &mine.y, sizeof y);
  x = machine.shuffle(x, lane);
  y = machine.shuffle(y, lane);
  point_of<T> point;
  memcpy(&point.x, &x, sizeof x);
  memcpy(&point.y, &y, sizeof y);
  return point;
}

/// Whether a point leaves the hood, by its neighbours in a list, if it has them.
template <class V>
COLONNADE_KERNEL_CODE bool leaves_hood(hood_side side, const V &before, const V &at,
                                       const V &behind, bool has_before, bool has_behind) {
  const bool same_before = has_before && is_equal(before.point.x, at.point.x),
             same_behind = has_behind && is_equal(at.point.x, behind.point.x);
  if (same_before || same_behind)
    return (same_before && stands_before(side, before, at)) ||
           (same_behind && stands_before(side, behind, at));
  return has_before && has_behind && !bends(side, before.point, at.point, behind.point);
}
/// Whether a point stays between its neighbours, roughly: neither may be sure.
struct rough_stay {
  bool is_sure, leaves;
};
template <class T>
COLONNADE_KERNEL_CODE rough_stay stay_roughly(hood_side side, const point_of<T> &a,
                                              const point_of<T> &b, const point_of<T> &c,
                                              bool has_a, bool has_c) {
  using number = rough_number<T>;
  const rough_value<number> cross =
      rough_cross<number>(rough_difference(b, a), rough_difference(c, a));
  const number outwards = side == hood_side::upper ? cross.value : -cross.value;
  const bool same = (has_a && a.x == b.x) || (has_c && b.x == c.x), both = has_a && has_c;
  return {!same && (!both || std::fabs(cross.value) > cross.error), both && outwards > cross.error};
}

/// Which lanes of a row stay on the hood of all of them, or rather bend it together with the points
/// before and behind the row, if there are any (no_neighbour: none). place: of the lane's point, or
/// any where it is not in the row; vertex(place): a point.
template <class Machine, class Vertex>
COLONNADE_KERNEL_CODE uint32_t stay_in_row(const Machine &machine, hood_side side, uint32_t row,
                                           uint32_t place, uint32_t before, uint32_t behind,
                                           Vertex vertex) {
  const auto mine = vertex(place).point;
  const auto first = vertex(before == no_neighbour ? place : before).point,
             last = vertex(behind == no_neighbour ? place : behind).point;
  const uint32_t bit = 1u << machine.lane();
  for (;;) {
    const uint32_t below = row & (bit - 1), above = row & ~(bit | (bit - 1)),
                   a_lane = below ? last_one(below) : machine.lane(),
                   c_lane = above ? Machine::first_one(above) : machine.lane();
    const auto lane_a = point_of_lane(machine, mine, a_lane),
               lane_c = point_of_lane(machine, mine, c_lane);
    const auto a = below ? lane_a : first, c = above ? lane_c : last;
    const bool is_in = (row & bit) != 0, has_a = below || before != no_neighbour,
               has_c = above || behind != no_neighbour;
    const rough_stay rough = stay_roughly(side, a, mine, c, has_a, has_c);
    bool stays = is_in && !rough.leaves;
    if (machine.ballot(is_in && !rough.is_sure) != 0) { // seldom
      const uint32_t place_a = machine.shuffle(place, a_lane),
                     place_c = machine.shuffle(place, c_lane);
      if (is_in && !rough.is_sure)
        stays = !leaves_hood(side,
                             vertex(below   ? place_a
                                    : has_a ? before
                                            : place),
                             vertex(place),
                             vertex(above   ? place_c
                                    : has_c ? behind
                                            : place),
                             has_a, has_c);
    }
    const uint32_t left = machine.ballot(stays);
    if (left == row)
      return row;
    row = left;
  }
}

constexpr uint32_t most_hood_turns = 12;

/// Lists: 1, or the lower and the upper half. Rows: whether rounds are made in registers.
template <uint32_t Threads, uint32_t Lists, bool Rows, class Machine,
          uint32_t MostTurns = most_hood_turns>
class hood_rounds {
public:
  using storage = hood_rounds_storage<Threads, Lists>;
  static constexpr uint32_t warps = storage::warps, parts = storage::parts,
                            least_part = Rows ? 32 : 64, most_rounds = 8; // of a turn

  /// The lists begin at list, room places one behind the other, and have each at least one point;
  /// first_half: of the first one.
  COLONNADE_KERNEL_CODE hood_rounds(const Machine &machine, storage &s, uint16_t *list,
                                    uint32_t room, const uint32_t (&listed)[Lists],
                                    uint32_t first_half)
      : machine_(machine), s_(s), list_(list), room_(room), first_half_(first_half) {
    for (uint32_t k = 0; k < Lists; ++k)
      listed_[k] = listed[k];
  }
  /// By all threads; lists are there, and are there again after a block_sync. vertex(place):
  /// a point.
  template <class Vertex> COLONNADE_KERNEL_CODE bool run(Vertex vertex) {
    cut();
    bool is_done = false;
    for (uint32_t turn = 0; turn < MostTurns && !is_done; ++turn) {
      for_each_part([&](uint32_t list, uint32_t p) { sift(list, p, vertex); });
      at_ ^= 1;
      machine_.block_sync();
      is_done = !count();
      if (!is_done && 4 * left_ <= 3 * all()) {
        move_together();
        cut();
      }
    }
    move_together();
    return is_done;
  }
  /// How many are on a list.
  COLONNADE_KERNEL_CODE uint32_t listed(uint32_t list) const { return of_list(listed_, list); }

private:
  using part = typename storage::part;
  static constexpr uint16_t unknown = no_neighbour - 1; // a neighbour that no part has

  /// In registers.
  static COLONNADE_KERNEL_CODE uint32_t of_list(const uint32_t (&numbers)[Lists], uint32_t list) {
    return list ? numbers[Lists - 1] : numbers[0];
  }
  COLONNADE_KERNEL_CODE uint32_t all() const {
    return Lists == 1 ? listed_[0] : listed_[0] + listed_[Lists - 1];
  }
  COLONNADE_KERNEL_CODE uint32_t part_points(uint32_t list) const {
    return of_list(part_points_, list);
  }
  COLONNADE_KERNEL_CODE uint16_t *part_begin(uint32_t list, uint32_t p) const {
    return list_ + list * room_ + p * part_points(list);
  }
  template <class Do> COLONNADE_KERNEL_CODE void for_each_part(Do with) const {
    for (uint32_t number = machine_.warp(); number < Lists * parts; number += warps)
      with(number / parts, number % parts);
  }

  /// The lists into parts, by all threads.
  COLONNADE_KERNEL_CODE void cut() {
    for (uint32_t k = 0; k < Lists; ++k) {
      const uint32_t share = (listed_[k] + 32 * parts - 1) / (32 * parts) * 32;
      part_points_[k] = share < least_part ? least_part : share;
    }
    at_ ^= 1; // others may still read what was
    for_each_part([&](uint32_t list, uint32_t p) {
      const uint32_t first = p * part_points(list), size = listed(list),
                     left = first < size ? size - first : 0,
                     count = left < part_points(list) ? left : part_points(list);
      put(list, p, count, true, unknown, unknown);
    });
    machine_.block_sync();
  }
  /// By a warp, as all that follow.
  COLONNADE_KERNEL_CODE void put(uint32_t list, uint32_t p, uint32_t count, bool changed,
                                 uint32_t before, uint32_t behind, uint32_t side = 0) {
    const uint16_t *here = part_begin(list, p);
    if (machine_.lane() == 0)
      s_.lists[at_ ^ side][list][p] = {
          static_cast<uint16_t>(count),          count ? here[0] : uint16_t{0},
          count ? here[count - 1] : uint16_t{0}, static_cast<uint16_t>(changed),
          static_cast<uint16_t>(before),         static_cast<uint16_t>(behind)};
  }
  template <class Vertex>
  COLONNADE_KERNEL_CODE void sift(uint32_t list, uint32_t p, Vertex vertex) {
    const part(&was)[parts] = s_.lists[at_][list];
    uint32_t before = no_neighbour, behind = no_neighbour;
    const uint32_t count = was[p].count;
    for (uint32_t q = p; q > 0 && before == no_neighbour && count; --q)
      before = was[q - 1].count ? was[q - 1].last : no_neighbour;
    for (uint32_t q = p + 1; q < parts && behind == no_neighbour && count; ++q)
      behind = was[q].count ? was[q].first : no_neighbour;
    uint32_t stay = count;
    bool settled = before == was[p].before && behind == was[p].behind;
    if constexpr (Rows) {
      if (!settled && count > 0) {
        stay = sift_rows(side_of(first_half_ + list), part_begin(list, p), count, before, behind,
                         vertex);
        settled = stay == count || count <= 32; // else what is behind a row may have left later
      }
    } else {
      for (uint32_t k = 0; k < most_rounds && !settled; ++k) {
        const uint32_t left = sift_once(side_of(first_half_ + list), part_begin(list, p), stay,
                                        before, behind, vertex);
        settled = left == stay;
        stay = left;
      }
    }
    put(list, p, stay, stay != count, settled ? before : unknown, settled ? behind : unknown, 1);
  }
  /// Returns how many of a part stay. What a row overwrites, the next one does not read, or it is
  /// the same.
  template <class Vertex>
  COLONNADE_KERNEL_CODE uint32_t sift_once(hood_side side, uint16_t *list, uint32_t count,
                                           uint32_t before, uint32_t behind, Vertex vertex) const {
    const uint32_t below = (1u << machine_.lane()) - 1;
    uint32_t all = 0;
    for (uint32_t row = 0; row < count; row += 32) {
      const uint32_t i = row + machine_.lane();
      const bool is_in = i < count;
      const uint32_t place = list[is_in ? i : row], a = is_in && i > 0 ? list[i - 1] : before,
                     c = i + 1 < count ? list[i + 1] : behind;
      const bool has_a = a != no_neighbour, has_c = c != no_neighbour;
      const auto at_a = vertex(has_a ? a : place), at = vertex(place),
                 at_c = vertex(has_c ? c : place);
      const rough_stay rough = stay_roughly(side, at_a.point, at.point, at_c.point, has_a, has_c);
      bool stays = is_in && !rough.leaves;
      if (is_in && !rough.is_sure)
        stays = !leaves_hood(side, at_a, at, at_c, has_a, has_c);
      const uint32_t stay = machine_.ballot(stays);
      machine_.warp_sync(); // all have read what others overwrite
      if (stays)
        list[all + Machine::count_ones(stay & below)] = static_cast<uint16_t>(place);
      all += Machine::count_ones(stay);
      machine_.warp_sync();
    }
    return all;
  }
  /// Returns how many of a part stay.
  template <class Vertex>
  COLONNADE_KERNEL_CODE uint32_t sift_rows(hood_side side, uint16_t *list, uint32_t count,
                                           uint32_t before, uint32_t behind, Vertex vertex) const {
    const uint32_t below = (1u << machine_.lane()) - 1;
    uint32_t all = 0;
    for (uint32_t row = 0; row < count; row += 32) {
      const uint32_t i = row + machine_.lane(), left = count - row,
                     place = list[i < count ? i : row],
                     next = row + 32 < count ? list[row + 32] : behind;
      const uint32_t stay = stay_in_row(machine_, side, left < 32 ? (1u << left) - 1 : ~0u, place,
                                        before, next, vertex);
      machine_.warp_sync(); // all have read what others overwrite
      if (stay >> machine_.lane() & 1)
        list[all + Machine::count_ones(stay & below)] = static_cast<uint16_t>(place);
      all += Machine::count_ones(stay);
      if (stay != 0)
        before = machine_.shuffle(place, last_one(stay));
      machine_.warp_sync();
    }
    return all;
  }
  /// How many are left; whether any part has changed.
  COLONNADE_KERNEL_CODE bool count() {
    uint32_t changed = 0;
    left_ = 0;
    for (uint32_t k = 0; k < Lists; ++k)
      for (uint32_t p = 0; p < parts; ++p) {
        changed |= s_.lists[at_][k][p].changed;
        left_ += s_.lists[at_][k][p].count;
      }
    return changed != 0;
  }
  /// One part of each list after the other; the lists are as long as they are then.
  COLONNADE_KERNEL_CODE void move_together() {
    for (uint32_t k = 0; k < Lists; ++k)
      moved_[k] = s_.lists[at_][k][0].count;
    for (uint32_t p = 1; p < parts && is_used(p); ++p) {
      for_each_part([&](uint32_t list, uint32_t q) {
        if (q == p)
          move(part_begin(list, p), part_begin(list, 0) + of_list(moved_, list),
               s_.lists[at_][list][p].count);
      });
      for (uint32_t k = 0; k < Lists; ++k)
        moved_[k] += s_.lists[at_][k][p].count;
      machine_.block_sync();
    }
    for (uint32_t k = 0; k < Lists; ++k)
      listed_[k] = moved_[k];
  }
  /// Whether a list had a part p.
  COLONNADE_KERNEL_CODE bool is_used(uint32_t p) const {
    return p * part_points_[0] < listed_[0] || p * part_points_[Lists - 1] < listed_[Lists - 1];
  }
  COLONNADE_KERNEL_CODE void move(const uint16_t *from, uint16_t *to, uint32_t count) const {
    for (uint32_t i = 0; from != to && i < count; i += 32) {
      const uint32_t mine = i + machine_.lane();
      const uint16_t place = mine < count ? from[mine] : uint16_t{0};
      machine_.warp_sync(); // all have read what others overwrite
      if (mine < count)
        to[mine] = place;
    }
  }

  const Machine &machine_;
  storage &s_;
  uint16_t *const list_;
  const uint32_t room_, first_half_;
  uint32_t listed_[Lists], part_points_[Lists], moved_[Lists], left_ = 0;
  uint32_t at_ = 0;
};

} // namespace colonnade::detail
