//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// host_packed_strings.hpp: string matching in packed texts on the host: the kernels' code under
// random schedules, with planted faults.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "host_strings.hpp"
#include "packed_string_cases.hpp"

#include <colonnade/detail/string_matching/packed/pattern.hpp>
#include <colonnade/detail/string_matching/packed/skim.hpp>

namespace colonnade::testing {

struct packed_faults : string_faults {
  bool lost_interval = false; // the last of those that are not known
  bool lost_window = false;   // one of those that a text's units are looked up for
};

class host_packed_matching : host_matching_runs {
public:
  /// misaligned: as in host_matching; what lies around the text continues matches.
  host_packed_matching(const packed_case &c, uint32_t misaligned, unsigned seed,
                       const packed_faults &planted = {})
      : host_matching_runs(seed, planted), bits_(c.options.bits), faults_(planted) {
    const std::vector<uint8_t> packed = c.text();
    std::vector<uint8_t> around(packed.size() * 8 / bits_ + 64 * 8 / bits_);
    for (uint64_t i = 0; i < around.size(); ++i)
      around[i] = c.characters.pattern[i % c.characters.pattern.size()];
    text_ = host_pack(around, c.options);
    uint8_t *const text = aligned(text_) + 16 + misaligned;
    std::copy(packed.begin(), packed.end(), text);
    words_ = detail::describe_pattern(c.characters.pattern, c.options, job_);
    job_.text = text;
    watch_ = {text_, text, packed.size()};
    job_.pattern = reinterpret_cast<const uint8_t *>(words_.data());
    job_.num_positions =
        c.characters.text.size() - c.characters.pattern.size() + 1 - planted.lost_tail;
    job_.period += job_.period && planted.wrong_period;
    job_.rounds = rounds;
    job_.unknown = c.unknown.data();
    job_.num_unknown = c.unknown.size() - (planted.lost_interval && !c.unknown.empty());
    blocks_ = blocks_of(job_.num_positions * bits_ / 8 + 2);
  }

  host_matches match(uint64_t capacity) {
    switch (bits_) {
    case 1:
      return match_bits<1>(capacity);
    case 2:
      return match_bits<2>(capacity);
    default:
      return match_bits<4>(capacity);
    }
  }

  bool overlaps() const { return job_.step < job_.length; }
  host_matches match_apart(uint64_t capacity) {
    job_.every = static_cast<uint32_t>((job_.length + job_.step - 1) / job_.step);
    switch (bits_) {
    case 1:
      return match_bits_apart<1>(capacity);
    case 2:
      return match_bits_apart<2>(capacity);
    default:
      return match_bits_apart<4>(capacity);
    }
  }

private:
  struct shared_storage {
    detail::matching_storage<small_string_tuning> counts;
    detail::apart_storage<small_string_tuning> pieces;
    detail::unit_table table;
  };
  template <uint32_t Bits> host_matches match_bits_apart(uint64_t capacity) {
    using skimmer_type = detail::packed_skimmer<small_string_tuning, Bits, host_string_machine>;
    return apart_results(
        job_, blocks_, capacity, [&](uint32_t blocks, const detail::packed_job &job, auto todo) {
          run<shared_storage>(blocks, [&](const auto &machine, auto &shared) {
            if (job.unit_bits)
              detail::fill_table<Bits>(machine, job, shared.table);
            detail::apart_block<small_string_tuning, host_string_machine, skimmer_type> block(
                machine, detail::packed_view{job, shared.table}, shared.pieces);
            todo(block);
          });
        });
  }
  template <uint32_t Bits> host_matches match_bits(uint64_t capacity) {
    using skimmer_type = detail::packed_skimmer<small_string_tuning, Bits, host_string_machine>;
    return all_results(
        job_, blocks_, capacity, [&](uint32_t blocks, const detail::packed_job &job, auto todo) {
          run<shared_storage>(blocks, [&](const auto &machine, auto &shared) {
            if (job.unit_bits)
              detail::fill_table<Bits>(machine, job, shared.table);
            if (job.unit_bits && faults_.lost_window && machine.thread() == 0)
              lose_window(shared.table);
            machine.block_sync();
            detail::matching_block<small_string_tuning, 4, host_string_machine, skimmer_type> block(
                machine, detail::packed_view{job, shared.table}, shared.counts);
            todo(block);
          });
        });
  }
  static void lose_window(detail::unit_table &table) {
    for (uint32_t &word : table.words)
      if (word != 0) {
        word &= word - 1;
        return;
      }
  }

  uint32_t bits_;
  packed_faults faults_;
  std::vector<uint8_t> text_;
  std::vector<uint32_t> words_;
  detail::packed_job job_{};
  uint32_t blocks_;
};

} // namespace colonnade::testing
