//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// lsm_case.cuh: a log-structured merge tree on the GPU beside a std::map: calls, and queries for
// what is there or nearly.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "replay_case.cuh"

#include <colonnade/lsm.cuh>

#include <limits>
#include <map>

namespace lsm_test {

using namespace colonnade;

template <class Key> Key key_of(uint64_t number) {
  return static_cast<Key>(static_cast<Key>(number) - static_cast<Key>(7)) * static_cast<Key>(3);
}
template <class Key, class Value> struct batch {
  std::vector<Key> keys;
  std::vector<Value> values;
  std::vector<uint8_t> erases;
};
enum class change : uint8_t { insert, erase, update };

template <class Key, class Value>
batch<Key, Value> random_batch(uint64_t n, uint64_t different, change what, uint64_t seed) {
  batch<Key, Value> b;
  for (uint64_t i = 0; i < n; ++i) {
    const uint64_t random = scramble(seed * 0x10001 + i);
    b.keys.push_back(key_of<Key>(random % different));
    b.values.push_back(static_cast<Value>(random >> 20));
    b.erases.push_back(what == change::erase || (what == change::update && random >> 60 < 5));
  }
  return b;
}

/// Queries that fit into so many lanes have a tile of lanes each, others a thread.
template <uint32_t Lanes> struct few_query_lanes : lsm_policy {
  static constexpr lsm_tuning tuning(gpu_architecture a, size_t key, size_t value) {
    lsm_tuning t = lsm_policy::tuning(a, key, value);
    t.few_query_lanes = Lanes;
    return t;
  }
};
using by_threads = few_query_lanes<0>;

/// Policy: of its changes.
template <class Key, class Value, class Policy = lsm_policy> class checked_tree {
public:
  using tree_type = lsm_map<Key, Value>;

  checked_tree(uint64_t batch_size, uint64_t capacity, lsm_order order) : order_(order) {
    lsm_options options;
    options.batch_size = batch_size;
    options.capacity = capacity;
    options.order = order;
    CUDA_OK(tree_type::create(tree, options));
  }
  void apply(const batch<Key, Value> &b, change what) {
    const uint64_t n = b.keys.size();
    const device_array<Key> keys(b.keys);
    const device_array<Value> values(b.values);
    const device_array<uint8_t> erases(b.erases);
    device_status status;
    switch (what) {
    case change::insert:
      CUDA_OK(tree.insert(keys.get(), values.get(), n, status, nullptr, Policy{}));
      break;
    case change::erase:
      CUDA_OK(tree.erase(keys.get(), n, status, nullptr, Policy{}));
      break;
    case change::update:
      CUDA_OK(tree.update(keys.get(), values.get(), reinterpret_cast<const bool *>(erases.get()), n,
                          status, nullptr, Policy{}));
    }
    EXPECT(status.ok(), "%llu operations", static_cast<unsigned long long>(n));
    record(b);
  }
  /// What a batch does to the map.
  void record(const batch<Key, Value> &b) {
    const uint64_t n = b.keys.size();
    const bool deletions_win = order_ == lsm_order::deletions_win;
    for (uint64_t i = 0; i < n; ++i)
      if (!b.erases[i])
        model[b.keys[i]] = b.values[i];
      else if (!deletions_win)
        model.erase(b.keys[i]);
    for (uint64_t i = 0; deletions_win && i < n; ++i)
      if (b.erases[i])
        model.erase(b.keys[i]);
  }

  /// Queries for keys that are there, or nearly. Queries: their policy.
  template <class Queries = lsm_policy>
  void check_finds(const char *what, uint64_t n, uint64_t different, uint64_t seed) const {
    std::vector<Key> queries;
    for (uint64_t i = 0; i < n; ++i)
      queries.push_back(static_cast<Key>(key_of<Key>(scramble(seed + i) % (different + 2)) +
                                         static_cast<Key>(i % 4 == 0)));
    const device_array<Key> keys(queries), next(n);
    const device_array<Value> values(n);
    const device_array<uint8_t> present(n);
    bool *flags = reinterpret_cast<bool *>(present.get());
    const Value absent = static_cast<Value>(99);
    const auto compare = [&](const char *query, auto right_of, bool with_keys) {
      const auto got = values.read();
      const auto there = present.read();
      const auto got_keys = next.read();
      for (uint64_t i = 0; i < n; ++i) {
        const auto right = right_of(queries[i]);
        const bool wanted = right != model.end();
        EXPECT(bool(there[i]) == wanted && got[i] == (wanted ? right->second : absent) &&
                   (!with_keys || !wanted || got_keys[i] == right->first),
               "%s: %s of query %llu", what, query, static_cast<unsigned long long>(i));
      }
      values.expect_intact(query);
      present.expect_intact(query);
      next.expect_intact(query);
    };
    CUDA_OK(tree.find(keys.get(), values.get(), n, flags, absent, nullptr, Queries{}));
    compare("find", [&](Key k) { return model.find(k); }, false);
    call_twice([&](void *d_temp, size_t &bytes) {
      return tree.successor_async(d_temp, bytes, keys.get(), n, next.get(), values.get(), flags,
                                  absent, {}, Queries{});
    });
    compare("successor", [&](Key k) { return model.upper_bound(k); }, true);
    call_twice([&](void *d_temp, size_t &bytes) {
      return tree.predecessor_async(d_temp, bytes, keys.get(), n, next.get(), values.get(), flags,
                                    absent, {}, Queries{});
    });
    compare(
        "predecessor",
        [&](Key k) {
          auto at = model.lower_bound(k);
          return at == model.begin() ? model.end() : --at;
        },
        true);
  }

  /// Ranges of about `length` keys, some empty, one of all; room for most of what lies in them.
  void check_ranges(const char *what, uint64_t n, uint64_t different, uint64_t length,
                    uint64_t seed) const {
    std::vector<Key> first, last, right_keys;
    std::vector<Value> right_values;
    std::vector<uint64_t> right_offsets{0};
    for (uint64_t i = 0; i < n; ++i) {
      const uint64_t from = scramble(seed + i) % different;
      first.push_back(i == 3 ? std::numeric_limits<Key>::lowest() : key_of<Key>(from));
      last.push_back(i == 3       ? std::numeric_limits<Key>::max()
                     : i % 8 == 5 ? static_cast<Key>(key_of<Key>(from) - static_cast<Key>(1))
                                  : key_of<Key>(from + scramble(i) % length));
      for (auto at = model.lower_bound(first[i]); at != model.end() && at->first <= last[i]; ++at) {
        right_keys.push_back(at->first);
        right_values.push_back(at->second);
      }
      right_offsets.push_back(right_keys.size());
    }
    const uint64_t total = right_keys.size(), capacity = total - total / 8;
    const device_array<Key> firsts(first), lasts(last), keys(capacity);
    const device_array<Value> values(capacity);
    const device_array<uint64_t> offsets(n + 1);
    CUDA_OK(tree.count(firsts.get(), lasts.get(), offsets.get(), n));
    EXPECT(offsets.read() == right_offsets, "%s: count", what);
    device_status status;
    CUDA_OK(tree.range(firsts.get(), lasts.get(), n, offsets.get(), keys.get(), values.get(),
                       capacity, status));
    EXPECT(offsets.read() == right_offsets, "%s: offsets", what);
    EXPECT(capacity == total
               ? status.ok()
               : status.error() == data_error::buffer_too_small && status.detail() == total,
           "%s: status", what);
    right_keys.resize(capacity);
    right_values.resize(capacity);
    EXPECT(keys.read() == right_keys && values.read() == right_values, "%s: elements", what);
    keys.expect_intact("keys of ranges");
    values.expect_intact("values of ranges");
    offsets.expect_intact("offsets of ranges");
  }
  /// All elements, in order; then without room for the last eighth.
  void check_export(const char *what) const {
    std::vector<Key> keys;
    std::vector<Value> values;
    CUDA_OK(tree.to_host(keys, values));
    std::map<Key, Value> got;
    for (size_t i = 0; i < keys.size(); ++i)
      got.insert({keys[i], values[i]});
    EXPECT(got == model && keys.size() == model.size() && std::is_sorted(keys.begin(), keys.end()),
           "%s: %zu elements exported, %zu right", what, keys.size(), model.size());
    const uint64_t total = model.size(), capacity = total - total / 8;
    const device_array<Key> some(capacity);
    const device_array<uint64_t> count(1);
    const device_array<device_status> status(std::vector<device_status>(1));
    call_twice([&](void *d_temp, size_t &bytes) {
      return tree.retrieve_all_async(d_temp, bytes, some.get(), nullptr, capacity, count.get(),
                                     {nullptr, status.get()});
    });
    keys.resize(capacity);
    EXPECT(some.read() == keys && count.read()[0] == total, "%s: some exported", what);
    EXPECT(capacity == total ? status.read()[0].ok()
                             : status.read()[0].error() == data_error::buffer_too_small &&
                                   status.read()[0].detail() == total,
           "%s: status of an export", what);
    some.expect_intact("exported keys");
  }
  void clean_up() { CUDA_OK(tree.cleanup(nullptr, Policy{})); }
  uint64_t num_elements() const {
    lsm_statistics now;
    CUDA_OK(tree.statistics(now));
    return now.num_elements;
  }

  tree_type tree;
  std::map<Key, Value> model;

private:
  lsm_order order_;
};

struct shape {
  uint64_t batch_size, capacity, largest_call, different;
  uint32_t calls;
  lsm_order order;
};

template <class Key, class Value, class Policy = lsm_policy>
void check_tree(const char *what, const shape &s) {
  checked_tree<Key, Value, Policy> tree(s.batch_size, s.capacity, s.order);
  tree.check_finds("empty", 100, 100, 1);
  tree.check_export("empty");
  tree.check_ranges("empty", 10, 100, 10, 1);
  for (uint32_t call = 0; call < s.calls; ++call) {
    const change how = static_cast<change>(scramble(call) % 4 % 3); // insertions twice as often
    const uint64_t n = call % 3 == 0 ? s.batch_size
                       : call == 4   ? 1
                                     : 1 + scramble(call + 77) % s.largest_call;
    tree.apply(random_batch<Key, Value>(n, s.different, how, call), how);
    if (call % 7 == 6) {
      tree.clean_up();
      EXPECT(tree.num_elements() == tree.model.size(), "%s: %llu elements, %zu right", what,
             static_cast<unsigned long long>(tree.num_elements()), tree.model.size());
    }
    if (call % 4 == 1)
      tree.check_export(what);
    tree.check_finds(what, 2000, s.different, call);
    tree.template check_finds<by_threads>(what, 2000, s.different, call);
    // By a block, by the blocks of a cluster, and in three launches.
    tree.check_ranges(what,
                      call % 3 == 0   ? 10
                      : call % 3 == 1 ? 100
                                      : 300,
                      s.different, call % 2 ? 10 : 400, call);
  }
}

} // namespace lsm_test
