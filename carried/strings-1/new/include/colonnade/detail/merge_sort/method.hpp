//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// method.hpp: the types that the kernels of a merge sort run, for the method of the tuning and for
// each architecture.
//
// In: a tuning, the types, the machine. Out: the types of the block that sorts a tile, of the
// thread that finds splits, and of the block that merges. Invariant: the arguments of the kernels
// have the same types on all architectures.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/merge_sort/partition.hpp>
#include <colonnade/detail/merge_sort/register_blocks.hpp>

namespace colonnade::detail {

template <merge_method Method> struct method_blocks {
  template <class Tuning, bool Stable, class Arguments, class Machine>
  using sort = tile_sort_block<Tuning, Stable, Arguments, Machine>;
  template <class Tuning, bool, class Arguments, class Machine>
  using merge = merge_block<Tuning, Arguments, Machine>;
};
template <> struct method_blocks<merge_method::registers> {
  template <class Tuning, bool Stable, class Arguments, class Machine>
  using sort = register_sort_block<Tuning, Stable, Arguments, Machine>;
  template <class Tuning, bool Stable, class Arguments, class Machine>
  using merge = register_merge_block<Tuning, Stable, Arguments, Machine>;
};

/// For one architecture. KeysIn, ValuesIn: the caller's; ValuesIn is no_items for keys alone.
template <class Tuning, bool Stable, class KeysIn, class Key, class ValuesIn, class Value,
          class Compare, class Machine>
struct merge_sort_blocks {
  using arrays = spare_arrays<Key, Value>;
  using first_in = decltype(join_inputs(std::declval<KeysIn>(), std::declval<ValuesIn>()));
  using next_in =
      decltype(join_inputs(std::declval<arrays>().keys_in(), std::declval<arrays>().values_in()));
  using out = decltype(join_outputs(std::declval<arrays>().keys_out(),
                                    std::declval<arrays>().values_out()));
  using sort_arguments = tile_sort_arguments<first_in, out, Key, Compare>;
  using split_arguments = partition_arguments<Key, Compare>;
  using pass_arguments = merge_arguments<next_in, out, Key, Compare>;

  using blocks = method_blocks<Tuning::value.method>;
  using sort = typename blocks::template sort<Tuning, Stable, sort_arguments, Machine>;
  using pass = typename blocks::template merge<Tuning, Stable, pass_arguments, Machine>;
  template <class Offset>
  using split = partition_thread<Tuning::value.ways, Offset, split_arguments, Machine>;
};

/// For all architectures: the template arguments of the kernels.
template <class Tunings, bool Stable, class KeysIn, class Key, class ValuesIn, class Value,
          class Compare, class Machine>
struct merge_sort_kernels {
  template <gpu_architecture Architecture>
  using blocks = merge_sort_blocks<typename Tunings::template on<Architecture>, Stable, KeysIn, Key,
                                   ValuesIn, Value, Compare, Machine>;
  struct sort {
    template <gpu_architecture Architecture> using on = typename blocks<Architecture>::sort;
  };
  struct pass {
    template <gpu_architecture Architecture> using on = typename blocks<Architecture>::pass;
  };
  template <class Offset> struct split {
    template <gpu_architecture Architecture>
    using on = typename blocks<Architecture>::template split<Offset>;
  };
};

/// What the host has to know of a kernel, for the architecture whose code is loaded.
struct merge_block_shape {
  uint32_t threads, tiles_per_block;
  size_t shared_bytes;

  uint64_t blocks_for(uint64_t tiles) const {
    return (tiles + tiles_per_block - 1) / tiles_per_block;
  }
};
template <class Kernel> merge_block_shape merge_block_shape_on(gpu_architecture architecture) {
  return ask_tuning<Kernel>(architecture, [](auto of) {
    using block = typename decltype(of)::type;
    return merge_block_shape{block::threads, block::tiles_per_block, block::shared_bytes};
  });
}

} // namespace colonnade::detail
