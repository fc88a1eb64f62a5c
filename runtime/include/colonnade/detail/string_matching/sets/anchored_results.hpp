//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// anchored_results.hpp: how many matches a set has, by anchors and short patterns in shared memory.
//
// In: a job whose set has anchor_tables. Out: the number of matches. Invariant: the same number as
// by the set's filters.
//
// Short patterns are counted where they begin, at once. Where there is an anchor, its chains are
// compared with the text around it, by all lanes at once.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/string_matching/sets/anchors.hpp>
#include <colonnade/detail/string_matching/sets/batch.hpp>
#include <colonnade/detail/string_matching/sets/lookup.hpp>
#include <colonnade/detail/string_matching/sets/resident_walk.hpp>
#include <colonnade/detail/string_matching/sets/segments.hpp>
#include <colonnade/string_matching_sets_tuning.hpp>

#include <type_traits>

namespace colonnade::detail {

/// Of a block, in shared memory.
template <anchor_kind Kind, class Keys> struct anchored_block {
  static constexpr bool has_short = false;
  static constexpr uint32_t most_alone = Kind == anchor_kind::eights ? 3 : 2;
  Keys keys;
  pair_filter pairs;
  run_patterns runs;
};
template <class Keys> struct anchored_block<anchor_kind::mixed, Keys> {
  static constexpr bool has_short = true;
  static constexpr uint32_t most_alone = 1;
  Keys keys;
  first_fours beginnings;
  run_patterns runs;
  short_patterns shorts;
};

/// Of a warp, in shared memory.
template <class Tuning, bool Short_queue> struct anchored_warp {
  static constexpr uint32_t rows = Tuning::value.loads % 2 ? 1 : 2;
  using stage_type = resident_stage<rows, Tuning::value.anchors_queued / (Short_queue ? 2 : 1)>;
  stage_type stage;
  batch_stage waiting;
};

/// Of a block, in shared memory.
template <class Tuning, anchor_kind Kind, class Keys> struct anchored_memory {
  using warp_type =
      anchored_warp<Tuning, Kind == anchor_kind::mixed && std::is_same_v<Keys, resident_keys>>;

  anchored_block<Kind, Keys> block;
  warp_type warps[Tuning::value.anchor_threads / 32];
};

/// Called by all threads of a block.
template <class Machine, anchor_kind Kind, class Keys>
COLONNADE_KERNEL_CODE void fill_anchored(const Machine &machine, const set_tables &set,
                                         anchored_block<Kind, Keys> &to) {
  copy_to_block(machine, set.anchored.runs, &to.runs, sizeof to.runs);
  if constexpr (anchored_block<Kind, Keys>::has_short) {
    copy_to_block(machine, set.anchored.shorts, &to.shorts, sizeof to.shorts);
    copy_to_block(machine, set.anchored.beginnings, to.beginnings.words,
                  sizeof to.beginnings.words);
  } else {
    copy_to_block(machine, set.anchor_keys.pairs, to.pairs.words, sizeof to.pairs.words);
  }
  fill_keys(machine, set.anchor_keys, false, to.keys);
  machine.block_sync();
}

template <class Tuning, anchor_kind Kind, class Keys, class Machine> class anchored_warps {
  static constexpr bool has_short = anchored_block<Kind, Keys>::has_short,
                        compares = Kind != anchor_kind::eights;
  static constexpr uint32_t is_all_from = anchor_is_all(Keys::layout()),
                            undecided = Keys::layout().undecided();

public:
  /// The block's tables are filled.
  COLONNADE_KERNEL_CODE anchored_warps(const Machine &machine, const set_job &job,
                                       anchored_memory<Tuning, Kind, Keys> &memory)
      : machine_(machine), job_(job), block_(memory.block), own_(memory.warps[machine.warp()]),
        lookup_(job) {}

  /// Any number of blocks. num_matches holds 0 before.
  COLONNADE_KERNEL_CODE void count() const {
    uint64_t found = 0;
    chains_to_compare waiting(machine_, own_.waiting);
    walk_type walk(machine_, job_, block_, own_.stage);
    const auto look = [&](bool has, uint32_t low, uint32_t high, uint64_t position) {
      uint32_t left = 8;
      if constexpr (has_short) {
        left = lookup_.left_of_eight(position);
        if (has)
          found += block_.shorts.count(low, high, left);
      }
      uint32_t known = 0;
      has = block_.keys.find(job_.set.anchor_keys.multipliers, low, high, known) && has &&
            left == 8 && known != undecided; // in places without a key
      if (has && known >= is_all_from)
        found += known - is_all_from;
      const bool waits = has && known < is_all_from;
      if constexpr (compares)
        if (machine_.ballot(waits) && waiting.add(waits, uint64_t{known} << 48 | position))
          found += compared(waiting);
    };
    each_segment(machine_, job_, warps, [&](uint64_t segment) {
      walk.template keys<false>(segment, segment_bytes(), look, [](uint32_t) {});
    });
    walk.finish(look);
    if constexpr (compares)
      if (waiting.add(false, 0, true))
        found += compared(waiting);
    found = sum_of_warp(machine_, found + walk.runs().matches());
    if (machine_.lane() == 0 && found)
      machine_.add_global(job_.num_matches, found);
  }

private:
  static constexpr uint32_t warps = Tuning::value.anchor_threads / 32;
  using warp_type = typename anchored_memory<Tuning, Kind, Keys>::warp_type;
  using runs_type = std::conditional_t<Kind == anchor_kind::eights, run_of_eight_counter<Machine>,
                                       run_counter<Machine>>;
  using walk_type =
      resident_walk<anchored_block<Kind, Keys>, typename warp_type::stage_type, Machine, runs_type>;
  /// Positions of anchors, and from bit 48 on their first chains.
  using chains_to_compare = warp_batch<uint64_t, Machine>;

  COLONNADE_KERNEL_CODE uint32_t segment_bytes() const {
    return job_.rounds * Tuning::value.loads * row_bytes;
  }
  /// How many patterns match around a lane's anchor.
  COLONNADE_KERNEL_CODE uint32_t compared(const chains_to_compare &waiting) const {
    uint32_t found = 0;
    if (!waiting.has())
      return found;
    const uint64_t position = waiting.item() & ~uint64_t{0} >> 16;
    const set_anchor *next = job_.set.anchored.anchors + (waiting.item() >> 48);
    for (bool follows = true; follows; ++next) {
      const anchor_head chain = head_of(aligned_vector(reinterpret_cast<const uint8_t *>(next)));
      follows = chain.follows;
      if (position >= chain.offset)
        found += compared(chain, next->bytes, position - chain.offset);
    }
    return found;
  }

  /// How many patterns of a chain begin at a position.
  COLONNADE_KERNEL_CODE uint32_t compared(const anchor_head &chain, const uint8_t *bytes,
                                          uint64_t position) const {
    if (chain.length)
      return lookup_.has(bytes, chain.length, position) ? chain.count : 0;
    const found_member longest = lookup_.longest_of_chain(chain.member, position);
    return longest.count > chain.above ? longest.count - chain.above : 0;
  }

  const Machine &machine_;
  const set_job &job_;
  const anchored_block<Kind, Keys> &block_;
  warp_type &own_;
  const set_lookup<Machine> lookup_;
};

} // namespace colonnade::detail
