//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// More than 2^32 operations in one call of slab_hash.cuh: keys that an iterator makes, answers that
// another looks at, so no array is that long. Every key is counted as often as it comes, each
// answer goes to its place, and a reserved key behind 2^32 is reported with its index.
//
//   --small   a few thousand operations
//
//===----------------------------------------------------------------------===//

#include "huge_case.cuh"
#include "slab_case.cuh"

using namespace colonnade;

namespace {

/// Key i: i modulo `different`, spread; one of them is reserved.
struct made_keys {
  uint32_t different;
  uint64_t reserved_at;
  __host__ __device__ uint32_t operator[](uint64_t i) const {
    return i == reserved_at ? ~0u : detail::spread_bits(static_cast<uint32_t>(i % different));
  }
};
struct ones {
  __host__ __device__ uint32_t operator[](uint64_t) const { return 1; }
};
struct add {
  __host__ __device__ uint32_t operator()(uint32_t old, uint32_t given) const {
    return old + given;
  }
};
/// Looks at what is written to place i: how often key i comes.
struct looked_at {
  struct place {
    uint64_t i;
    const looked_at &all;
    __device__ const place &operator=(uint32_t value) const {
      const uint64_t number = i % all.different, rounds = all.n / all.different;
      uint64_t right = rounds + (number < all.n % all.different);
      right -= number == all.reserved_at % all.different;
      if (value != (i == all.reserved_at ? ~0u : right))
        atomicAdd(all.wrong, 1ull);
      atomicAdd(all.seen, 1ull);
      return *this;
    }
  };
  __device__ place operator[](uint64_t i) const { return {i, *this}; }

  uint64_t n, reserved_at;
  uint32_t different;
  unsigned long long *wrong, *seen;
};

} // namespace

int main(int argc, char **argv) {
  require_gpu();
  const uint64_t n = huge_number(argc, argv, 0.1), reserved_at = n - 77;
  const uint32_t different = n >> 32 ? 1u << 20 : 500;
  word_map map = new_map(different / 9, different);
  const device_array<device_status> status(std::vector<device_status>(1));
  const wrong_counter wrong;
  const device_array<unsigned long long> seen(std::vector<unsigned long long>(1));
  const device_array<char> temp(1);
  size_t bytes = 1;
  const made_keys keys{different, reserved_at};
  const run_options run{nullptr, status.get()};
  const auto reported = [&](const char *call) {
    const device_status said = status.read()[0];
    EXPECT(said.error() == slab_error::reserved_key && said.detail() == reserved_at,
           "%s reports index %llu", call, static_cast<unsigned long long>(said.detail()));
    status.write(std::vector<device_status>(1));
  };
  CUDA_OK(map.insert_or_apply_async(temp.get(), bytes, keys, ones{}, n, add{}, nullptr, nullptr,
                                    nullptr, run));
  reported("insert_or_apply");
  CUDA_OK(map.find_async(temp.get(), bytes, keys,
                         looked_at{n, reserved_at, different, wrong.get(), seen.get()}, n, nullptr,
                         run));
  reported("find");
  wrong.expect_none("counts");
  EXPECT(seen.read()[0] == n, "%llu answers", seen.read()[0]);
  CUDA_OK(map.erase_async(temp.get(), bytes, keys, n, nullptr, run));
  reported("erase");
  EXPECT(contents_of(map).pairs.empty(), "some are left");
  return gpu_result("huge calls of slab hash");
}
