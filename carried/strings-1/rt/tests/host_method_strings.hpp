//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// host_method_strings.hpp: the thesis's methods of string matching on the host: the kernels' code
// under random schedules, with planted faults.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "host_strings.hpp"

#include <colonnade/detail/string_matching/methods/describe.hpp>
#include <colonnade/detail/string_matching/methods/skim.hpp>

namespace colonnade::testing {

struct method_faults : string_faults {
  bool wrong_leaving = false; // a character that leaves a window is taken away wrongly
  bool unscanned = false;     // tiles do not know what is before them
};

class host_method_matching : host_matching_runs {
  using method = matching_method;

public:
  /// portion: positions of a portion of cooperative methods. tile: whether text lies in shared
  /// memory.
  host_method_matching(const string_case &c, const matching_method_options &options,
                       uint32_t misaligned, uint64_t portion, bool tile, unsigned seed,
                       const method_faults &planted = {})
      : host_matching_runs(seed, planted), options_(options), planted_(planted), tile_(tile),
        text_(c.text.size() + 64), pattern_(c.pattern.size() + 48) {
    uint8_t *const text = aligned(text_) + 16 + misaligned;
    for (uint64_t i = 0; i < text_.size(); ++i)
      text_[i] = c.pattern[i % c.pattern.size()];
    std::copy(c.text.begin(), c.text.end(), text);
    job_.fold = c.fold_case ? detail::case_bits : 0;
    for (uint64_t i = 0; i < c.pattern.size(); ++i)
      aligned(pattern_)[i] = static_cast<uint8_t>(detail::folded(c.pattern[i], job_.fold));
    job_.text = text;
    watch_ = {text_, text, c.text.size()};
    job_.pattern = aligned(pattern_);
    job_.length = c.pattern.size();
    job_.period = detail::short_period(aligned(pattern_), c.pattern.size());
    options_.d_num_rejected = &rejected_;
    detail::describe_method(options_, c.text.size(), job_);
    job_.num_positions -= planted.lost_tail;
    job_.leaving += planted.wrong_leaving;
    const bool portions =
        options.method == method::cooperative || options.method == method::cooperative_affine;
    portion_ = portions ? std::min(portion, job_.num_positions) : job_.num_positions;
    make_room();
    run<detail::prints_storage<detail::method_threads>>(
        1,
        [&](const auto &machine, auto &shared) {
          detail::make_prints<detail::method_threads>(machine, job_, shared);
        },
        detail::method_threads);
  }

  host_matches match(uint64_t capacity) {
    host_matches found;
    job_.num_matches = &found.count;
    each_portion([](auto &block) { block.count(); }, [] {});
    counted_as_rejected_ = rejected_;
    found.first = ~uint64_t{0};
    job_.num_matches = &found.first;
    each_portion([](auto &block) { block.find_first(); }, [] {});
    constexpr uint64_t poison = 0xa5a5a5a5a5a5a5a5u;
    found.positions.assign(capacity + 1, poison);
    job_.num_matches = &found.number;
    job_.positions = found.positions.data();
    job_.capacity = capacity;
    job_.status = &found.status;
    each_portion([](auto &block) { block.note(); },
                 [&] {
                   run<detail::block_offsets_storage<uint64_t, threads>>(
                       1, [&](const auto &machine, auto &shared) {
                         detail::place_portion<threads>(machine, job_, blocks_, shared);
                       });
                   one_portion([](auto &block) { block.write(); });
                 });
    found.complaints = complaints();
    if (found.positions[capacity] != poison)
      found.complaints += "written beyond the positions\n";
    found.positions.resize(std::min(capacity, found.number));
    return found;
  }
  /// By counting.
  uint64_t rejected() const { return counted_as_rejected_; }

private:
  void make_room() {
    const uint64_t characters = portion_ + job_.length - 1;
    forward_.resize(characters);
    backward_.resize(characters);
    numbers_.resize(characters);
    tile_values_.resize(characters / detail::characters_per_tile + 1);
    chunk_prints_.resize(job_.length / 32 + 1);
    blocks_ = static_cast<uint32_t>((portion_ + 15) / (block_threads() * 32) + 1);
    block_counts_.assign(blocks_, 0);
    segment_counts_.assign(blocks_ * block_threads() / 32, 0);
    slots_.resize(segment_counts_.size() * 16);
    job_.prints = &prints_;
    job_.chunk_prints = options_.method == method::two_stage ? chunk_prints_.data() : nullptr;
    job_.forward = forward_.data();
    job_.backward = backward_.data();
    job_.numbers = numbers_.data();
    job_.tile_values = tile_values_.data();
    job_.block_counts = block_counts_.data();
    job_.segment_counts = segment_counts_.data();
    job_.slots = slots_.data();
  }
  uint32_t block_threads() const {
    return options_.method == method::hybrid ? detail::hybrid_threads : detail::method_threads;
  }
  template <class Todo, class After> void each_portion(Todo todo, After after) {
    for (job_.first = 0; job_.first < job_.num_positions; job_.first += portion_) {
      job_.portion_positions = std::min(portion_, job_.num_positions - job_.first);
      job_.last = job_.first + job_.portion_positions == job_.num_positions;
      const uint64_t characters = job_.portion_positions + job_.length - 1;
      job_.tiles = (characters + detail::characters_per_tile - 1) / detail::characters_per_tile;
      if (options_.method == method::cooperative)
        scan<detail::portion_matrices>();
      if (options_.method == method::cooperative_affine)
        scan<detail::portion_numbers>();
      one_portion(todo);
      after();
    }
  }
  template <class Portion> void scan() {
    using storage = detail::portion_storage<Portion>;
    using scan_type = typename Portion::scan;
    const auto tiles = static_cast<uint32_t>(job_.tiles);
    run<storage>(
        tiles,
        [&](const auto &machine, auto &shared) {
          detail::portion_tile<Portion, host_string_machine>(machine, job_, shared).combine();
        },
        detail::method_threads);
    if (!planted_.unscanned)
      run<detail::block_scan_storage<scan_type, threads>>(
          1, [&](const auto &machine, auto &shared) {
            detail::scan_values<scan_type, threads>(
                machine, job_.mod, static_cast<typename scan_type::value *>(job_.tile_values),
                tiles, shared);
          });
    run<storage>(
        tiles,
        [&](const auto &machine, auto &shared) {
          detail::portion_tile<Portion, host_string_machine>(machine, job_, shared).write();
        },
        detail::method_threads);
  }

