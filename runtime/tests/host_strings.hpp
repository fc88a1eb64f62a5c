//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// host_strings.hpp: string matching on the host: the kernels' code under random schedules, with
// planted faults.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "host_machine.hpp"
#include "string_cases.hpp"
#include "text_watch.hpp"

#include <colonnade/detail/string_matching/apart/results.hpp>
#include <colonnade/detail/string_matching/dense.hpp>
#include <colonnade/detail/string_matching/pattern_tables.hpp>
#include <colonnade/detail/string_matching/period.hpp>
#include <colonnade/detail/string_matching/results.hpp>
#include <colonnade/detail/string_matching/sample.hpp>
#include <colonnade/detail/string_matching/wide/skim.hpp>
#include <colonnade/string_matching_tuning.hpp>

namespace colonnade::testing {

struct string_faults {
  faults machine;
  bool no_neighbour = false;   // a lane's windows do not reach into the next lane's bytes
  bool wrong_period = false;   // is one more
  bool wrong_sketch = false;   // of its first character
  bool wrong_agreeing = false; // one of its lengths
  uint32_t lost_tail = 0;      // positions at the text's end that nobody looks at
  bool last_wins = false;      // of several first matches, not the first one stays
  bool lost_bits = false;      // a segment's counter does not say that a row is noted as bits
  bool lost_row = false;       // the number of matches of a row
  bool lost_block = false;     // the last block's notes are not written
  // Matches that do not overlap.
  bool wrong_every = false;      // one of so many is chosen: one more
  bool forgotten_blocks = false; // a block does not know what was chosen before it
};

class host_string_machine : public host_machine {
public:
  host_string_machine(const host_machine &machine, const string_faults &planted)
      : host_machine(machine), planted_(planted) {}
  template <class T> T shuffle(T value, uint32_t from) const {
    const T other = host_machine::shuffle(value, from);
    return planted_.no_neighbour && from == lane() + 1 ? value : other;
  }
  void min_global(uint64_t *word, uint64_t value) const {
    if (planted_.last_wins)
      *word = value;
    else
      host_machine::min_global(word, value);
  }

private:
  string_faults planted_;
};

/// A block has two segments of two steps of one row.
struct small_string_tuning {
  static constexpr string_matching_tuning value{64, 1, 1};
};

struct host_matches {
  uint64_t count = 0, first = 0, number = 0;
  std::vector<uint64_t> positions; // as many as there is room for
  device_status status;
  std::string complaints;
};

/// Empty if right.
inline std::string wrong_results(const host_matches &found, const std::vector<uint64_t> &right,
                                 uint64_t capacity) {
  if (!found.complaints.empty())
    return found.complaints;
  if (found.count != right.size() || found.number != right.size())
    return "number";
  if (found.first != (right.empty() ? ~uint64_t{0} : right[0]))
    return "first";
  const uint64_t room = std::min<uint64_t>(capacity, right.size());
  if (found.positions !=
      std::vector<uint64_t>(right.begin(), right.begin() + static_cast<int64_t>(room)))
    return "positions";
  const bool told =
      found.status.error() == data_error::buffer_too_small && found.status.detail() == right.size();
  return (right.size() > capacity ? told : found.status.ok()) ? "" : "status";
}

/// What is found by kernels of any skimmer; they run under random schedules.
class host_matching_runs {
protected:
  static constexpr uint32_t threads = small_string_tuning::value.threads, rounds = 2;

  host_matching_runs(unsigned seed, const string_faults &planted)
      : seed_(seed), planted_(planted) {}

