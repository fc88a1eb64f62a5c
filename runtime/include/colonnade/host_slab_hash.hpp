//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// host_slab_hash.hpp: slab hashes on the CPU: the operations of slab_hash.cuh by any number of
// threads, without a GPU.
//
//   host_slab_map, host_slab_set, host_slab_multimap
//
// The kernels' own code, for threads alone: what is promised of operations on one key is promised
// here too, whichever threads call them. Keys and values have 32 bits.
//
//   growth       the pool grows whenever it is full, by the thread that finds it so; an operation
//                fails only if there is no memory: std::bad_alloc
//   reserved     operations on the two reserved keys do nothing; they are found nowhere
//   arrays       the forms for arrays share them among threads (0: as many as there are cores)
//   whole        rehash, flush, clear, for_each, statistics and destruction exclude all other use
//   determinism  as on the GPU
//
// In: keys and values. Out: what was found. Invariant: that of detail/slab_hash/worker.hpp.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/slab_hash/cpu_machine.hpp>
#include <colonnade/detail/slab_hash/growing_pool.hpp>
#include <colonnade/detail/slab_hash/worker.hpp>
#include <colonnade/slab_hash_options.hpp>
#include <colonnade/slab_statistics.hpp>

#include <algorithm>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

namespace colonnade {

namespace detail {

/// A pool in the memory of the host, of super blocks of 2^12 slabs.
class host_slab_pool {
public:
  explicit host_slab_pool(slab_filling filling)
      : filling_(filling), places_(uint64_t{most_super_blocks} * 2) {
    view_ = {places_.data(), &num_blocks_, log2_slabs};
  }
  host_slab_pool(const host_slab_pool &) = delete;

  const growing_pool_view &view() const { return view_; }
  /// One super block more, unless there is one more than the caller knew of.
  void grow(uint32_t known_blocks, const cpu_slab_machine &machine) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (view_.blocks(machine) != known_blocks)
      return;
    if (super_blocks_.size() == most_super_blocks)
      throw std::bad_alloc();
    super_blocks_.push_back(std::make_unique<super_block>(filling_));
    const uint64_t last = super_blocks_.size() - 1;
    machine.store_place(&places_[last * 2],
                        reinterpret_cast<uint64_t>(super_blocks_.back()->slabs));
    machine.store_place(&places_[last * 2 + 1],
                        reinterpret_cast<uint64_t>(super_blocks_.back()->bitmaps));
    machine.device_fence();
    machine.store_word(&num_blocks_, static_cast<uint32_t>(super_blocks_.size())
                                         << (log2_slabs - 10));
  }

private:
  static constexpr uint32_t log2_slabs = 12;
  struct super_block {
    slab slabs[1u << log2_slabs];
    uint32_t bitmaps[(1u << log2_slabs) / 32] = {};
    explicit super_block(slab_filling filling) {
      for (slab &s : slabs)
        for (uint32_t i = 0; i < slab_words; ++i)
          s.words[i] = i % 2 ? filling.high : filling.low;
    }
  };
  slab_filling filling_;
  std::vector<uint64_t> places_;
  std::vector<std::unique_ptr<super_block>> super_blocks_;
  uint32_t num_blocks_ = 0;
  growing_pool_view view_;
  std::mutex mutex_;
};

/// For the life of a thread.
inline uint32_t host_thread_number() {
  static std::atomic<uint32_t> next{0};
  thread_local const uint32_t mine = next.fetch_add(1, std::memory_order_relaxed);
  return mine;
}

} // namespace detail

template <class Key, class Value, class Hash, class Equal, bool Multiple>
class host_slab_dictionary {
  static_assert(sizeof(detail::slab_half<Key, Value>) == 4,
                "slab hash: on the host, keys and values have 32 bits");
  using table_type =
      detail::slab_table<Key, Value, Hash, Equal, detail::growing_pool_view, Multiple>;
  using format = typename table_type::format_type;
  using word = typename table_type::word;
  using worker_type = detail::slab_worker<detail::cpu_slab_machine, table_type, 1, 1>;

public:
  using key_type = Key;
  using value_type = Value;
  using options_type = slab_map_options<Key, Value>;
  /// The value that is there, or was before; empty: the key was absent.
  using found = std::optional<Value>;

