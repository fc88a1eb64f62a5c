//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// results.hpp: what is made of the matches: their number, the first one, or all their positions.
//
// In: a job. Out: the caller's arrays. Invariant: positions ascend. Segments note their matches,
// which are written when it is known where they go. Of bytes and 16-bit characters there is room
// for all of them (notes.hpp). Other segments note the first ones, in slots, a sixty-fourth of
// their windows; where these are too few, the segment is read a second time.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/device/block_offsets.hpp>
#include <colonnade/detail/device/report.hpp>
#include <colonnade/detail/string_matching/notes.hpp>
#include <colonnade/detail/string_matching/skim.hpp>

namespace colonnade::detail {

template <class Tuning> struct matching_storage {
  uint32_t counts[Tuning::value.threads / 32]; // of the segments of a block
};

/// Of a segment: sink(place among its matches, offset); row(offset, matches) for each row that may
/// have some; the number of matches. By a warp.
template <class Machine, class Skimmer, class Sink, class Row>
COLONNADE_KERNEL_CODE uint32_t list_matches(const Machine &machine, const Skimmer &skimmer,
                                            uint64_t segment, Sink sink, Row row) {
  uint32_t found = 0;
  skimmer.rows(segment, [&](uint64_t offset, uint32_t matches) {
    if (machine.ballot(matches != 0) == 0)
      return true;
    const uint32_t mine = machine.count_ones(matches);
    const uint32_t sum = warp_inclusive_sum(machine, mine);
    uint32_t place = found + sum - mine;
    for (uint32_t rest = matches; rest; rest &= rest - 1)
      sink(place++, offset + machine.first_one(rest));
    found += machine.shuffle(sum, 31);
    row(offset, matches);
    return true;
  });
  return found;
}

template <class Machine>
COLONNADE_KERNEL_CODE void report_matches(const Machine &machine, const matching_job &job,
                                          uint64_t found) {
  *job.num_matches = found;
  if (job.status && found > job.capacity)
    report_error(machine, job.status, data_error::buffer_too_small, found);
}

using position_stage = row_stage<2>;

/// Skimmer: finds the matches of a segment. noted_windows: those of a lane in a row, if all matches
/// are noted; 0: there are slots.
template <class Tuning, uint32_t Width, class Machine,
          class Skimmer = skimmer<Tuning, Width, Machine>>
class matching_block {
  static constexpr uint32_t warps = Tuning::value.threads / 32;

public:
  /// Job: a matching_job, and what else the skimmer takes. stages: one for each warp, where all
  /// matches are noted, to write them.
  template <class Job>
  COLONNADE_KERNEL_CODE matching_block(const Machine &machine, const Job &job,
                                       matching_storage<Tuning> &shared,
                                       position_stage *stages = nullptr)
      : machine_(machine), job_(job), shared_(shared), stages_(stages), skimmer_(machine, job),
        segment_(uint64_t{machine.block()} * warps + machine.warp()),
        num_slots_(job_.rounds * Skimmer::step_slots), slots_(job_.slots + segment_ * num_slots_) {}

  COLONNADE_KERNEL_CODE void count() {
    uint32_t found = skimmer_.count(segment_);
    COLONNADE_UNROLL
    for (uint32_t mask = 1; mask < 32; mask *= 2)
      found += machine_.shuffle_xor(found, mask);
    share_count(found);
    if (machine_.thread() != 0)
      return;
    const uint64_t all = sum_before(warps);
    if (machine_.num_blocks() == 1)
      *job_.num_matches = all;
    else if (all)
      machine_.add_global(job_.num_matches, all);
  }

  /// num_matches holds ~0 before. Any number of blocks: a warp walks from segment to segment,
  /// ascending, until a match is known before the next one.
  COLONNADE_KERNEL_CODE void find_first() {
    uint64_t known = machine_.load_counter(job_.num_matches);
    for (uint64_t segment = segment_; skimmer_.is_in_text(segment);
         segment += uint64_t{machine_.num_blocks()} * warps) {
      if (machine_.ballot(known < skimmer_.segment_begin(segment)))
        return; // in an earlier segment, since no other warp looks at this one
      // Compared only when the next segment begins: it arrives while this one is read.
      known = machine_.load_counter(job_.num_matches);
      skimmer_.rows(segment, [&](uint64_t offset, uint32_t matches) {
        if (matches)
          machine_.min_global(job_.num_matches,
                              skimmer_.position(offset + machine_.first_one(matches)));
        return machine_.ballot(matches != 0) == 0;
      });
    }
  }

