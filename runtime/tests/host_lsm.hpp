//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// host_lsm.hpp: a log-structured merge tree on the host: the kernels' code under random schedules,
// with planted faults. What the library's sort does on the GPU, std::stable_sort does here.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "host_machine.hpp"

#include <colonnade/detail/lsm/batch.hpp>
#include <colonnade/detail/lsm/export.hpp>
#include <colonnade/detail/lsm/find.hpp>
#include <colonnade/detail/lsm/make_plan.hpp>
#include <colonnade/detail/lsm/merge.hpp>
#include <colonnade/detail/lsm/move.hpp>
#include <colonnade/detail/lsm/partition.hpp>
#include <colonnade/detail/lsm/range_few.hpp>

#include <algorithm>
#include <numeric>
#include <optional>

namespace colonnade::testing {

struct lsm_faults {
  faults machine;
  bool split_bits = false;   // bits of a word are changed in two steps
  bool whole_words = false;  // the other bits of the word are changed, too
  bool newest_first = false; // a change merges its batch before what is older
  bool unstaged = false;     // levels are written while they are read
  bool same_buffer = false;  // the buffer is written while it is read
  bool lost_state = false;   // a change does not say that it has been
  bool lost_erased = false;  // nor that there may be tombstones
  bool unset_bits = false;   // the staged tombstones are not set to 0 before
  bool nobody_loses = false; // a bit is set, and others of its word are not kept
  uint32_t lost_tail = 0;    // elements at the end of a batch that are left out
};

/// What memory holds that nobody has written yet.
constexpr char lsm_poison = static_cast<char>(0xa5);
constexpr uint32_t lsm_poison_word = 0xa5a5a5a5u;

class host_lsm_machine : public host_machine {
public:
  /// read_unset: set if a word that nobody has written is changed in part.
  host_lsm_machine(const host_machine &machine, const lsm_faults &planted,
                   bool *read_unset = nullptr)
      : host_machine(machine), planted_(planted), read_unset_(read_unset) {}
  void set_bits(uint32_t *word, uint32_t mask, uint32_t bits) const {
    load_word(word); // others run
    if (read_unset_ && *word == lsm_poison_word)
      *read_unset_ = true;
    if (planted_.whole_words)
      mask = ~0u;
    const uint32_t changed = (*word & ~mask) | bits;
    if (planted_.split_bits)
      for (int i = 0; i < 20; ++i)
        load_word(word);
    *word = planted_.split_bits ? changed : (*word & ~mask) | bits;
  }

  void close_copies() const { closed_ = copies_.size(); }
  void wait_for_closed_copies() const { finish_copies(closed_); }

