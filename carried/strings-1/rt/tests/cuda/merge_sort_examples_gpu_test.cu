//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The examples of docs/runtime/merge_sort.md, as they stand there.
//
//===----------------------------------------------------------------------===//

#include "merge_sort_case.cuh"

#include <colonnade/single_phase.cuh>

namespace {

struct order {
  uint32_t customer;
  float amount;
  uint64_t number;
};
struct by_customer_then_amount {
  __host__ __device__ bool operator()(const order &a, const order &b) const {
    return a.customer != b.customer ? a.customer < b.customer : b.amount < a.amount;
  }
};

cudaError_t sort_orders(const order *d_in, order *d_out, uint64_t n, cudaStream_t stream) {
  return colonnade::single_phase(
      colonnade::async_resource{}, stream, [&](void *d_temp, size_t &bytes) {
        return colonnade::stable_merge_sort_keys(d_temp, bytes, d_in, d_out, n,
                                                 by_customer_then_amount{}, {stream});
      });
}

} // namespace

int main(int, char **) {
  require_gpu();
  std::vector<order> orders(20000);
  for (uint64_t i = 0; i < orders.size(); ++i)
    orders[i] = {static_cast<uint32_t>(scramble(i) % 50),
                 static_cast<float>(scramble(i) >> 40 & 31), i};
  const device_array<order> in(orders), out(orders.size());
  CUDA_OK(sort_orders(in.get(), out.get(), orders.size(), nullptr));
  CUDA_OK(cudaDeviceSynchronize());
  std::stable_sort(orders.begin(), orders.end(), by_customer_then_amount{});
  const auto got = out.read();
  for (size_t i = 0; i < orders.size(); ++i)
    EXPECT(got[i].number == orders[i].number, "order %zu", i);
  return gpu_result("merge sort's examples");
}
