//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// host_lsm_changes.hpp: the changes of a log-structured merge tree on the host: the kernels' code
// under random schedules, with planted faults. What the library's sort does on the GPU,
// std::stable_sort does here.
//
// In: keys, values, and which operations erase. Out: the tree, changed; complaints. Invariant: a
// change plans as its kernel does, each block for itself.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "host_lsm_memory.hpp"

#include <colonnade/detail/lsm/batch.hpp>
#include <colonnade/detail/lsm/export.hpp>
#include <colonnade/detail/lsm/lowest_level.hpp>
#include <colonnade/detail/lsm/make_plan.hpp>
#include <colonnade/detail/lsm/mend_runs.hpp>
#include <colonnade/detail/lsm/merge.hpp>
#include <colonnade/detail/lsm/move.hpp>
#include <colonnade/detail/lsm/partition.hpp>

#include <algorithm>
#include <iterator>
#include <numeric>

namespace colonnade::testing {

template <class Key, class Value_, class Tuning>
class host_tree_changes : public host_tree_memory<Key, Value_, Tuning> {
  using memory = host_tree_memory<Key, Value_, Tuning>;

public:
  using memory::memory;
  using memory::status;
  using memory::tuning;
  using typename memory::plan_type;
  using typename memory::raw;
  using typename memory::table_type;
  using typename memory::value;

protected:
  using memory::bits;
  using memory::complaints_;
  using memory::planted_;
  using memory::run;
  using memory::slice_of;
  using memory::state_;
  using memory::table_;

public:
  /// Whether there was room.
  void update(const std::vector<Key> &keys, const std::vector<value> &values,
              const std::vector<char> &erases, bool deletions_win) {
    const uint64_t n = keys.size();
    const raw *raw_keys = reinterpret_cast<const raw *>(keys.data());
    if (n == table_.batch_size &&
        std::count(erases.begin(), erases.end(), 0) == std::ptrdiff_t(n)) {
      sort_to_level(n, raw_keys, values);
      return;
    }
    const std::vector<uint32_t> order = sorted(n, 0, [&](uint32_t i) { return raw_keys[i]; });
    std::vector<raw> sorted_keys(n);
    std::vector<value> sorted_values(n);
    std::vector<uint32_t> tombstones((n + 31) / 32);
    const detail::lsm_gather_arguments<table_type> gather{
        table_.format,
        order.data(),
        raw_keys,
        values.data(),
        reinterpret_cast<const bool *>(erases.data()),
        n,
        sorted_keys.data(),
        sorted_values.data(),
        tombstones.data(),
        deletions_win};
    run(2, 64, 0, [&](const auto &machine, char *) { detail::gather_batch(machine, gather); });
    merge_batch({sorted_keys.data(), sorted_values.data(), tombstones.data(), nullptr,
                 n - std::min<uint64_t>(n, planted_.lost_tail), false});
  }
  void merge_batch(const typename table_type::run &batch, bool sorted_to_level = false,
                   const detail::lsm_sort_report<raw> &report = {}) {
    const plan_type sized = sized_for(batch, false);
    const uint64_t staged = sized.staged_end - sized.staged_begin;
    if (staged > detail::most_lsm_staged(table_, batch.count))
      complaints_ += "more is staged than there is room for\n";
    auto staging = slice_of(staging_, staged);
    if (planted_.unstaged)
      staging.keys = nullptr;
    plan_type plan{};
    partition(batch, false, sized, plan, planted_.unset_bits ? nullptr : staging.tombstones,
              sorted_to_level, report);
    merge<false>(plan, staging, nullptr);
    const detail::lsm_move_arguments<table_type> move{table_, &plan, staging, nullptr, nullptr};
    if (!planted_.unstaged)
      run(2, 64, 0, [&](const auto &machine, char *) { detail::move_pieces(machine, move); });
  }
  void cleanup() {
    plan_type plan{};
    const packed tiles = merged_all(plan);
    place(plan, tiles);
  }
  /// In place of what was there; of equal keys the last.
  void build(const std::vector<Key> &keys, const std::vector<value> &values) {
    std::vector<uint32_t> order(keys.size());
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
      return table_.format.word(bits(keys[a])) < table_.format.word(bits(keys[b]));
    });
    std::vector<raw> sorted_keys;
    std::vector<value> sorted_values;
    for (const uint32_t i : order) {
      sorted_keys.push_back(bits(keys[i]));
      sorted_values.push_back(values[i]);
    }
    state_ = {};
    plan_type plan{};
    typename table_type::run batch;
    batch.keys = sorted_keys.data();
    batch.values = sorted_values.data();
    batch.count = keys.size();
    detail::plan_build(table_, batch, plan);
    detail::lsm_planner<table_type>(table_, plan).divide(tuning, merge_blocks);
    splits_.assign(1, ~uint64_t{0}); // of a single run, none
    place(plan, pack(plan));
  }

  /// Written beyond `capacity`: nothing, or there is a complaint.
  std::vector<std::pair<Key, value>> export_all(uint64_t capacity, uint64_t &num_elements) {
    plan_type plan{};
    const packed tiles = merged_all(plan);
    std::vector<raw> keys(capacity + 1);
    std::vector<value> values(capacity + 1);
    const detail::lsm_export_arguments<table_type> a{&plan,         tiles.staging, tiles.counts,
                                                     tiles.offsets, keys.data(),   values.data(),
                                                     capacity,      &num_elements, &status};
    run(1, detail::lsm_scan_threads, 256, [&](const auto &machine, char *shared) {
      detail::place_exported(machine, a, reinterpret_cast<uint64_t *>(shared));
    });
    run(2, 64, 0, [&](const auto &machine, char *) { detail::export_tiles(machine, a); });
    if (keys[capacity] || values[capacity])
      complaints_ += "elements are written where there is no room\n";
    std::vector<std::pair<Key, value>> all(std::min(capacity, num_elements));
    for (uint64_t i = 0; i < all.size(); ++i) {
      std::memcpy(&all[i].first, &keys[i], sizeof(Key));
      all[i].second = values[i];
    }
    return all;
  }

