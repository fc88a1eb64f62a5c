//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Convex hulls on the GPU where the user's programme is compiled with -use_fast_math: all kinds of
// floats, subnormal ones among them, against the host's function. Other coordinates do not depend
// on that option.
//
//   --small   for the sanitizers
//
//===----------------------------------------------------------------------===//

#include "hull_comparison.cuh"

using namespace colonnade;

int main(int argc, char **argv) {
  require_gpu();
  const bool small = has_option(argc, argv, "--small");
  testing::compare_small_hulls<float>("float", small ? 6 : 100, 1);
  const std::vector<uint64_t> sizes =
      small ? std::vector<uint64_t>{2, 300, 4000} : std::vector<uint64_t>{300, 4000, 60000};
  for (uint32_t kind = 0; kind < testing::num_hull_cases; ++kind)
    for (size_t i = 0; i < sizes.size(); ++i)
      if (!small || testing::in_short_test(kind, i, 0))
        testing::compare_hull<float>("float", kind, sizes[i], kind, hull_part::whole);
  return gpu_result("convex hulls with fast math");
}
