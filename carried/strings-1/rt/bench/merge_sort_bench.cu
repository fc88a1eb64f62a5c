//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// merge_sort_bench.cu: merge sorts of uniform keys against the faster of CUB's two
// (SortKeysCopy, StableSortKeys; the latter on a fresh copy each time, which is not
// timed), alternating: by default, by merging alone, and by the thesis's merging in
// registers, for which no target is set.
//
//   merge_sort_bench [--json FILE] [--seed S]
//
// Target: 1.0 of the peer.
//
//===----------------------------------------------------------------------===//

#include "bench.hpp"
#include "merge_sort_bench.hpp"
#include "timed_call.hpp"

using namespace bench;

namespace {

struct sort_case {
  const char *name, *unit;
  merge_kind kind;
  merge_method method;
  uint64_t key_bytes;
};

void against_peer(report &out, const sort_case &c, uint64_t n, uint64_t seed) {
  const uint64_t bytes = n * c.key_bytes;
  merge_arrays a{random_memory(bytes), random_memory(bytes), nullptr, nullptr, n};
  if (c.kind == merge_kind::pairs_32) {
    a.values_in = static_cast<uint32_t *>(random_memory(n * 4));
    a.values_out = static_cast<uint32_t *>(random_memory(n * 4));
  }
  fill_uniform<<<2048, 256>>>(static_cast<uint32_t *>(a.keys_in), bytes / 4, seed);
  {
    timed_call ours([&](void *t, size_t &b) { return our_merge_sort(t, b, a, c.kind, c.method); });
    timed_call copying([&](void *t, size_t &b) { return peer_merge_sort(t, b, a, c.kind, false); });
    timed_call in_place([&](void *t, size_t &b) { return peer_merge_sort(t, b, a, c.kind, true); });
    alternate(
        out, std::string("merge sort, ") + c.name + ", n = " + std::to_string(n), c.unit, n,
        "the faster CUB merge sort", [&] { return ours.run(); },
        [&] {
          const float peer = copying.run();
          CUDA_OK(cudaMemcpyAsync(a.keys_out, a.keys_in, bytes, cudaMemcpyDeviceToDevice, nullptr));
          return std::min(peer, in_place.run());
        });
  }
  for (void *d_array :
       {a.keys_in, a.keys_out, static_cast<void *>(a.values_in), static_cast<void *>(a.values_out)})
    CUDA_OK(cudaFree(d_array));
}

} // namespace

int main(int argc, char **argv) {
  require_gpu();
  report out(argc, argv);
  const uint64_t seed = std::stoull(option(argc, argv, "--seed", "1"));
  const sort_case cases[] = {
      {"32-bit keys, default", "Gkeys/s", merge_kind::keys_32, merge_method::by_default, 4},
      {"32-bit keys, merging", "Gkeys/s", merge_kind::keys_32, merge_method::merging, 4},
      {"32-bit keys, in registers", "Gkeys/s", merge_kind::keys_32, merge_method::in_registers, 4},
      {"64-bit keys, default", "Gkeys/s", merge_kind::keys_64, merge_method::by_default, 8},
      {"64-bit keys, merging", "Gkeys/s", merge_kind::keys_64, merge_method::merging, 8},
      {"32-bit pairs, default", "Gpairs/s", merge_kind::pairs_32, merge_method::by_default, 4},
      {"32-bit pairs, merging", "Gpairs/s", merge_kind::pairs_32, merge_method::merging, 4},
      {"16-byte records", "Gkeys/s", merge_kind::records, merge_method::merging, 16},
  };
  for (const uint64_t n : {uint64_t{1} << 20, uint64_t{1} << 26})
    for (const sort_case &c : cases)
      against_peer(out, c, n, seed);
  return out.finish();
}
