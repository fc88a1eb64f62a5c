//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// host_class_strings.hpp: patterns of character classes on the host: the kernels' code under random
// schedules, with planted faults.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "class_string_cases.hpp"
#include "host_strings.hpp"

#include <colonnade/detail/string_matching/classes/expression.hpp>
#include <colonnade/detail/string_matching/classes/skim.hpp>

namespace colonnade::testing {

struct class_faults : string_faults {
  bool early_start = false; // the pattern's beginning is one class late
};

/// A segment of as many bytes as host_matching_runs expects: one step of two rows, in which a lane
/// has 32 bytes.
struct small_class_tuning {
  static constexpr string_matching_tuning value{64, 2, 1};
};

class host_class_matching : host_matching_runs {
public:
  /// misaligned: by so many bytes the text begins after a multiple of 16; there are others around
  /// it, which continue matches.
  host_class_matching(const class_case &c, uint32_t misaligned, unsigned seed,
                      const class_faults &planted = {})
      : host_matching_runs(seed, planted), text_(c.text.size() + 64),
        masks_(detail::masks_of(c.classes)) {
    uint8_t *const text = aligned(text_) + 16 + misaligned;
    for (uint64_t i = 0; i < text_.size(); ++i)
      text_[i] = c.text[i % c.text.size()];
    std::copy(c.text.begin(), c.text.end(), text);
    job_.text = text;
    watch_ = {text_, text, c.text.size()};
    job_.masks = masks_.data();
    job_.length = c.classes.size() - planted.early_start;
    job_.num_positions = c.text.size() - c.classes.size() + 1 - planted.lost_tail;
    job_.rounds = 1;
    blocks_ = blocks_of(job_.num_positions);
  }

  host_matches match(uint64_t capacity) {
    return job_.length > 32 ? match_wide<true>(capacity) : match_wide<false>(capacity);
  }

private:
  template <bool Wide> struct shared_storage {
    detail::matching_storage<small_class_tuning> counts;
    detail::class_table<Wide> table;
  };
  template <bool Wide> host_matches match_wide(uint64_t capacity) {
    using skimmer_type = detail::class_skimmer<small_class_tuning, Wide, host_string_machine>;
    return all_results(
        job_, blocks_, capacity, [&](uint32_t blocks, const detail::class_job &job, auto todo) {
          run<shared_storage<Wide>>(blocks, [&](const auto &machine, auto &shared) {
            shared.table.fill(machine, job);
            detail::matching_block<small_class_tuning, 4, host_string_machine, skimmer_type> block(
                machine, detail::class_view<Wide>{job, shared.table}, shared.counts);
            todo(block);
          });
        });
  }

  std::vector<uint8_t> text_;
  std::vector<uint64_t> masks_;
  detail::class_job job_{};
  uint32_t blocks_;
};

/// Empty if right. The text is not shorter than the pattern.
inline std::string wrong_class_matches(const class_case &c, uint32_t misaligned, uint64_t capacity,
                                       unsigned seed, const class_faults &planted = {}) {
  return wrong_results(host_class_matching(c, misaligned, seed, planted).match(capacity),
                       naive_matches(c), capacity);
}

} // namespace colonnade::testing