  static uint32_t blocks_of(uint64_t num_bytes) {
    const uint64_t block_bytes = threads / 32 * rounds * detail::row_bytes;
    return static_cast<uint32_t>((num_bytes + 15 + block_bytes - 1) / block_bytes);
  }
  /// run_blocks(blocks, job, todo): todo(block) for each block of a grid.
  template <class Job, class RunBlocks>
  host_matches all_results(Job job, uint32_t blocks, uint64_t capacity, RunBlocks run_blocks) {
    host_matches found;
    job.num_matches = &found.count;
    run_blocks(blocks, job, [](auto &block) { block.count(); });
    found.first = ~uint64_t{0};
    job.num_matches = &found.first;
    const uint32_t walking = (blocks + 2) / 3; // each through three blocks' segments
    run_blocks(walking, job, [](auto &block) { block.find_first(); });
    list(job, blocks, capacity, found, run_blocks, [&](const Job &placed) {
      run<detail::block_offsets_storage<uint64_t, threads>>(
          1, [&](const auto &machine, auto &shared) {
            detail::place_blocks<threads, small_string_tuning>(machine, placed, blocks, shared);
          });
    });
    found.complaints = complaints_;
    return found;
  }
  /// Of those that do not overlap; run_blocks: with blocks of apart_block.
  template <class Job, class RunBlocks>
  host_matches apart_results(Job job, uint32_t blocks, uint64_t capacity, RunBlocks run_blocks) {
    job.every += planted_.wrong_every;
    host_matches found;
    std::vector<detail::match_piece> block_pieces(blocks), segment_pieces(blocks * threads / 32);
    std::vector<detail::match_cursor> cursors(blocks);
    for (detail::match_piece &p : block_pieces)
      p.run = p.last = 0xa5a5a5a5a5a5a5a5u;
    job.block_pieces = block_pieces.data();
    job.segment_pieces = segment_pieces.data();
    job.block_cursors = cursors.data();
    job.num_matches = &found.count;
    job.capacity = ~uint64_t{0};
    job.status = nullptr;
    const auto place = [&](const Job &placed) {
      run<detail::apart_place_storage<threads>>(1, [&](const auto &machine, auto &shared) {
        detail::place_apart_blocks<threads>(machine, placed, blocks, shared);
      });
      if (planted_.forgotten_blocks)
        std::fill(cursors.begin(), cursors.end(), detail::match_cursor::at_start());
    };
    run_blocks(blocks, job, [](auto &block) { block.count(); });
    if (blocks > 1)
      place(job);
    list(job, blocks, capacity, found, run_blocks, place);
    found.first = found.positions.empty() ? ~uint64_t{0} : found.positions[0];
    found.complaints = complaints_;
    return found;
  }
  template <class Storage, class Body>
  void run(uint32_t blocks, Body body, uint32_t block_threads = threads) {
    host_grid grid(seed_++, 3, planted_.machine);
    watch_.begin();
    grid.run(blocks, block_threads, sizeof(Storage),
             [&](const host_machine &machine, char *shared) {
               const host_string_machine here(machine, planted_);
               body(here, *reinterpret_cast<Storage *>(shared));
             });
    complaints_ += grid.all_complaints() + text_watch::ended();
  }
  static uint8_t *aligned(std::vector<uint8_t> &bytes) {
    const uintptr_t at = reinterpret_cast<uintptr_t>(bytes.data());
    return bytes.data() + (16 - at % 16) % 16;
  }

  const std::string &complaints() const { return complaints_; }

  text_watch watch_;
  // Or notes: as many as there are of bytes.
  uint32_t slots_of_segment_ = rounds * detail::row_notes<16>::stored;

  bool noted_ = false; // by notes, which warps may write for several segments

private:
  /// place(job): by one block, what is before each block.
  template <class Job, class RunBlocks, class Place>
  void list(Job &job, uint32_t blocks, uint64_t capacity, host_matches &found, RunBlocks run_blocks,
            Place place) {
    constexpr uint64_t poison = 0xa5a5a5a5a5a5a5a5u;
    const uint32_t segments = blocks * threads / 32;
    std::vector<uint64_t> block_counts(blocks, poison);
    std::vector<uint32_t> segment_counts(segments, 0xa5a5a5a5u);
    std::vector<uint16_t> noted(segments * slots_of_segment_, 0xa5a5u);
    const uint32_t before = seed_ % 20; // positions of any alignment
    found.positions.assign(before + capacity + 1, poison);
    job.num_matches = &found.number;
    job.positions = found.positions.data() + before;
    job.capacity = capacity;
    job.status = &found.status;
    job.block_counts = block_counts.data();
    job.segment_counts = segment_counts.data();
    job.slots = noted.data();
    run_blocks(blocks, job, [](auto &block) { block.note(); });
    if (blocks > 1) {
      place(job);
      for (uint32_t &counter : segment_counts)
        if (planted_.lost_bits)
          counter = detail::noted_count::matches(counter);
      if (planted_.lost_row)
        noted[1] = 0;
      job.writes = noted_ ? 1 + seed_ % 2 : 1;
      job.noting_blocks = blocks - planted_.lost_block;
      run_blocks((blocks + job.writes - 1) / job.writes, job, [](auto &block) { block.write(); });
    }
    for (uint32_t i = 0; i < before; ++i)
      if (found.positions[i] != poison)
        complaints_ += "written before the positions\n";
    found.positions.erase(found.positions.begin(), found.positions.begin() + before);
    if (found.positions[capacity] != poison)
      complaints_ += "written beyond the positions\n";
    found.positions.resize(std::min(capacity, found.number));
  }

