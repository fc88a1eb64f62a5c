//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// host_slab_hash.hpp: slab hashes on the CPU: the operations of slab_hash.cuh by any number of
// threads, without a GPU.
//
//   host_slab_map, host_slab_set, host_slab_multimap
//   host_slab_list, host_slab_multilist                one chain, without hashing (slab_list.cuh)
//
// The kernels' own code, for threads alone: what is promised of operations on one key is promised
// here too, whichever threads call them.
//
//   keys, values as on the GPU; of 64 bits only on x86-64, which has the 128-bit compare-and-swap
//   growth       the pool grows whenever it is full, by the thread that finds it so; an operation
//                fails only if there is no memory: std::bad_alloc
//   reserved     operations on the two reserved keys do nothing; they are found nowhere
//   arrays       the forms for arrays share them among threads (0: as many as there are cores)
//   whole        build, rehash, flush, clear, for_each, statistics, retrieve_all, save, load and
//                destruction exclude all other use
//   determinism  as on the GPU
//
// In: keys and values. Out: what was found. Invariant: that of detail/slab_hash/worker.hpp.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/dictionaries/host_threads.hpp>
#include <colonnade/detail/slab_hash/host_pool.hpp>
#include <colonnade/detail/slab_hash/worker.hpp>
#include <colonnade/pair_file.hpp>
#include <colonnade/slab_hash_options.hpp>
#include <colonnade/slab_list_options.hpp>
#include <colonnade/slab_statistics.hpp>

#include <algorithm>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

namespace colonnade {

template <class Key, class Value, class Hash, class Equal, bool Multiple>
class host_slab_dictionary {
#ifndef __x86_64__
  static_assert(sizeof(detail::slab_half<Key, Value>) == 4,
                "slab hash: on this host, keys and values have 32 bits");
#endif
  using table_type =
      detail::slab_table<Key, Value, Hash, Equal, detail::growing_pool_view, Multiple>;
  using format = typename table_type::format_type;
  using half = typename table_type::half;
  using word = typename table_type::word;
  using worker_type = detail::slab_worker<detail::cpu_slab_machine, table_type, 1, 1>;

public:
  using key_type = Key;
  using value_type = Value;
  using options_type = slab_map_options<Key, Value>;
  /// The value that is there, or was before; empty: the key was absent.
  using found = std::optional<Value>;

  /// Of the options, num_slabs does not count. Throws std::invalid_argument without chains, or if
  /// the reserved keys are the same.
  explicit host_slab_dictionary(const options_type &options, Hash hash = {}, Equal equal = {})
      : options_(checked(options)), buckets_(options.num_buckets),
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
    detail::share_items(n, threads, [&](uint64_t i) {
      const found f = find(keys[i]);
      values[i] = f.value_or(options_.absent_value);
      if (present)
        present[i] = f.has_value();
    });
  }
  void contains(const Key *keys, bool *present, uint64_t n, uint32_t threads = 0) const {
    detail::share_items(n, threads, [&](uint64_t i) { present[i] = contains(keys[i]); });
  }
  void insert(const Key *keys, const Value *values, uint64_t n, bool *present = nullptr,
              uint32_t threads = 0) {
    detail::share_items(n, threads,
                        [&](uint64_t i) { tell(present, i, insert(keys[i], values[i])); });
  }
  /// Of a set.
  void insert(const Key *keys, uint64_t n, bool *present = nullptr, uint32_t threads = 0) {
    static_assert(std::is_empty_v<Value>, "slab hash: a key is inserted with a value");
    detail::share_items(n, threads, [&](uint64_t i) { tell(present, i, insert(keys[i])); });
  }
  void insert_or_assign(const Key *keys, const Value *values, uint64_t n, bool *present = nullptr,
                        uint32_t threads = 0) {
    detail::share_items(
        n, threads, [&](uint64_t i) { tell(present, i, insert_or_assign(keys[i], values[i])); });
  }
  /// old_values: null, or the values that were there before, absent_value where there was none.
  template <class Apply>
  void insert_or_apply(const Key *keys, const Value *values, uint64_t n, const Apply &apply,
                       Value *old_values = nullptr, bool *present = nullptr, uint32_t threads = 0) {
    detail::share_items(n, threads, [&](uint64_t i) {
      const found before = insert_or_apply(keys[i], values[i], apply);
      if (old_values)
        old_values[i] = before.value_or(options_.absent_value);
      tell(present, i, before);
    });
  }
  void erase(const Key *keys, uint64_t n, bool *present = nullptr, uint32_t threads = 0) {
    detail::share_items(n, threads, [&](uint64_t i) { tell(present, i, erase(keys[i])); });
  }

