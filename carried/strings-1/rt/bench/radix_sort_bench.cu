//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// radix_sort_bench.cu: radix sorts of uniform keys against the faster of CUB's two
// (32- and 64-bit num_items), all memsets and kernels timed, alternating.
//
//   radix_sort_bench [--json FILE] [--log2-items 28] [--seed S]
//
// Target: 1.0 of the peer, and 1.2 if it can be.
//
//===----------------------------------------------------------------------===//

#include "bench.hpp"
#include "sort_bench.hpp"
#include "timed_call.hpp"

using namespace bench;

namespace {

void against_peer(report &out, const char *name, sort_kind kind, uint64_t n, uint64_t seed) {
  const uint64_t key_words = kind == sort_kind::keys_64 ? 2 : 1;
  const bool with_values = kind == sort_kind::pairs_32;
  sort_arrays a{random_memory(n * key_words * 4), random_memory(n * key_words * 4), nullptr,
                nullptr, n};
  if (with_values) {
    a.values_in = static_cast<uint32_t *>(random_memory(n * 4));
    a.values_out = static_cast<uint32_t *>(random_memory(n * 4));
  }
  fill_uniform<<<2048, 256>>>(static_cast<uint32_t *>(a.keys_in), n * key_words, seed);
  {
    timed_call ours([&](void *t, size_t &b) { return our_sort(t, b, a, kind); });
    timed_call narrow([&](void *t, size_t &b) { return peer_sort(t, b, a, kind, false); });
    timed_call wide([&](void *t, size_t &b) { return peer_sort(t, b, a, kind, true); });
    alternate(
        out, std::string("radix sort, ") + name + ", n = " + std::to_string(n),
        with_values ? "Gpairs/s" : "Gkeys/s", n, "the faster CUB radix sort",
        [&] { return ours.run(); }, [&] { return std::min(narrow.run(), wide.run()); });
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
  const uint32_t log2 = static_cast<uint32_t>(std::stoul(option(argc, argv, "--log2-items", "28")));
  for (const uint64_t n : {uint64_t{1} << log2, uint64_t{1} << (log2 - 3)}) {
    against_peer(out, "32-bit keys", sort_kind::keys_32, n, seed);
    against_peer(out, "32-bit pairs", sort_kind::pairs_32, n, seed);
    against_peer(out, "64-bit keys", sort_kind::keys_64, n, seed);
    against_peer(out, "floats", sort_kind::floats, n, seed);
  }
  return out.finish();
}