  /// Of the options, num_slabs does not count.
  explicit host_slab_dictionary(const options_type &options, Hash hash = {}, Equal equal = {})
      : options_(options), buckets_(options.num_buckets),
        pool_(std::make_unique<detail::host_slab_pool>(format_of(options, equal).filling())) {
    table_ = {buckets_.data(), options.num_buckets, pool_->view(), format_of(options, equal), hash};
    std::fill_n(table_.first_slab(0), buckets_.size() * format::words, table_.format.open());
  }

  found find(const Key &key) const {
    return one(detail::fixed_operation<slab_operation::find>{}, key, 0);
  }
  bool contains(const Key &key) const { return find(key).has_value(); }
  found insert(const Key &key, const Value &value = {}) {
    return one(detail::fixed_operation<slab_operation::insert>{}, key, detail::slab_bits(value));
  }
  found insert_or_assign(const Key &key, const Value &value) {
    static_assert(!Multiple, "slab hash: a multimap does not replace");
    return one(detail::fixed_operation<slab_operation::insert_or_assign>{}, key,
               detail::slab_bits(value));
  }
  /// value if the key is absent, else apply(value that is there, value).
  template <class Apply>
  found insert_or_apply(const Key &key, const Value &value, const Apply &apply) {
    static_assert(!Multiple, "slab hash: a multimap does not replace");
    return one(detail::applied_operation<Apply, Value>{slab_operation::insert_or_apply, apply}, key,
               detail::slab_bits(value));
  }
  found erase(const Key &key) {
    return one(detail::fixed_operation<slab_operation::erase>{}, key, 0);
  }
  uint32_t count(const Key &key) const { return all(key, detail::count_pairs{}); }
  uint32_t erase_all(const Key &key) { return all(key, detail::erase_pairs{}); }
  /// The first `capacity` of the values are written; how many there are.
  uint32_t find_all(const Key &key, Value *values, uint64_t capacity) const {
    return all(key, detail::list_pairs<Value>{values, capacity});
  }

  // Arrays. present: null, or whether each key was there.

  void find(const Key *keys, Value *values, uint64_t n, bool *present = nullptr,
            uint32_t threads = 0) const {
    share(n, threads, [&](uint64_t i) {
      const found f = find(keys[i]);
      values[i] = f.value_or(options_.absent_value);
      if (present)
        present[i] = f.has_value();
    });
  }
  void insert(const Key *keys, const Value *values, uint64_t n, bool *present = nullptr,
              uint32_t threads = 0) {
    share(n, threads, [&](uint64_t i) { tell(present, i, insert(keys[i], values[i])); });
  }
  void insert_or_assign(const Key *keys, const Value *values, uint64_t n, bool *present = nullptr,
                        uint32_t threads = 0) {
    share(n, threads, [&](uint64_t i) { tell(present, i, insert_or_assign(keys[i], values[i])); });
  }
  void erase(const Key *keys, uint64_t n, bool *present = nullptr, uint32_t threads = 0) {
    share(n, threads, [&](uint64_t i) { tell(present, i, erase(keys[i])); });
  }

  // The whole dictionary.

