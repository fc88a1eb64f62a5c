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
enum class slab_operation : uint8_t { find, insert, insert_or_assign, erase, insert_or_apply };

/// What an operation found before it did anything.
enum class slab_answer : uint8_t {
  absent,   // the key was not there: find found nothing, insertions inserted it, erase did nothing;
            // of a multimap's insertion also if it was there
  present,  // the key was there: find found it, insert did nothing, erase erased it
  no_slab,  // not done: the operation needed a slot, the chain was full, and the pool too
  reserved, // not done: the key is one of the two that are reserved
};

/// The default hash: the bits of a key, spread.
struct slab_hash_function {
  template <class Key> COLONNADE_HOST_DEVICE uint32_t operator()(const Key &key) const {
    return detail::spread_bits(detail::slab_bits(key));
  }
};

namespace detail {

constexpr COLONNADE_HOST_DEVICE bool slab_operation_inserts(slab_operation operation) {
  return operation == slab_operation::insert || operation == slab_operation::insert_or_assign ||
         operation == slab_operation::insert_or_apply;
}

/// An operation that is known when a kernel is compiled; one that is not is a slab_operation.
template <slab_operation Operation> struct fixed_operation {
  COLONNADE_HOST_DEVICE constexpr operator slab_operation() const { return Operation; }
};
/// insert_or_apply, or another operation where lanes differ: with the function of
/// insert_or_apply, Value(value that is there, value that was given).
template <class Apply, class Value> struct applied_operation {
  slab_operation operation;
  Apply apply;
  COLONNADE_HOST_DEVICE operator slab_operation() const { return operation; }
  COLONNADE_HOST_DEVICE auto operator()(uint64_t old_bits, uint64_t given_bits) const {
    return slab_bits(static_cast<Value>(
        apply(from_slab_bits<Value>(old_bits), from_slab_bits<Value>(given_bits))));
  }
};

template <class Operation> constexpr bool may_apply = false;
template <class Apply, class Value>
inline constexpr bool may_apply<applied_operation<Apply, Value>> = true;
template <class Operation> constexpr bool is_fixed = false;
template <slab_operation Operation>
inline constexpr bool is_fixed<fixed_operation<Operation>> = true;
template <class Operation>
constexpr bool only_finds = std::is_same_v<Operation, fixed_operation<slab_operation::find>>;
template <class Operation>
constexpr bool never_links =
    only_finds<Operation> || std::is_same_v<Operation, fixed_operation<slab_operation::erase>>;

/// Behind the last of `count` chains from `first` on, as far as there are.
constexpr uint32_t end_of_chains(uint32_t first, uint32_t count, uint32_t all) {
  return first < all && count < all - first ? first + count : all;
}

template <class Key, class Value, class Hash, class Equal, class Pool, bool Multiple = false>
struct slab_table {
  using key_type = Key;
  using value_type = Value;
  using pool_type = Pool;
  using format_type = slab_format<Key, slab_half<Key, Value>, Equal, Multiple>;
  using half = typename format_type::half;
  using word = typename format_type::word;

  slab *buckets;
  uint32_t num_buckets;
  Pool pool;
  format_type format;
  Hash hash;

  COLONNADE_HOST_DEVICE uint32_t bucket_number(const Key &key) const {
    return spread_below(hash(key), num_buckets);
  }
  COLONNADE_HOST_DEVICE word *first_slab(uint32_t bucket) const {
    return reinterpret_cast<word *>(buckets[bucket].words);
  }
  COLONNADE_HOST_DEVICE word *bucket_of(const Key &key) const {
    return first_slab(bucket_number(key));
  }
  /// Of a slab of the pool.
  template <class Machine>
  COLONNADE_KERNEL_CODE word *address(const Machine &machine, uint32_t number) const {
    return reinterpret_cast<word *>(pool.address(machine, number));
  }
};

} // namespace detail

} // namespace colonnade
