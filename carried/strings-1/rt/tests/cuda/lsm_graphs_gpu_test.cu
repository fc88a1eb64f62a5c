//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Log-structured merge trees in captured graphs: every asynchronous call is captured once and
// replayed with changed input, of a tree that has changed between; changes against std::map,
// queries against plain calls. Graphs of before a tree got more levels.
//
//   --small   for the sanitizers
//
//===----------------------------------------------------------------------===//

#include "lsm_case.cuh"

using namespace lsm_test;

namespace {

using tree_type = lsm_map<uint32_t, uint32_t>;
using pairs = batch<uint32_t, uint32_t>;

bool *flags(const device_array<uint8_t> &array) { return reinterpret_cast<bool *>(array.get()); }

/// call(d_temp, bytes, options), with storage of its own and a status.
class captured_call {
public:
  template <class Call>
  explicit captured_call(Call call)
      : bytes_(bytes_of(call)), temp_(bytes_, 3, contents_of_storage()),
        status_(std::vector<device_status>(1)), graph_([&](cudaStream_t stream) {
          return call(static_cast<void *>(temp_.get()), bytes_, run_options{stream, status_.get()});
        }) {}
  /// What it reports.
  device_status replay() const {
    status_.write(std::vector<device_status>(1));
    graph_.replay();
    temp_.expect_intact("storage of a graph");
    return status_.read()[0];
  }

private:
  template <class Call> static size_t bytes_of(Call call) {
    size_t bytes = 0;
    CUDA_OK(call(static_cast<void *>(nullptr), bytes, run_options{}));
    return bytes;
  }
  size_t bytes_;
  device_array<uint8_t> temp_;
  device_array<device_status> status_;
  captured_graph graph_;
};

/// All changes of a tree, captured.
struct captured_changes {
  device_array<uint32_t> keys, values;
  device_array<uint8_t> erases;
  captured_call insert, erase, update, cleanup, clear;

