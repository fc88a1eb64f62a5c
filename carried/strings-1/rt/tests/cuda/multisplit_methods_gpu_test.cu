//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The thesis's three methods and reduced-bit sort on the GPU, against a stable counting
// sort on the host: sizes around warps, chunks and tiles; few and many buckets; ids out
// of range; the number of items on the device; a captured graph replayed.
//
//   --small   a few thousand items, for the sanitizers
//
//===----------------------------------------------------------------------===//

#include "multisplit_case.cuh"

#include <colonnade/multisplit_methods.cuh>

using namespace colonnade;

namespace {

bool small = false;

/// Few instances.
template <class Method> struct coarse : Method {
  static constexpr uint32_t max_buckets = 256;
  static constexpr uint32_t round_up_bits(uint32_t bits) { return bits <= 5 ? 5 : 8; }
};

template <class Policy> void test_sizes() {
  std::vector<uint64_t> sizes = {0, 1, 31, 32, 33, 2047, 2048, 2049};
  if (!small)
    sizes.insert(sizes.end(), {49151, 49152, 49153, (1u << 20) - 1, 1u << 20, (1u << 20) + 1});
  for (uint64_t n : sizes)
    for (uint32_t m : {1, 2, 13, 32, 33, 256})
      check_split<Policy, uint32_t, uint32_t>(some_keys<uint32_t>(n, m), m, modulo_bucket{m});
}

template <class Policy> void test_functors() {
  const auto keys = some_keys<uint32_t>(small ? 900 : 150011, 8);
  for (uint32_t m : {3, 200}) {
    check_split<Policy, uint32_t, void>(keys, m, wild_bucket{m});
    check_split<Policy, uint32_t, uint32_t>(keys, m, wild_bucket{m});
    check_split<Policy, uint32_t, uint32_t>(keys, m, indexed_bucket{m});
  }
  check_split<Policy, uint32_t, void>(std::vector<uint32_t>(keys.size(), 5), 32, modulo_bucket{32});
}

/// Captured once, replayed with other keys and another number of them.
template <class Policy> void test_graph() {
  const uint64_t most = small ? 3000 : 200003;
  const uint32_t m = 50;
  const device_array<uint32_t> keys_in(most), keys_out(most);
  const device_array<uint64_t> offsets(m + 1), number(1);
  size_t bytes = 0;
  const auto call = [&](void *d_temp, cudaStream_t stream) {
    return multisplit_keys(d_temp, bytes, static_cast<const uint32_t *>(keys_in.get()),
                           keys_out.get(), {number.get(), most}, m, modulo_bucket{m}, offsets.get(),
                           {stream}, Policy{});
  };
  CUDA_OK(call(nullptr, nullptr));
  const device_array<uint8_t> temp(bytes);
  const captured_graph graph([&](cudaStream_t stream) { return call(temp.get(), stream); });
  for (uint64_t n : {most, most / 3, uint64_t{0}, uint64_t{1}}) {
    std::vector<uint32_t> keys = some_keys<uint32_t>(most, n);
    keys_in.write(keys);
    number.write({n});
    graph.replay();
    keys.resize(n);
    const split_reference expected = split_on_host(keys, m, modulo_bucket{m}, false);
    const std::vector<uint32_t> moved = keys_out.read();
    bool right = offsets.read() == expected.offsets;
    for (uint64_t i = 0; i < n; ++i)
      right = right && moved[i] == keys[expected.from[i]];
    EXPECT(right, "replay of %llu items", static_cast<unsigned long long>(n));
  }
}

template <class Method> void test(const char *name) {
  const int before = gpu_failures();
  test_sizes<coarse<Method>>();
  test_functors<coarse<Method>>();
  test_graph<coarse<Method>>();
  if (gpu_failures() > before)
    std::printf("%s\n", name);
}

} // namespace

int main(int argc, char **argv) {
  require_gpu();
  small = has_option(argc, argv, "--small");
  test<direct_policy>("direct");
  test<warp_level_policy>("warp-level");
  test<block_level_policy>("block-level");
  test<reduced_bit_policy>("reduced-bit sort");
  return gpu_result("methods of multisplit");
}
