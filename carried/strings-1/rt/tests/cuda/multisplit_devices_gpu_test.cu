//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Multisplits from several threads at once, each on a stream of its own, on all devices
// that there are: what is remembered of a device and of a kernel on it is remembered for
// the right one.
//
//   --small   a few thousand items, for the sanitizers
//
//===----------------------------------------------------------------------===//

#include "multisplit_case.cuh"

#include <thread>

using namespace colonnade;

namespace {

/// One kernel, whose blocks need more shared memory than a kernel may have unasked.
struct one_kernel_policy : multisplit_policy {
  static constexpr uint32_t max_buckets = 256;
  static constexpr uint64_t max_items = 0xffffffff;
  static constexpr uint32_t round_up_bits(uint32_t) { return 8; }
};

/// Whether all splits of one thread are right.
bool split_some(int device, uint64_t n, uint32_t seed) {
  CUDA_OK(cudaSetDevice(device));
  cudaStream_t stream;
  CUDA_OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  bool right = true;
  for (uint32_t m : {7, 100, 256}) {
    const auto keys = some_keys<uint32_t>(n, seed + m);
    const split_reference expected = split_on_host(keys, m, modulo_bucket{m}, false);
    const device_array<uint32_t> in(keys), out(n);
    const device_array<uint64_t> offsets(m + 1);
    size_t bytes = 0;
    const auto call = [&](void *d_temp) {
      return multisplit_keys(d_temp, bytes, static_cast<const uint32_t *>(in.get()), out.get(), n,
                             m, modulo_bucket{m}, offsets.get(), {stream}, one_kernel_policy{});
    };
    CUDA_OK(call(nullptr));
    const device_array<uint8_t> temp(bytes);
    CUDA_OK(cudaDeviceSynchronize()); // what filled the arrays ran on another stream
    CUDA_OK(call(temp.get()));
    CUDA_OK(cudaStreamSynchronize(stream));
    const std::vector<uint32_t> moved = out.read();
    right = right && offsets.read() == expected.offsets;
    for (uint64_t i = 0; i < n; ++i)
      right = right && moved[i] == keys[expected.from[i]];
  }
  CUDA_OK(cudaStreamDestroy(stream));
  return right;
}

} // namespace

int main(int argc, char **argv) {
  require_gpu();
  const uint64_t n = has_option(argc, argv, "--small") ? 3000 : 300007;
  int devices = 0;
  CUDA_OK(cudaGetDeviceCount(&devices));
  const uint32_t num_threads = std::max(4u, 2 * static_cast<uint32_t>(devices));
  std::vector<std::thread> threads;
  std::vector<char> right(num_threads);
  for (uint32_t t = 0; t < num_threads; ++t)
    threads.emplace_back(
        [&, t] { right[t] = split_some(static_cast<int>(t) % devices, n + t, 1000 * t); });
  for (std::thread &thread : threads)
    thread.join();
  for (uint32_t t = 0; t < num_threads; ++t)
    EXPECT(right[t], "thread %u of %u, %d devices", t, num_threads, devices);
  return gpu_result("multisplits from several threads");
}