  captured_changes(tree_type &tree, uint64_t n)
      : keys(n), values(n), erases(std::vector<uint8_t>(n)),
        insert([&](void *temp, size_t &bytes, const run_options &on) {
          return tree.insert_async(temp, bytes, keys.get(), values.get(), n, on);
        }),
        erase([&](void *temp, size_t &bytes, const run_options &on) {
          return tree.erase_async(temp, bytes, keys.get(), n, on);
        }),
        update([&](void *temp, size_t &bytes, const run_options &on) {
          return tree.update_async(temp, bytes, keys.get(), values.get(), flags(erases), n, on);
        }),
        cleanup([&](void *temp, size_t &bytes, const run_options &on) {
          return tree.cleanup_async(temp, bytes, on);
        }),
        clear([&](void *temp, size_t &bytes, const run_options &on) {
          bytes = 1;
          return temp ? tree.clear_async(on) : cudaSuccess;
        }) {}
  device_status replay(const pairs &b, change what) const {
    keys.write(b.keys);
    values.write(b.values);
    erases.write(b.erases);
    return (what == change::insert ? insert : what == change::erase ? erase : update).replay();
  }
};

/// n: operations of a call, of a tree with batches of b.
void check_changes(uint64_t b, uint64_t n, lsm_order order, uint64_t replays = 12) {
  checked_tree<uint32_t, uint32_t> tree(b, 20 * n, order);
  const uint64_t capacity = tree.tree.capacity(), different = 2 * n;
  const captured_changes graphs(tree.tree, n);
  for (uint64_t i = 0; i < replays; ++i) {
    const change what = static_cast<change>(i % 4 % 3); // insertions twice as often
    const auto one = random_batch<uint32_t, uint32_t>(n, different, what, i);
    EXPECT(graphs.replay(one, what).ok(), "replay %llu", static_cast<unsigned long long>(i));
    tree.record(one);
    if (i == 5 || i == 10) {
      EXPECT(graphs.cleanup.replay().ok(), "replayed cleanup");
      EXPECT(tree.num_elements() == tree.model.size(), "what a replayed cleanup left");
    }
    if (i == 7) {
      EXPECT(graphs.clear.replay().ok(), "replayed clear");
      tree.model.clear();
      EXPECT(tree.num_elements() == 0, "what a replayed clear left");
    }
    tree.check_finds("replayed changes", 300, different, i);
  }
  tree.check_ranges("replayed changes", 20, different, 50, 1);
  tree.check_export("replayed changes");
  EXPECT(tree.tree.capacity() == capacity, "it has grown");
}

/// Queries, of a tree that holds something else at each replay.
void check_queries(uint64_t n) {
  const uint64_t different = 3 * n, capacity = 2 * n;
  tree_type tree;
  lsm_options options;
  options.batch_size = n / 3;
  options.capacity = 4 * n;
  CUDA_OK(tree.create(tree, options));
  const device_array<uint32_t> keys(n), last(n), values(n), next(n), listed(capacity),
      listed_values(capacity);
  const device_array<uint8_t> present(n);
  const device_array<uint64_t> offsets(n + 1), count(1);
  const device_array<device_status> status(1);
  const auto fill = [&](uint64_t seed) {
    device_status unused;
    CUDA_OK(tree.clear_async());
    for (const change what : {change::insert, change::erase, change::insert}) {
      const auto b = random_batch<uint32_t, uint32_t>(n + seed, different, what,
                                                      3 * seed + static_cast<uint64_t>(what));
      const device_array<uint32_t> some(b.keys), others(b.values);
      const uint64_t count_of = what == change::erase ? n / 4 : n + seed;
      CUDA_OK(what == change::erase ? tree.erase(some.get(), count_of, unused)
                                    : tree.insert(some.get(), others.get(), count_of, unused));
      EXPECT(unused.ok(), "filled");
    }
    const auto queries = random_batch<uint32_t, uint32_t>(n, different + 2, change::insert, ~seed);
    keys.write(queries.keys);
    std::vector<uint32_t> ends = queries.keys;
    for (uint64_t i = 0; i < n; ++i)
      ends[i] += 20 + i % 40;
    last.write(ends);
    status.write(std::vector<device_status>(1));
  };
  const auto on = [&](cudaStream_t stream) { return run_options{stream, status.get()}; };
  const auto check = [&](const char *what, auto call, const auto &...outputs) {
    check_replays(what, fill, call, outputs..., status);
  };
  check(
      "find",
      [&](void *temp, size_t &bytes, cudaStream_t stream) {
        return tree.find_async(temp, bytes, keys.get(), values.get(), n, flags(present), 99,
                               on(stream));
      },
      values, present);
  check(
      "find, sorted queries",
      [&](void *temp, size_t &bytes, cudaStream_t stream) {
        return tree.find_async(temp, bytes, keys.get(), values.get(), n, flags(present), 99,
                               on(stream), lsm_sorted_queries{});
      },
      values, present);
  check(
      "find, a thread a query",
      [&](void *temp, size_t &bytes, cudaStream_t stream) {
        return tree.find_async(temp, bytes, keys.get(), values.get(), n, flags(present), 99,
                               on(stream), by_threads{});
      },
      values, present);
  check(
      "successor",
      [&](void *temp, size_t &bytes, cudaStream_t stream) {
        return tree.successor_async(temp, bytes, keys.get(), n, next.get(), values.get(),
                                    flags(present), 99, on(stream));
      },
      next, values, present);
  check(
      "predecessor, sorted queries",
      [&](void *temp, size_t &bytes, cudaStream_t stream) {
        return tree.predecessor_async(temp, bytes, keys.get(), n, next.get(), values.get(),
                                      flags(present), 99, on(stream), lsm_sorted_queries{});
      },
      next, values, present);
  check(
      "predecessor",
      [&](void *temp, size_t &bytes, cudaStream_t stream) {
        return tree.predecessor_async(temp, bytes, keys.get(), n, next.get(), values.get(),
                                      flags(present), 99, on(stream));
      },
      next, values, present);
  for (const uint64_t queries : {n, uint64_t{9}}) { // by several blocks, and by one
    check(
        "count",
        [&](void *temp, size_t &bytes, cudaStream_t stream) {
          return tree.count_async(temp, bytes, keys.get(), last.get(), offsets.get(), queries,
                                  on(stream));
        },
        offsets);
    check(
        "range",
        [&](void *temp, size_t &bytes, cudaStream_t stream) {
          return tree.range_async(temp, bytes, keys.get(), last.get(), queries, offsets.get(),
                                  listed.get(), listed_values.get(), queries, on(stream));
        },
        offsets, listed, listed_values);
  }
  check(
      "retrieve_all",
      [&](void *temp, size_t &bytes, cudaStream_t stream) {
        return tree.retrieve_all_async(temp, bytes, listed.get(), listed_values.get(), n / 2,
                                       count.get(), on(stream));
      },
      listed, listed_values, count);
}

/// Graphs that know 2 levels of a tree that has more by then.
void check_growth() {
  constexpr uint64_t b = 64, n = 50;
  checked_tree<uint32_t, uint32_t> tree(b, 3 * b, lsm_order::in_order);
  const captured_changes changes(tree.tree, n);
  const device_array<uint32_t> queries(n), last(std::vector<uint32_t>(n, ~0u)), found(n);
  const device_array<uint64_t> offsets(n + 1), count(1);
  const captured_call find([&](void *temp, size_t &bytes, const run_options &on) {
    return tree.tree.find_async(temp, bytes, queries.get(), found.get(), n, nullptr, 77, on);
  });
  const captured_call find_by_threads([&](void *temp, size_t &bytes, const run_options &on) {
    return tree.tree.find_async(temp, bytes, queries.get(), found.get(), n, nullptr, 78, on,
                                by_threads{});
  });
  const captured_call range([&](void *temp, size_t &bytes, const run_options &on) {
    return tree.tree.range_async(temp, bytes, queries.get(), last.get(), n, offsets.get(),
                                 found.get(), nullptr, n, on);
  });
  const captured_call export_all([&](void *temp, size_t &bytes, const run_options &on) {
    return tree.tree.retrieve_all_async(temp, bytes, found.get(), nullptr, n, count.get(), on);
  });
  CUDA_OK(tree.tree.reserve(40 * b));
  const auto batch_of = [](uint64_t seed) {
    return random_batch<uint32_t, uint32_t>(n, 200, change::update, seed);
  };
  const auto first = batch_of(1);
  EXPECT(changes.replay(first, change::update).ok(), "a graph of before, when there is room");
  tree.record(first);
  queries.write(first.keys);
  EXPECT(find.replay().ok(), "a query of before, when it knows all levels");
  tree.check_finds("changed by a graph of before", 100, 200, 1);
  for (uint64_t i = 2; tree.num_elements() < 20 * b; ++i)
    tree.apply(batch_of(i), change::update);
  const uint64_t all = tree.num_elements();
  const auto refused = [&](const device_status &status, uint64_t detail) {
    return status.error() == data_error::buffer_too_small && status.detail() == detail;
  };
  EXPECT(refused(changes.replay(batch_of(1), change::update), all + n), "update");
  EXPECT(refused(changes.replay(batch_of(1), change::insert), all + n), "insert");
  EXPECT(refused(changes.cleanup.replay(), all), "cleanup");
  EXPECT(refused(find.replay(), all) && found.read() == std::vector<uint32_t>(n, 77), "find");
  EXPECT(refused(find_by_threads.replay(), all) && found.read() == std::vector<uint32_t>(n, 78),
         "find, a thread a query");
  EXPECT(refused(range.replay(), all) && offsets.read() == std::vector<uint64_t>(n + 1), "range");
  EXPECT(refused(export_all.replay(), all) && count.read()[0] == 0, "retrieve_all");
  EXPECT(tree.num_elements() == all, "changed all the same");
  tree.check_finds("after graphs of before", 300, 200, 2);
  tree.check_export("after graphs of before");
  EXPECT(changes.clear.replay().ok() && tree.num_elements() == 0, "clear");
}

/// Synchronous calls are refused while a stream is captured; asynchronous ones are not.
void check_capture() {
  checked_tree<uint32_t, uint32_t> tree(100, 1000, lsm_order::deletions_win);
  const device_array<uint32_t> keys(100), values(100);
  cudaStream_t stream;
  CUDA_OK(cudaStreamCreate(&stream));
  CUDA_OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
  device_status status;
  lsm_statistics now;
  EXPECT(tree.tree.insert(keys.get(), values.get(), 100, status, stream) ==
             cudaErrorStreamCaptureUnsupported,
         "insert");
  EXPECT(tree.tree.find(keys.get(), values.get(), 100, nullptr, 0, stream) ==
             cudaErrorStreamCaptureUnsupported,
         "find");
  EXPECT(tree.tree.reserve(1u << 20, stream) == cudaErrorStreamCaptureUnsupported, "reserve");
  EXPECT(tree.tree.statistics(now, stream) == cudaErrorStreamCaptureUnsupported, "statistics");
  cudaGraph_t graph;
  CUDA_OK(cudaStreamEndCapture(stream, &graph));
  CUDA_OK(cudaGraphDestroy(graph));
  CUDA_OK(cudaStreamDestroy(stream));
}

} // namespace

int main(int argc, char **argv) {
  require_gpu();
  const bool small = small_run(argc, argv);
  check_changes(small ? 100 : 3000, small ? 100 : 3000, lsm_order::deletions_win);
  check_changes(small ? 40 : 700, small ? 100 : 3000, lsm_order::in_order); // what is staged
  // What is sorted to the lowest level, where that is empty; its last node is not whole.
  const uint64_t many = detail::least_sorted_to_level + 5;
  check_changes(many, many, lsm_order::in_order, small ? 5 : 12);
  check_queries(small ? 300 : 5000);
  check_growth();
  check_capture();
  return gpu_result("log-structured merge trees in graphs");
}
