//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// small_case.cuh: calls on small inputs, which one launch does, against the same calls
// by the kernels of large inputs: the same bits. And behind a kernel that lets them start before
// it has written their input: they wait for it.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "replay_case.cuh"

/// Around all sizes at which another shape, or another kernel, takes over.
inline std::vector<uint64_t> sizes_around_switches(bool small) {
  if (small)
    return {0, 1, 33, 161, 700, 1300, 2600, 5200};
  std::vector<uint64_t> sizes{0, 1, 2, 3};
  for (const uint64_t n :
       {32,    160,   256,   320,   512,   640,   1024,  1280,  2048,  2304,  2560,  3072,
        4096,  4352,  4608,  5120,  5888,  6144,  8192,  8448,  9216,  10560, 12288, 12672,
        16384, 16896, 18432, 24576, 32768, 36864, 45056, 49152, 65536, 73728, 98304})
    sizes.insert(sizes.end(), {n - 1, n, n + 1});
  for (uint64_t i = 0; i < 30; ++i)
    sizes.push_back(scramble(i) % 70001);
  return sizes;
}

/// call(policy, d_temp, bytes, stream).
template <class Large, class Small, class Call, class... Outputs>
void check_same_bits(const char *what, uint64_t n, Call call, const Outputs &...outputs) {
  std::vector<uint8_t> bits[2];
  const auto run = [&](auto policy, std::vector<uint8_t> &result) {
    (forget(outputs), ...);
    call_twice(
        [&](void *d_temp, size_t &bytes) { return call(policy, d_temp, bytes, cudaStream_t{}); });
    result = all_bytes(outputs...);
    (outputs.expect_intact(what), ...);
  };
  run(Large{}, bits[0]);
  run(Small{}, bits[1]);
  EXPECT(bits[0] == bits[1], "%s: %llu items: other bits than of a large input", what,
         static_cast<unsigned long long>(n));
}

/// Lets the next kernel start, and writes after a while.
template <class T> __global__ void late_copy_kernel(const T *from, T *to, uint64_t n) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  cudaTriggerProgrammaticLaunchCompletion();
#endif
  for (int i = 0; i < 20; ++i)
    __nanosleep(5000);
  for (uint64_t i = threadIdx.x; i < n; i += blockDim.x)
    to[i] = from[i];
}

/// call(d_temp, bytes, stream) reads `array`, which a kernel that still runs fills with `input`:
/// in a stream, in a graph, and in one where it comes from another stream. Then the call itself
/// is the kernel that still runs: of a second call, into the same outputs.
template <class T, class Call, class... Outputs>
void check_waits(const char *what, const std::vector<T> &input, const device_array<T> &array,
                 Call call, const Outputs &...outputs) {
  size_t bytes = 0;
  CUDA_OK(call(static_cast<void *>(nullptr), bytes, cudaStream_t{}));
  const device_array<uint8_t> temp(bytes, 0, contents_of_storage());
  const device_array<T> source(input);
  const auto call_on = [&](cudaStream_t stream) {
    return call(static_cast<void *>(temp.get()), bytes, stream);
  };
  const auto fill = [&](cudaStream_t stream) {
    late_copy_kernel<<<1, 128, 0, stream>>>(static_cast<const T *>(source.get()), array.get(),
                                            input.size());
    return cudaGetLastError();
  };
  const auto twice = [&](cudaStream_t stream) {
    CUDA_OK(fill(stream));
    CUDA_OK(call_on(stream));
    return call_on(stream);
  };
  cudaStream_t streams[2];
  for (cudaStream_t &stream : streams)
    CUDA_OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  cudaEvent_t event = nullptr;
  CUDA_OK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  const auto from_another_stream = [&](cudaStream_t stream) {
    CUDA_OK(cudaEventRecord(event, stream));
    CUDA_OK(cudaStreamWaitEvent(streams[1], event));
    CUDA_OK(fill(streams[1]));
    CUDA_OK(cudaMemsetAsync(temp.get(), 0x5a, bytes, stream));
    CUDA_OK(cudaEventRecord(event, streams[1]));
    CUDA_OK(cudaStreamWaitEvent(stream, event));
    return call_on(stream);
  };
  const captured_graph graphs[] = {captured_graph(twice), captured_graph(from_another_stream)};
  std::vector<uint8_t> want;
  const auto check = [&](const char *how, auto run) {
    (forget(outputs), ...);
    if (!want.empty())
      forget(array);
    CUDA_OK(cudaDeviceSynchronize());
    run();
    CUDA_OK(cudaDeviceSynchronize());
    const std::vector<uint8_t> got = all_bytes(outputs...);
    if (want.empty())
      want = got;
    EXPECT(got == want, "%s: %llu items %s: not what a call on its own gives", what,
           static_cast<unsigned long long>(input.size()), how);
  };
  array.write(input);
  check("alone", [&] { CUDA_OK(call_on(streams[0])); });
  check("in a stream", [&] { CUDA_OK(twice(streams[0])); });
  check("in a graph", [&] { graphs[0].replay(); });
  check("from another stream", [&] { graphs[1].replay(); });
  CUDA_OK(cudaEventDestroy(event));
  for (cudaStream_t stream : streams)
    CUDA_OK(cudaStreamDestroy(stream));
}