  struct divide_storage {
    detail::matching_storage<detail::method_tuning<detail::method_threads>> counts;
    uint32_t words[4000];
  };
  struct hybrid_block_storage {
    detail::matching_storage<detail::method_tuning<detail::hybrid_threads>> counts;
    detail::hybrid_storage scanned;
    detail::matrix arrays[2 * detail::hybrid_storage::room(detail::most_hybrid_length)];
  };
  template <class Todo> void one_portion(Todo todo) {
    const auto divide = [&]<matching_method Method>() {
      run<divide_storage>(
          blocks_,
          [&](const auto &machine, auto &shared) {
            const detail::portion_machine<host_string_machine> here(machine);
            detail::divide_block<Method>(here, job_, tile_ ? shared.words : nullptr, shared.counts,
                                         job_.num_rejected, todo);
          },
          detail::method_threads);
    };
    const auto cooperative = [&]<class Portion>() {
      run<divide_storage>(
          blocks_,
          [&](const auto &machine, auto &shared) {
            const detail::portion_machine<host_string_machine> here(machine);
            detail::cooperative_block<Portion>(here, job_, shared.counts, job_.num_rejected, todo);
          },
          detail::method_threads);
    };
    switch (options_.method) {
    case method::divide:
      return divide.template operator()<method::divide>();
    case method::divide_32:
      return divide.template operator()<method::divide_32>();
    case method::divide_64:
      return divide.template operator()<method::divide_64>();
    case method::two_stage:
      return divide.template operator()<method::two_stage>();
    case method::cooperative:
      return cooperative.template operator()<detail::portion_matrices>();
    case method::cooperative_affine:
      return cooperative.template operator()<detail::portion_numbers>();
    case method::hybrid:
      run<hybrid_block_storage>(
          static_cast<uint32_t>((portion_ + detail::hybrid_storage::windows - 1) /
                                detail::hybrid_storage::windows),
          [&](const auto &machine, auto &shared) {
            const detail::portion_machine<host_string_machine> here(machine);
            detail::hybrid_block(here, job_, shared.scanned, shared.counts, job_.num_rejected,
                                 todo);
          },
          detail::hybrid_threads);
    }
  }

  matching_method_options options_;
  const method_faults planted_;
  const bool tile_;
  std::vector<uint8_t> text_, pattern_;
  detail::method_job job_{};
  uint64_t portion_ = 0, rejected_ = 0, counted_as_rejected_ = 0;
  uint32_t blocks_ = 0;
  detail::pattern_prints prints_{};
  std::vector<detail::matrix> forward_, backward_;
  std::vector<uint32_t> numbers_, chunk_prints_, segment_counts_;
  std::vector<detail::matrix_scan::value> tile_values_;
  std::vector<uint64_t> block_counts_;
  std::vector<uint16_t> slots_;
};

} // namespace colonnade::testing