private:
  /// 0 ... n - 1 in the order of the bits of keys from `shift` on.
  template <class KeyAt>
  std::vector<uint32_t> sorted(uint64_t n, uint32_t shift, KeyAt key_at) const {
    std::vector<uint32_t> order(n);
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
      return table_.format.word(key_at(a)) >> shift < table_.format.word(key_at(b)) >> shift;
    });
    return order;
  }
  /// As the passes of the sort write them: by some high bits, if the state says so, and then again
  /// where runs are left that are not in order.
  void sort_to_level(uint64_t n, const raw *keys, const std::vector<value> &values) {
    std::vector<raw> other_keys(n, static_cast<raw>(lsm_poison_word));
    std::vector<value> other_values(n, static_cast<value>(lsm_poison_word));
    const auto level = table_.level_slice(0, 0);
    const detail::lsm_state empty{};
    const detail::lsm_state *const state = planted_.always_to_level ? &empty : &state_;
    const detail::lsm_lowest_or<raw> keys_out{state, level.keys, other_keys.data()};
    const detail::lsm_lowest_or<value> values_out{state, level.values, other_values.data()};
    const auto write = [&](const raw *from, const value *with, uint32_t shift) {
      const auto order = sorted(n, shift, [&](uint64_t i) { return from[i]; });
      for (uint64_t i = 0; i < n; ++i) {
        keys_out[i] = from[order[i]];
        values_out[i] = with[order[i]];
      }
    };
    const uint32_t shift = sort_shifts[batches_sorted_++ % std::size(sort_shifts)];
    if (digits_.high)
      write(keys, values.data(), shift);
    uint64_t unsorted = 0;
    mend(keys_out, values_out, n, shift, &unsorted);
    if (unsorted && !planted_.left_unsorted)
      write(keys, values.data(), 0);
    merge_batch({other_keys.data(), other_values.data(), nullptr, nullptr,
                 n - std::min<uint64_t>(n, planted_.lost_tail), false},
                true, {&digits_, &unsorted, keys_out});
  }
  void mend(const detail::lsm_lowest_or<raw> &keys, const detail::lsm_lowest_or<value> &values,
            uint64_t n, uint32_t shift, uint64_t *unsorted) {
    using arguments = detail::lsm_mend_arguments<raw, value, typename table_type::format_type>;
    const detail::lsm_digits tried{digits_.high, 0, 0, uint64_t{arguments::low_bits} - shift};
    const arguments a{table_.format, &tried, keys, values, n, unsorted};
    run(2, 32, 0, [&](const auto &machine, char *) {
      detail::lsm_run_mender<arguments, host_lsm_machine>(machine, a).run();
    });
  }
  /// Of the plan that the kernels will make: how much there is of what.
  plan_type sized_for(const typename table_type::run &batch, bool merges_all) {
    plan_type plan{};
    const detail::lsm_plan_arguments<table_type> a{table_,     batch, nullptr, &plan,       nullptr,
                                                   merges_all, false, {},      merge_blocks};
    run(1, 32, 0, [&](const auto &machine, char *) {
      if (machine.thread() == 0)
        detail::make_plan<Tuning>(machine, a, plan, true);
    });
    splits_.assign(plan.num_tiles * plan.num_runs + 1, ~uint64_t{0});
    return plan;
  }
  /// Plans as well, as the kernel does; the status of before is forgotten.
  void partition(const typename table_type::run &batch, bool merges_all, const plan_type &sized,
                 plan_type &plan, uint32_t *staged_tombstones, bool sorted_to_level = false,
                 const detail::lsm_sort_report<raw> &report = {}) {
    using words = detail::plan_words<table_type>;
    using kernel =
        detail::lsm_partition_thread<detail::lsm_partition_arguments<table_type>, host_lsm_machine>;
    status = {};
    const detail::lsm_plan_arguments<table_type> planning{
        table_, batch, nullptr, &plan, &status, merges_all, sorted_to_level, report, merge_blocks};
    const detail::lsm_partition_arguments<table_type> a{splits_.data(), table_.format,
                                                        staged_tombstones};
    run(2, 64, sizeof(words), [&](const auto &machine, char *shared) {
      words &made = *reinterpret_cast<words *>(shared);
      detail::make_plans<Tuning>(machine, planning, made);
      if (planted_.of_plan()) {
        machine.block_sync();
        if (machine.thread() == 0)
          spoil(made.plan());
        machine.block_sync();
      }
      kernel(machine, a, made.plan()).run();
    });
    spoil(plan);
    if (plan.num_tiles > sized.num_tiles || plan.num_runs != sized.num_runs)
      complaints_ += "another plan\n";
  }
  void spoil(plan_type &plan) const {
    if (planted_.lost_state)
      plan.changes_state = false;
    if (planted_.lost_erased)
      plan.after.erased = 0;
    if (planted_.newest_first)
      std::reverse(plan.runs, plan.runs + plan.num_runs);
    if (planted_.same_buffer && plan.changes_state && plan.after.buffered) {
      plan.slices[plan.num_slices - 1].keys = reinterpret_cast<raw *>(table_.buffers[state_.which]);
      plan.after.which = state_.which;
    }
  }
  /// What is merged, tile by tile, without what is stale.
  struct packed {
    typename table_type::slice staging;
    uint64_t *offsets;
    uint32_t *counts;
  };
  packed merged_all(plan_type &plan) {
    partition({}, true, sized_for({}, true), plan, nullptr);
    return pack(plan);
  }
  packed pack(const plan_type &plan) {
    counts_.assign(plan.num_tiles + 1, 0);
    offsets_.assign(plan.num_tiles + 1, 0);
    const auto staging = slice_of(staging_, plan.num_items);
    merge<true>(plan, staging, counts_.data());
    return {staging, offsets_.data(), counts_.data()};
  }
  void place(plan_type &plan, const packed &tiles) {
    const detail::lsm_move_arguments<table_type> move{table_, &plan, tiles.staging, tiles.counts,
                                                      tiles.offsets};
    run(1, detail::lsm_scan_threads, sizeof(plan_type) + 256,
        [&](const auto &machine, char *shared) {
          detail::place_tiles(machine, move, *reinterpret_cast<plan_type *>(shared),
                              reinterpret_cast<uint64_t *>(shared + sizeof(plan_type)));
        });
    run(2, 64, 0, [&](const auto &machine, char *) { detail::move_pieces(machine, move); });
  }
  template <bool Drops>
  void merge(const plan_type &plan, const typename table_type::slice &staging,
             uint32_t *tile_counts) {
    using arguments = detail::lsm_merge_arguments<table_type>;
    using block = detail::lsm_merge_block<Tuning, Drops, arguments, host_lsm_machine>;
    const arguments a{&plan, splits_.data(), table_.format, staging, tile_counts, &state_};
    run(2, tuning.threads, sizeof(typename block::storage),
        [&](const auto &machine, char *shared) { block(machine, a, shared).run(); });
  }

  static constexpr uint32_t merge_blocks = 3; // that tiles are made for: others take them, too
  /// Runs of a few keys, of some that are too long, and one of all keys.
  static constexpr uint32_t sort_shifts[] = {2, 4, 7, sizeof(raw) * 8 - 1};

  detail::lsm_digits digits_{~uint64_t{0}, 0, 0, 0};
  uint32_t batches_sorted_ = 0;
  std::vector<char> staging_;
  std::vector<uint64_t> splits_, offsets_;
  std::vector<uint32_t> counts_;
};

} // namespace colonnade::testing