  /// visit(key, value) for every pair.
  template <class Visit> void for_each(Visit visit) const {
    each_slot([&](word w) {
      if (table_.format.is_live(w))
        visit(detail::from_slab_bits<Key>(detail::low_half(w)),
              detail::from_slab_bits<Value>(detail::high_half(w)));
    });
  }
  slab_statistics statistics() const {
    slab_statistics s;
    each_slot([&](word w) {
      s.num_pairs += table_.format.is_live(w);
      s.num_tombstones += table_.format.is_tombstone(w);
    });
    for (uint32_t b = 0; b < table_.num_buckets; ++b) {
      const uint64_t length = chain(b).size();
      s.num_slabs += length;
      s.longest_chain = std::max(s.longest_chain, length);
      ++s.chains_of_length[std::min<uint64_t>(length, slab_statistics::num_lengths) - 1];
    }
    return s;
  }
  void rehash(uint32_t num_buckets) {
    options_type options = options_;
    options.num_buckets = num_buckets;
    host_slab_dictionary fresh(options, table_.hash, table_.format.equal);
    for_each([&](const Key &key, const Value &value) { fresh.insert(key, value); });
    swap(fresh);
  }
  void flush() { rehash(options_.num_buckets); }
  void clear() {
    host_slab_dictionary fresh(options_, table_.hash, table_.format.equal);
    swap(fresh);
  }

private:
  static format format_of(const options_type &options, const Equal &equal) {
    return {detail::slab_bits(options.empty_key), detail::slab_bits(options.tombstone_key), equal};
  }
  static void tell(bool *present, uint64_t i, const found &f) {
    if (present)
      present[i] = f.has_value();
  }
  void swap(host_slab_dictionary &other) {
    std::swap(options_, other.options_);
    buckets_.swap(other.buckets_);
    pool_.swap(other.pool_);
    std::swap(table_, other.table_);
  }

  /// Again, with a larger pool, while there is no slab.
  template <class Operation>
  found one(const Operation &operation, const Key &key, uint32_t value) const {
    const detail::cpu_slab_machine machine{detail::host_thread_number()};
    for (;;) {
      const uint32_t known = pool_->view().blocks(machine);
      const auto done = worker_type(machine, table_).run(true, operation, key, value);
      if (done.was == slab_answer::present)
        return detail::from_slab_bits<Value>(done.value);
      if (done.was != slab_answer::no_slab)
        return std::nullopt;
      pool_->grow(known, machine);
    }
  }
  template <class Use> uint32_t all(const Key &key, const Use &use) const {
    const detail::cpu_slab_machine machine{detail::host_thread_number()};
    return worker_type(machine, table_).each_pair(true, key, use).count;
  }

  template <class Each> static void share(uint64_t n, uint32_t threads, const Each &each) {
    const uint32_t cores = std::max(1u, std::thread::hardware_concurrency());
    const uint64_t parts = std::clamp<uint64_t>(n / 1000, 1, threads ? threads : cores);
    std::vector<std::thread> others;
    const auto part = [&](uint64_t p) {
      for (uint64_t i = n * p / parts; i < n * (p + 1) / parts; ++i)
        each(i);
    };
    for (uint64_t p = 1; p < parts; ++p)
      others.emplace_back(part, p);
    part(0);
    for (std::thread &t : others)
      t.join();
  }

  std::vector<const word *> chain(uint32_t bucket) const {
    const detail::cpu_slab_machine machine;
    std::vector<const word *> slabs{table_.first_slab(bucket)};
    for (uint32_t next; (next = format::next(slabs.back()[format::link_word])) != detail::no_slab;)
      slabs.push_back(table_.address(machine, next));
    return slabs;
  }
  template <class Use> void each_slot(Use use) const {
    for (uint32_t b = 0; b < table_.num_buckets; ++b)
      for (const word *slab : chain(b))
        for (uint32_t i = 0; i < format::slots; ++i)
          use(slab[i]);
  }

  options_type options_;
  std::vector<detail::slab> buckets_;
  std::unique_ptr<detail::host_slab_pool> pool_;
  table_type table_{};
};

template <class Key, class Value, class Hash = slab_hash_function, class Equal = equal_bits>
using host_slab_map = host_slab_dictionary<Key, Value, Hash, Equal, false>;
template <class Key, class Hash = slab_hash_function, class Equal = equal_bits>
using host_slab_set = host_slab_dictionary<Key, no_value, Hash, Equal, false>;
template <class Key, class Value, class Hash = slab_hash_function, class Equal = equal_bits>
using host_slab_multimap = host_slab_dictionary<Key, Value, Hash, Equal, true>;

} // namespace colonnade