  uint32_t or_shared(uint32_t *word, uint32_t bits) const {
    const uint32_t before = *word;
    *word = planted_.nobody_loses ? bits : before | bits;
    return before;
  }

private:
  lsm_faults planted_;
  bool *read_unset_;
  mutable size_t closed_ = 0; // copies before the last close
};

/// Small tiles, so that few elements are several.
struct small_lsm_tuning {
  static constexpr lsm_tuning value{lsm_search::index, 64, 16, 4, 64, 3, 1, 3, 4};
};
/// The same, done in the ways that are left to be measured.
struct other_lsm_tuning {
  static constexpr lsm_tuning value = [] {
    lsm_tuning t = small_lsm_tuning::value;
    t.bounded_runs = 2;
    t.plans_in_partition = t.stages_values = t.moves_backwards = true;
    return t;
  }();
};
struct ahead_lsm_tuning {
  static constexpr lsm_tuning value = [] {
    lsm_tuning t = other_lsm_tuning::value;
    t.stages_values = false;
    t.loads_ahead = t.places_in_merge = true;
    t.copied_rows = 8;
    return t;
  }();
};

template <class Value> struct lsm_operation {
  bool erases;
  Value value;
};

template <class Key, class Value_ = uint32_t, class Tuning = small_lsm_tuning> class host_tree {
public:
  using sorted = detail::sorted_as<Key>;
  using table_type =
      detail::lsm_table<typename sorted::raw, Value_, sorted::kind == detail::key_kind::floating>;
  using raw = typename table_type::raw;
  using value = typename table_type::value;
  using plan_type = detail::lsm_plan<raw, value>;
  using answer = detail::lsm_answer<raw, value>;
  static constexpr lsm_tuning tuning = Tuning::value;

  host_tree(uint64_t batch_size, uint32_t levels, unsigned seed, const lsm_faults &planted = {})
      : seed_(seed), planted_(planted) {
    table_.state = &state_;
    table_.batch_size = batch_size;
    table_.format.flip =
        static_cast<raw>(sorted::kind == detail::key_kind::floating ? 0 : sorted::flip(false));
    for (char *&buffer : table_.buffers)
      buffer = room(batch_size);
    reserve(levels);
  }
  void reserve(uint32_t levels) {
    for (uint32_t i = table_.num_levels; i < levels; ++i)
      table_.levels[i] = room(table_.level_size(i));
    table_.num_levels = levels;
  }
  /// What a graph keeps that was captured before a tree grew.
  const table_type &table() const { return table_; }
  void replay_with(const table_type &table) { table_ = table; }

  /// From now on.
  void plant(const lsm_faults &planted) { planted_ = planted; }
  const detail::lsm_state &state() const { return state_; }
  const std::string &complaints() const { return complaints_; }
  /// Of the last change.
  device_status status;

  /// Whether there was room.
  void update(const std::vector<Key> &keys, const std::vector<value> &values,
              const std::vector<char> &erases, bool deletions_win) {
    const uint64_t n = keys.size();
    std::vector<uint32_t> order(n);
    std::iota(order.begin(), order.end(), 0u);
    const raw *raw_keys = reinterpret_cast<const raw *>(keys.data());
    std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
      return table_.format.word(raw_keys[a]) < table_.format.word(raw_keys[b]);
    });
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
  void merge_batch(const typename table_type::run &batch) {
    const detail::lsm_state before = state_;
    plan_type plan = planned(batch, false);
    if (planted_.lost_state)
      plan.changes_state = false;
    if (planted_.lost_erased)
      plan.after.erased = 0;
    if (planted_.newest_first)
      std::reverse(plan.runs, plan.runs + plan.num_runs);
    if (planted_.same_buffer && plan.after.buffered) {
      plan.slices[plan.num_slices - 1].keys = reinterpret_cast<raw *>(table_.buffers[before.which]);
      plan.after.which = before.which;
    }
    const uint64_t staged = plan.staged_end - plan.staged_begin;
    auto staging = slice_of(staging_, staged);
    if (planted_.unstaged)
      staging.keys = nullptr;
    std::vector<uint64_t> splits;
    merge<false>(plan, splits, staging, nullptr);
    const detail::lsm_move_arguments<table_type> move{table_,  &plan,   staging,
                                                      nullptr, nullptr, nullptr};
    if (!planted_.unstaged)
      run(2, 64, 0, [&](const auto &machine, char *) { detail::move_pieces(machine, move); });
  }
  void cleanup() {
    plan_type plan = planned({}, true);
    pack_and_place(plan);
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
    detail::lsm_planner<table_type>(table_, plan).divide(tuning);
    pack_and_place(plan);
  }

