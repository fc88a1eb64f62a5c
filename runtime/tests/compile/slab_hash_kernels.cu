//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The main kernels of slab_hash.cuh, under the default policy, and one of a user's.
//
//===----------------------------------------------------------------------===//

#include "kernel_record.hpp"

#include <colonnade/mapped_slab_pool.cuh>
#include <colonnade/slab_hash.cuh>

namespace colonnade::testing {

struct sum_of_both {
  __device__ uint32_t operator()(uint32_t a, uint32_t b) const { return a + b; }
};
/// The warp form: each lane its own operation.
template <class Ref>
__global__ void __launch_bounds__(256)
    warp_form_kernel(Ref map, const uint8_t *kinds, const uint32_t *keys, uint32_t *found,
                     uint32_t n) {
  typename Ref::template warp<> warp(map);
  const uint32_t i = blockIdx.x * 256 + threadIdx.x;
  const bool has = i < n;
  const auto answer =
      warp.apply(has, static_cast<slab_operation>(has ? kinds[i] : 0), has ? keys[i] : 0, i);
  if (has)
    found[i] = answer.present() ? answer.value : ~0u;
}

template <class Table, class Operation, class ValuesIn, class ValuesOut, bool Far = false>
kernel_record slab_bulk_record(const char *name) {
  using namespace detail;
  using arguments =
      slab_bulk_arguments<Table, Operation, const typename Table::key_type *, ValuesIn, ValuesOut>;
  using tunings = slab_bulk_tunings<slab_hash_policy, arguments, Far>;
  return record_on<slab_bulk_kernel<tunings, arguments>>(name, [](gpu_architecture architecture) {
    const slab_hash_tuning tuning =
        ask_tuning<tunings>(architecture, [](auto of) { return decltype(of)::type::value; });
    return block_of_bytes{tuning.threads, 0};
  });
}

kernel_records slab_hash_kernels() {
  using detail::no_items, detail::nothing;
  using map = slab_map<uint32_t, uint32_t>::ref_type::table_type;
  using wide = slab_map<uint64_t, uint64_t>::ref_type::table_type;
  using many = slab_multimap<uint32_t, uint32_t>::ref_type::table_type;
  using wide_many = slab_multimap<uint64_t, uint64_t>::ref_type::table_type;
  using growing = growing_slab_map<uint32_t, uint32_t>::ref_type::table_type;
  using mapped = slab_map<uint32_t, uint32_t, slab_hash_function, equal_bits, async_resource,
                          mapped_slab_pool>::ref_type::table_type;
  using apply = detail::applied_operation<sum_of_both, uint32_t>;
  using find = detail::fixed_operation<slab_operation::find>;
  using insert = detail::fixed_operation<slab_operation::insert>;
  using assign = detail::fixed_operation<slab_operation::insert_or_assign>;
  using erase = detail::fixed_operation<slab_operation::erase>;
  return {
      slab_bulk_record<map, find, no_items, uint32_t *>("find, 4 + 4"),
      slab_bulk_record<map, find, no_items, uint32_t *, true>("find far away, 4 + 4"),
      slab_bulk_record<map, insert, const uint32_t *, nothing>("insert, 4 + 4"),
      slab_bulk_record<map, assign, const uint32_t *, nothing>("insert_or_assign, 4 + 4"),
      slab_bulk_record<map, erase, no_items, nothing>("erase, 4 + 4"),
      slab_bulk_record<many, insert, const uint32_t *, nothing>("insert into multimap, 4 + 4"),
      slab_bulk_record<many, detail::count_operation, no_items, uint64_t *>("count, 4 + 4"),
      slab_bulk_record<wide, find, no_items, uint64_t *>("find, 8 + 8"),
      slab_bulk_record<wide, find, no_items, uint64_t *, true>("find far away, 8 + 8"),
      slab_bulk_record<wide, assign, const uint64_t *, nothing>("insert_or_assign, 8 + 8"),
      slab_bulk_record<map, apply, const uint32_t *, uint32_t *>("insert_or_apply, 4 + 4"),
      slab_bulk_record<map, detail::find_all_operation<uint32_t>, no_items, nothing>(
          "find_all, 4 + 4"),
      slab_bulk_record<many, detail::stage_operation<uint32_t>, no_items, uint64_t *>(
          "find_all of multimap, 4 + 4"),
      record<detail::slab_place_values_kernel<uint32_t>>("values to their places, 4 + 4", 256),
      slab_bulk_record<wide_many, insert, const uint64_t *, nothing>("insert into multimap, 8 + 8"),
      slab_bulk_record<wide_many, detail::count_operation, no_items, uint64_t *>("count, 8 + 8"),
      slab_bulk_record<growing, find, no_items, uint32_t *, true>("find far away, growing pool"),
      slab_bulk_record<growing, assign, const uint32_t *, nothing>(
          "insert_or_assign, growing pool"),
      slab_bulk_record<mapped, assign, const uint32_t *, nothing>("insert_or_assign, mapped pool"),
      record<warp_form_kernel<slab_map<uint32_t, uint32_t>::ref_type>>("warp form, 4 + 4", 256),
      record<detail::fill_slabs_kernel<>>("fill slabs", 256),
      record<detail::slab_chains_kernel<detail::chains_arguments<map, detail::flush_chains<map>>>>(
          "flush, 4 + 4", 256),
      record<detail::build_groups_kernel<map>>(
          "build, 4 + 4", detail::build_shape_of<map>::threads,
          sizeof(detail::build_storage<map, detail::build_shape_of<map>>)),
      record<detail::build_groups_kernel<wide>>(
          "build, 8 + 8", detail::build_shape_of<wide>::threads,
          sizeof(detail::build_storage<wide, detail::build_shape_of<wide>>)),
  };
}

} // namespace colonnade::testing
