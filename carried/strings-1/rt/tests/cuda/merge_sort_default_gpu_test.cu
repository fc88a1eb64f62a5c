//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What the default merge sort chooses, on the GPU: numbers in ascending or descending
// order go to the radix sort from some size on. Below and above it the results are the
// same, floats of both zeros among them; NaN only above, where their bits decide.
//
//   --small   a few thousand items, for the sanitizers
//
//===----------------------------------------------------------------------===//

#include "merge_sort_case.cuh"

using namespace colonnade;

namespace {

/// The default, but numbers go to the radix sort early.
struct early_radix : merge_sort_policy {
  static constexpr uint64_t radix_from(size_t, size_t) { return 1000; }
  struct radix : radix_sort_policy {
    static constexpr uint64_t max_items = 0xffffffff;
    static constexpr multisplit_tuning tuning(gpu_architecture, uint32_t, size_t, size_t) {
      multisplit_tuning t;
      t.threads = 256;
      t.items_per_thread = 8;
      return t;
    }
  };
};

std::vector<float> some_floats(uint64_t n) {
  std::vector<float> keys(n);
  const float special[] = {0.0f, -0.0f, 1.0f / 0.0f, -1.0f / 0.0f, 1e-42f, -1e-42f};
  for (uint64_t i = 0; i < n; ++i) {
    const uint64_t x = scramble(i);
    keys[i] = x % 4 ? special[x / 4 % 6] : static_cast<float>(static_cast<int64_t>(x)) * 1e-12f;
  }
  return keys;
}

template <class Compare> void check_choice(uint64_t n, Compare compare) {
  const auto floats = some_floats(n);
  check_merge_keys<early_radix>(floats, compare);
  check_merge_pairs<early_radix, uint32_t>(floats, compare);
  check_merge_argsort<early_radix, uint32_t>(floats, compare);
}

/// NaN end up where the radix sort puts them: by their sign, before or behind all else.
void test_nan(uint64_t n) {
  auto floats = some_floats(n);
  const uint32_t nan_bits[] = {0x7fc00000, 0xffc00000};
  for (uint64_t i = 0; i < n; i += 50)
    std::memcpy(&floats[i], &nan_bits[i / 50 % 2], 4);
  const device_array<float> in(floats), out(n);
  call_twice([&](void *d_temp, size_t &bytes) {
    return stable_merge_sort_keys(d_temp, bytes, static_cast<const float *>(in.get()), out.get(), n,
                                  ascending{}, {}, early_radix{});
  });
  const auto got = out.read();
  const uint64_t nans = (n + 49) / 50, negative = nans / 2, positive = nans - negative;
  for (uint64_t i = 0; i < n; ++i) {
    const bool nan = got[i] != got[i];
    EXPECT(nan == (i < negative || i >= n - positive), "NaN at %llu",
           static_cast<unsigned long long>(i));
    EXPECT(nan || i <= negative || got[i - 1] <= got[i], "order at %llu",
           static_cast<unsigned long long>(i));
  }
}

} // namespace

int main(int argc, char **argv) {
  require_gpu();
  const bool small = has_option(argc, argv, "--small");
  for (uint64_t n :
       small ? std::vector<uint64_t>{999, 3000} : std::vector<uint64_t>{0, 999, 1000, 100003}) {
    check_choice(n, ascending{});
    check_choice(n, descending{});
    if (n >= 1000)
      test_nan(n);
  }
  return gpu_result("merge sort's choice");
}
