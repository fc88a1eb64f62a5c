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

#include <colonnade/detail/device/block_offsets.hpp>
#include <colonnade/detail/device/report.hpp>
#include <colonnade/detail/string_matching/sets/batch.hpp>
#include <colonnade/detail/string_matching/sets/search.hpp>
#include <colonnade/detail/string_matching/sets/write.hpp>
#include <colonnade/string_matching_sets_tuning.hpp>

namespace colonnade::detail {

/// Adds up how often each member was found; equal ones in a row at once.
template <class Machine> class member_tally {
public:
  COLONNADE_KERNEL_CODE member_tally(const Machine &machine, uint64_t *counts)
      : machine_(machine), counts_(counts) {}
  COLONNADE_KERNEL_CODE void add(uint32_t member) {
    if (member == no_member)
      return;
    if (member != last_ || times_ >> 31)
      write();
    last_ = member;
    ++times_;
  }
  COLONNADE_KERNEL_CODE void write() {
    if (times_)
      machine_.add_global(&counts_[last_], times_);
    times_ = 0;
  }

private:
  const Machine &machine_;
  uint64_t *const counts_;
  uint32_t last_ = no_member;
  uint32_t times_ = 0;
};

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
    found = warp_sum(found);
    if (machine_.lane() == 0 && found)
      machine_.add_global(job_.num_matches, found);
  }
  /// member_counts hold 0 before.
  COLONNADE_KERNEL_CODE void tally() const {
    const uint32_t copy = (machine_.block() * warps + machine_.warp()) % tally_copies;
    member_tally<Machine> tally(machine_, job_.member_counts + copy * job_.set.num_members);
    each_match([&](const found_member &m) { tally.add(m.member); });
    tally.write();
  }
  COLONNADE_KERNEL_CODE void note() const {
    for (uint32_t i = machine_.lane(); i < found_words; i += 32)
      queues_.found[i] = 0;
    machine_.warp_sync();
    each_segment([&](uint64_t segment) { note(segment); });
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
  static constexpr uint32_t found_words = searcher_type::step_bytes / 32;

  /// The first of each warp are spread over all blocks; others are taken by whoever is free, since
  /// some take ten times as long as others.
  template <class Work> COLONNADE_KERNEL_CODE void each_segment(Work work) const {
    const uint64_t all_warps = uint64_t{machine_.num_blocks()} * warps;
    uint64_t segment = machine_.block() + uint64_t{machine_.num_blocks()} * machine_.warp();
    while (segment < job_.num_segments) {
      work(segment);
      if (job_.num_segments <= all_warps)
        return;
      if (machine_.lane() == 0)
        segment = all_warps + machine_.take_global(job_.next_segment, 1);
      segment = machine_.shuffle(segment, 0);
    }
  }
  template <class T> COLONNADE_KERNEL_CODE T warp_sum(T value) const {
    COLONNADE_UNROLL
    for (uint32_t mask = 1; mask < 32; mask *= 2)
      value += machine_.shuffle_xor(value, mask);
    return value;
  }

  /// found(member): the longest at every position that has any; in any order.
  template <class Found> COLONNADE_KERNEL_CODE void each_match(Found found) const {
    undecided_places undecided(machine_, queues_.stage);
    const auto found_at = [&](const found_member &m, uint64_t) { found(m); };
    each_segment([&](uint64_t segment) {
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
        [&](const segment_places &places) { note_step(places.step, taker); });
    matches = warp_sum(matches);
    if (machine_.lane() == 0) {
      job_.segment_matches[segment] = matches;
      job_.segment_positions[segment] = taker.counter();
    }
  }
  template <class Taker> COLONNADE_KERNEL_CODE void note_step(uint32_t step, Taker &taker) const {
    const uint32_t lane = machine_.lane();
    machine_.warp_sync(); // all have found theirs
    for (uint32_t row = 0; row < searcher_type::loads; ++row) {
      const uint32_t two_lanes = queues_.found[row * 16 + lane / 2],
                     mine = two_lanes >> 16 * (lane % 2) & 0xffff;
      if (machine_.ballot(mine != 0))
        taker.add(step + row * row_bytes + lane * 16, mine);
    }
    machine_.warp_sync(); // all have read
    for (uint32_t i = lane; i < found_words; i += 32)
      queues_.found[i] = 0;
    machine_.warp_sync();
  }

  const Machine &machine_;
  const set_job &job_;
  set_queues<Tuning> &queues_;
  const set_lookup<Machine> lookup_;
  const searcher_type searcher_;
};

} // namespace colonnade::detail
