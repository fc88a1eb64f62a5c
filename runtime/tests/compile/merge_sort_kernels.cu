//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The main kernels of merge_sort.cuh, under the merging policy and in registers.
//
//===----------------------------------------------------------------------===//

#include "kernel_record.hpp"

#include <colonnade/merge_sort.cuh>

namespace colonnade::testing {

namespace {

struct four_words {
  uint32_t word[4];
};
struct by_first_word {
  __device__ bool operator()(const four_words &a, const four_words &b) const {
    return a.word[0] < b.word[0];
  }
};

template <class Policy, bool Stable, class Key, class Value, class Compare> struct sort_kernels {
  using values_in =
      std::conditional_t<std::is_same_v<Value, detail::nothing>, detail::no_items, const Value *>;
  using tunings = detail::merge_tunings<Policy, sizeof(Key), detail::bytes_of<Value>>;
  using kernels = detail::merge_sort_kernels<tunings, Stable, const Key *, Key, values_in, Value,
                                             Compare, detail::device_machine>;
  template <class Blocks> static kernel_record of(const char *name) {
    using arguments = typename detail::compiled<Blocks>::arguments;
    return record_on<detail::merge_sort_kernel<Blocks, arguments>>(
        name, detail::merge_block_shape_on<Blocks>);
  }
  static kernel_record sort(const char *name) { return of<typename kernels::sort>(name); }
  static kernel_record split(const char *name) {
    return of<typename kernels::template split<uint32_t>>(name);
  }
  static kernel_record merge(const char *name) { return of<typename kernels::pass>(name); }
  static kernel_record one_block(const char *name) {
    using blocks = typename kernels::template blocks<detail::compiled_architecture>;
    using item = typename std::iterator_traits<typename blocks::first_in>::value_type;
    using block =
        detail::block_order<detail::order_items_per_thread(sizeof(item)), typename blocks::first_in,
                            typename blocks::out, Compare, detail::device_machine>;
    return record<detail::block_order_kernel<block>>(name, 1024, block::shared_bytes(1024));
  }
};

} // namespace

kernel_records merge_sort_kernels() {
  using detail::nothing;
  using words = sort_kernels<merging_policy, false, uint32_t, nothing, ascending>;
  using wide = sort_kernels<merging_policy, false, uint64_t, nothing, ascending>;
  using pairs = sort_kernels<merging_policy, true, uint32_t, uint32_t, ascending>;
  using records = sort_kernels<merging_policy, true, four_words, nothing, by_first_word>;
  // 8 rows: the 16 of 32-bit keys take as long to compile as all other kernels together.
  using registers = sort_kernels<in_registers_policy, false, uint64_t, nothing, ascending>;
  return {
      words::sort("tiles, 32-bit keys"),
      words::split("splits, 32-bit keys"),
      words::merge("merge, 32-bit keys"),
      wide::merge("merge, 64-bit keys"),
      pairs::sort("tiles, 32-bit pairs"),
      records::sort("tiles, 16-byte records"),
      words::one_block("one block, 32-bit keys"),
      pairs::one_block("one block, 32-bit pairs"),
      records::one_block("one block, 16-byte records"),
      records::merge("merge, 16-byte records"),
      registers::merge("merge in registers, 64-bit keys"),
  };
}

} // namespace colonnade::testing
