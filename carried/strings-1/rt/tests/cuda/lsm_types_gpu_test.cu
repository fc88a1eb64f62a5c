//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Log-structured merge trees of 64-bit pairs, and of floats with values of 64 bits, on the GPU
// against std::map; trees that are too full, and grow; NaN; another tuning.
//
//   --small   for the sanitizers
//
//===----------------------------------------------------------------------===//

#include "lsm_case.cuh"

using namespace lsm_test;

namespace {

/// What finds no room changes nothing and says how much is needed; NaN are refused.
void check_errors() {
  checked_tree<float, uint64_t> tree(64, 64, lsm_order::deletions_win);
  tree.apply(random_batch<float, uint64_t>(100, 300, change::insert, 1), change::insert);
  const uint64_t before = tree.num_elements();
  std::vector<float> some(1000, 5.0f);
  some[700] = some[300] = std::numeric_limits<float>::quiet_NaN();
  const device_array<float> keys(some);
  const device_array<uint64_t> values(std::vector<uint64_t>(1000, 1));
  device_status status;
  CUDA_OK(tree.tree.insert(keys.get(), values.get(), 1000, status));
  EXPECT(status.error() == data_error::value_out_of_range && status.detail() == 300, "NaN");
  const device_array<device_status> d_status(std::vector<device_status>(1));
  call_twice([&](void *d_temp, size_t &bytes) {
    return tree.tree.erase_async(d_temp, bytes, keys.get(), 300, {nullptr, d_status.get()});
  });
  EXPECT(d_status.read()[0].error() == data_error::buffer_too_small &&
             d_status.read()[0].detail() == before + 300,
         "no room");
  EXPECT(tree.num_elements() == before, "changed all the same");
  tree.check_finds("after errors", 300, 300, 1);
  const uint64_t capacity = tree.tree.capacity();
  CUDA_OK(tree.tree.insert(keys.get(), values.get(), 300, status));
  EXPECT(status.ok() && tree.tree.capacity() >= capacity + capacity / 2, "it grows");
  tree.model[5.0f] = 1;
  tree.check_finds("grown", 300, 300, 2);
  using tree_type = lsm_map<float, uint64_t>;
  d_status.write(std::vector<device_status>(1));
  tree_type built;
  CUDA_OK(tree_type::build(built, {}, keys.get(), values.get(), 400, {nullptr, d_status.get()}));
  lsm_statistics now;
  CUDA_OK(built.statistics(now));
  EXPECT(d_status.read()[0].error() == data_error::value_out_of_range &&
             d_status.read()[0].detail() == 300 && now.num_elements == 0,
         "built with a NaN");
  EXPECT(tree_type::from_host(tree.tree, {}, some.data(), values.read().data(), 400) ==
             cudaErrorInvalidValue,
         "a NaN from the host");
  tree.check_finds("unchanged", 300, 300, 3);
}

/// See lsm_tuning.hpp.
struct other_tuning : lsm_policy {
  static constexpr lsm_tuning tuning(gpu_architecture a, size_t key, size_t value) {
    lsm_tuning t = lsm_policy::tuning(a, key, value);
    t.partition_lanes = 512;
    t.copied_rows = 8;
    t.threads = 256;
    return t;
  }
};

} // namespace

int main(int argc, char **argv) {
  require_gpu();
  const bool small = small_run(argc, argv);
  check_errors();
  check_tree<uint64_t, uint64_t>("64 bits", {small ? 60u : 3000u, 0, small ? 200u : 20000u,
                                             small ? 500u : 50000u, small ? 8u : 21u,
                                             lsm_order::deletions_win});
  check_tree<uint32_t, uint32_t, other_tuning>(
      "another tuning", {small ? 60u : 3000u, 0, small ? 200u : 40000u, small ? 500u : 100000u,
                         small ? 8u : 15u, lsm_order::in_order});
  check_tree<float, uint64_t>("floats", {100, 0, 900, 2000, small ? 3u : 8u, lsm_order::in_order});
  return gpu_result("log-structured merge trees, other types");
}
