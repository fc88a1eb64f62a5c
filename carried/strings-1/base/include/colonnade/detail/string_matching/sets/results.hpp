//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// results.hpp: what is made of a set's candidates: the number of matches, that of each pattern, or
// all matches by position, then by pattern.
//
// In: a job and filters. Out: the caller's arrays. Invariant: a warp waits for no other. Segments
// note the positions at which patterns begin (../notes.hpp); which these are is looked up again
// when it is known where a segment's matches go.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/string_matching/sets/batch.hpp>
#include <colonnade/detail/string_matching/sets/search.hpp>
#include <colonnade/detail/string_matching/sets/segments.hpp>
#include <colonnade/string_matching_sets_tuning.hpp>

namespace colonnade::detail {

/// Of a warp, in shared memory.
template <class Tuning> struct set_queues {
  queue_entries<Tuning::value.queued> words;
  queue_entries<159> places; // a batch of words has up to 128, and 31 may wait
  batch_stage stage;
  uint32_t found[Tuning::value.loads * row_bytes / 32]; // bits: where patterns begin in a step
};

/// Of a block, in shared memory.
template <class Tuning, class Filters> struct set_memory {
  using filters_type = typename Filters::template halved<Tuning::value.halvings>;
  filters_type filters;
  set_queues<Tuning> queues[Tuning::value.threads / 32];
};

template <class Tuning, class Filters, class Machine> class set_warps {
  static constexpr uint32_t warps = Tuning::value.threads / 32;

public:
  /// The filters are filled.
  COLONNADE_KERNEL_CODE set_warps(const Machine &machine, const set_job &job,
                                  set_memory<Tuning, Filters> &memory)
      : machine_(machine), job_(job), queues_(memory.queues[machine.warp()]), lookup_(job),
        searcher_(machine, job, memory.filters) {}

  /// Any number of blocks. num_matches holds 0 before.
  COLONNADE_KERNEL_CODE void count() const {
    uint64_t found = 0;
    each_match([&](const found_member &m) { found += m.count; });
    found = sum_of_warp(machine_, found);
    if (machine_.lane() == 0 && found)
      machine_.add_global(job_.num_matches, found);
  }
  /// member_counts hold 0 before.
  COLONNADE_KERNEL_CODE void tally() const {
    member_tally<Machine> tally(machine_, counts_of_warp(machine_, job_, warps));
    each_match([&](const found_member &m) { tally.add(m.member); });
    tally.write();
  }
  COLONNADE_KERNEL_CODE void note() const {
    clear_found<searcher_type::loads>(machine_, queues_.found);
    each_segment(machine_, job_, warps, [&](uint64_t segment) { note(segment); });
  }
  template <set_result Result> COLONNADE_KERNEL_CODE void search() const {
    if constexpr (Result == set_result::count)
      count();
    else if constexpr (Result == set_result::each)
      tally();
    else
      note();
  }

private:
  using searcher_type =
      set_searcher<Tuning, typename set_memory<Tuning, Filters>::filters_type, Machine>;
  /// Positions, and from bit 48 on keys: 8 bytes do not decide there, which takes ten times as
  /// long. They wait until all lanes have one.
  using undecided_places = warp_batch<uint64_t, Machine>;

  /// found(member): the longest at every position that has any; in any order.
  template <class Found> COLONNADE_KERNEL_CODE void each_match(Found found) const {
    undecided_places undecided(machine_, queues_.stage);
    const auto found_at = [&](const found_member &m, uint64_t) { found(m); };
    each_segment(machine_, job_, warps, [&](uint64_t segment) {
      match<false>(segment, undecided, found_at, [](const segment_places &) {});
    });
    if (undecided.add(false, 0, true))
      compare(undecided, found_at);
  }
  /// found(member, position): as above, of a segment; some may stay undecided.
  template <bool One_step, class Found, class Ends>
  COLONNADE_KERNEL_CODE void match(uint64_t segment, undecided_places &undecided, Found found,
                                   Ends step_ends) const {
    searcher_.template candidates<One_step>(
        segment, queues_,
        [&](bool has, const segment_places &places, uint32_t place) {
          const first_look look = has ? this->look(places, place) : first_look{};
          const uint64_t position = places.position + place;
          if (look.found.count)
            found(look.found, position);
          const bool waits = look.key != first_look::none;
          if (machine_.ballot(waits) && undecided.add(waits, uint64_t{look.key} << 48 | position))
            compare(undecided, found);
        },
        [&](const segment_places &places) {
          if (undecided.add(false, 0, true))
            compare(undecided, found);
          step_ends(places);
        });
  }
  template <class Found>
  COLONNADE_KERNEL_CODE void compare(const undecided_places &undecided, Found found) const {
    if (!undecided.has())
      return;
    const uint64_t item = undecided.item(), position = item & ~uint64_t{0} >> 16;
    const found_member m = lookup_.longest_of(static_cast<uint32_t>(item >> 48), position);
    if (m.count)
      found(m, position);
  }
  COLONNADE_KERNEL_CODE first_look look(const segment_places &places, uint32_t place) const {
    uint64_t bytes;
    uint32_t left = 8;
    if (places.inside) {
      bytes = lookup_.bytes_inside(places.from, place + 8 - bytes_before);
    } else {
      const uint64_t position = places.position + place;
      if (position >= job_.num_items)
        return {};
      bytes = lookup_.first_bytes(position);
      left = lookup_.left_of_eight(position);
    }
    return lookup_.look(bytes, left);
  }

  /// queues.found is 0 before and after.
  COLONNADE_KERNEL_CODE void note(uint64_t segment) const {
    uint32_t matches = 0;
    note_taker<set_windows, Machine> taker(
        machine_, notes_of_segment(job_, segment, job_.rounds * searcher_type::loads));
    undecided_places undecided(machine_, queues_.stage);
    const uint64_t first = searcher_.first_position(segment);
    match<true>(
        segment, undecided,
        [&](const found_member &m, uint64_t position) {
          const uint32_t bit = static_cast<uint32_t>(position - first) % searcher_type::step_bytes;
          machine_.add_shared(&queues_.found[bit / 32], 1u << bit % 32);
          matches += m.count;
        },
        [&](const segment_places &places) {
          note_step<searcher_type::loads>(machine_, queues_.found, places.step, taker);
        });
    matches = sum_of_warp(machine_, matches);
    if (machine_.lane() == 0) {
      job_.segment_matches[segment] = matches;
      job_.segment_positions[segment] = taker.counter();
    }
  }

  const Machine &machine_;
  const set_job &job_;
  set_queues<Tuning> &queues_;
  const set_lookup<Machine> lookup_;
  const searcher_type searcher_;
};

} // namespace colonnade::detail
