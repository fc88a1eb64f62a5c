//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What merge_sort.cuh refuses before any CUDA call.
//
//===----------------------------------------------------------------------===//

#include "no_gpu.hpp"

#include <colonnade/merge_sort.cuh>

using namespace colonnade;

namespace {

some_memory<uint32_t> keys, sorted;
some_memory<uint64_t> values, moved;
some_memory<char> temp;

constexpr size_t plenty = ~size_t{0};

cudaError_t sort(size_t bytes, const uint32_t *in, uint32_t *out, uint64_t n = 100) {
  return merge_sort_keys(temp.get(), bytes, in, out, n, ascending{}, {}, merging_policy{});
}
/// Numbers in an order that the radix sort's kernels for small inputs know.
struct by_rank : merge_sort_policy {
  struct radix : radix_sort_policy {
    static constexpr uint64_t max_items = 0xffffffff;
  };
};
cudaError_t few(void *d_temp, size_t &bytes, const uint32_t *in, uint32_t *out, uint64_t n = 100) {
  return merge_sort_keys(d_temp, bytes, in, out, n, ascending{}, {}, by_rank{});
}
cudaError_t pairs(size_t bytes, const uint32_t *in, uint32_t *out, const uint64_t *from,
                  uint64_t *to) {
  return merge_sort_pairs(temp.get(), bytes, in, out, from, to, 100, ascending{}, {},
                          merging_policy{});
}
template <class Index>
cudaError_t order_of(size_t bytes, const uint32_t *in, Index *out, uint64_t n = 100) {
  return merge_argsort(temp.get(), bytes, in, out, n, ascending{}, {}, merging_policy{});
}

} // namespace

int main() {
  require_no_gpu();
  size_t bytes = 0;
  const uint32_t *in = keys.in();
  uint32_t *out = sorted.get();
  EXPECT(merge_sort_keys(nullptr, bytes, in, out, 100, ascending{}, {}, merging_policy{}) ==
                 cudaSuccess &&
             bytes > 0,
         "bytes");
  REACHES_CUDA(sort(bytes, in, out));
  REACHES_CUDA(sort(bytes, in, keys.get())); // in place
  EXPECT(sort(bytes, nullptr, nullptr, 0) == cudaSuccess, "nothing to sort");
  REFUSED(sort(bytes - 1, in, out));
  size_t few_bytes = 0, too_few = 1;
  EXPECT(few(nullptr, few_bytes, in, out) == cudaSuccess && few_bytes > too_few, "bytes of few");
  REACHES_CUDA(few(temp.get(), few_bytes, in, out));
  REFUSED(few(temp.get(), too_few, in, out));
  EXPECT(few(temp.get(), few_bytes, nullptr, nullptr, 0) == cudaSuccess, "none of few");
  REFUSED(sort(plenty, in, out, negative));
  REFUSED(sort(bytes, nullptr, out));
  REFUSED(sort(bytes, in, nullptr));
  REFUSED(sort(bytes, keys.at(2), out));
  REFUSED(sort(bytes, in, sorted.at(1)));
  REFUSED(sort(bytes, in, keys.get() + 1));
  REFUSED(sort(bytes, keys.get() + 99, keys.get()));
  REACHES_CUDA(pairs(plenty, in, out, values.in(), moved.get()));
  REACHES_CUDA(pairs(plenty, in, out, values.in(), values.get()));
  REFUSED(pairs(1, in, out, values.in(), moved.get()));
  REFUSED(pairs(plenty, in, out, nullptr, moved.get()));
  REFUSED(pairs(plenty, in, out, values.in(), nullptr));
  REFUSED(pairs(plenty, in, out, values.at(4), moved.get()));
  REFUSED(pairs(plenty, in, out, values.in(), moved.at(4)));
  REFUSED(pairs(plenty, in, out, values.in(), values.get() + 1));
  REFUSED(pairs(plenty, in, out, values.in(), reinterpret_cast<uint64_t *>(out + 98)));
  REFUSED(
      pairs(plenty, in, reinterpret_cast<uint32_t *>(values.get() + 99), values.in(), moved.get()));
  uint8_t *narrow = reinterpret_cast<uint8_t *>(moved.get());
  REACHES_CUDA(order_of(plenty, in, moved.get()));
  REACHES_CUDA(order_of(plenty, in, narrow, 256));
  REFUSED(order_of(plenty, in, narrow, 257));
  REFUSED(order_of(plenty, in, moved.get(), negative));
  REFUSED(order_of(1, in, moved.get()));
  REFUSED(order_of(plenty, nullptr, moved.get()));
  REFUSED(order_of(plenty, in, static_cast<uint64_t *>(nullptr)));
  REFUSED(order_of(plenty, in, keys.get() + 99));
  return gpu_result("arguments of merge sort");
}
