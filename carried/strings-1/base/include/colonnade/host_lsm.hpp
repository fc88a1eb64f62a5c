//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// host_lsm.hpp: log-structured merge trees on the CPU: lsm.cuh by threads, without a GPU.
//
//   insert, erase, update   a call's operations, sorted and merged: one batch
//   find, successor, predecessor, count, range, retrieve_all, cleanup, build, save, load
//
// What the operations mean lsm.cuh says: equal keys in one call, ranges, neighbours, NaN. Levels,
// their index and the plan of a merge are those of the GPU.
//
//   arrays       are shared among threads (0: as many as there are cores)
//   growth       levels are allocated when they are filled first; where there is no memory the call
//                throws std::bad_alloc, and the tree holds what it held
//   errors       a change whose arrays are null, but for n = 0, or that has more than 2^32
//                elements throws std::invalid_argument, and changes nothing. A call that inserts a
//                NaN changes nothing; its status says value_out_of_range and the first NaN's index.
//                The same of one that would make 2^31 batches or more: buffer_too_small
//   uses at once queries may run at once; changes exclude all other use
//   determinism  the same bits with any number of threads
//
// In: keys and values. Out: what was found. Invariant: that of detail/lsm/levels.hpp.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/lsm/export.hpp>
#include <colonnade/detail/lsm/find.hpp>
#include <colonnade/detail/lsm/host_batch.hpp>
#include <colonnade/detail/lsm/host_merge.hpp>
#include <colonnade/lsm_options.hpp>
#include <colonnade/pair_file.hpp>

#include <array>
#include <cstring>
#include <memory>
#include <new>
#include <optional>
#include <stdexcept>

