//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// small_bench.hpp: small inputs: 100 calls back to back in one stream, and a graph of
// 100 calls replayed, against the peer's in the same run.
//
// Sizes: 2^k - 1, 2^k and 2^k + 1 for k = 0 ... 16, and 20 random ones. Calls in a stream
// are often bound by the host, which both sides ask the same; the graph shows the GPU
// alone. Lines carry what the table of small inputs is made of (scripts/gpu-results).
//
//===----------------------------------------------------------------------===//
#pragma once

#include "timed_call.hpp"

#include <memory>

namespace bench {

constexpr int small_calls = 100, small_pairs = 5;

inline std::vector<uint64_t> small_sizes(uint64_t seed) {
  std::vector<uint64_t> sizes;
  for (uint32_t k = 0; k <= 16; ++k)
    for (const uint64_t n : {(uint64_t{1} << k) - 1, uint64_t{1} << k, (uint64_t{1} << k) + 1})
      if (n > 0)
        sizes.push_back(n);
  for (uint64_t i = 0; i < 20; ++i)
    sizes.push_back(1 + scramble(seed * 1000 + i) % 65537);
  std::sort(sizes.begin(), sizes.end());
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  return sizes;
}

inline cudaStream_t small_stream() {
  static cudaStream_t stream = nullptr;
  if (!stream)
    CUDA_OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  return stream;
}

/// One two-phase call on small_stream(), many times.
class small_call {
public:
  using function = timed_call::function;

  explicit small_call(function f) : f_(std::move(f)) {
    CUDA_OK(f_(nullptr, bytes_));
    CUDA_OK(cudaMalloc(&d_temp_, bytes_));
    queue(); // what is asked once is asked now
    CUDA_OK(cudaStreamSynchronize(small_stream()));
    cudaGraph_t graph = nullptr;
    CUDA_OK(cudaStreamBeginCapture(small_stream(), cudaStreamCaptureModeThreadLocal));
    for (int i = 0; i < small_calls; ++i)
      queue();
    CUDA_OK(cudaStreamEndCapture(small_stream(), &graph));
    CUDA_OK(cudaGraphInstantiate(&graph_, graph, 0));
    CUDA_OK(cudaGraphDestroy(graph));
  }
  ~small_call() {
    CUDA_OK(cudaGraphExecDestroy(graph_));
    CUDA_OK(cudaFree(d_temp_));
  }
  small_call(const small_call &) = delete;

  /// Milliseconds of all calls.
  float in_stream() {
    return timed([&] {
      for (int i = 0; i < small_calls; ++i)
        queue();
    });
  }
  float in_graph() {
    return timed([&] { CUDA_OK(cudaGraphLaunch(graph_, small_stream())); });
  }

private:
  void queue() { CUDA_OK(f_(d_temp_, bytes_)); }
  template <class Work> static float timed(Work work) {
    static cudaEvent_t begin = nullptr, end = nullptr;
    if (!begin) {
      CUDA_OK(cudaEventCreate(&begin));
      CUDA_OK(cudaEventCreate(&end));
    }
    CUDA_OK(cudaEventRecord(begin, small_stream()));
    work();
    CUDA_OK(cudaEventRecord(end, small_stream()));
    CUDA_OK(cudaEventSynchronize(end));
    float time = 0;
    CUDA_OK(cudaEventElapsedTime(&time, begin, end));
    return time;
  }

  function f_;
  void *d_temp_ = nullptr;
  size_t bytes_ = 0;
  cudaGraphExec_t graph_ = nullptr;
};

/// Random arrays for up to `most` items, and room for results.
template <class Key, class Value> struct small_arrays {
  static constexpr uint64_t most = 65537;
  Key *keys_in, *keys_out;
  Value *values_in, *values_out;

  explicit small_arrays(uint64_t seed)
      : keys_in(static_cast<Key *>(random_memory(most * sizeof(Key)))),
        keys_out(static_cast<Key *>(random_memory(most * sizeof(Key)))),
        values_in(static_cast<Value *>(random_memory(most * sizeof(Value)))),
        values_out(static_cast<Value *>(random_memory(most * sizeof(Value)))) {
    fill_uniform<<<256, 256>>>(reinterpret_cast<uint32_t *>(keys_in), most * sizeof(Key) / 4, seed);
    CUDA_OK(cudaDeviceSynchronize());
  }
  ~small_arrays() {
    for (void *d_array : {static_cast<void *>(keys_in), static_cast<void *>(keys_out),
                          static_cast<void *>(values_in), static_cast<void *>(values_out)})
      CUDA_OK(cudaFree(d_array));
  }
  small_arrays(const small_arrays &) = delete;
};

/// `what`: job and types; peers: of which the faster one counts.
inline void small_against(report &out, const std::string &what, uint64_t n,
                          small_call::function ours, std::vector<small_call::function> peers) {
  small_call mine(std::move(ours));
  std::vector<std::unique_ptr<small_call>> others;
  for (small_call::function &peer : peers)
    others.push_back(std::make_unique<small_call>(std::move(peer)));
  for (const bool graph : {false, true}) {
    std::vector<double> rates, limits;
    for (int i = 0; i < 1 + small_pairs; ++i) {
      const float time = graph ? mine.in_graph() : mine.in_stream();
      float best = graph ? others[0]->in_graph() : others[0]->in_stream();
      for (size_t k = 1; k < others.size(); ++k)
        best = std::min(best, graph ? others[k]->in_graph() : others[k]->in_stream());
      if (i == 0)
        continue;
      rates.push_back(small_calls / 1e3 / time);
      limits.push_back(small_calls / 1e3 / best);
    }
    out.add_small(what, graph ? "graph" : "stream", n, rates, limits);
  }
}

/// The programme: run(out, seed).
template <class Run> int small_main(int argc, char **argv, Run run) {
  require_gpu();
  report out(argc, argv);
  run(out, std::stoull(option(argc, argv, "--seed", "1")));
  return out.finish();
}

/// measure.template operator()<Key, Value, Pairs>(what) for the types that all families measure.
template <class Measure> void for_small_types(const std::string &job, Measure measure) {
  measure.template operator()<uint32_t, uint32_t, false>(job + ", 4-byte keys");
  measure.template operator()<uint32_t, uint32_t, true>(job + ", 4 + 4");
  measure.template operator()<uint64_t, uint64_t, true>(job + ", 8 + 8");
}

} // namespace bench
