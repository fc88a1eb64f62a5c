//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Warp- and block-level multisplits in a user's kernel on the GPU, against a stable
// counting sort on the host.
//
//   --small   fewer blocks, for the sanitizers
//
//===----------------------------------------------------------------------===//

#include "multisplit_case.cuh"

#include <colonnade/block_multisplit.cuh>
#include <colonnade/warp_multisplit.cuh>

using namespace colonnade;

namespace {

constexpr uint32_t threads = 128, items = 5;

/// Each warp sorts its 32 * items keys by bucket, and writes where buckets start.
template <uint32_t M>
__global__ void split_warps(const uint32_t *in, uint32_t *out, uint32_t *starts, uint32_t valid) {
  __shared__ uint32_t tiles[threads / 32][32 * items];
  const uint32_t lane = threadIdx.x % 32;
  const uint32_t warp = (blockIdx.x * threads + threadIdx.x) / 32;
  uint32_t keys[items], ids[items], places[items];
  for (uint32_t k = 0; k < items; ++k) {
    keys[k] = in[warp * 32 * items + 32 * k + lane];
    ids[k] = keys[k] % (M + 1); // M is out of range
  }
  const auto counted = warp_multisplit_counts<M>(ids, valid);
  const auto buckets = warp_multisplit<M>(ids, places, valid);
  warp_multisplit_exchange(keys, places, tiles[threadIdx.x / 32]);
  for (uint32_t k = 0; k < items; ++k)
    out[warp * 32 * items + 32 * k + lane] = keys[k];
  for (uint32_t r = 0; r < buckets.rows; ++r)
    if (32 * r + lane < M)
      starts[warp * M + 32 * r + lane] =
          counted.count[r] == buckets.count[r] ? buckets.start[r] : ~0u;
}

template <uint32_t M>
__global__ void split_blocks(const uint32_t *in, uint32_t *out, uint32_t *starts, uint32_t valid) {
  __shared__ block_multisplit_storage<threads, M> storage;
  __shared__ uint32_t tile[threads * items];
  const uint32_t first = (threadIdx.x / 32) * 32 * items + threadIdx.x % 32;
  uint32_t keys[items], ids[items], places[items];
  for (uint32_t k = 0; k < items; ++k) {
    keys[k] = in[blockIdx.x * threads * items + first + 32 * k];
    ids[k] = keys[k] % (M + 1);
  }
  block_multisplit<threads, M>(storage, ids, places, valid);
  block_multisplit_exchange(keys, places, tile);
  for (uint32_t k = 0; k < items; ++k)
    out[blockIdx.x * threads * items + first + 32 * k] = keys[k];
  for (uint32_t b = threadIdx.x; b < M; b += threads)
    starts[blockIdx.x * M + b] = storage.start[b];
}

struct last_takes_wild {
  uint32_t m;
  uint32_t operator()(uint32_t key) const { return std::min(key % (m + 1), m - 1); }
};

/// Pieces of `size` keys, `valid` of which are to be split.
template <uint32_t M>
void expect_split(const std::vector<uint32_t> &in, const std::vector<uint32_t> &out,
                  const std::vector<uint32_t> &starts, uint32_t size, uint32_t valid) {
  bool right = true;
  for (uint64_t piece = 0; piece < in.size() / size; ++piece) {
    const auto begin = in.begin() + static_cast<std::ptrdiff_t>(piece * size);
    const std::vector<uint32_t> keys(begin, begin + valid);
    const split_reference expected = split_on_host(keys, M, last_takes_wild{M}, false);
    for (uint32_t i = 0; i < size; ++i)
      right = right &&
              out[piece * size + i] == (i < valid ? keys[expected.from[i]] : in[piece * size + i]);
    for (uint32_t b = 0; b < M; ++b)
      right = right && starts[piece * M + b] == expected.offsets[b];
  }
  EXPECT(right, "m = %u, %u of %u keys", M, valid, size);
}

template <uint32_t M> void check(uint32_t blocks) {
  const std::vector<uint32_t> keys = some_keys<uint32_t>(blocks * threads * items, M);
  const device_array<uint32_t> in(keys), out(keys.size());
  const device_array<uint32_t> starts(blocks * threads / 32 * M), block_starts(blocks * M);
  for (uint32_t valid : {0u, 1u, 33u, 32 * items - 1, 32 * items}) {
    split_warps<M><<<blocks, threads>>>(in.get(), out.get(), starts.get(), valid);
    expect_split<M>(keys, out.read(), starts.read(), 32 * items, valid);
  }
  for (uint32_t valid : {0u, 1u, 161u, threads * items - 1, threads * items}) {
    split_blocks<M><<<blocks, threads>>>(in.get(), out.get(), block_starts.get(), valid);
    expect_split<M>(keys, out.read(), block_starts.read(), threads * items, valid);
  }
}

} // namespace

int main(int argc, char **argv) {
  require_gpu();
  const bool small = has_option(argc, argv, "--small");
  const uint32_t blocks = small ? 2 : 500;
  check<1>(blocks);
  check<2>(blocks);
  check<7>(blocks);
  check<32>(blocks);
  check<33>(blocks);
  check<200>(blocks);
  check<256>(blocks);
  return gpu_result("multisplit within warps and blocks");
}
