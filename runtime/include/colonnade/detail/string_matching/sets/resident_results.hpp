//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// resident_results.hpp: what is made of the keys that a resident walk finds: the number of matches,
// that of each pattern, or notes of the positions that have some.
//
// In: a job and the tables of a block. Out: what results.hpp makes by filters. Invariant: a warp
// waits for no other.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/string_matching/sets/batch.hpp>
#include <colonnade/detail/string_matching/sets/lookup.hpp>
#include <colonnade/detail/string_matching/sets/resident_walk.hpp>
#include <colonnade/detail/string_matching/sets/segments.hpp>
#include <colonnade/string_matching_sets_tuning.hpp>

namespace colonnade::detail {

/// Of a warp, in shared memory.
template <class Tuning> struct resident_warp {
  static constexpr uint32_t rows = Tuning::value.loads % 2 ? 1 : 2;
  using stage_type = resident_stage<rows, Tuning::value.positions_queued>;
  stage_type stage;
  batch_stage waiting;
  uint32_t found[rows * row_bytes / 32]; // bits: where patterns begin in a step
};

/// Of a block, in shared memory.
template <class Tuning> struct resident_memory {
  resident_block block;
  resident_warp<Tuning> warps[Tuning::value.resident_threads / 32];
};

template <class Tuning, class Machine> class resident_warps {
  static constexpr uint32_t warps = Tuning::value.resident_threads / 32,
                            rows = resident_warp<Tuning>::rows,
                            not_known = resident_keys::layout().undecided();

public:
  /// The block's tables are filled for the result that is asked for.
  COLONNADE_KERNEL_CODE resident_warps(const Machine &machine, const set_job &job,
                                       resident_memory<Tuning> &memory)
      : machine_(machine), job_(job), block_(memory.block), own_(memory.warps[machine.warp()]),
        lookup_(job) {}

  /// As set_warps has them.
  template <set_result Result> COLONNADE_KERNEL_CODE void search() const {
    if constexpr (Result == set_result::count)
      count();
    else if constexpr (Result == set_result::each)
      tally();
    else
      note();
  }

private:
  using walk_type =
      resident_walk<resident_block, typename resident_warp<Tuning>::stage_type, Machine>;
  /// Positions at which 8 bytes do not decide.
  using undecided_positions = warp_batch<uint64_t, Machine>;

  COLONNADE_KERNEL_CODE uint32_t segment_bytes() const {
    return job_.rounds * Tuning::value.loads * row_bytes;
  }
  COLONNADE_KERNEL_CODE bool has_undecided() const { return job_.set.resident.has_undecided; }
  COLONNADE_KERNEL_CODE bool find(uint32_t low, uint32_t high, uint32_t &known) const {
    return block_.keys.find(job_.set.resident.multipliers, low, high, known);
  }
  COLONNADE_KERNEL_CODE void count() const {
    uint64_t found = 0;
    each_key([&](uint32_t patterns) { found += patterns; },
             [&](const found_member &m) { found += m.count; });
    found = sum_of_warp(machine_, found);
    if (machine_.lane() == 0 && found)
      machine_.add_global(job_.num_matches, found);
  }
  COLONNADE_KERNEL_CODE void tally() const {
    member_tally<Machine> tally(machine_, counts_of_warp(machine_, job_, warps));
    each_key([&](uint32_t member) { tally.add(member); },
             [&](const found_member &m) { tally.add(m.member); });
    tally.write();
  }
  /// known(what): of keys that decide; found(member): the longest one at other positions.
  template <class Known, class Found>
  COLONNADE_KERNEL_CODE void each_key(Known known, Found found) const {
    undecided_positions undecided(machine_, own_.waiting);
    walk_type walk(machine_, job_, block_, own_.stage);
    const auto decide = [&](bool has, uint32_t low, uint32_t high, uint64_t position) {
      uint32_t what = 0;
      has = find(low, high, what) && has;
      if (has && what != not_known)
        known(what);
      const bool waits = has && what == not_known;
      if (has_undecided() && machine_.ballot(waits) && undecided.add(waits, position))
        compare(undecided, [&](const found_member &m, uint64_t) { found(m); });
    };
    each_segment(machine_, job_, warps, [&](uint64_t segment) {
      walk.template keys<false>(segment, segment_bytes(), decide, [](uint32_t) {});
    });
    walk.finish(decide);
    if (undecided.add(false, 0, true))
      compare(undecided, [&](const found_member &m, uint64_t) { found(m); });
  }
  template <class Found>
  COLONNADE_KERNEL_CODE void compare(const undecided_positions &undecided, Found found) const {
    if (!undecided.has())
      return;
    const found_member m = lookup_.longest(undecided.item());
    if (m.count)
      found(m, undecided.item());
  }
  COLONNADE_KERNEL_CODE void note() const {
    clear_found<rows>(machine_, own_.found);
    each_segment(machine_, job_, warps, [&](uint64_t segment) { note(segment); });
  }
  COLONNADE_KERNEL_CODE void note(uint64_t segment) const {
    uint32_t matches = 0;
    note_taker<set_windows, Machine> taker(
        machine_, notes_of_segment(job_, segment, job_.rounds * Tuning::value.loads));
    undecided_positions undecided(machine_, own_.waiting);
    walk_type walk(machine_, job_, block_, own_.stage);
    const uint64_t first =
        segment * segment_bytes() - resident_before - reinterpret_cast<uintptr_t>(job_.text) % 16;
    const auto note_at = [&](uint32_t patterns, uint64_t position) {
      const uint32_t bit = static_cast<uint32_t>(position - first) % (rows * row_bytes);
      machine_.add_shared(&own_.found[bit / 32], 1u << bit % 32);
      matches += patterns;
    };
    const auto found = [&](const found_member &m, uint64_t position) {
      note_at(m.count, position);
    };
    walk.template keys<true>(
        segment, segment_bytes(),
        [&](bool has, uint32_t low, uint32_t high, uint64_t position) {
          uint32_t patterns = 0;
          has = find(low, high, patterns) && has;
          const bool waits = has && patterns == not_known;
          if (has && !waits)
            note_at(patterns, position);
          if (has_undecided() && machine_.ballot(waits) && undecided.add(waits, position))
            compare(undecided, found);
        },
        [&](uint32_t step) {
          if (has_undecided() && undecided.add(false, 0, true))
            compare(undecided, found);
          note_step<rows>(machine_, own_.found, step, taker);
        });
    matches = sum_of_warp(machine_, matches);
    if (machine_.lane() == 0) {
      job_.segment_matches[segment] = matches;
      job_.segment_positions[segment] = taker.counter();
    }
  }

  const Machine &machine_;
  const set_job &job_;
  const resident_block &block_;
  resident_warp<Tuning> &own_;
  const set_lookup<Machine> lookup_;
};

} // namespace colonnade::detail
