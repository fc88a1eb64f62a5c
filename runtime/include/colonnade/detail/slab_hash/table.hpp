//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// table.hpp: a slab hash as kernels see it, and what an operation on it is and answers.
//
// In: the first slabs of all chains, a pool of further ones, and how keys are hashed and compared.
// Out: where a key's chain begins. Invariant: trivially copyable; nothing in it changes while
// kernels use it.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/slab_hash/claims.hpp>

namespace colonnade {

/// What may be asked for.
enum class slab_operation : uint8_t { find, insert, insert_or_assign, erase };

/// What an operation found before it did anything.
enum class slab_answer : uint8_t {
  absent,   // the key was not there: find found nothing, insert inserted it, erase did nothing
  present,  // the key was there: find found it, insert did nothing, erase erased it
  no_slab,  // not done: the key was absent, its chain full, and the pool too
  reserved, // not done: the key is one of the two that are reserved
};

/// The default hash: the bits of a key, spread.
struct slab_hash_function {
  template <class Key> COLONNADE_HOST_DEVICE uint32_t operator()(const Key &key) const {
    return detail::spread_bits(detail::slab_bits(key));
  }
};

namespace detail {

/// An operation that is known when a kernel is compiled; one that is not is a slab_operation.
template <slab_operation Operation> struct fixed_operation {
  COLONNADE_HOST_DEVICE constexpr operator slab_operation() const { return Operation; }
};
template <class Operation>
constexpr bool only_finds = std::is_same_v<Operation, fixed_operation<slab_operation::find>>;
template <class Operation>
constexpr bool never_links =
    only_finds<Operation> || std::is_same_v<Operation, fixed_operation<slab_operation::erase>>;

template <class Key, class Value, class Hash, class Equal, class Pool> struct slab_table {
  using key_type = Key;
  using value_type = Value;
  using pool_type = Pool;

  slab *buckets;
  uint32_t num_buckets;
  Pool pool;
  slab_format<Key, Equal> format;
  Hash hash;

  COLONNADE_HOST_DEVICE uint64_t *bucket_of(const Key &key) const {
    return buckets[spread_below(hash(key), num_buckets)].words;
  }
};

} // namespace detail

} // namespace colonnade
