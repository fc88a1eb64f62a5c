//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Every entry point of radix sort captured in a graph on the GPU, and replayed.
//
//   --small   a few thousand items, for the sanitizers
//
//===----------------------------------------------------------------------===//

#include "radix_sort_case.cuh"
#include "replay_case.cuh"

using namespace colonnade;

namespace {

template <class Key> void test(uint64_t n, radix_order order) {
  using policy = small_sort_policy;
  const device_array<Key> keys(n), out(n), kept(n);
  const device_array<uint64_t> values(n), values_out(n), values_kept(n);
  const device_array<uint32_t> permutation(n);
  const Key *in = keys.get();
  const uint64_t *with = values.get();
  const auto fill = [&](uint64_t seed) {
    keys.write(sort_keys_of<Key>(n, seed));
    values.write(some_keys<uint64_t>(n, 9));
  };
  check_replays(
      "sort_keys", fill,
      [&](void *d_temp, size_t &bytes, cudaStream_t stream) {
        return sort_keys(d_temp, bytes, in, out.get(), n, order, {stream}, policy{});
      },
      out);
  check_replays(
      "sort_pairs", fill,
      [&](void *d_temp, size_t &bytes, cudaStream_t stream) {
        return sort_pairs(d_temp, bytes, in, out.get(), with, values_out.get(), n, order, {stream},
                          policy{});
      },
      out, values_out);
  check_replays(
      "argsort", fill,
      [&](void *d_temp, size_t &bytes, cudaStream_t stream) {
        return argsort(d_temp, bytes, in, permutation.get(), n, order, {stream}, policy{});
      },
      permutation);
  // What is in the other buffer is unspecified: the sorted one is copied to be looked at.
  const auto keep = [&](const auto &to, const auto *from, cudaStream_t stream) {
    return cudaMemcpyAsync(to.get(), from, n * sizeof(*from), cudaMemcpyDeviceToDevice, stream);
  };
  check_replays(
      "double-buffered sort_keys", fill,
      [&](void *d_temp, size_t &bytes, cudaStream_t stream) {
        double_buffer<Key> both{keys.get(), out.get()};
        const cudaError_t error = sort_keys(d_temp, bytes, both, n, order, {stream}, policy{});
        return error || !d_temp ? error : keep(kept, both.current, stream);
      },
      kept);
  check_replays(
      "double-buffered sort_pairs", fill,
      [&](void *d_temp, size_t &bytes, cudaStream_t stream) {
        double_buffer<Key> both{keys.get(), out.get()};
        double_buffer<uint64_t> both_values{values.get(), values_out.get()};
        cudaError_t error =
            sort_pairs(d_temp, bytes, both, both_values, n, order, {stream}, policy{});
        if (!error && d_temp)
          error = keep(kept, both.current, stream);
        return error || !d_temp ? error : keep(values_kept, both_values.current, stream);
      },
      kept, values_kept);
}

} // namespace

int main(int argc, char **argv) {
  require_gpu();
  const uint64_t n = small_run(argc, argv) ? 2100 : 300007;
  test<uint32_t>(n, {});
  test<double>(n, {true, 3, 44});
  return gpu_result("radix sort's entry points");
}
