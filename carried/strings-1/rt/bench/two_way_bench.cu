//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The two-way multisplit of 4-byte keys, the bucket their highest bit, against the
// faster of CUB's two partitions (which is stable), and against the device copy: 8
// bytes a key, 16 a pair. Uniform keys, all in one bucket, sorted.
//
//   two_way_bench [--json FILE] [--log2-items 28]
//
// Target at 2^28: 1.0 of the peer.
//
//===----------------------------------------------------------------------===//

#include "timed_call.hpp"
#include "two_way_bench.hpp"

#include <colonnade/two_way_multisplit.cuh>

using namespace bench;

namespace {

enum class input { uniform, one_bucket, sorted };
const char *const input_names[] = {"uniform", "one bucket", "sorted"};

struct highest_bit {
  __device__ uint32_t operator()(uint32_t key) const { return key >> 31; }
};

__global__ void fill_keys(uint32_t *keys, uint64_t n, input kind) {
  for (uint64_t i = blockIdx.x * uint64_t{blockDim.x} + threadIdx.x; i < n;
       i += uint64_t{gridDim.x} * blockDim.x) {
    const uint32_t key = static_cast<uint32_t>(scramble(i) >> 32);
    keys[i] = kind == input::uniform      ? key
              : kind == input::one_bucket ? key | 1u << 31
                                          : key >> 1 | static_cast<uint32_t>(2 * i / n) << 31;
  }
}

struct workload {
  uint64_t n;
  uint32_t *keys_in, *keys_out, *values_in, *values_out;
  uint64_t *offsets;

  explicit workload(uint64_t num_items) : n(num_items) {
    for (uint32_t **array : {&keys_in, &keys_out, &values_in, &values_out})
      *array = static_cast<uint32_t *>(random_memory(n * 4));
    offsets = static_cast<uint64_t *>(random_memory(64));
  }
  ~workload() {
    for (uint32_t *array : {keys_in, keys_out, values_in, values_out})
      CUDA_OK(cudaFree(array));
    CUDA_OK(cudaFree(offsets));
  }
  workload(const workload &) = delete;

  cudaError_t keys(void *d_temp, size_t &bytes) const {
    return colonnade::two_way_multisplit_keys(d_temp, bytes, static_cast<const uint32_t *>(keys_in),
                                              keys_out, n, highest_bit{}, offsets);
  }
  cudaError_t pairs(void *d_temp, size_t &bytes) const {
    return colonnade::two_way_multisplit_pairs(
        d_temp, bytes, static_cast<const uint32_t *>(keys_in), keys_out,
        static_cast<const uint32_t *>(values_in), values_out, n, highest_bit{}, offsets);
  }
};

std::string title(const char *what, const workload &data, input kind) {
  return std::string("two-way multisplit ") + what + ", " + input_names[static_cast<int>(kind)] +
         ", n = " + std::to_string(data.n);
}

void against_partition(report &out, const workload &data, input kind) {
  timed_call mine([&](void *d, size_t &b) { return data.keys(d, b); });
  const auto peer = [&](bool wide) {
    return [&data, wide](void *d, size_t &b) {
      return partition(d, b, data.keys_in, data.keys_out, data.n, data.offsets, wide);
    };
  };
  timed_call narrow(peer(false)), wide(peer(true));
  std::vector<double> rates, peers;
  for (int i = 0; i < warm_ups + bench::pairs; ++i) {
    const float t = mine.run(), t_narrow = narrow.run(), t_wide = wide.run();
    if (i < warm_ups)
      continue;
    rates.push_back(static_cast<double>(data.n) / t / 1e6);
    peers.push_back(static_cast<double>(data.n) / std::min(t_narrow, t_wide) / 1e6);
  }
  out.add(title("keys", data, kind), "Gkeys/s", "the faster CUB partition (stable)", rates, peers);
}

} // namespace

int main(int argc, char **argv) {
  require_gpu();
  const workload data(uint64_t{1} << std::stoul(option(argc, argv, "--log2-items", "28")));
  report out(argc, argv);
  for (input kind : {input::uniform, input::one_bucket, input::sorted}) {
    fill_keys<<<2048, 256>>>(data.keys_in, data.n, kind);
    CUDA_OK(cudaDeviceSynchronize());
    against_partition(out, data, kind);
    timed_call keys([&](void *d, size_t &b) { return data.keys(d, b); });
    against_copy(out, title("keys", data, kind), 8.0 * static_cast<double>(data.n),
                 [&] { keys.queue(); });
    timed_call pairs([&](void *d, size_t &b) { return data.pairs(d, b); });
    against_copy(out, title("pairs", data, kind), 16.0 * static_cast<double>(data.n),
                 [&] { pairs.queue(); });
  }
  return out.finish();
}