  unsigned seed_;
  const string_faults planted_;
  std::string complaints_;
};

/// Characters that differ in their high bytes from letters, too: one for each byte.
template <class Character> Character character_of(uint8_t byte) {
  const bool letter = (byte | 0x20) >= 'a' && (byte | 0x20) <= 'z';
  if (sizeof(Character) == 1 || letter)
    return byte;
  return static_cast<Character>((byte ? byte : uint32_t{'A'}) << 8 | ('A' + byte % 26));
}

template <class Character> class basic_host_matching : host_matching_runs {
  template <uint32_t Width>
  using skimmer_type =
      std::conditional_t<sizeof(Character) == 1,
                         detail::skimmer<small_string_tuning, Width, host_string_machine>,
                         detail::wide_skimmer<small_string_tuning, Width, host_string_machine>>;

public:
  /// misaligned: by so many bytes the text begins after a multiple of 16, rounded down to whole
  /// characters; there are others around it, which continue matches.
  basic_host_matching(const string_case &c, uint32_t misaligned, unsigned seed,
                      const string_faults &planted = {})
      : host_matching_runs(seed, planted), text_(sizeof(Character) * c.text.size() + 64),
        pattern_(sizeof(Character) * c.pattern.size() + 48) {
    constexpr uint32_t bytes = sizeof(Character);
    uint8_t *const text = aligned(text_) + 16 + misaligned / bytes * bytes;
    auto *const around = reinterpret_cast<Character *>(text_.data());
    for (uint64_t i = 0; i < text_.size() / bytes; ++i)
      around[i] = character_of<Character>(c.pattern[i % c.pattern.size()]);
    std::transform(c.text.begin(), c.text.end(), reinterpret_cast<Character *>(text),
                   character_of<Character>);
    job_.fold = c.fold_case ? detail::letters<Character>::all_case_bits : 0;
    auto *const pattern = reinterpret_cast<Character *>(aligned(pattern_));
    for (uint64_t i = 0; i < c.pattern.size(); ++i)
      pattern[i] = static_cast<Character>(
          detail::letters<Character>::lower(character_of<Character>(c.pattern[i]), job_.fold));
    job_.text = text;
    watch_ = {text_, text, bytes * c.text.size()};
    job_.pattern = aligned(pattern_);
    job_.length = c.pattern.size();
    job_.period = detail::short_period(pattern, c.pattern.size());
    job_.step = detail::smallest_period(pattern, c.pattern.size());
    job_.every = static_cast<uint32_t>((c.pattern.size() + job_.step - 1) / job_.step);
    if constexpr (bytes == 1)
      job_.sketch = detail::sketch_of(pattern, c.pattern.size(), job_.fold);
    job_.sketch.bits ^= uint32_t{planted.wrong_sketch};
    agreeing_ = detail::agreeing_lengths(pattern, c.pattern.size());
    if (planted.wrong_agreeing)
      agreeing_[1 + seed % (agreeing_.size() - 1)] ^= 1;
    job_.agreeing = c.pattern.size() > detail::most_compared_alone ? agreeing_.data() : nullptr;
    job_.period += job_.period && planted.wrong_period;
    job_.num_positions = c.text.size() - c.pattern.size() + 1 - planted.lost_tail;
    job_.rounds = rounds;
    blocks_ = blocks_of(bytes * job_.num_positions);
    for (uint64_t i = 0; i < 4 && i < job_.length; ++i)
      job_.choice.word |= uint32_t{job_.pattern[i]} << 8 * i;
  }

  /// From now on the text is skimmed for what is rare in it.
  void sample() {
    job_.chosen = &chosen_;
    run<detail::sample_storage<threads>>(1, [&](const auto &machine, auto &shared) {
      detail::choose_rarest<threads, Character>(machine, job_, shared);
    });
  }
  const detail::skim_choice &chosen() const { return chosen_; }

  host_matches match(uint64_t capacity) {
    switch (job_.length) {
    case 1:
      return match_width<1>(capacity);
    case 2:
      return match_width<2>(capacity);
    case 3:
      return match_width<3>(capacity);
    default:
      if constexpr (sizeof(Character) == 1)
        if (chosen_.dense)
          return match_by<detail::dense_skimmer<small_string_tuning, host_string_machine>>(
              capacity);
      return match_width<4>(capacity);
    }
  }

  /// Whether the pattern can overlap itself.
  bool overlaps() const { return job_.every > 1; }
  host_matches match_apart(uint64_t capacity) {
    switch (job_.length) {
    case 2:
      return match_apart_width<2>(capacity);
    case 3:
      return match_apart_width<3>(capacity);
    default:
      return match_apart_width<4>(capacity);
    }
  }

private:
  struct shared_storage {
    detail::matching_storage<small_string_tuning> counts;
    detail::position_stage stages[threads / 32];
  };
  template <uint32_t Width> host_matches match_apart_width(uint64_t capacity) {
    noted_ = false;
    return apart_results(
        job_, blocks_, capacity, [&](uint32_t blocks, const detail::matching_job &job, auto todo) {
          run<detail::apart_storage<small_string_tuning>>(
              blocks, [&](const auto &machine, auto &shared) {
                detail::apart_block<small_string_tuning, host_string_machine, skimmer_type<Width>>
                    block(machine, job, shared);
                todo(block);
              });
        });
  }
  template <uint32_t Width> host_matches match_width(uint64_t capacity) {
    return match_by<skimmer_type<Width>>(capacity);
  }
  template <class Skimmer> host_matches match_by(uint64_t capacity) {
    noted_ = true;
    return all_results(
        job_, blocks_, capacity, [&](uint32_t blocks, const detail::matching_job &job, auto todo) {
          run<shared_storage>(blocks, [&](const auto &machine, auto &shared) {
            detail::matching_block<small_string_tuning, 4, host_string_machine, Skimmer> block(
                machine, job, shared.counts, shared.stages);
            todo(block);
          });
        });
  }

  std::vector<uint8_t> text_, pattern_;
  std::vector<uint32_t> agreeing_;
  detail::matching_job job_{};
  detail::skim_choice chosen_{};
  uint32_t blocks_;
};
using host_matching = basic_host_matching<uint8_t>;

} // namespace colonnade::testing
