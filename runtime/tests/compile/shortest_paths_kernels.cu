//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The kernels of shortest_paths.cuh, under the default policy.
//
//===----------------------------------------------------------------------===//

#include "kernel_record.hpp"

#include <colonnade/shortest_paths.cuh>

namespace colonnade::testing {

template <class Weight, class Distance, uint32_t NumPiles> kernel_record paths(const char *name) {
  using namespace detail;
  using tunings = paths_tunings<shortest_paths_policy>;
  return record_on<shortest_paths_kernel<Weight, Distance, NumPiles, tunings>>(
      name, [](gpu_architecture architecture) {
        return ask_tuning<tunings>(architecture, [](auto of) {
          using tuning = typename decltype(of)::type;
          using solver = path_solver<device_path_machine, Weight, Distance, NumPiles, tuning>;
          return block_of_bytes{tuning::value.threads, sizeof(typename solver::shared_type)};
        });
      });
}

kernel_records shortest_paths_kernels() {
  return {
      paths<uint32_t, uint32_t, detail::max_piles>("multisplit, 32-bit distances"),
      paths<uint32_t, uint32_t, 2>("near and far, 32-bit distances"),
      paths<uint32_t, uint64_t, detail::max_piles>("multisplit, 64-bit distances"),
      paths<float, float, detail::max_piles>("multisplit, floats"),
  };
}

} // namespace colonnade::testing