  /// Written beyond `capacity`: nothing, or there is a complaint.
  std::vector<std::pair<Key, value>> export_all(uint64_t capacity, uint64_t &num_elements) {
    const plan_type plan = planned({}, true);
    const packed tiles = pack(plan);
    std::vector<raw> keys(capacity + 1);
    std::vector<value> values(capacity + 1);
    const detail::lsm_export_arguments<table_type> a{
        &plan,       tiles.staging, tiles.splits, tiles.counts,  tiles.offsets,
        keys.data(), values.data(), capacity,     &num_elements, &status};
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

  template <detail::lsm_query Query, lsm_search Search = lsm_search::index>
  std::optional<std::pair<Key, value>> ask(Key key) const {
    const answer found =
        detail::lsm_finder<Search, table_type>{table_, state_}.template ask<Query>(bits(key));
    if (!found.present)
      return std::nullopt;
    Key there;
    std::memcpy(&there, &found.key, sizeof there);
    return std::pair<Key, value>(there, found.value);
  }

  /// Of an array of keys, by the kernel: the values, `absent` where there is none.
  std::vector<value> find_all(const std::vector<Key> &keys, value absent) {
    std::vector<value> values(keys.size());
    const detail::lsm_find_arguments<table_type> a{
        table_,        reinterpret_cast<const raw *>(keys.data()),
        keys.size(),   nullptr,
        values.data(), nullptr,
        absent,        &status};
    run(2, 64, 0, [&](const auto &machine, char *) {
      detail::answer_queries<lsm_search::index, detail::lsm_query::find>(machine, a);
    });
    return values;
  }

  struct ranges {
    std::vector<uint64_t> offsets;
    std::vector<raw> keys;
    std::vector<value> values;
  };
  /// team: of so many blocks, in one launch; 0: in three.
  ranges list(const std::vector<Key> &first, const std::vector<Key> &last, uint64_t capacity,
              uint32_t team = 0) {
    const uint64_t n = first.size();
    ranges all{std::vector<uint64_t>(n + 1), std::vector<raw>(capacity + 1),
               std::vector<value>(capacity + 1)};
    std::vector<uint64_t> sums(detail::lsm_num_range_tiles(n));
    const range_arguments a{table_,
                            reinterpret_cast<const raw *>(first.data()),
                            reinterpret_cast<const raw *>(last.data()),
                            n,
                            all.offsets.data(),
                            sums.data(),
                            all.keys.data(),
                            all.values.data(),
                            capacity,
                            &status};
    if (team)
      list_few(a, team);
    else
      list_in_three(a);
    return all;
  }

private:
  using range_arguments = detail::lsm_range_arguments<table_type>;
  void list_few(const range_arguments &a, uint32_t team) {
    using ranges_type =
        detail::lsm_few_ranges<lsm_search::index, range_arguments, host_lsm_machine, 2>;
    using storage = typename ranges_type::storage;
    run(
        team, 64, sizeof(storage),
        [&](const auto &machine, char *shared) {
          ranges_type(machine, a, *reinterpret_cast<storage *>(shared)).run();
        },
        team);
  }
  void list_in_three(const range_arguments &a) {
    constexpr uint32_t warps = 3;
    using counting = detail::lsm_range_storage<table_type, warps>;
    run(2, 32 * warps, sizeof(counting), [&](const auto &machine, char *shared) {
      detail::count_ranges<lsm_search::index>(machine, a, *reinterpret_cast<counting *>(shared));
    });
    run(1, detail::lsm_scan_threads, 256, [&](const auto &machine, char *shared) {
      const uint64_t total = detail::add_up(machine, static_cast<const uint64_t *>(a.tile_sums),
                                            a.tile_sums, detail::lsm_num_range_tiles(a.num_queries),
                                            reinterpret_cast<uint64_t *>(shared));
      if (machine.thread() == 0)
        a.offsets[a.num_queries] = total;
    });
    using windows = detail::lsm_list_window<raw>[warps];
    run(2, 32 * warps, sizeof(windows), [&](const auto &machine, char *shared) {
      detail::list_ranges<lsm_search::index>(machine, a, *reinterpret_cast<windows *>(shared));
    });
  }
  /// By one thread; the status of before is forgotten.
  plan_type planned(const typename table_type::run &batch, bool merges_all) {
    plan_type plan{};
    status = {};
    const detail::lsm_plan_arguments<table_type> a{table_, batch,   nullptr,
                                                   &plan,  &status, merges_all};
    run(1, 32, 0, [&](const auto &machine, char *) {
      if (machine.thread() == 0)
        detail::make_plan<Tuning>(machine, a, plan, true);
    });
    return plan;
  }
  /// What a plan merges, tile by tile, without what is stale.
  struct packed {
    typename table_type::slice staging;
    uint64_t *splits, *offsets;
    uint32_t *counts;
  };
  /// places: the last block of the merge says where tiles go.
  packed pack(const plan_type &plan, bool places = false) {
    const packed tiles = places_of(plan);
    merge<true>(plan, packed_splits_, tiles.staging, tiles.counts,
                places ? tiles.offsets : nullptr);
    return tiles;
  }
  packed places_of(const plan_type &plan) {
    packed_counts_.assign(plan.num_tiles + 1, 0);
    packed_offsets_.assign(plan.num_tiles + 1, 0);
    packed_splits_.assign(plan.num_tiles * plan.num_runs + 1, ~uint64_t{0});
    return {slice_of(staging_, plan.num_items), packed_splits_.data(), packed_offsets_.data(),
            packed_counts_.data()};
  }
  void pack_and_place(plan_type &plan) {
    const packed tiles = pack(plan, tuning.places_in_merge);
    const detail::lsm_move_arguments<table_type> move{table_,       &plan,        tiles.staging,
                                                      tiles.splits, tiles.counts, tiles.offsets};
    if constexpr (!tuning.places_in_merge)
      run(1, detail::lsm_scan_threads, sizeof(plan_type) + 256,
          [&](const auto &machine, char *shared) {
            detail::place_tiles(machine, move, *reinterpret_cast<plan_type *>(shared),
                                reinterpret_cast<uint64_t *>(shared + sizeof(plan_type)));
          });
    run(2, 64, 0, [&](const auto &machine, char *) { detail::move_pieces(machine, move); });
  }
  template <class Kernel>
  void run(uint32_t blocks, uint32_t threads, size_t shared_bytes, Kernel kernel,
           uint32_t team = 1) {
    host_grid grid(seed_++, 3, planted_.machine);
    bool read_unset = false;
    grid.run(
        blocks, threads, shared_bytes,
        [&](const host_machine &machine, char *shared) {
          const host_lsm_machine m(machine, planted_, &read_unset);
          kernel(m, shared);
        },
        team);
    complaints_ += grid.all_complaints();
    if (read_unset)
      complaints_ += "tombstones that nobody has written are read\n";
  }
  template <bool Drops>
  void merge(const plan_type &plan, std::vector<uint64_t> &splits,
             const typename table_type::slice &staging, uint32_t *tile_counts,
             uint64_t *tile_offsets = nullptr) {
    splits.assign(plan.num_tiles * plan.num_runs + 1, ~uint64_t{0});
    const detail::lsm_partition_arguments<table_type> partition{
        &plan, splits.data(), table_.format,
        Drops || planted_.unset_bits ? nullptr : staging.tombstones};
    run(2, 64, 0, [&](const auto &machine, char *) {
      using kernel = detail::lsm_partition_thread<detail::lsm_partition_arguments<table_type>,
                                                  host_lsm_machine>;
      kernel(machine, partition, plan).run();
    });
    const detail::lsm_merge_arguments<table_type> a{&plan,   splits.data(), table_.format,
                                                    staging, tile_counts,   &state_};
    using block = detail::lsm_merge_block<Tuning, Drops, detail::lsm_merge_arguments<table_type>,
                                          host_lsm_machine>;
    const detail::lsm_move_arguments<table_type> move{
        table_, const_cast<plan_type *>(&plan), staging, splits.data(), tile_counts, tile_offsets};
    constexpr size_t plan_at = (sizeof(typename block::storage) + 63) / 64 * 64;
    run(2, tuning.threads, plan_at + sizeof(plan_type) + 256,
        [&](const auto &machine, char *shared) {
          block(machine, a, shared).run();
          uint64_t *const scratch =
              reinterpret_cast<uint64_t *>(shared + plan_at + sizeof(plan_type));
          if (tile_offsets && detail::is_last_block(machine, &move.plan->finished, scratch))
            detail::place_tiles(machine, move, *reinterpret_cast<plan_type *>(shared + plan_at),
                                scratch);
        });
  }
  static raw bits(Key key) {
    raw r;
    std::memcpy(&r, &key, sizeof r);
    return r;
  }
  /// As the owner makes it: there are no tombstones.
  char *room(uint64_t count) {
    const detail::lsm_layout<raw, value> at(count);
    memory_.emplace_back(at.bytes + 256, lsm_poison);
    char *begin = aligned(memory_.back());
    std::fill_n(begin + at.tombstones, at.tombstone_bytes(), char{0});
    return begin;
  }
  static char *aligned(std::vector<char> &memory) {
    return memory.data() + (256 - reinterpret_cast<uintptr_t>(memory.data()) % 256) % 256;
  }
  static typename table_type::slice slice_of(std::vector<char> &memory, uint64_t count) {
    const detail::lsm_layout<raw, value> at(count);
    memory.assign(at.bytes + 256, lsm_poison);
    char *begin = aligned(memory);
    typename table_type::slice slice;
    slice.keys = reinterpret_cast<raw *>(begin);
    slice.values = reinterpret_cast<value *>(begin + at.values);
    slice.tombstones = reinterpret_cast<uint32_t *>(begin + at.tombstones);
    return slice;
  }

  unsigned seed_; // of the next kernel's schedule
  std::string complaints_;
  lsm_faults planted_;
  detail::lsm_state state_{};
  table_type table_{};
  std::vector<std::vector<char>> memory_;
  std::vector<char> staging_;
  std::vector<uint64_t> packed_splits_, packed_offsets_;
  std::vector<uint32_t> packed_counts_;
};

} // namespace colonnade::testing
