//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// host_mismatch_strings.hpp: matching with mismatches on the host: the kernels' code under random
// schedules, with planted faults.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "host_strings.hpp"
#include "mismatch_string_cases.hpp"

#include <colonnade/detail/string_matching/mismatches/counting.hpp>
#include <colonnade/detail/string_matching/mismatches/plan.hpp>

namespace colonnade::testing {

struct mismatch_faults : string_faults {
  bool lost_unit = false;   // one of the pieces' words is not looked up
  bool added_twice = false; // a unit that another one has, too, is added to the table once more
  bool one_more = false;    // mismatch is allowed where they are counted or compared
};

/// What is found, and the numbers of mismatches of the positions there was room for.
struct host_mismatches {
  host_matches found;
  std::vector<uint8_t> numbers;
};

/// Loads: of a lane, 2 or 4. Segments are one to three steps.
template <uint32_t Loads> class host_mismatch_matching : host_matching_runs {
  struct tuning {
    static constexpr string_matching_tuning value{64, Loads, 1};
  };

public:
  /// misaligned: by so many bytes the text begins after a multiple of 16; there are others around
  /// it, which continue matches.
  host_mismatch_matching(const mismatch_case &c, uint32_t misaligned, unsigned seed,
                         const mismatch_faults &planted = {})
      : host_matching_runs(seed, planted), text_(c.text.size() + 64),
        pattern_(c.pattern.size() + 48),
        plan_(pattern_of(c), c.pattern.size(), c.most, c.options.fold_case ? detail::case_bits : 0,
              c.options.method) {
    job_.rounds = 1 + seed / 2 % 3;
    const uint32_t segment_bytes = job_.rounds * Loads * detail::row_bytes;
    slots_of_segment_ = segment_bytes / detail::windows_per_slot;
    uint8_t *const text = aligned(text_) + 16 + misaligned;
    for (uint64_t i = 0; i < text_.size(); ++i)
      text_[i] = c.pattern[i % c.pattern.size()];
    std::copy(c.text.begin(), c.text.end(), text);
    job_.text = text;
    watch_ = {text_, text, c.text.size()};
    job_.pattern = aligned(pattern_);
    job_.length = c.pattern.size();
    job_.fold = c.options.fold_case ? detail::case_bits : 0;
    job_.choice.offset = plan_.offset;
    job_.num_positions = c.text.size() - c.pattern.size() + 1 - planted.lost_tail;
    job_.most = c.most + planted.one_more;
    job_.part = plan_.part;
    job_.num_units = static_cast<uint32_t>(plan_.units.size());
    job_.units = plan_.units.data();
    if (planted.lost_unit && job_.num_units)
      plan_.units[1].word ^= 1;
    for (detail::mismatch_unit &unit : plan_.units)
      unit.is_new |= planted.added_twice;
    const uint64_t block_bytes = threads / 32 * segment_bytes;
    blocks_ = static_cast<uint32_t>((job_.num_positions + 15 + block_bytes - 1) / block_bytes);
  }

  bool has_pieces() const { return job_.num_units != 0; }

  host_mismatches match(uint64_t capacity) {
    host_mismatches all;
    all.found =
        has_pieces()
            ? results<detail::unit_table, detail::piece_skimmer<tuning, host_string_machine>>(
                  capacity,
                  [](const auto &machine, const auto &job, detail::unit_table &table) {
                    detail::fill_units(machine, job, table);
                  })
            : results<detail::byte_masks, detail::counting_skimmer<tuning, host_string_machine>>(
                  capacity, [](const auto &machine, const auto &job, detail::byte_masks &masks) {
                    masks.fill(machine, job);
                  });
    number(capacity, all);
    return all;
  }

private:
  /// In lower case, if case is folded.
  const uint8_t *pattern_of(const mismatch_case &c) {
    uint8_t *const pattern = aligned(pattern_);
    for (uint64_t i = 0; i < c.pattern.size(); ++i)
      pattern[i] = static_cast<uint8_t>(detail::letters<uint8_t>::lower(
          c.pattern[i], c.options.fold_case ? detail::case_bits : 0));
    return pattern;
  }
  template <class Table> struct shared_storage {
    detail::matching_storage<tuning> counts;
    alignas(16) Table table;
  };
  template <class Table, class Skimmer, class Fill>
  host_matches results(uint64_t capacity, Fill fill) {
    return all_results(
        job_, blocks_, capacity, [&](uint32_t blocks, const detail::mismatch_job &job, auto todo) {
          run<shared_storage<Table>>(blocks, [&](const auto &machine, auto &shared) {
            fill(machine, job, shared.table);
            detail::matching_block<tuning, 4, host_string_machine, Skimmer> block(
                machine, detail::mismatch_view<Table>{job, shared.table}, shared.counts);
            todo(block);
          });
        });
  }
  void number(uint64_t capacity, host_mismatches &all) {
    std::vector<uint64_t> positions = all.found.positions;
    uint64_t found = all.found.number;
    all.numbers.assign(positions.size() + 1, 0xa5);
    detail::mismatch_job job = job_;
    job.positions = positions.data();
    job.num_matches = &found;
    job.capacity = capacity;
    run<uint32_t>(1 + static_cast<uint32_t>(found % 3), [&](const auto &machine, auto &) {
      detail::number_mismatches(machine, job, all.numbers.data());
    });
    if (all.numbers.back() != 0xa5)
      all.found.complaints += "written beyond the numbers\n";
    all.found.complaints += complaints();
    all.numbers.pop_back();
  }

  std::vector<uint8_t> text_, pattern_;
  detail::mismatch_plan plan_;
  detail::mismatch_job job_{};
  uint32_t blocks_;
};

/// Empty if right. The text is not shorter than the pattern.
template <uint32_t Loads>
std::string wrong_mismatches(const mismatch_case &c, uint32_t misaligned, uint64_t capacity,
                             unsigned seed, const mismatch_faults &planted = {}) {
  const std::vector<mismatch_match> right = right_matches(c);
  std::vector<uint64_t> positions;
  for (const mismatch_match &m : right)
    positions.push_back(m.position);
  const host_mismatches all =
      host_mismatch_matching<Loads>(c, misaligned, seed, planted).match(capacity);
  const std::string wrong = wrong_results(all.found, positions, capacity);
  if (!wrong.empty())
    return wrong;
  for (uint64_t i = 0; i < all.numbers.size(); ++i)
    if (all.numbers[i] != right[i].mismatches)
      return "number of mismatches";
  return "";
}

} // namespace colonnade::testing