namespace colonnade {

template <class Key, class Value> class host_lsm_map {
  using table_type = detail::lsm_table_of<Key, Value>;
  using raw = typename table_type::raw;
  using raw_value = typename table_type::value;
  using run = typename table_type::run;
  using layout = typename table_type::layout;
  using plan_type = detail::lsm_plan<raw, raw_value>;
  using element = detail::lsm_element<raw, raw_value>;
  using batch = detail::host_batch<Key, Value>;

public:
  using key_type = Key;
  using value_type = Value;
  using found = std::optional<std::pair<Key, Value>>;

  /// Throws std::invalid_argument for a batch size of 0, or above 2^32 - 1. Of the options,
  /// capacity does not count.
  explicit host_lsm_map(const lsm_options &options = {}) : options_(options) {
    detail::check_lsm_types<Key, Value>();
    uint32_t levels = 0;
    if (!detail::levels_for(0, options.batch_size, levels))
      throw std::invalid_argument("lsm: the batch size");
    table_.batch_size = options.batch_size;
    table_.num_levels = detail::most_lsm_levels;
    table_.format.flip = detail::lsm_flip<Key>();
    table_.state = &state_;
    for (int b : {0, 1})
      table_.buffers[b] = allocate(buffers_[b], options.batch_size);
  }
  host_lsm_map(const host_lsm_map &) = delete;
  host_lsm_map &operator=(const host_lsm_map &) = delete;

  device_status insert(const Key *keys, const Value *values, uint64_t n, uint32_t threads = 0) {
    refuse_wrong(n, keys, values);
    return change(keys, values, nullptr, n, threads);
  }
  device_status erase(const Key *keys, uint64_t n, uint32_t threads = 0) {
    refuse_wrong(n, keys);
    return change(keys, nullptr, nullptr, n, threads);
  }
  /// erases[i]: whether operation i erases.
  device_status update(const Key *keys, const Value *values, const bool *erases, uint64_t n,
                       uint32_t threads = 0) {
    refuse_wrong(n, keys, values, erases);
    return change(keys, values, erases, n, threads);
  }
  /// In place of what was there; of equal keys the last counts.
  device_status build(const Key *keys, const Value *values, uint64_t n, uint32_t threads = 0) {
    refuse_wrong(n, keys, values);
    if (const device_status s = refuse_nan(keys, n); !s.ok())
      return s;
    const batch all(table_.format, keys, values, nullptr, n, false, threads);
    plan_type plan{};
    detail::plan_build(table_, all.run, plan);
    pack(plan, threads);
    return {};
  }
  /// Drops what is stale.
  void cleanup(uint32_t threads = 0) {
    plan_type plan{};
    detail::lsm_planner<table_type> planner(table_, plan);
    planner.clear();
    planner.cleanup();
    pack(plan, threads);
  }
  void clear() { state_ = {}; }

  std::optional<Value> find(Key key) const {
    const found f = ask<detail::lsm_query::find>(key);
    return f ? std::optional<Value>(f->second) : std::nullopt;
  }
  /// The next key above that is present.
  found successor(Key key) const { return ask<detail::lsm_query::successor>(key); }
  found predecessor(Key key) const { return ask<detail::lsm_query::predecessor>(key); }

  // Arrays, as in lsm.cuh: any of the outputs may be null.

  void find(const Key *keys, Value *values, uint64_t n, bool *present = nullptr, Value absent = {},
            uint32_t threads = 0) const {
    ask_all<detail::lsm_query::find>(keys, n, nullptr, values, present, absent, threads);
  }
  void successor(const Key *keys, uint64_t n, Key *next_keys, Value *values, bool *present,
                 Value absent = {}, uint32_t threads = 0) const {
    ask_all<detail::lsm_query::successor>(keys, n, next_keys, values, present, absent, threads);
  }
  void predecessor(const Key *keys, uint64_t n, Key *next_keys, Value *values, bool *present,
                   Value absent = {}, uint32_t threads = 0) const {
    ask_all<detail::lsm_query::predecessor>(keys, n, next_keys, values, present, absent, threads);
  }
  /// offsets[i]: how many elements lie in the ranges before range i; n + 1 of them. The last, too,
  /// is returned.
  uint64_t count(const Key *first_keys, const Key *last_keys, uint64_t *offsets, uint64_t n,
                 uint32_t threads = 0) const {
    detail::share_items(n, threads, [&](uint64_t i) {
      offsets[i] = walk(first_keys[i], last_keys[i], ~uint64_t{0}, [](uint64_t, Key, Value) {});
    });
    uint64_t all = 0;
    for (uint64_t i = 0; i < n; ++i)
      all += std::exchange(offsets[i], all);
    return offsets[n] = all;
  }
  /// The same, and the elements of range i from place offsets[i] on; of them all the first
  /// `capacity` are written.
  uint64_t range(const Key *first_keys, const Key *last_keys, uint64_t n, uint64_t *offsets,
                 Key *keys, Value *values, uint64_t capacity, uint32_t threads = 0) const {
    const uint64_t all = count(first_keys, last_keys, offsets, n, threads);
    detail::share_items(n, threads, [&](uint64_t i) {
      const uint64_t room = capacity > offsets[i] ? capacity - offsets[i] : 0;
      walk(first_keys[i], last_keys[i], room, [&](uint64_t k, Key key, Value value) {
        if (keys)
          keys[offsets[i] + k] = key;
        if (values)
          values[offsets[i] + k] = value;
      });
    });
    return all;
  }

  /// All elements, in order.
  void retrieve_all(std::vector<Key> &keys, std::vector<Value> &values) const {
    std::vector<run> runs;
    for_runs(table_, state_, [&](const run &r) {
      runs.insert(runs.begin(), r); // the oldest first
      return false;
    });
    keys.clear();
    values.clear();
    const auto keep = [&](const element &e) {
      keys.push_back(as<Key>(e.key));
      values.push_back(as<Value>(e.value));
    };
    const uint32_t num_runs = static_cast<uint32_t>(runs.size());
    const detail::host_parts_of_runs<table_type> whole(table_.format, runs.data(), num_runs, 1);
    drop_stale(runs.data(), num_runs, whole.of(0), whole.of(1), keep);
  }
  lsm_statistics statistics() const {
    return {state_.batches * table_.batch_size + state_.buffered, state_.batches};
  }
  /// To a file (pair_file.hpp), which trees on GPUs can load.
  [[nodiscard]] pair_file_error save(const char *path) const {
    std::vector<Key> keys;
    std::vector<Value> values;
    retrieve_all(keys, values);
    return write_pairs(path, keys.data(), sizeof(Key), values.data(), sizeof(Value), keys.size());
  }
  /// The pairs of a file in place of what was there; with an error that is unchanged.
  [[nodiscard]] pair_file_error load(const char *path) {
    std::vector<char> keys, values;
    if (const pair_file_error error = read_pairs(path, keys, sizeof(Key), values, sizeof(Value));
        error != pair_file_error::none)
      return error;
    const device_status s =
        build(reinterpret_cast<const Key *>(keys.data()),
              reinterpret_cast<const Value *>(values.data()), keys.size() / sizeof(Key));
    return s.ok() ? pair_file_error::none : pair_file_error::other_types;
  }

private:
  struct free_aligned {
    void operator()(char *memory) const { ::operator delete[](memory, std::align_val_t{256}); }
  };
  using memory_type = std::unique_ptr<char[], free_aligned>;

  template <class T, class Bits> static T as(Bits bits) {
    T item;
    std::memcpy(&item, &bits, sizeof item);
    return item;
  }
  /// Room for so many elements, none of which is a tombstone.
  static char *allocate(memory_type &memory, uint64_t count) {
    const layout at(count);
    memory.reset(static_cast<char *>(::operator new[](at.bytes, std::align_val_t{256})));
    std::memset(memory.get() + at.tombstones, 0, at.tombstone_bytes());
    return memory.get();
  }
  /// Memory for those of the levels that have none.
  void allocate_levels(uint64_t batches) {
    for (uint32_t i = 0; batches >> i; ++i)
      if ((batches >> i & 1) && !levels_[i])
        table_.levels[i] = allocate(levels_[i], table_.level_size(i));
  }

  template <class... Arrays> static void refuse_wrong(uint64_t n, const Arrays *...arrays) {
    if (n && !(arrays && ...))
      throw std::invalid_argument("lsm: an array is missing");
    if (n > uint64_t{1} << 32) // places in a call have 32 bits
      throw std::invalid_argument("lsm: more than 2^32 elements in a call");
  }
  static device_status refuse_nan(const Key *keys, uint64_t n) {
    device_status status;
    if (const uint64_t i = batch::first_nan(keys, n); i < n)
      status.first = i << 8 | static_cast<uint64_t>(data_error::value_out_of_range);
    return status;
  }

  static device_status too_full(uint64_t needed) {
    return {needed << 8 | static_cast<uint64_t>(data_error::buffer_too_small)};
  }
  device_status change(const Key *keys, const Value *values, const bool *erases, uint64_t n,
                       uint32_t threads) {
    if (const device_status s = refuse_nan(keys, n); !s.ok() || n == 0)
      return s;
    const batch sorted(table_.format, keys, values, erases, n,
                       options_.order == lsm_order::deletions_win, threads);
    const uint64_t before = state_.batches,
                   after = before + (state_.buffered + n) / table_.batch_size;
    if (after > table_.most_batches())
      return too_full(before * table_.batch_size + state_.buffered + n);
    allocate_levels(after);
    // Levels that are both read and written get memory of their own.
    const uint64_t changed = before ^ after, staged = before & after & below_highest(changed);
    std::array<memory_type, detail::most_lsm_levels> old;
    table_type target = table_;
    for (uint32_t i = 0; staged >> i; ++i)
      if (staged >> i & 1)
        target.levels[i] = allocate(old[i], table_.level_size(i));
    plan_type plan{};
    detail::lsm_planner<table_type> planner(table_, plan);
    planner.clear();
    uint64_t needed = 0;
    planner.insert(sorted.run, needed); // there is room
    redirect(plan, target);
    merge(plan, threads);
    for (uint32_t i = 0; staged >> i; ++i)
      if (staged >> i & 1) {
        std::swap(levels_[i], old[i]);
        table_.levels[i] = target.levels[i];
      }
    state_ = planner.state();
    return {};
  }
  static uint64_t below_highest(uint64_t bits) {
    uint64_t mask = 0;
    while (bits >>= 1)
      mask = mask * 2 + 1;
    return mask;
  }
  /// Slices of levels to those of `target`.
  void redirect(plan_type &plan, const table_type &target) const {
    for (uint32_t s = 0; s < plan.num_slices; ++s) {
      uint64_t batches = plan.slices[s].count / table_.batch_size;
      if (batches == 0)
        continue; // the buffer
      uint32_t level = 0;
      while (batches >>= 1)
        ++level;
      plan.slices[s] = target.level_slice(level, plan.slices[s].begin);
    }
  }

  void merge(const plan_type &plan, uint32_t threads) const {
    const uint64_t num_parts = detail::host_parts(plan.num_items, threads);
    const detail::host_parts_of_runs<table_type> parts(table_.format, plan.runs, plan.num_runs,
                                                       num_parts);
    detail::each_host_part(num_parts, [&](uint64_t p) {
      detail::host_slice_writer<table_type> writer(plan, table_.format, parts.place(p));
      detail::merge_on_host<table_type>(table_.format, plan.runs, plan.num_runs, parts.of(p),
                                        parts.of(p + 1), [&](const element &e) { writer.put(e); });
    });
  }
  template <class Keep>
  void drop_stale(const run *runs, uint32_t num_runs, const uint64_t *begin, const uint64_t *end,
                  const Keep &keep) const {
    detail::keep_last<typename table_type::format_type, element, Keep> last(table_.format, keep);
    detail::merge_on_host<table_type>(table_.format, runs, num_runs, begin, end,
                                      [&](const element &e) { last.see(e); });
    last.end();
  }
  /// What the plan merges, without what is stale, in place of what was there.
  void pack(plan_type &plan, uint32_t threads) {
    const uint64_t num_parts = detail::host_parts(plan.num_items, threads);
    std::vector<std::vector<element>> kept(num_parts);
    if (plan.num_runs) {
      const detail::host_parts_of_runs<table_type> parts(table_.format, plan.runs, plan.num_runs,
                                                         num_parts);
      for (uint64_t p = 0; p < num_parts; ++p)
        kept[p].reserve(parts.place(p + 1) - parts.place(p));
      detail::each_host_part(num_parts, [&](uint64_t p) {
        drop_stale(plan.runs, plan.num_runs, parts.of(p), parts.of(p + 1),
                   [&](const element &e) { kept[p].push_back(e); });
      });
    }
    std::vector<uint64_t> places(num_parts + 1);
    for (uint64_t p = 0; p < num_parts; ++p)
      places[p + 1] = places[p] + kept[p].size();
    allocate_levels(places.back() / table_.batch_size);
    detail::lsm_planner<table_type> planner(table_, plan);
    planner.fill_with(places.back());
    detail::each_host_part(num_parts, [&](uint64_t p) {
      detail::host_slice_writer<table_type> writer(plan, table_.format, places[p]);
      for (const element &e : kept[p])
        writer.put(e);
    });
    state_ = planner.state();
  }

  template <detail::lsm_query Query> found ask(Key key) const {
    const detail::lsm_finder<lsm_search::index, table_type> finder{table_, state_};
    const auto answer = finder.template ask<Query>(as<raw>(key));
    if (!answer.present)
      return std::nullopt;
    return std::pair<Key, Value>(as<Key>(answer.key), as<Value>(answer.value));
  }
  template <detail::lsm_query Query>
  void ask_all(const Key *keys, uint64_t n, Key *next_keys, Value *values, bool *present,
               Value absent, uint32_t threads) const {
    detail::share_items(n, threads, [&](uint64_t i) {
      const found f = ask<Query>(keys[i]);
      if (next_keys && f)
        next_keys[i] = f->first;
      if (values)
        values[i] = f ? f->second : absent;
      if (present)
        present[i] = f.has_value();
    });
  }
  /// write(k, key, value) for the first `room` elements of a range; how many there are, or at least
  /// `room`.
  template <class Write>
  uint64_t walk(Key first_key, Key last_key, uint64_t room, const Write &write) const {
    const raw first = table_.format.word(as<raw>(first_key)),
              last = table_.format.word(as<raw>(last_key));
    if (first > last || room == 0)
      return 0;
    run runs[detail::most_lsm_runs];
    uint64_t at[detail::most_lsm_runs], end[detail::most_lsm_runs];
    uint32_t num_runs = 0;
    for_runs(table_, state_, [&](const run &r) { // the newest first
      runs[num_runs] = r;
      at[num_runs] = detail::count_below<lsm_search::index>(r, table_.format, first);
      end[num_runs] = detail::count_up_to<lsm_search::index>(r, table_.format, last);
      ++num_runs;
      return false;
    });
    const auto word = [&](uint32_t r) { return table_.format.word(runs[r].keys[at[r]]); };
    for (uint64_t count = 0;;) {
      uint32_t newest = num_runs;
      for (uint32_t r = 0; r < num_runs; ++r)
        if (at[r] < end[r] && (newest == num_runs || word(r) < word(newest)))
          newest = r;
      if (newest == num_runs || count == room)
        return count;
      const raw key = word(newest);
      for (uint32_t r = newest; r < num_runs; ++r)
        while (at[r] < end[r] && word(r) == key)
          ++at[r];
      const uint64_t i = at[newest] - 1;
      if (!runs[newest].is_tombstone(i))
        write(count++, as<Key>(runs[newest].keys[i]), as<Value>(runs[newest].values[i]));
    }
  }

  lsm_options options_;
  detail::lsm_state state_{};
  table_type table_{};
  memory_type buffers_[2];
  memory_type levels_[detail::most_lsm_levels];
};

} // namespace colonnade
