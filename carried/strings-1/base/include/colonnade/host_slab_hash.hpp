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
//   arrays       the forms for arrays share them among threads (0: as many as there are cores), and
//                return what calls on the GPU report: slab_error::reserved_key and the first such
//                key's index; find_all also buffer_too_small. Of several the one with the smallest
//                detail. Arrays that know their size (detail/slab_hash/host_spans.hpp) may be
//                given, too: std::invalid_argument is thrown where sizes differ. find_all of a
//                multimap has memory for all values while it runs
//   whole        build, rehash, flush, clear, for_each, statistics, retrieve_all, save, load and
//                destruction exclude all other use
//   determinism  as on the GPU
//
// In: keys and values. Out: what was found. Invariant: that of detail/slab_hash/worker.hpp.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/dictionaries/host_threads.hpp>
#include <colonnade/detail/slab_hash/chains.hpp>
#include <colonnade/detail/slab_hash/host_pool.hpp>
#include <colonnade/detail/slab_hash/host_spans.hpp>
#include <colonnade/detail/slab_hash/host_status.hpp>
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
class host_slab_dictionary
    : public detail::host_slab_spans<host_slab_dictionary<Key, Value, Hash, Equal, Multiple>> {
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
  using spans = detail::host_slab_spans<host_slab_dictionary>;

public:
  // For arrays that know their size.
  using spans::build;
  using spans::contains;
  using spans::count;
  using spans::erase;
  using spans::erase_all;
  using spans::find;
  using spans::find_all;
  using spans::insert;
  using spans::insert_or_apply;
  using spans::insert_or_assign;

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

  device_status find(const Key *keys, Value *values, uint64_t n, bool *present = nullptr,
                     uint32_t threads = 0) const {
    return each_key(keys, n, threads, [&](uint64_t i) {
      const found f = find(keys[i]);
      values[i] = f.value_or(options_.absent_value);
      tell(present, i, f);
    });
  }
  device_status contains(const Key *keys, bool *present, uint64_t n, uint32_t threads = 0) const {
    return each_key(keys, n, threads, [&](uint64_t i) { present[i] = contains(keys[i]); });
  }
  device_status insert(const Key *keys, const Value *values, uint64_t n, bool *present = nullptr,
                       uint32_t threads = 0) {
    return each_key(keys, n, threads,
                    [&](uint64_t i) { tell(present, i, insert(keys[i], values[i])); });
  }
  /// Of a set.
  device_status insert(const Key *keys, uint64_t n, bool *present = nullptr, uint32_t threads = 0)
    requires std::is_empty_v<Value>
  {
    return each_key(keys, n, threads, [&](uint64_t i) { tell(present, i, insert(keys[i])); });
  }
  device_status insert_or_assign(const Key *keys, const Value *values, uint64_t n,
                                 bool *present = nullptr, uint32_t threads = 0) {
    return each_key(keys, n, threads,
                    [&](uint64_t i) { tell(present, i, insert_or_assign(keys[i], values[i])); });
  }
  /// old_values: null, or the values that were there before, absent_value where there was none.
  template <class Apply>
  device_status insert_or_apply(const Key *keys, const Value *values, uint64_t n,
                                const Apply &apply, Value *old_values = nullptr,
                                bool *present = nullptr, uint32_t threads = 0) {
    return each_key(keys, n, threads, [&](uint64_t i) {
      const found before = insert_or_apply(keys[i], values[i], apply);
      if (old_values)
        old_values[i] = before.value_or(options_.absent_value);
      tell(present, i, before);
    });
  }
  device_status erase(const Key *keys, uint64_t n, bool *present = nullptr, uint32_t threads = 0) {
    return each_key(keys, n, threads, [&](uint64_t i) { tell(present, i, erase(keys[i])); });
  }

  /// offsets[i]: how many pairs the keys before keys[i] have; the last of the n + 1: all of them.
  device_status count(const Key *keys, uint64_t *offsets, uint64_t n, uint32_t threads = 0) const {
    return each_count(keys, offsets, n, threads, [&](uint64_t i) { return count(keys[i]); });
  }
  /// counts[i]: how many pairs of keys[i] were erased.
  device_status erase_all(const Key *keys, uint64_t *counts, uint64_t n, uint32_t threads = 0) {
    return each_key(keys, n, threads, [&](uint64_t i) { counts[i] = erase_all(keys[i]); });
  }
  /// As count, and the values of keys[i] from place offsets[i] on; of them all the first `capacity`
  /// are written. Others may change the keys meanwhile: see slab_hash.cuh.
  device_status find_all(const Key *keys, uint64_t n, uint64_t *offsets, Value *values,
                         uint64_t capacity, uint32_t threads = 0) const {
    std::vector<std::vector<Value>> met(Multiple ? n : 0); // what is counted is what is listed
    detail::host_slab_status status(each_count(keys, offsets, n, threads, [&](uint64_t i) {
      if constexpr (Multiple)
        return all(keys[i], collect_pairs{{}, &met[i]});
      else
        return count(keys[i]);
    }));
    if (offsets[n] > capacity)
      status.report(data_error::buffer_too_small, offsets[n]);
    detail::share_items(n, threads, [&](uint64_t i) {
      const uint64_t end = std::min(offsets[i + 1], capacity),
                     room = end > offsets[i] ? end - offsets[i] : 0;
      Value *const to = values + std::min(offsets[i], capacity);
      if constexpr (Multiple)
        std::copy_n(met[i].begin(), room, to);
      else if (find_all(keys[i], to, room) < room)
        *to = options_.absent_value;
    });
    return status.get();
  }

  // The whole dictionary.

  /// What was there is removed. Of equal keys the last wins; a multimap keeps all. values: null for
  /// a set. Reserved keys are left out, and the first is reported.
  device_status build(const Key *keys, const Value *values, uint64_t n, uint32_t threads = 0) {
    clear();
    detail::host_slab_status status;
    const uint64_t parts = detail::host_parts(n, threads);
    detail::each_host_part(parts, [&](uint64_t p) { // each all keys of some chains
      for (uint64_t i = 0; i < n; ++i)
        if (table_.bucket_number(keys[i]) % parts == p) {
          put(keys[i], std::is_empty_v<Value> ? Value{} : values[i]);
          check_reserved(keys[i], i, status);
        }
    });
    return status.get();
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
  /// The pairs of a file in place of what was there; with an error that is unchanged. A file with a
  /// key that is reserved here is of other types.
  [[nodiscard]] pair_file_error load(const char *path) {
    std::vector<char> key_bytes, bytes_of_values;
    if (const pair_file_error error =
            read_pairs(path, key_bytes, sizeof(Key), bytes_of_values, value_bytes);
        error != pair_file_error::none)
      return error;
    const Key *keys = reinterpret_cast<const Key *>(key_bytes.data());
    const uint64_t n = key_bytes.size() / sizeof(Key);
    if (std::any_of(keys, keys + n, [&](const Key &k) { return table_.format.is_reserved(k); }))
      return pair_file_error::other_types;
    build(keys, reinterpret_cast<const Value *>(bytes_of_values.data()), n);
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
  /// Drops the tombstones of all chains, and gives slabs that are empty then back to the pool. The
  /// pairs that stay keep their order.
  void flush() { flush(0, ~0u); }
  /// Of chains first_bucket to first_bucket + num_buckets - 1, as far as there are.
  void flush(uint32_t first_bucket, uint32_t num_buckets) {
    const uint32_t end = detail::end_of_chains(first_bucket, num_buckets, table_.num_buckets);
    const detail::cpu_slab_machine machine;
    for (uint32_t b = first_bucket; b < end; ++b)
      detail::flush_alone<detail::cpu_slab_machine, table_type>{machine, table_}.run(b);
  }
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
  /// each(i) for i from 0 to n - 1, shared among threads.
  template <class Each>
  device_status each_key(const Key *keys, uint64_t n, uint32_t threads, const Each &each) const {
    detail::host_slab_status status;
    detail::share_items(n, threads, [&](uint64_t i) {
      each(i);
      check_reserved(keys[i], i, status);
    });
    return status.get();
  }
  /// The same; each(i): how many pairs keys[i] has.
  template <class Each>
  device_status each_count(const Key *keys, uint64_t *offsets, uint64_t n, uint32_t threads,
                           const Each &each) const {
    const device_status status =
        each_key(keys, n, threads, [&](uint64_t i) { offsets[i] = each(i); });
    uint64_t all = 0;
    for (uint64_t i = 0; i < n; ++i)
      all += std::exchange(offsets[i], all);
    offsets[n] = all;
    return status;
  }
  struct collect_pairs : detail::count_pairs {
    std::vector<Value> *values;
    collect_pairs of_lane(const auto &, uint32_t, uint32_t) const { return *this; }
    void put(const collect_pairs &, nobody, uint32_t, half value) const {
      values->push_back(detail::from_slab_bits<Value>(value));
    }
  };
  void check_reserved(const Key &key, uint64_t i, detail::host_slab_status &status) const {
    if (table_.format.is_reserved(key))
      status.report(slab_error::reserved_key, i);
  }
  /// Null: there is none.
  word *next_slab(const word *slab) const {
    const uint32_t next = format::next(slab[format::link_word]);
    return next == detail::no_slab ? nullptr : table_.address(detail::cpu_slab_machine{}, next);
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
    std::vector<const word *> slabs;
    for (const word *slab = table_.first_slab(bucket); slab; slab = next_slab(slab))
      slabs.push_back(slab);
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
