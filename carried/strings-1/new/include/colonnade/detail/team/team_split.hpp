//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// team_split.hpp: one team of blocks moves few items in one launch, in as many stable
// passes as it takes: a multisplit is one pass, a radix sort one a digit.
//
// A pass: places of all items (team_rank.hpp), items to their places in shared memory,
// and from there to the output, neighbours by neighbours. Between two passes a block
// that is alone takes its items back from shared memory; a team of several writes them
// to the pass's output, waits for all, and reads its new stretch.
//
// In: Work, which says what the items and their ids are, and where they go; block r of
// the team has items [r * stretch, (r + 1) * stretch), at most Work::items_per_thread a
// thread. Out: the work's output, whole and once; every bucket's bounds.
// Invariant: a block reads what teammates have written only behind a barrier of the team.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/arrays/nothing.hpp>
#include <colonnade/detail/device/registers.hpp>
#include <colonnade/detail/ranking/bucket_id.hpp>
#include <colonnade/detail/team/team_rank.hpp>

namespace colonnade::detail {

/// What a team has: items [begin, begin + count), of which a block takes `stretch`.
struct team_items {
  uint32_t begin, count, stretch;
};

template <class Work, class Machine> class team_split_block {
public:
  using key = typename Work::key;
  using value = typename Work::value;
  static constexpr uint32_t items = Work::items_per_thread;
  static constexpr bool has_values = Work::has_values, writes_keys = Work::writes_keys;
  /// Wide items: values take the keys' room once these are written.
  static constexpr bool in_turn = sizeof(key) + bytes_of<value> > 8;
  static constexpr size_t keys_at = (sizeof(team_rank_storage) + 15) / 16 * 16;

  static constexpr COLONNADE_HOST_DEVICE size_t room_bytes(uint32_t stretch, size_t item_bytes) {
    return (stretch * item_bytes + 15) / 16 * 16;
  }
  static constexpr size_t shared_bytes(uint32_t stretch) {
    const size_t keys = room_bytes(stretch, sizeof(key));
    const size_t values = room_bytes(stretch, bytes_of<value>);
    return keys_at + (!in_turn ? keys + values : keys > values ? keys : values);
  }

  COLONNADE_KERNEL_CODE team_split_block(const Machine &machine, const Work &work, char *shared)
      : machine_(machine), work_(work), s_(*reinterpret_cast<team_rank_storage *>(shared)),
        room_(shared + keys_at) {}

  COLONNADE_KERNEL_CODE void run() {
    machine_.wait_for_previous_kernel();
    run({0, work_.items_now(machine_), work_.stretch});
  }
  COLONNADE_KERNEL_CODE void run(const team_items &whole) {
    const uint32_t first = machine_.team_rank() * whole.stretch;
    const uint32_t behind = whole.count > first ? whole.count - first : 0;
    num_items_ = behind < whole.stretch ? behind : whole.stretch;
    const uint32_t threads = machine_.num_threads(); // a power of two
    rows_ = (num_items_ + threads - 1) >> Machine::first_one(threads);
    begin_ = whole.begin;
    first_ = whole.begin + first;
    const uint32_t before_warp = machine_.warp() * 32 * rows_;
    first_of_lane_ = before_warp + machine_.lane();
    end_ = before_warp + 32 * rows_ < num_items_ ? before_warp + 32 * rows_ : num_items_;
    const uint32_t passes = work_.num_passes();
    arrive();
    load(0);
    for (uint32_t p = 0; p < passes; ++p) {
      run_pass(p, p + 1 == passes);
      if (p + 1 < passes && together()) {
        machine_.team_arrive(); // written
        machine_.team_wait();
        arrive();
        load(p + 1);
      }
    }
  }

private:
  COLONNADE_KERNEL_CODE bool together() const { return machine_.team_size() > 1; }
  /// As team_rank::place asks for.
  COLONNADE_KERNEL_CODE void arrive() const {
    if (together())
      machine_.team_arrive();
  }
  /// Of item k of this lane, in the block's stretch.
  COLONNADE_KERNEL_CODE uint32_t at(uint32_t k) const { return first_of_lane_ + k * 32; }
  COLONNADE_KERNEL_CODE bool exists(uint32_t k) const { return at(k) < end_; }
  /// In the input; of an item that does not exist: that of one which does.
  COLONNADE_KERNEL_CODE uint32_t index(uint32_t k) const {
    return first_ + (at(k) < num_items_ ? at(k) : num_items_ - 1);
  }

  COLONNADE_KERNEL_CODE void load(uint32_t pass) {
    for_rows<items>(rows_, [&](uint32_t k) { keys_[k] = work_.load_key(pass, index(k)); });
    if constexpr (has_values)
      for_rows<items>(rows_,
                      [&](uint32_t k) { values_[k] = work_.load_value(pass, index(k), begin_); });
  }

  COLONNADE_KERNEL_CODE void run_pass(uint32_t pass, bool last) {
    first_of_lane_ = computed_anew(first_of_lane_); // or addresses are kept from pass to pass
    thread_ = computed_anew(machine_.thread());
    team_rank<items, Machine> ranks(machine_, s_, work_.bits(pass));
    ranks.rank(
        rows_, [&](uint32_t k) { return exists(k); },
        [&](uint32_t k) { return work_.id(pass, keys_[k], index(k)); });
    if (work_.reports())
      for_rows<items>(rows_, [&](uint32_t k) {
        if (exists(k))
          work_.report(machine_, keys_[k], index(k));
      });
    ranks.place(num_items_,
                [&](uint32_t b, uint32_t begin, uint32_t end) { work_.bucket(b, begin, end); });
    const bool writes = last || together();
    stage(ranks, keys_room(), keys_);
    if constexpr (has_values && !in_turn)
      stage(ranks, values_room(), values_);
    machine_.block_sync();
    uint32_t to[items];
    if (writes)
      write_keys(pass, to);
    else
      take_back(keys_room(), keys_);
    if constexpr (has_values) {
      if constexpr (in_turn) {
        machine_.block_sync(); // the keys' room is free
        stage(ranks, values_room(), values_);
        machine_.block_sync();
      }
      if (writes)
        write_values(pass, to);
      else
        take_back(values_room(), values_);
    }
  }

  COLONNADE_KERNEL_CODE key *keys_room() const { return reinterpret_cast<key *>(room_); }
  COLONNADE_KERNEL_CODE value *values_room() const {
    return reinterpret_cast<value *>(room_ +
                                     (in_turn ? 0 : room_bytes(work_.stretch, sizeof(key))));
  }
  template <class Ranks, class Item>
  COLONNADE_KERNEL_CODE void stage(const Ranks &ranks, Item *room,
                                   const Item (&from)[items]) const {
    for_rows<items>(rows_, [&](uint32_t k) {
      if (exists(k))
        room[ranks.place_of(k)] = from[k];
    });
  }
  template <class Item>
  COLONNADE_KERNEL_CODE void take_back(const Item *room, Item (&to)[items]) const {
    for_rows<items>(rows_, [&](uint32_t k) {
      if (exists(k))
        to[k] = room[at(k)];
    });
  }

  /// The place of this thread's k-th item to write.
  COLONNADE_KERNEL_CODE uint32_t place(uint32_t k) const {
    return k * machine_.num_threads() + thread_;
  }
  static constexpr uint32_t nowhere = ~0u;
  /// Out: where this thread's items to write go.
  COLONNADE_KERNEL_CODE void write_keys(uint32_t pass, uint32_t (&to)[items]) const {
    const uint32_t kept = work_.kept(s_.start, num_items_);
    key moved[items];
    for_rows<items>(rows_, [&](uint32_t k) {
      to[k] = place(k) < kept ? place(k) + begin_ : nowhere;
      if (to[k] != nowhere)
        moved[k] = keys_room()[place(k)];
    });
    if (together())
      for_rows<items>(rows_, [&](uint32_t k) {
        if (to[k] != nowhere)
          to[k] += s_.target[work_.id_at(pass, moved[k], s_.start, place(k))];
      });
    if constexpr (writes_keys)
      for_rows<items>(rows_, [&](uint32_t k) {
        if (to[k] != nowhere)
          work_.store_key(pass, to[k], moved[k]);
      });
  }
  COLONNADE_KERNEL_CODE void write_values(uint32_t pass, const uint32_t (&to)[items]) const {
    value moved[items];
    for_rows<items>(rows_, [&](uint32_t k) {
      if (to[k] != nowhere)
        moved[k] = values_room()[place(k)];
    });
    for_rows<items>(rows_, [&](uint32_t k) {
      if (to[k] != nowhere)
        work_.store_value(pass, to[k], moved[k]);
    });
  }

  const Machine &machine_;
  const Work &work_;
  team_rank_storage &s_;
  char *room_;
  uint32_t num_items_ = 0, rows_ = 0, first_ = 0; // of this block
  uint32_t first_of_lane_ = 0, end_ = 0;          // of the warp's stretch
  uint32_t thread_ = 0;
  uint32_t begin_ = 0; // of the team's items
  key keys_[items];
  value values_[has_values ? items : 1];
};

/// So many items a thread that a block's registers hold them.
constexpr uint32_t team_items_per_thread(size_t item_bytes) {
  return item_bytes <= 12 ? 9 : item_bytes <= 16 ? 6 : 4;
}

constexpr uint64_t most_in_team(uint32_t items_per_thread) {
  return uint64_t{usual_teammates} * 32 * most_team_warps * items_per_thread;
}

/// Blocks 0: no team takes so many items.
struct team_shape {
  uint32_t blocks = 0, threads = 0;
  bool overlaps_previous = false; // as in launch_shape
};

/// As many threads as pay, and blocks where one is not enough; most_blocks: 1 where there are
/// no clusters, else at least usual_teammates. Measured on an H200.
inline team_shape shape_of_team(uint64_t most, uint32_t items_per_thread, uint32_t most_blocks) {
  struct choice {
    team_shape shape;
    uint64_t rows; // at most so many items a thread, and as registers hold
  };
  constexpr uint64_t any = ~uint64_t{0};
  const bool narrow = items_per_thread >= 9; // wide items are moved by more blocks
  for (const choice c :
       {choice{{1, 256}, 1}, choice{{1, 512}, 1}, choice{{1, 256}, 5},
        choice{{1, 512}, narrow ? 4u : 1u}, choice{{4, 512}, 1}, choice{{8, 512}, 1},
        choice{{8, 256}, 8}, choice{{16, 256}, any}, choice{{8, 512}, any}, choice{{16, 512}, any},
        choice{{8, 1024}, any}, choice{{16, 1024}, narrow ? 0 : any}, choice{{1, 512}, any},
        choice{{1, 1024}, any}}) {
    const uint64_t rows = c.rows < items_per_thread ? c.rows : items_per_thread;
    if (c.shape.blocks <= most_blocks && most <= rows * c.shape.threads * c.shape.blocks)
      return c.shape;
  }
  return {};
}

} // namespace colonnade::detail
