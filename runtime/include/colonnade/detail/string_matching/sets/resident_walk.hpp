//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// resident_walk.hpp: a warp reads a segment of a text in which keys of the set are frequent, and
// asks at every position for them in shared memory.
//
// In: a job, the keys and the filter of a block. Out: what is known of the key at every position
// that has one. Invariant: every position of the text belongs to one row of one segment; positions
// of a row begin 8 bytes before it.
//
// A step's bytes are in shared memory too. Where no lane has more than a few positions that pass
// the filter (most_alone, of a block's tables), each looks at its own; else they go through a
// queue, and whoever takes one reads its 8 bytes there. What is left of a step when less than 32
// wait is kept in registers, with its bytes, until another step has more.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/device/block_scan.hpp>
#include <colonnade/detail/string_matching/folding.hpp>
#include <colonnade/detail/string_matching/sets/job.hpp>
#include <colonnade/detail/string_matching/sets/queue.hpp>
#include <colonnade/detail/string_matching/sets/resident.hpp>
#include <colonnade/detail/string_matching/sets/runs.hpp>

namespace colonnade::detail {

/// Of a warp, in shared memory.
template <uint32_t Rows, uint32_t Queued> struct resident_stage {
  static constexpr uint32_t rows = Rows;
  alignas(16) uint32_t words[4 + Rows * row_bytes / 4]; // 8 bytes free, 8 bytes before the step
  queue_entries<Queued> places;
};

/// Of a block, in shared memory.
struct resident_block {
  static constexpr bool has_short = false;
  static constexpr uint32_t most_alone = 2;
  resident_keys keys;
  pair_filter pairs;
};

/// bytes: a multiple of 16. Called by all threads of a block.
template <class Machine>
COLONNADE_KERNEL_CODE void copy_to_block(const Machine &machine, const void *from, void *to,
                                         uint32_t bytes) {
  for (uint32_t i = 16 * machine.thread(); i < bytes; i += 16 * machine.num_threads())
    *reinterpret_cast<sixteen_bytes *>(static_cast<uint8_t *>(to) + i) =
        aligned_vector(static_cast<const uint8_t *>(from) + i);
}
/// members: of keys it is known which member they are, instead of how many patterns. Called by all
/// threads of a block, which is to synchronise afterwards.
template <class Keys, class Machine>
COLONNADE_KERNEL_CODE void fill_keys(const Machine &machine, const resident_tables &from,
                                     bool members, Keys &to) {
  copy_to_block(machine, members ? from.members : from.counted, to.keys, sizeof to.keys);
  copy_to_block(machine, from.displacements, to.displacements, sizeof to.displacements);
}
/// Called by all threads of a block.
template <class Machine>
COLONNADE_KERNEL_CODE void fill_resident(const Machine &machine, const resident_tables &from,
                                         bool members, resident_block &to) {
  fill_keys(machine, from, members, to.keys);
  copy_to_block(machine, from.pairs, to.pairs.words, sizeof to.pairs.words);
  machine.block_sync();
}

/// Called by all lanes of a warp.
template <class Block, class Stage, class Machine, class Runs = no_runs> class resident_walk {
public:
  static constexpr uint32_t rows = Stage::rows, step_bytes = rows * row_bytes;
  static_assert(rows == 1 || rows == 2); // positions are bits of a word

  COLONNADE_KERNEL_CODE resident_walk(const Machine &machine, const set_job &job,
                                      const Block &block, Stage &stage)
      : machine_(machine), job_(job), block_(block), stage_(stage), text_(job.text, job.num_items),
        runs_(machine, block) {}

  /// each(has, low, high, position): 32 lanes of which some have a position that passed, and the 8
  /// bytes from there on, case folded; in any order. One_step:
  /// step_ends(step) follows those of a step, which begins so many bytes behind the segment's
  /// begin; else some wait beyond the segment, until `finish`.
  template <bool One_step, class Each, class Ends>
  COLONNADE_KERNEL_CODE void keys(uint64_t segment, uint32_t segment_bytes, Each each,
                                  Ends step_ends) {
    const uint64_t begin = segment * segment_bytes;
    if (begin != 0 && text_.holds(begin - 8, segment_bytes + 8))
      steps<true, One_step>(begin, segment_bytes, each, step_ends);
    else
      steps<false, One_step>(begin, segment_bytes, each, step_ends);
  }
  COLONNADE_KERNEL_CODE const Runs &runs() const { return runs_; }
  /// Those that wait.
  template <class Each> COLONNADE_KERNEL_CODE void finish(Each each) {
    if (kept_)
      test(machine_.lane() < kept_, each);
    kept_ = 0;
  }

private:
  struct lane_rows {
    sixteen_bytes row[rows];
  };

  /// Inside: all bytes that are asked for are in the text.
  template <bool Inside, bool One_step, class Each, class Ends>
  COLONNADE_KERNEL_CODE void steps(uint64_t begin, uint32_t segment_bytes, Each each,
                                   Ends step_ends) {
    load_before<Inside>(begin - 8);
    runs_.begin(text_, begin);
    lane_rows next = load<Inside>(begin);
    for (uint32_t step = 0; step < segment_bytes; step += step_bytes) {
      const uint64_t at = begin + step;
      if (!Inside && at >= text_.end + resident_before)
        break;
      const lane_rows now = next;
      // Behind the last step it is read again, which is cheaper than a branch around the loads.
      next = load<Inside>(step + step_bytes < segment_bytes ? at + step_bytes : at);
      put_in_stage(now); // all have read the step before
      look_up<Inside>(now, at - resident_before - text_.begin, each);
      if constexpr (One_step) {
        finish(each);
        step_ends(step);
      }
    }
  }
  COLONNADE_KERNEL_CODE uint32_t word_or_none(uint64_t offset) const {
    return static_cast<int64_t>(offset) < 0 ? 0 : text_.word(offset);
  }
  /// The two words before a segment.
  template <bool Inside> COLONNADE_KERNEL_CODE void load_before(uint64_t offset) {
    const uint64_t two = Inside ? aligned_pair(text_.at(offset))
                                : word_or_none(offset) | uint64_t{word_or_none(offset + 4)} << 32;
    before_low_ = static_cast<uint32_t>(two), before_high_ = static_cast<uint32_t>(two >> 32);
  }
  template <bool Inside> COLONNADE_KERNEL_CODE lane_rows load(uint64_t at) const {
    lane_rows loaded;
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < rows; ++k) {
      const uint64_t offset = at + k * row_bytes + machine_.lane() * 16;
      loaded.row[k] = Inside ? aligned_vector(text_.at(offset)) : text_.vector(offset);
    }
    return loaded;
  }
  COLONNADE_KERNEL_CODE void put_in_stage(const lane_rows &now) const {
    if (machine_.lane() == 31)
      stage_.words[2] = before_low_, stage_.words[3] = before_high_;
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < rows; ++k)
      *reinterpret_cast<sixteen_bytes *>(stage_.words + 4 + k * (row_bytes / 4) +
                                         4 * machine_.lane()) = now.row[k];
  }
  /// position: of place 0 of the step.
  template <bool Inside, class Each>
  COLONNADE_KERNEL_CODE void look_up(const lane_rows &now, uint64_t position, Each each) {
    uint32_t bits = pass(now);
    if (!Inside)
      bits = in_text(bits, position);
    const uint32_t most = machine_.largest(Machine::count_ones(bits)); // of a lane
    if (most > Block::most_alone)
      while (put(bits, position, each))
        ;
    else if (most != 0)
      look_alone(bits, position, each);
  }
  /// Each lane at its own positions, while others wait.
  template <class Each>
  COLONNADE_KERNEL_CODE void look_alone(uint32_t bits, uint64_t position, Each each) const {
    machine_.warp_sync(); // the step's bytes are there
    while (machine_.ballot(bits != 0)) {
      const bool has = bits != 0;
      const key_bytes own = bytes_of(has ? place_of(machine_.lane(), Machine::first_one(bits)) : 0);
      bits &= bits - 1;
      each(has, own.low, own.high, position + own.place);
    }
    machine_.warp_sync(); // all have read
  }
  /// Without those whose windows are not wholly in the text.
  COLONNADE_KERNEL_CODE uint32_t in_text(uint32_t bits, uint64_t position) const {
    uint32_t kept = 0;
    COLONNADE_UNROLL_BY(1)
    for (uint32_t rest = bits; rest; rest &= rest - 1) {
      const uint32_t bit = Machine::first_one(rest);
      // Before the text's begin a position is beyond any text.
      const uint64_t at = position + place_of(machine_.lane(), bit);
      if (at < job_.num_items && job_.num_items - at >= (Block::has_short ? 4 : 8))
        kept |= 1u << bit;
    }
    return kept;
  }
  COLONNADE_KERNEL_CODE static uint32_t place_of(uint32_t lane, uint32_t bit) {
    return 16 * lane + bit % 16 + row_bytes * (bit / 16);
  }
  /// Of 16 positions of each row, from 8 bytes before the lane's 16 on, a bit each.
  COLONNADE_KERNEL_CODE uint32_t pass(const lane_rows &now) {
    uint32_t bits = 0;
    const uint32_t fold = job_.set.fold;
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < rows; ++k) {
      // A lane's first windows begin in the last words of the lane before, or of the row before.
      const sixteen_bytes &row = now.row[k];
      const bool last = machine_.lane() == 31;
      const uint32_t low = machine_.shuffle(last ? before_low_ : row.word[2], machine_.lane() + 31),
                     high =
                         machine_.shuffle(last ? before_high_ : row.word[3], machine_.lane() + 31);
      before_low_ = row.word[2], before_high_ = row.word[3];
      const uint32_t words[6] = {low | fold,         high | fold,        row.word[0] | fold,
                                 row.word[1] | fold, row.word[2] | fold, row.word[3] | fold};
      bits |= (ask(words) & ~runs_.count(row)) << 16 * k;
    }
    return bits;
  }
  /// Of a row, from 8 bytes before the lane's 16 on; the last positions first, so that each shift
  /// brings the bits of those before.
  COLONNADE_KERNEL_CODE uint32_t ask(const uint32_t (&words)[6]) const {
    uint32_t bits = 0;
    COLONNADE_UNROLL
    for (uint32_t i = 4; i-- > 0;)
      if constexpr (Block::has_short) {
        COLONNADE_UNROLL
        for (uint32_t b = 4; b-- > 0;) {
          const uint32_t window = b == 0 ? words[i] : window_of(words[i], words[i + 1], b);
          bits = shifted_in(bits, block_.beginnings.ask(window), 1);
        }
      } else {
        const uint32_t first = block_.pairs.ask(window_of(words[i], words[i + 1], 1), words[i + 1]),
                       second = block_.pairs.ask(window_of(words[i], words[i + 1], 3),
                                                 window_of(words[i + 1], words[i + 2], 2));
        bits = shifted_in(shifted_in(bits, second, 2), first, 2);
      }
    return bits;
  }
  /// Adds bits to the queue, as many as there is room for, and tests full batches of what it has.
  /// Whether any lane has some left.
  template <class Each>
  COLONNADE_KERNEL_CODE bool put(uint32_t &bits, uint64_t position, Each each) {
    constexpr uint32_t capacity = decltype(stage_.places)::capacity;
    const uint32_t mine = Machine::count_ones(bits), up_to = warp_inclusive_sum(machine_, mine),
                   all = machine_.shuffle(up_to, 31);
    const bool fits = all <= capacity; // in all lanes
    uint16_t *to = stage_.places.items + (up_to - mine);
    uint16_t *const end = stage_.places.items + capacity;
    const auto put_last = [&] {
      const uint32_t bit = last_set_bit(bits);
      *to++ = static_cast<uint16_t>(32 * machine_.lane() + bit);
      bits ^= 1u << bit;
    };
    if (fits)
      while (bits)
        put_last();
    else
      while (bits && to < end)
        put_last();
    machine_.warp_sync();
    const uint32_t before = kept_, total = before + (fits ? all : capacity);
    uint32_t first = 0;
    for (;; first += 32) {
      const uint32_t i = first + machine_.lane();
      if (i >= before && i < total)
        take(stage_.places.items[i - before], position);
      if (first + 32 > total)
        break;
      test(true, each);
    }
    kept_ = total - first;
    machine_.warp_sync(); // all have read
    return !fits;
  }
  struct key_bytes {
    uint32_t place, low, high; // case folded
  };
  /// The bytes from a place of the step on.
  COLONNADE_KERNEL_CODE key_bytes bytes_of(uint32_t place) const {
    const uint32_t *const words = stage_.words + 2 + place / 4;
    const uint32_t middle = words[1], low = window_of(words[0], middle, place % 4),
                   high = window_of(middle, words[2], place % 4);
    if (job_.set.fold)
      return {place, folded(low, job_.set.fold), folded(high, job_.set.fold)};
    return {place, low, high};
  }
  /// The bytes from a position on, of which the queue has the lane and the bit.
  COLONNADE_KERNEL_CODE void take(uint32_t item, uint64_t position) {
    const key_bytes taken = bytes_of(place_of(item / 32, item % 32));
    low_ = taken.low, high_ = taken.high;
    position_ = position + taken.place;
  }
  template <class Each> COLONNADE_KERNEL_CODE void test(bool has, Each each) const {
    each(has, low_, high_, position_);
  }

  const Machine &machine_;
  const set_job &job_;
  const Block &block_;
  Stage &stage_;
  const window_text<1> text_;
  Runs runs_;
  uint32_t before_low_ = 0, before_high_ = 0; // lane 31: the two last words before the next row
  uint32_t kept_ = 0;                         // lanes whose position waits; the same in all lanes
  uint64_t position_ = 0;
  uint32_t low_ = 0, high_ = 0; // its bytes
};

} // namespace colonnade::detail
