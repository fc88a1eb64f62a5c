//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Memory of log-structured merge trees, from a resource of the user: if any allocation of a call
// fails, the tree is unchanged; all is given back, on the stream of creation. Asynchronous calls
// neither allocate nor wait; others are refused where a stream is captured. What calls write
// overlaps none of their other arrays, or they are refused.
//
//===----------------------------------------------------------------------===//

#include "faked_runtime.hpp"

#include <colonnade/lsm.cuh>

using namespace colonnade;

namespace {

using tree_type = lsm_map<uint32_t, uint32_t, faked::resource>;

alignas(8) uint32_t keys[3000], values[3000], others[3000];
bool flags[3000];
uint64_t offsets[3001];
device_status status_of_calls;

cudaError_t create(tree_type &tree, uint64_t batch_size) {
  lsm_options options;
  options.batch_size = batch_size;
  options.capacity = 7 * batch_size;
  return tree_type::create(tree, options, faked::stream(1), {7});
}
bool is_first(const tree_type &tree) { return tree.batch_size() == 100 && tree.capacity() == 700; }

template <class Call> void check(const char *what, Call call) {
  faked::each_failure<tree_type>(
      what, [](tree_type &tree) { CUDA_OK(create(tree, 100)); }, call, is_first);
}

void check_calls() {
  const cudaStream_t stream = faked::stream(1);
  device_status status;
  check("create", [](tree_type &tree) { return create(tree, 50); });
  check("reserve", [&](tree_type &tree) { return tree.reserve(100000, stream); });
  check("insert", [&](tree_type &tree) { return tree.insert(keys, values, 1000, status, stream); });
  check("erase", [&](tree_type &tree) { return tree.erase(keys, 10, status, stream); });
  check("find", [&](tree_type &tree) {
    return tree.find(keys, values, 3000, nullptr, 0, stream, lsm_sorted_queries{});
  });
  check("count", [&](tree_type &tree) { return tree.count(keys, values, offsets, 100, stream); });
  check("cleanup", [&](tree_type &tree) { return tree.cleanup(stream); });
  check("build", [&](tree_type &tree) {
    return tree_type::build(tree, {}, keys, values, 3000, {stream}, {7});
  });
  check("from_host", [&](tree_type &tree) {
    return tree_type::from_host(tree, {}, keys, values, 3000, stream, {7});
  });
  check("to_host", [&](tree_type &tree) {
    std::vector<uint32_t> some_keys, some_values;
    return tree.to_host(some_keys, some_values, stream);
  });
}

/// A stream that a tree has grown on may be gone when the tree is.
void check_stream() {
  faked::on = true;
  faked::book = {};
  {
    tree_type tree;
    CUDA_OK(create(tree, 100));
    CUDA_OK(tree.reserve(10000, faked::stream(2)));
    faked::book.freed_on = faked::stream(1);
  }
  EXPECT(faked::book.live.empty(), "memory that nobody gave back");
  faked::on = false;
}

/// What is moved from has nothing, and what is assigned to gives back what it had.
void check_moves() {
  faked::on = true;
  faked::book = {};
  {
    tree_type first, second;
    CUDA_OK(create(first, 100));
    const size_t pieces = faked::book.live.size();
    CUDA_OK(create(second, 50));
    second = std::move(first);
    EXPECT(faked::book.live.size() == pieces && is_first(second) && first.capacity() == 0,
           "moved trees");
    CUDA_OK(second.reserve(10000, faked::stream(1)));
  }
  EXPECT(faked::book.live.empty(), "memory that nobody gave back");
  faked::on = false;
}

void check_asynchronous_calls() {
  faked::on = true;
  faked::book = {};
  tree_type tree;
  CUDA_OK(create(tree, 100));
  const run_options on{faked::stream(3), &status_of_calls};
  const auto check = [](const char *what, auto call) { faked::expect_asynchronous(what, call); };
  for (const uint64_t n : {uint64_t{10}, uint64_t{100}, uint64_t{3000}}) {
    check("insert", [&](void *temp, size_t &bytes) {
      return tree.insert_async(temp, bytes, keys, values, n, on);
    });
    check("erase",
          [&](void *temp, size_t &bytes) { return tree.erase_async(temp, bytes, keys, n, on); });
    check("update", [&](void *temp, size_t &bytes) {
      return tree.update_async(temp, bytes, keys, values, flags, n, on);
    });
    check("find", [&](void *temp, size_t &bytes) {
      return tree.find_async(temp, bytes, keys, values, n, flags, 0, on);
    });
    check("find, sorted", [&](void *temp, size_t &bytes) {
      return tree.find_async(temp, bytes, keys, values, n, flags, 0, on, lsm_sorted_queries{});
    });
    check("successor", [&](void *temp, size_t &bytes) {
      return tree.successor_async(temp, bytes, keys, n, values, nullptr, flags, 0, on);
    });
    check("predecessor", [&](void *temp, size_t &bytes) {
      return tree.predecessor_async(temp, bytes, keys, n, values, nullptr, flags, 0, on);
    });
  }
  check("count", [&](void *temp, size_t &bytes) {
    return tree.count_async(temp, bytes, keys, values, offsets, 100, on);
  });
  check("range", [&](void *temp, size_t &bytes) {
    return tree.range_async(temp, bytes, keys, values, 100, offsets, others, nullptr, 3000, on);
  });
  check("retrieve_all", [&](void *temp, size_t &bytes) {
    return tree.retrieve_all_async(temp, bytes, keys, values, 3000, offsets, on);
  });
  check("cleanup", [&](void *temp, size_t &bytes) { return tree.cleanup_async(temp, bytes, on); });
  faked::expect_queued("clear", [&] { return tree.clear_async(on); });
  faked::on = false;
}

void check_captured_calls() {
  faked::on = true;
  faked::book = {};
  {
    const cudaStream_t stream = faked::stream(1);
    tree_type tree;
    CUDA_OK(create(tree, 100));
    device_status status;
    lsm_statistics now;
    std::vector<uint32_t> some;
    const auto check = [](const char *what, auto call) { faked::expect_not_captured(what, call); };
    check("create", [&] { return create(tree, 50); });
    check("reserve", [&] { return tree.reserve(100000, stream); });
    check("insert", [&] { return tree.insert(keys, values, 10, status, stream); });
    check("erase", [&] { return tree.erase(keys, 10, status, stream); });
    check("update", [&] { return tree.update(keys, values, flags, 10, status, stream); });
    check("cleanup", [&] { return tree.cleanup(stream); });
    check("find", [&] { return tree.find(keys, values, 10, nullptr, 0, stream); });
    check("successor", [&] { return tree.successor(keys, 10, values, nullptr, flags, 0, stream); });
    check("predecessor",
          [&] { return tree.predecessor(keys, 10, values, nullptr, flags, 0, stream); });
    check("count", [&] { return tree.count(keys, values, offsets, 10, stream); });
    check("range", [&] {
      return tree.range(keys, values, 10, offsets, others, nullptr, 10, status, stream);
    });
    check("build", [&] { return tree_type::build(tree, {}, keys, values, 10, {stream}, {7}); });
    check("from_host",
          [&] { return tree_type::from_host(tree, {}, keys, values, 10, stream, {7}); });
    check("to_host", [&] { return tree.to_host(some, some, stream); });
    check("statistics", [&] { return tree.statistics(now, stream); });
    EXPECT(is_first(tree), "changed in a captured stream");
  }
  EXPECT(faked::book.live.empty(), "memory that nobody gave back");
  faked::on = false;
}

/// Arrays that overlap by one item; what is only read may overlap.
void check_overlaps() {
  faked::on = true;
  faked::book = {};
  {
    tree_type tree;
    CUDA_OK(create(tree, 100));
    size_t bytes = 0;
    const auto check = [&](const char *what, bool right, auto call) {
      CUDA_OK(call(static_cast<void *>(nullptr), bytes));
      const std::vector<char> temp(bytes + 1);
      const cudaError_t error = call(const_cast<char *>(temp.data()), bytes);
      EXPECT(error == (right ? cudaSuccess : cudaErrorInvalidValue), "%s", what);
    };
    const auto find = [&](const char *what, bool right, uint32_t *out, bool *present) {
      check(what, right, [&](void *temp, size_t &b) {
        return tree.find_async(temp, b, keys, out, 100, present);
      });
    };
    find("find: apart", true, keys + 100, flags);
    find("find: values in queries", false, keys + 99, flags);
    find("find: flags in queries", false, values, reinterpret_cast<bool *>(keys) + 399);
    find("find: flags in values", false, values, reinterpret_cast<bool *>(values + 50));
    const auto successor = [&](const char *what, bool right, uint32_t *next) {
      check(what, right, [&](void *temp, size_t &b) {
        return tree.successor_async(temp, b, keys, 100, next, values, nullptr);
      });
    };
    successor("successor: apart", true, others);
    successor("successor: keys in values", false, values + 99);
    successor("successor: keys in queries", false, keys + 1);
    const auto range = [&](const char *what, bool right, const uint32_t *last, uint32_t *out) {
      check(what, right, [&](void *temp, size_t &b) {
        return tree.range_async(temp, b, keys, last, 100, offsets, out, others, 50);
      });
    };
    range("range: one array of ends", true, keys, values);
    range("range: keys in ends", false, keys + 10, keys + 109);
    range("range: keys in values", false, keys, others + 49);
    range("range: keys in offsets", false, keys, reinterpret_cast<uint32_t *>(offsets + 100));
    check("count: offsets in ends", false, [&](void *temp, size_t &b) {
      return tree.count_async(temp, b, keys, values, reinterpret_cast<uint64_t *>(values + 2), 100);
    });
    const auto retrieve = [&](const char *what, bool right, uint32_t *out, uint64_t *count) {
      check(what, right, [&](void *temp, size_t &b) {
        return tree.retrieve_all_async(temp, b, out, others, 50, count);
      });
    };
    retrieve("retrieve_all: apart", true, others + 50, offsets);
    retrieve("retrieve_all: keys in values", false, others + 49, offsets);
    retrieve("retrieve_all: the number in values", false, values,
             reinterpret_cast<uint64_t *>(others + 48));
    check("insert: keys as values", true,
          [&](void *temp, size_t &b) { return tree.insert_async(temp, b, keys, keys, 10); });
  }
  faked::on = false;
}

/// What is small is done in one launch.
void check_launches() {
  faked::on = true;
  faked::book = {};
  {
    tree_type tree;
    CUDA_OK(create(tree, 100));
    const auto check = [&](const char *what, uint32_t right, auto call) {
      size_t bytes = 0;
      CUDA_OK(call(static_cast<void *>(nullptr), bytes));
      std::vector<char> temp(bytes);
      faked::launches = 0;
      CUDA_OK(call(temp.data(), bytes));
      EXPECT(faked::launches == right, "%s: %u launches", what, faked::launches);
    };
    check("find", 1, [&](void *temp, size_t &bytes) {
      return tree.find_async(temp, bytes, keys, values, 3000);
    });
    for (const uint64_t n : {0, 1, 100, 3000}) {
      const uint32_t launches = n <= 100 ? 1 : 3;
      check("count", launches, [&](void *temp, size_t &bytes) {
        return tree.count_async(temp, bytes, keys, values, offsets, n);
      });
      check("range", launches, [&](void *temp, size_t &bytes) {
        return tree.range_async(temp, bytes, keys, values, n, offsets, others, nullptr, 10);
      });
    }
  }
  faked::on = false;
}

} // namespace

int main() {
  check_calls();
  check_asynchronous_calls();
  check_captured_calls();
  check_stream();
  check_moves();
  check_overlaps();
  check_launches();
  return gpu_result("memory of log-structured merge trees");
}