  /// Notes the matches; if there is one block, that is all.
  COLONNADE_KERNEL_CODE void note() {
    const uint32_t counter = note_segment();
    share_count(noted_count::matches(counter));
    if (machine_.num_blocks() == 1) {
      if (machine_.thread() == 0)
        report_matches(machine_, job_, sum_before(warps));
      if constexpr (notes_all)
        return write_noted<false>(segment_, counter, sum_before(machine_.warp()));
      else
        return write_slots(counter, sum_before(machine_.warp()));
    }
    if (machine_.lane() == 0)
      job_.segment_counts[segment_] = counter;
    if (machine_.thread() == 0)
      job_.block_counts[machine_.block()] = sum_before(warps);
  }
  template <matching_result Result> COLONNADE_KERNEL_CODE void search() {
    if constexpr (Result == matching_result::count)
      count();
    else if constexpr (Result == matching_result::first)
      find_first();
    else
      note();
  }
  /// block_counts hold how many are before each block. Where all matches are noted, there are
  /// 1 / job.writes as many blocks.
  COLONNADE_KERNEL_CODE void write() {
    if constexpr (notes_all) {
      write_segments();
    } else {
      const uint64_t first_segment = segment_ - machine_.warp();
      uint64_t before = job_.block_counts[machine_.block()];
      for (uint32_t w = 0; w < machine_.warp(); ++w)
        before += job_.segment_counts[first_segment + w];
      write_slots(job_.segment_counts[segment_], before);
    }
  }

private:
  /// By a warp, of job.writes segments, all of which one block has noted.
  COLONNADE_KERNEL_CODE void write_segments() const {
    const uint64_t first = segment_ * job_.writes, block = first / warps;
    if (block >= job_.noting_blocks)
      return;
    const uint64_t before = job_.block_counts[block], block_segment = block * warps;
    if (before >= job_.capacity)
      return;
    const uint32_t lane = machine_.lane(), from = static_cast<uint32_t>(first % warps),
                   counter = lane < warps ? job_.segment_counts[block_segment + lane] : 0,
                   found = noted_count::matches(counter), end = warp_inclusive_sum(machine_, found);
    const bool asked = found != 0 && lane - from < job_.writes;
    if (machine_.ballot(asked && counter != found) == 0) {
      const uint32_t last = from + job_.writes - 1;
      return write_lists(block_segment, before, machine_.shuffle(end - found, from),
                         machine_.shuffle(end, last), end);
    }
    for (uint32_t asking = machine_.ballot(asked); asking; asking &= asking - 1) {
      const uint32_t s = machine_.first_one(asking);
      write_noted<true>(block_segment + s, machine_.shuffle(counter, s),
                        before + machine_.shuffle(end - found, s));
    }
  }
  /// Of a block's matches, all of which are lists, those from `begin` to `end`; segment_end: of the
  /// segment whose number in the block is the lane. Four units of a lane are loaded together.
  COLONNADE_KERNEL_CODE void write_lists(uint64_t block_segment, uint64_t before, uint32_t begin,
                                         uint32_t end, uint32_t segment_end) const {
    constexpr uint32_t in_flight = 4;
    uint32_t ends[warps];
    COLONNADE_UNROLL
    for (uint32_t s = 0; s < warps; ++s)
      ends[s] = machine_.shuffle(segment_end, s);
    const segment_notes first = notes(block_segment);
    const auto windows_of_segment = static_cast<uint32_t>(skimmer_.segment_begin(1));
    const uint64_t position = skimmer_.position(skimmer_.segment_begin(block_segment));
    for (uint32_t at = begin + machine_.lane(); at < end; at += 32 * in_flight) {
      uint32_t unit[in_flight];
      COLONNADE_UNROLL
      for (uint32_t k = 0; k < in_flight; ++k) {
        const uint32_t match = at + 32 * k;
        uint32_t segment = 0, skipped = 0;
        COLONNADE_UNROLL
        for (uint32_t s = 0; s + 1 < warps; ++s)
          if (match >= ends[s])
            segment = s + 1, skipped = ends[s];
        unit[k] = match < end ? segment * windows_of_segment +
                                    first.units()[segment * units_of_segment() + (match - skipped)]
                              : 0;
      }
      COLONNADE_UNROLL
      for (uint32_t k = 0; k < in_flight; ++k)
        if (at + 32 * k < end && before + at + 32 * k < job_.capacity)
          job_.positions[before + at + 32 * k] = position + unit[k];
    }
  }

  static constexpr uint32_t windows = Skimmer::noted_windows;
  static constexpr bool notes_all = windows != 0;

