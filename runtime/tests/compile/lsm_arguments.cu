//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What lsm.cuh refuses before any CUDA call. (A tree whose arguments are right cannot be created
// without a device.)
//
//===----------------------------------------------------------------------===//

#include "no_gpu.hpp"

#include <colonnade/lsm.cuh>

using namespace colonnade;

namespace {

using tree_type = lsm_map<uint32_t, uint32_t>;
static_assert(std::is_trivially_copyable_v<tree_type::ref_type>); // kernels take it by value
static_assert(!std::is_copy_constructible_v<tree_type> &&
              std::is_nothrow_move_constructible_v<tree_type>);
some_memory<uint32_t> keys, values;
some_memory<uint64_t> offsets;
some_memory<bool> flags;
some_memory<char> temp;

cudaError_t create(uint64_t batch_size, uint64_t capacity) {
  tree_type tree;
  lsm_options options;
  options.batch_size = batch_size;
  options.capacity = capacity;
  return tree_type::create(tree, options);
}

void test_creation() {
  REACHES_CUDA(create(1, 0));
  REACHES_CUDA(create(1u << 16, 1u << 27));
  REACHES_CUDA(create(1, (uint64_t{1} << 31) - 1));
  REFUSED(create(0, 10));
  REFUSED(create(1, uint64_t{1} << 31)); // a level too many
  REFUSED(create(negative, 10));
  REFUSED(create(10, negative));
}

void test_whole() {
  tree_type tree;
  pair_file_error file;
  REACHES_CUDA(tree_type::build(tree, {}, keys.in(), values.in(), 10));
  REFUSED(tree_type::build(tree, {}, nullptr, values.in(), 10));
  REFUSED(tree_type::build(tree, {}, keys.in(), nullptr, 10));
  REFUSED(tree_type::build(tree, {}, keys.in(), values.in(), (uint64_t{1} << 32) + 1));
  REFUSED(tree_type::from_host(tree, {}, nullptr, values.in(), 10));
  REFUSED(tree_type::load(tree, "/there/is/no/such/file", file));
  EXPECT(file == pair_file_error::not_opened, "a file that is not there");
}

/// A tree that was never created refuses whatever it is asked, also for bytes.
void test_empty_handle() {
  tree_type tree;
  size_t bytes = 1000;
  device_status status;
  EXPECT(tree.capacity() == 0 && tree.bytes() == 0, "memory without a device");
  REFUSED(tree.reserve(10));
  REFUSED(tree.clear_async());
  REFUSED(tree.insert_async(nullptr, bytes, keys.in(), values.in(), 10));
  REFUSED(tree.insert_async(temp.get(), bytes, keys.in(), values.in(), 0));
  REFUSED(tree.erase_async(temp.get(), bytes, keys.in(), 10));
  REFUSED(tree.update_async(temp.get(), bytes, keys.in(), values.in(), flags.get(), 10));
  REFUSED(tree.cleanup_async(temp.get(), bytes));
  REFUSED(tree.find_async(temp.get(), bytes, keys.in(), values.get(), 10));
  REFUSED(tree.successor_async(temp.get(), bytes, keys.in(), 10, keys.get(), nullptr, nullptr));
  REFUSED(tree.predecessor_async(temp.get(), bytes, keys.in(), 10, keys.get(), nullptr, nullptr));
  REFUSED(tree.count_async(temp.get(), bytes, keys.in(), keys.in(), offsets.get(), 10));
  REFUSED(tree.range_async(temp.get(), bytes, keys.in(), keys.in(), 10, offsets.get(), keys.get(),
                           values.get(), 10));
  REFUSED(tree.retrieve_all_async(temp.get(), bytes, keys.get(), values.get(), 10, offsets.get()));
  std::vector<uint32_t> on_host;
  REFUSED(tree.to_host(on_host, on_host));
  REFUSED(tree.insert(keys.in(), values.in(), 10, status));
  REFUSED(tree.erase(keys.in(), 10, status));
  REFUSED(tree.update(keys.in(), values.in(), flags.get(), 10, status));
  REFUSED(tree.update(keys.in(), values.in(), nullptr, 10, status));
  REFUSED(tree.cleanup());
  REFUSED(tree.find(keys.in(), values.get(), 10));
  REFUSED(tree.count(keys.in(), keys.in(), offsets.get(), 10));
  lsm_statistics now;
  REFUSED(tree.statistics(now));
}

} // namespace

int main() {
  require_no_gpu();
  test_creation();
  test_whole();
  test_empty_handle();
  return gpu_result("arguments of log-structured merge trees");
}