  void count(const Key *keys, uint64_t *counts, uint64_t n, uint32_t threads = 0) const {
    detail::share_items(n, threads, [&](uint64_t i) { counts[i] = count(keys[i]); });
  }
  void erase_all(const Key *keys, uint64_t *counts, uint64_t n, uint32_t threads = 0) {
    detail::share_items(n, threads, [&](uint64_t i) { counts[i] = erase_all(keys[i]); });
  }
  /// The values of keys[i] are in `values` from offsets[i] to offsets[i + 1]; of them all the first
  /// `capacity` are written. How many there are.
  uint64_t find_all(const Key *keys, uint64_t n, uint64_t *offsets, Value *values,
                    uint64_t capacity, uint32_t threads = 0) const {
    count(keys, offsets, n, threads);
    uint64_t all = 0;
    for (uint64_t i = 0; i < n; ++i)
      all += std::exchange(offsets[i], all);
    offsets[n] = all;
    detail::share_items(n, threads, [&](uint64_t i) {
      if (offsets[i] < capacity)
        find_all(keys[i], values + offsets[i], capacity - offsets[i]);
    });
    return all;
  }

  // The whole dictionary.

  /// What was there is removed. Of equal keys the last wins; a multimap keeps all. values: null for
  /// a set.
  void build(const Key *keys, const Value *values, uint64_t n, uint32_t threads = 0) {
    clear();
    const uint64_t parts = detail::host_parts(n, threads);
    detail::each_host_part(parts, [&](uint64_t p) { // each all keys of some chains
      for (uint64_t i = 0; i < n; ++i)
        if (table_.bucket_number(keys[i]) % parts == p)
          put(keys[i], std::is_empty_v<Value> ? Value{} : values[i]);
    });
  }
  /// All pairs, in any order; of a set `values` becomes empty.
  void retrieve_all(std::vector<Key> &keys, std::vector<Value> &values) const {
    keys.clear();
    values.clear();
    for_each([&](const Key &key, const Value &value) {
      keys.push_back(key);
      if constexpr (!std::is_empty_v<Value>)
        values.push_back(value);
    });
  }
  /// To a file (pair_file.hpp), which dictionaries on GPUs can load.
  [[nodiscard]] pair_file_error save(const char *path) const {
    std::vector<Key> keys;
    std::vector<Value> values;
    retrieve_all(keys, values);
    return write_pairs(path, keys.data(), sizeof(Key), values.data(), value_bytes, keys.size());
  }
  /// The pairs of a file in place of what was there; with an error that is unchanged.
  [[nodiscard]] pair_file_error load(const char *path) {
    std::vector<char> keys, values;
    if (const pair_file_error error = read_pairs(path, keys, sizeof(Key), values, value_bytes);
        error != pair_file_error::none)
      return error;
    build(reinterpret_cast<const Key *>(keys.data()),
          reinterpret_cast<const Value *>(values.data()), keys.size() / sizeof(Key));
    return pair_file_error::none;
  }
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
  /// Throws std::invalid_argument without chains.
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
  static constexpr size_t value_bytes = std::is_empty_v<Value> ? 0 : sizeof(Value);
  static format format_of(const options_type &options, const Equal &equal) {
    return {detail::slab_bits(options.empty_key), detail::slab_bits(options.tombstone_key), equal};
  }
  static const options_type &checked(const options_type &options) {
    if (options.num_buckets == 0)
      throw std::invalid_argument("slab hash: no chains");
    if (detail::slab_bits(options.empty_key) == detail::slab_bits(options.tombstone_key))
      throw std::invalid_argument("slab hash: the reserved keys are the same");
    return options;
  }
  static void tell(bool *present, uint64_t i, const found &f) {
    if (present)
      present[i] = f.has_value();
  }
  void put(const Key &key, const Value &value) {
    if constexpr (Multiple)
      insert(key, value);
    else
      insert_or_assign(key, value);
  }
  void swap(host_slab_dictionary &other) {
    std::swap(options_, other.options_);
    buckets_.swap(other.buckets_);
    pool_.swap(other.pool_);
    std::swap(table_, other.table_);
  }

  /// Again, with a larger pool, while there is no slab.
  template <class Operation>
  found one(const Operation &operation, const Key &key, half value) const {
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

template <class Key, class Value, class Equal, bool Multiple>
class host_slab_chain
    : public host_slab_dictionary<Key, Value, detail::one_chain, Equal, Multiple> {
  using dictionary = host_slab_dictionary<Key, Value, detail::one_chain, Equal, Multiple>;

public:
  using options_type = slab_list_options<Key, Value>;

  /// Of the options only the reserved keys and absent_value count.
  explicit host_slab_chain(options_type options = {}, Equal equal = {})
      : dictionary(with_one_chain(options), {}, equal) {}
  void rehash(uint32_t) = delete;

private:
  static options_type with_one_chain(options_type options) {
    options.num_buckets = 1;
    return options;
  }
};

template <class Key, class Value, class Hash = slab_hash_function, class Equal = equal_bits>
using host_slab_map = host_slab_dictionary<Key, Value, Hash, Equal, false>;
template <class Key, class Hash = slab_hash_function, class Equal = equal_bits>
using host_slab_set = host_slab_dictionary<Key, no_value, Hash, Equal, false>;
template <class Key, class Value, class Hash = slab_hash_function, class Equal = equal_bits>
using host_slab_multimap = host_slab_dictionary<Key, Value, Hash, Equal, true>;

template <class Key, class Value, class Equal = equal_bits>
using host_slab_list = host_slab_chain<Key, Value, Equal, false>;
template <class Key, class Value, class Equal = equal_bits>
using host_slab_multilist = host_slab_chain<Key, Value, Equal, true>;

} // namespace colonnade
