//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// lsm_bench_wide.cu: 64-bit pairs beside 32-bit ones: insertion, find, count and range, cleanup.
//
// A tree of each, filled alike, and the same call on both in turn. Trees that are asked have all of
// their levels full.
//
//===----------------------------------------------------------------------===//

#include "lsm_bench.cuh"
#include "lsm_bench_parts.hpp"

namespace bench {

using namespace colonnade;

namespace {

/// time(sample): milliseconds; sample: a key of the type in question.
template <class Time>
void beside_narrow(report &out, const std::string &what, uint64_t items, int runs, Time time) {
  std::vector<double> wide, narrow;
  for (int i = 0; i < runs + 1; ++i) {
    const float own = time(uint64_t{}), other = time(uint32_t{});
    if (i > 0) {
      wide.push_back(gigas(items, own));
      narrow.push_back(gigas(items, other));
    }
  }
  out.add(what + ", 64-bit pairs", "G/s", "32-bit pairs", wide, narrow);
}

/// One of each type.
template <template <class> class Of> class both {
public:
  template <class... Arguments> explicit both(const Arguments &...a) : narrow_(a...), wide_(a...) {}
  Of<uint32_t> &of(uint32_t) { return narrow_; }
  Of<uint64_t> &of(uint64_t) { return wide_; }

private:
  Of<uint32_t> narrow_;
  Of<uint64_t> wide_;
};

/// A tree, and n elements in batches.
template <class Key> struct filled_tree {
  Key *keys;
  lsm_map<Key, Key> tree;
  inserter<Key> in;

  filled_tree(uint64_t n, uint64_t batch)
      : keys(filled(n)), tree(new_tree<Key>(batch, n)), in(tree, keys, batch) {}
  ~filled_tree() { CUDA_OK(cudaFree(keys)); }
  filled_tree(const filled_tree &) = delete;

private:
  static Key *filled(uint64_t n) {
    Key *const array = memory<Key>(n);
    fill_uniform<<<2048, 256>>>(array, n, 1);
    return array;
  }
};

void insert_wide(report &out, uint64_t n, uint64_t batch, int runs) {
  both<filled_tree> trees(n, batch);
  beside_narrow(out, "insert, batches of " + size_name(batch), n, runs, [&](auto of) {
    auto &t = trees.of(of);
    return insert_all(t.tree, t.in, n / batch);
  });
}

template <class Key> __global__ void pick(const Key *keys, uint64_t of, Key *queries, uint64_t n) {
  for (uint64_t i = blockIdx.x * uint64_t{blockDim.x} + threadIdx.x; i < n;
       i += uint64_t{gridDim.x} * blockDim.x)
    queries[i] = keys[scramble(i) % of];
}
/// Queries in any order, of keys that are there.
template <class Key> struct find_calls {
  const filled_tree<Key> &t;
  Key *queries, *found;
  uint64_t n;
  size_t bytes = 0;
  char *d_temp;

  find_calls(const filled_tree<Key> &tree, uint64_t num_queries, uint64_t of)
      : t(tree), queries(memory<Key>(num_queries)), found(memory<Key>(num_queries)),
        n(num_queries) {
    pick<<<2048, 256>>>(t.keys, of, queries, n);
    CUDA_OK(t.tree.find_async(nullptr, bytes, queries, found, n, nullptr, {}, {},
                              lsm_sorted_queries{}));
    d_temp = memory<char>(bytes);
  }
  ~find_calls() {
    CUDA_OK(cudaFree(queries));
    CUDA_OK(cudaFree(found));
    CUDA_OK(cudaFree(d_temp));
  }
  find_calls(const find_calls &) = delete;
  template <class Policy> float time(Policy policy) {
    return milliseconds([&] {
      CUDA_OK(t.tree.find_async(d_temp, bytes, queries, found, n, nullptr, {}, {}, policy));
    });
  }
};

void ask_wide(report &out, uint64_t n, uint64_t batch, int runs) {
  both<filled_tree> trees(n, batch);
  const uint64_t batches = n / batch - 1, in_all = batches * batch;
  for (uint64_t i = 0; i < batches; ++i) {
    trees.of(uint32_t{}).in.insert(i);
    trees.of(uint64_t{}).in.insert(i);
  }
  const std::string of_batches = ", batches of " + size_name(batch);
  for (const uint64_t queries : {n / 16, n}) {
    find_calls<uint32_t> narrow(trees.of(uint32_t{}), queries, in_all);
    find_calls<uint64_t> wide(trees.of(uint64_t{}), queries, in_all);
    const auto find = [&](const std::string &what, auto policy) {
      beside_narrow(out, what + size_name(queries) + of_batches, queries, runs, [&](auto of) {
        if constexpr (sizeof of == 4)
          return narrow.time(policy);
        else
          return wide.time(policy);
      });
    };
    find("find ", lsm_policy{});
    find("find sorted ", lsm_sorted_queries{});
  }
  for (const uint32_t length : {8u, 1024u}) {
    const uint64_t queries = length == 8 ? n / 4 : n / 64;
    range_calls narrow(trees.of(uint32_t{}).tree, queries, queries * length * 5 / 4);
    range_calls wide(trees.of(uint64_t{}).tree, queries, queries * length * 5 / 4);
    narrow.ask(queries, length, in_all);
    wide.ask(queries, length, in_all);
    const std::string of_length = " of " + std::to_string(length) + of_batches;
    const auto ask = [&](const char *what, auto call) {
      beside_narrow(out, what + of_length, queries, runs, [&](auto of) {
        if constexpr (sizeof of == 4)
          return call(narrow, trees.of(of).tree);
        else
          return call(wide, trees.of(of).tree);
      });
    };
    ask("count", [](auto &calls, const auto &tree) { return calls.count(tree); });
    ask("range", [](auto &calls, const auto &tree) { return calls.list(tree); });
  }
}

/// One element of ten is stale.
void clean_up_wide(report &out, uint64_t batch, uint64_t batches, int runs) {
  const uint64_t n = batch * batches, different = n - n / 10;
  both<filled_tree> trees(n, batch);
  const auto repeat = [&](auto of) {
    auto *const keys = trees.of(of).keys;
    CUDA_OK(
        cudaMemcpy(keys + different, keys, (n - different) * sizeof of, cudaMemcpyDeviceToDevice));
  };
  repeat(uint32_t{});
  repeat(uint64_t{});
  size_t bytes = 0, narrow_bytes = 0;
  CUDA_OK(trees.of(uint64_t{}).tree.cleanup_async(nullptr, bytes));
  CUDA_OK(trees.of(uint32_t{}).tree.cleanup_async(nullptr, narrow_bytes));
  bytes = std::max(bytes, narrow_bytes);
  char *const d_temp = memory<char>(bytes);
  beside_narrow(out,
                "cleanup, " + std::to_string(batches) + " batches of " + size_name(batch) +
                    ", 10 % stale",
                n, runs, [&](auto of) {
                  auto &t = trees.of(of);
                  insert_all(t.tree, t.in, batches);
                  return milliseconds([&] { CUDA_OK(t.tree.cleanup_async(d_temp, bytes)); });
                });
  CUDA_OK(cudaFree(d_temp));
}

} // namespace

void measure_wide(report &out, uint64_t inserted, uint64_t queried, int runs) {
  for (const uint32_t batch : {16, 18, 20, 22})
    insert_wide(out, inserted / 4, uint64_t{1} << batch, runs);
  for (const uint32_t batch : {16, 20})
    ask_wide(out, queried, uint64_t{1} << batch, runs);
  clean_up_wide(out, queried >> 5, 63, runs);
}

} // namespace bench
