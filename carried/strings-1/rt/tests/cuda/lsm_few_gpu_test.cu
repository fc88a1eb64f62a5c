//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Few queries of a log-structured merge tree, which a tile of lanes answers each, and as many by a
// thread each, against std::map: numbers of them around the largest that is few; trees that are
// empty, that have a buffer alone, keys in many runs, and erased ones; many erased keys between two
// neighbours; outputs that are not wanted. (In graphs: lsm_graphs_gpu_test.cu.)
//
//   --small   for the sanitizers
//
//===----------------------------------------------------------------------===//

#include "lsm_case.cuh"

using namespace lsm_test;

namespace {

constexpr uint32_t lanes = 1 << 12;
using by_tiles = few_query_lanes<lanes>;

template <class Key, class Value> class few_checker {
public:
  few_checker(uint64_t batch_size, uint64_t batches, uint64_t different, lsm_order order)
      : tree_(batch_size, batches * batch_size, order), b_(batch_size), different_(different) {}

  void apply(uint64_t n, change how, uint64_t seed) {
    tree_.apply(random_batch<Key, Value>(n, different_, how, seed), how);
  }
  void clean_up() { tree_.clean_up(); }
  void check(const char *what) const {
    const uint64_t most = largest_few();
    for (const uint64_t n : {uint64_t{1}, most - 1, most, most + 1}) {
      tree_.template check_finds<by_tiles>(what, n, different_, n);
      tree_.template check_finds<by_threads>(what, n, different_, n);
    }
  }
  uint64_t batch_size() const { return b_; }

private:
  uint64_t largest_few() const {
    const uint64_t batches = tree_.tree.capacity() / b_;
    uint32_t levels = 0;
    while ((uint64_t{1} << levels) - 1 < batches)
      ++levels;
    const uint64_t most = lanes >> detail::lsm_log2_query_lanes(levels);
    const lsm_tuning tuning = by_tiles::tuning(gpu_architecture::sm_90, sizeof(Key), sizeof(Value));
    EXPECT(detail::lsm_are_few(tuning, levels, most) &&
               !detail::lsm_are_few(tuning, levels, most + 1),
           "%llu queries", static_cast<unsigned long long>(most));
    return most;
  }

  checked_tree<Key, Value> tree_;
  uint64_t b_, different_;
};

template <class Key, class Value>
void check_few(const char *what, uint64_t b, uint64_t batches, lsm_order order) {
  few_checker<Key, Value> few(b, batches, b * batches / 3, order);
  few.check(what);
  few.apply(b - 1, change::insert, 1);
  few.check(what); // a buffer alone
  const uint64_t call = b * batches / 8;
  for (uint64_t i = 0; i < 4; ++i) {
    few.apply(call, i == 0 ? change::insert : change::update, i + 2);
    few.check(what);
  }
  few.clean_up();
  few.check(what);
  few.apply(b / 2 + 1, change::erase, 7);
  few.check(what);
}

/// Tiles that pass over one erased key, and over a thousand; all keys erased.
void check_erased() {
  checked_tree<uint32_t, uint32_t> tree(64, 0, lsm_order::in_order);
  const auto keys_from = [](uint32_t first, uint32_t end) {
    batch<uint32_t, uint32_t> b;
    for (uint32_t i = first; i < end; ++i) {
      b.keys.push_back(key_of<uint32_t>(i));
      b.values.push_back(i);
      b.erases.push_back(0);
    }
    return b;
  };
  const auto erase = [&](uint32_t first, uint32_t end) {
    auto b = keys_from(first, end);
    b.erases.assign(b.erases.size(), 1);
    tree.apply(b, change::erase);
  };
  const auto check = [&](const char *what) {
    tree.check_finds<by_tiles>(what, 100, 1200, 1);
    tree.check_finds<by_threads>(what, 100, 1200, 1);
  };
  tree.apply(keys_from(0, 1200), change::insert);
  erase(100, 1100);
  check("a thousand erased keys");
  tree.apply(keys_from(300, 400), change::insert);
  erase(350, 351);
  check("some of them inserted again");
  erase(0, 1200);
  check("all keys erased");
}

/// Each of the outputs alone.
void check_outputs() {
  checked_tree<uint32_t, uint32_t> tree(50, 0, lsm_order::deletions_win);
  for (uint64_t i = 0; i < 3; ++i)
    tree.apply(random_batch<uint32_t, uint32_t>(120, 300, change::update, i), change::update);
  constexpr uint64_t n = 77;
  const auto queries = random_batch<uint32_t, uint32_t>(n, 310, change::insert, 9).keys;
  const device_array<uint32_t> keys(queries), next(std::vector<uint32_t>(n, 5)), values(n);
  const device_array<uint8_t> present(n);
  bool *const flags = reinterpret_cast<bool *>(present.get());
  call_twice([&](void *d_temp, size_t &bytes) {
    return tree.tree.find_async(d_temp, bytes, keys.get(), nullptr, n, flags, 0, {}, by_tiles{});
  });
  call_twice([&](void *d_temp, size_t &bytes) {
    return tree.tree.successor_async(d_temp, bytes, keys.get(), n, next.get(), nullptr, nullptr, 0,
                                     {}, by_tiles{});
  });
  call_twice([&](void *d_temp, size_t &bytes) {
    return tree.tree.predecessor_async(d_temp, bytes, keys.get(), n, nullptr, values.get(), nullptr,
                                       99, {}, by_tiles{});
  });
  const auto there = present.read();
  const auto after = next.read(), before = values.read();
  for (uint64_t i = 0; i < n; ++i) {
    const auto above = tree.model.upper_bound(queries[i]);
    auto below = tree.model.lower_bound(queries[i]);
    EXPECT(bool(there[i]) == (tree.model.count(queries[i]) != 0) &&
               after[i] == (above == tree.model.end() ? 5 : above->first) &&
               before[i] == (below == tree.model.begin() ? 99 : (--below)->second),
           "query %llu with one output", static_cast<unsigned long long>(i));
  }
}

} // namespace

int main(int argc, char **argv) {
  require_gpu();
  const bool small = small_run(argc, argv);
  const auto in_order = lsm_order::in_order, win = lsm_order::deletions_win;
  check_few<uint32_t, uint32_t>("tiles of 4", 100, 3, in_order);
  check_few<uint32_t, uint32_t>("tiles of 8", small ? 20 : 3000, 30, win);
  check_few<int32_t, uint32_t>("tiles of 16", 7, small ? 500 : 5000, in_order);
  if (!small) {
    check_few<uint32_t, uint32_t>("tiles of 32", 1, 70000, win);
    check_few<uint64_t, uint64_t>("64 bits", 500, 60, in_order);
    check_few<double, uint32_t>("doubles", 64, 200, in_order);
  }
  check_few<float, uint64_t>("floats", 33, 20, win);
  check_erased();
  check_outputs();
  return gpu_result("few queries of log-structured merge trees");
}
