//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Memory of log-structured merge trees, from a resource of the user: if any allocation of a call
// fails, the tree is unchanged; all is given back.
//
//===----------------------------------------------------------------------===//

#include "faked_runtime.hpp"

#include <colonnade/lsm.cuh>

using namespace colonnade;

namespace {

using tree_type = lsm_map<uint32_t, uint32_t, faked::resource>;

uint32_t keys[3000], values[3000];
uint64_t offsets[101];

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

} // namespace

int main() {
  check_calls();
  check_moves();
  return gpu_result("memory of log-structured merge trees");
}
