//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// hood_rounds.hpp: the hoods of lists of points by x, by all threads of a block, in rounds: all
// points at which a list does not bend as a hood must are left out at once.
//
//   parts    each list is cut into parts of at least 64 points, at most one a warp
//   round    a warp asks each point of its part, and moves those that stay together
//   turn     rounds of a part until nothing changes, with the neighbours as they were before it; a
//            barrier; and again, until nothing changes anywhere. Parts move together, and are cut
//            anew, when half of all points have left
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

/// Whether a point leaves the hood, by its neighbours in a list; where there are none, itself.
template <class Vertex>
COLONNADE_KERNEL_CODE bool leaves_hood(hood_side side, const Vertex &before, const Vertex &at,
                                       const Vertex &behind, bool has_before, bool has_behind) {
  const bool same_before = has_before && is_equal(before.point.x, at.point.x),
             same_behind = has_behind && is_equal(at.point.x, behind.point.x);
  if (same_before || same_behind)
    return (same_before && stands_before(side, before, at)) ||
           (same_behind && stands_before(side, behind, at));
  return has_before && has_behind && !bends(side, before.point, at.point, behind.point);
}

/// Lists: 1, or the lower and the upper half.
template <uint32_t Threads, uint32_t Lists, class Machine> class hood_rounds {
public:
  using storage = hood_rounds_storage<Threads, Lists>;
  static constexpr uint32_t warps = storage::warps, parts = storage::parts, least_part = 64,
                            most_turns = 12, most_rounds = 8; // of a turn

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
    for (uint32_t turn = 0; turn < most_turns && !is_done; ++turn) {
      for_each_part([&](uint32_t list, uint32_t p) { sift(list, p, vertex); });
      at_ ^= 1;
      machine_.block_sync();
      is_done = !count();
      if (!is_done && 2 * left_ <= all()) {
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
  static constexpr uint16_t nowhere = 0xffff, // no place
      unknown = 0xfffe;                       // a neighbour that no part has

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
      s_.lists[at_ ^ side][list][p] = {static_cast<uint16_t>(count),
                                       count ? here[0] : uint16_t{0},
                                       count ? here[count - 1] : uint16_t{0},
                                       static_cast<uint16_t>(changed),
                                       static_cast<uint16_t>(before),
                                       static_cast<uint16_t>(behind)};
  }
  template <class Vertex>
  COLONNADE_KERNEL_CODE void sift(uint32_t list, uint32_t p, Vertex vertex) {
    const part(&was)[parts] = s_.lists[at_][list];
    uint32_t before = nowhere, behind = nowhere, count = was[p].count;
    for (uint32_t q = p; q > 0 && before == nowhere && count; --q)
      before = was[q - 1].count ? was[q - 1].last : nowhere;
    for (uint32_t q = p + 1; q < parts && behind == nowhere && count; ++q)
      behind = was[q].count ? was[q].first : nowhere;
    const uint32_t all_before = count;
    bool settled = before == was[p].before && behind == was[p].behind;
    for (uint32_t k = 0; k < most_rounds && !settled; ++k) {
      const uint32_t stay = sift_once(side_of(first_half_ + list), part_begin(list, p), count,
                                      before, behind, vertex);
      settled = stay == count;
      count = stay;
    }
    put(list, p, count, count != all_before || !settled, settled ? before : unknown,
        settled ? behind : unknown, 1);
  }
  /// Returns how many of a part stay. What a row overwrites, the next one does not read, or it is
  /// the same.
  template <class Vertex>
  COLONNADE_KERNEL_CODE uint32_t sift_once(hood_side side, uint16_t *list, uint32_t count,
                                           uint32_t before, uint32_t behind, Vertex vertex) const {
    uint32_t stay = 0;
    for (uint32_t row = 0; row < count; row += 32) {
      const uint32_t i = row + machine_.lane();
      uint32_t at = 0;
      bool stays = false;
      if (i < count) {
        at = list[i];
        const uint32_t a = i > 0 ? list[i - 1] : before, c = i + 1 < count ? list[i + 1] : behind;
        stays = !leaves_hood(side, vertex(a == nowhere ? at : a), vertex(at),
                             vertex(c == nowhere ? at : c), a != nowhere, c != nowhere);
      }
      const uint32_t lanes = machine_.ballot(stays);
      machine_.warp_sync(); // all have read what others overwrite
      if (stays)
        list[stay + Machine::count_ones(lanes & ((1u << machine_.lane()) - 1))] =
            static_cast<uint16_t>(at);
      stay += Machine::count_ones(lanes);
      machine_.warp_sync();
    }
    return stay;
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
