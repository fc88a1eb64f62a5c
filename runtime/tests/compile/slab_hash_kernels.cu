//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The main kernels of slab_hash.cuh, under the default policy.
//
//===----------------------------------------------------------------------===//

#include "kernel_record.hpp"

#include <colonnade/slab_hash.cuh>

namespace colonnade::testing {

template <slab_operation Operation, class ValuesIn, class ValuesOut>
kernel_record slab_bulk_record(const char *name) {
  using namespace detail;
  using table = slab_table<uint32_t, uint32_t, slab_hash_function, equal_bits, light_slab_ref>;
  using tunings = slab_hash_tunings<slab_hash_policy, slab_operation_changes(Operation)>;
  using arguments = slab_bulk_arguments<table, const uint32_t *, ValuesIn, ValuesOut>;
  return record_on<slab_bulk_kernel<tunings, Operation, arguments>>(
      name, [](gpu_architecture architecture) {
        const slab_hash_tuning tuning =
            ask_tuning<tunings>(architecture, [](auto of) { return decltype(of)::type::value; });
        return block_of_bytes{tuning.threads, 0};
      });
}

kernel_records slab_hash_kernels() {
  using detail::no_items, detail::nothing;
  return {
      slab_bulk_record<slab_operation::find, no_items, uint32_t *>("find, 4 + 4"),
      slab_bulk_record<slab_operation::insert, const uint32_t *, nothing>("insert, 4 + 4"),
      slab_bulk_record<slab_operation::insert_or_assign, const uint32_t *, nothing>(
          "insert_or_assign, 4 + 4"),
      slab_bulk_record<slab_operation::erase, no_items, nothing>("erase, 4 + 4"),
      record<detail::fill_slabs_kernel<>>("fill slabs", 256),
  };
}

} // namespace colonnade::testing
