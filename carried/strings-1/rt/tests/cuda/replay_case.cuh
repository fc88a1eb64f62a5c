//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// replay_case.cuh: calls captured once and replayed with changed input. What comes out
// must be, bit for bit, what a plain call with storage of its own gives, which other
// tests compare with the host; and it must follow the input. The plain call meets an
// error of somebody else's, which must neither be returned nor be cleared.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "device_case.cuh"

/// Whether calls meet errors of somebody else's.
inline bool &with_foreign_errors() {
  static bool with = true;
  return with;
}
/// Whether --small is said, as it is under the sanitizers, which report every error.
inline bool small_run(int argc, char **argv) {
  const bool small = has_option(argc, argv, "--small");
  with_foreign_errors() = !small;
  return small;
}

template <class... Arrays> std::vector<uint8_t> all_bytes(const Arrays &...arrays) {
  std::vector<uint8_t> all;
  const auto append = [&](const auto &items) {
    const uint8_t *bytes = reinterpret_cast<const uint8_t *>(items.data());
    all.insert(all.end(), bytes, bytes + items.size() * sizeof(items[0]));
  };
  (append(arrays.read()), ...);
  return all;
}
/// As it was before any call.
template <class T> void forget(const device_array<T> &array) {
  auto items = array.read();
  if (!items.empty())
    std::memset(static_cast<void *>(items.data()), 0xa5, items.size() * sizeof(T));
  array.write(items);
}

/// fill(seed) writes the inputs; call(d_temp, bytes, stream) is in two phases. An output
/// may be an input.
template <class Fill, class Call, class... Outputs>
void check_replays(const char *what, Fill fill, Call call, const Outputs &...outputs) {
  size_t bytes = 0;
  CUDA_OK(call(static_cast<void *>(nullptr), bytes, cudaStream_t{}));
  const device_array<uint8_t> temp(bytes, 3, contents_of_storage()),
      other(bytes, 0, contents_of_storage());
  const captured_graph graph(
      [&](cudaStream_t stream) { return call(static_cast<void *>(temp.get()), bytes, stream); });
  std::vector<uint8_t> before;
  for (uint64_t seed : {1, 2}) {
    (forget(outputs), ...);
    fill(seed);
    graph.replay();
    std::vector<uint8_t> replayed = all_bytes(outputs...);
    (forget(outputs), ...);
    fill(seed);
    const cudaError_t foreign = with_foreign_errors() ? cudaSetDevice(-1) : cudaSuccess;
    CUDA_OK(call(static_cast<void *>(other.get()), bytes, cudaStream_t{}));
    EXPECT(cudaGetLastError() == foreign, "%s: cleared a foreign error", what);
    CUDA_OK(cudaDeviceSynchronize());
    EXPECT(replayed == all_bytes(outputs...), "%s: replay %llu is not what a call gives", what,
           static_cast<unsigned long long>(seed));
    EXPECT(replayed != before, "%s: replay %llu gives what the one before gave", what,
           static_cast<unsigned long long>(seed));
    before = std::move(replayed);
    (outputs.expect_intact(what), ...);
  }
  temp.expect_intact("temporary storage of a graph");
}
/// Of a function without temporary storage: call(stream).
template <class Fill, class Call, class... Outputs>
void check_one_phase_replays(const char *what, Fill fill, Call call, const Outputs &...outputs) {
  check_replays(
      what, fill,
      [&](void *d_temp, size_t &bytes, cudaStream_t stream) {
        bytes = 1;
        return d_temp ? call(stream) : cudaSuccess;
      },
      outputs...);
}

/// Around warps, tiles and 2^20.
inline std::vector<uint64_t> edge_sizes(bool small, uint64_t tile) {
  if (small)
    return {0, 33, 700};
  return {0, 1, 31, 32, 33, tile - 1, tile, tile + 1, (1u << 20) - 1, 1u << 20, (1u << 20) + 1};
}