  COLONNADE_KERNEL_CODE uint32_t units_of_segment() const {
    return job_.rounds * Tuning::value.loads * row_notes<windows>::stored;
  }
  COLONNADE_KERNEL_CODE segment_notes notes(uint64_t segment) const {
    return {job_.slots + segment * units_of_segment(), job_.rounds * Tuning::value.loads};
  }
  /// The segment's counter.
  COLONNADE_KERNEL_CODE uint32_t note_segment() const {
    const uint64_t begin = skimmer_.segment_begin(segment_);
    if constexpr (notes_all) {
      note_taker<windows, Machine> taker(machine_, notes(segment_));
      skimmer_.rows(segment_, [&](uint64_t offset, uint32_t matches) {
        taker.add(static_cast<uint32_t>(offset - begin), matches);
        return true;
      });
      return taker.counter();
    } else {
      return list([&](uint32_t place, uint64_t offset) {
        if (place < num_slots_)
          slots_[place] = static_cast<uint16_t>(offset - begin);
      });
    }
  }
  COLONNADE_KERNEL_CODE void share_count(uint32_t found) {
    if (machine_.lane() == 0)
      shared_.counts[machine_.warp()] = found;
    machine_.block_sync();
  }
  COLONNADE_KERNEL_CODE uint64_t sum_before(uint32_t warp) const {
    uint64_t sum = 0;
    for (uint32_t w = 0; w < warp; ++w)
      sum += shared_.counts[w];
    return sum;
  }
  /// sink(place among the segment's matches, offset); the number of matches.
  template <class Sink> COLONNADE_KERNEL_CODE uint32_t list(Sink sink) const {
    return list_matches(machine_, skimmer_, segment_, sink, [](uint64_t, uint32_t) {});
  }
  template <bool Staged>
  COLONNADE_KERNEL_CODE void write_noted(uint64_t segment, uint32_t counter,
                                         uint64_t before) const {
    const uint32_t found = noted_count::matches(counter);
    if (found == 0 || before >= job_.capacity)
      return;
    using writer_type = const position_writer<Staged, Machine>;
    writer_type writer(machine_, job_, stages_);
    const uint64_t position = skimmer_.position(skimmer_.segment_begin(segment));
    const segment_notes noted = notes(segment);
    if (counter != found)
      return row_writer<windows, Machine, writer_type>(machine_, writer)
          .write(noted, position, before);
    for (uint32_t place = machine_.lane(); place < found; place += 32)
      writer.put(before + place, position + noted.units()[place]);
  }
  COLONNADE_KERNEL_CODE void put(uint64_t place, uint64_t offset) const {
    if (place < job_.capacity)
      job_.positions[place] = skimmer_.position(offset);
  }
  COLONNADE_KERNEL_CODE void write_slots(uint32_t found, uint64_t before) const {
    if (found == 0 || before >= job_.capacity)
      return;
    if (found > num_slots_) {
      list([&](uint32_t place, uint64_t offset) { put(before + place, offset); });
      return;
    }
    const uint64_t begin = skimmer_.segment_begin(segment_);
    for (uint32_t place = machine_.lane(); place < found; place += 32)
      put(before + place, begin + slots_[place]);
  }

  const Machine &machine_;
  const matching_job &job_;
  matching_storage<Tuning> &shared_;
  position_stage *const stages_;
  const Skimmer skimmer_;
  const uint64_t segment_;
  const uint32_t num_slots_;
  uint16_t *const slots_;
};

/// Of the blocks' counts, by one block; a thread takes several, which are loaded together.
template <uint32_t Threads, class Tuning, class Machine>
COLONNADE_KERNEL_CODE void place_blocks(const Machine &machine, const matching_job &job,
                                        uint64_t num_blocks,
                                        block_offsets_storage<uint64_t, Threads> &shared) {
  constexpr uint32_t together = 8;
  uint64_t counts[together];
  const uint64_t found = block_offsets<uint64_t, Threads>(
      machine, shared, (num_blocks + together - 1) / together,
      [&](uint64_t group) {
        uint64_t sum = 0;
        COLONNADE_UNROLL
        for (uint32_t k = 0; k < together; ++k) {
          const uint64_t block = group * together + k;
          counts[k] = block < num_blocks ? job.block_counts[block] : 0;
          sum += counts[k];
        }
        return sum;
      },
      [&](uint64_t group, uint64_t before) { // those of the last call
        COLONNADE_UNROLL
        for (uint32_t k = 0; k < together; ++k) {
          if (group * together + k < num_blocks)
            job.block_counts[group * together + k] = before;
          before += counts[k];
        }
      });
  if (machine.thread() == 0)
    report_matches(machine, job, found);
}

} // namespace colonnade::detail
