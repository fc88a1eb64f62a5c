//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Radix sorts from two translation units of one programme, by kernels with more shared memory than
// a kernel has unasked, and by clusters of 16 blocks: what the first unit's kernels were allowed is
// not taken for allowed to the second's.
//
//   --small   a few thousand items, for the sanitizers
//
//===----------------------------------------------------------------------===//

#include "radix_sort_case.cuh"
#include "radix_sort_units.cuh"

namespace {

using unit_sort = cudaError_t(void *, size_t &, const pairs_on_device &);

void check_unit(unit_sort sort, uint64_t n, bool by_tiles, const char *unit) {
  const auto keys = sort_keys_of<uint32_t>(n, n);
  const auto from = sorted_on_host(keys, {});
  const device_array<uint32_t> in(keys), out(n), places(n);
  std::vector<uint32_t> values(n);
  std::iota(values.begin(), values.end(), 0u);
  const device_array<uint32_t> values_in(values);
  const pairs_on_device pairs{in.get(), out.get(), values_in.get(), places.get(), n, by_tiles};
  call_twice([&](void *d_temp, size_t &bytes) { return sort(d_temp, bytes, pairs); });
  expect_sorted(out.read(), keys, from, unit);
  EXPECT(places.read() == from, "values of %s, %zu items", unit, keys.size());
}

} // namespace

int main(int argc, char **argv) {
  require_gpu();
  const uint64_t n = has_option(argc, argv, "--small") ? 6000 : 65536;
  for (const bool by_tiles : {false, true}) {
    check_unit(sort_in_this_unit, n, by_tiles, "the first unit");
    check_unit(sort_in_other_unit, n, by_tiles, "the other unit");
    check_unit(sort_in_this_unit, n, by_tiles, "the first unit again");
  }
  return gpu_result("radix sorts of two translation units");
}
