//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// slab_list.cuh: lists on the GPU that change while they are used: one chain of 128-byte slabs.
//
//   slab_list       a value for each key; without values with no_value
//   slab_multilist  any number of values for each key
//
// A slab hash of one chain (slab_hash.cuh), with its operations and its contract: in bulk, by warps
// and by threads alone; linearisable per key; statistics, flush (in kernels: of chain 0), build,
// save and load. Keys are not hashed, so any two that the user's function says are equal are found.
//
//   work         an operation reads the slabs up to its key's, or all of them: n / 15 for n pairs,
//                n / 7 if a key or a value has 64 bits
//   growth       by default the pool grows: synchronous insertions let it, `reserve` does, and no
//                number of pairs need be known beforehand
//   memory       128 bytes for 15 pairs (7), in slabs that are allocated super block by super block
//   else         as slab_hash.cuh says
//
// In: keys and values. Out: what was found. Invariant: there is one chain; nothing makes more, so
// there is no rehash.
//
// Source: S. Ashkiani, thesis (2017), section 5.3.1. What differs:
// docs/decisions/0020-slab-hash.md.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/slab_hash.cuh>
#include <colonnade/slab_list_options.hpp>

namespace colonnade {

template <class Key, class Value, class Equal, class Resource, template <class> class Pool,
          bool Multiple>
class slab_chain
    : public slab_dictionary<Key, Value, detail::one_chain, Equal, Resource, Pool, Multiple> {
  using dictionary =
      slab_dictionary<Key, Value, detail::one_chain, Equal, Resource, Pool, Multiple>;

public:
  using options_type = slab_list_options<Key, Value>;

  /// An empty list in place of what was there; if it cannot be had, that is unchanged.
  [[nodiscard]] static cudaError_t create(slab_chain &list, const options_type &options = {},
                                          cudaStream_t stream = nullptr, Resource resource = {},
                                          Equal equal = {}) {
    return dictionary::create(list, of_one_chain(options), stream, resource, {}, equal);
  }
  /// As of a slab hash.
  template <class KeysIn, class ValuesIn>
  [[nodiscard]] static cudaError_t
  build(slab_chain &list, const options_type &options, KeysIn d_keys, ValuesIn d_values,
        uint64_t num_pairs, run_options run = {}, Resource resource = {}, Equal equal = {}) {
    return dictionary::build(list, of_one_chain(options), d_keys, d_values, num_pairs, run,
                             resource, {}, equal);
  }
  template <detail::span_like Keys, detail::span_like Values>
  [[nodiscard]] static cudaError_t
  build(slab_chain &list, const options_type &options, const Keys &keys, const Values &values,
        run_options run = {}, Resource resource = {}, Equal equal = {}) {
    return dictionary::build(list, of_one_chain(options), keys, values, run, resource,
                             detail::one_chain{}, equal);
  }
  template <detail::span_like Keys, detail::span_like Values>
  [[nodiscard]] static cudaError_t
  from_host(slab_chain &list, const options_type &options, const Keys &keys, const Values &values,
            cudaStream_t stream = nullptr, Resource resource = {}, Equal equal = {}) {
    return dictionary::from_host(list, of_one_chain(options), keys, values, stream, resource,
                                 detail::one_chain{}, equal);
  }
  [[nodiscard]] static cudaError_t from_host(slab_chain &list, const options_type &options,
                                             const Key *keys, const Value *values,
                                             uint64_t num_pairs, cudaStream_t stream = nullptr,
                                             Resource resource = {}, Equal equal = {}) {
    return dictionary::from_host(list, of_one_chain(options), keys, values, num_pairs, stream,
                                 resource, {}, equal);
  }
  /// Of `options` the number of slabs does not count.
  [[nodiscard]] static cudaError_t load(slab_chain &list, const char *path, pair_file_error &file,
                                        options_type options = {}, cudaStream_t stream = nullptr,
                                        Resource resource = {}, Equal equal = {}) {
    return dictionary::load_sized(
        list, path, file,
        [&](uint64_t n) {
          options.num_slabs = slab_list_options_for<Key, Value>(n).num_slabs;
          return of_one_chain(options);
        },
        stream, resource, {}, equal);
  }
  void rehash() = delete;

private:
  static options_type of_one_chain(options_type options) {
    options.num_buckets = 1;
    return options;
  }
};

template <class Key, class Value, class Equal = equal_bits, class Resource = async_resource,
          template <class> class Pool = slab_pool>
using slab_list = slab_chain<Key, Value, Equal, Resource, Pool, false>;
template <class Key, class Value, class Equal = equal_bits, class Resource = async_resource,
          template <class> class Pool = slab_pool>
using slab_multilist = slab_chain<Key, Value, Equal, Resource, Pool, true>;

} // namespace colonnade
