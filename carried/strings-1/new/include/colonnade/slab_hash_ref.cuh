//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// slab_hash_ref.cuh: slab hashes in kernels: operations for a thread alone, and for a warp of which
// each lane comes with a key or without.
//
//   slab_ref   a thread's, wherever it is; trivially copyable, valid as long as the dictionary
//   slab_warp  a warp's: one for each thread, made once in a kernel; all lanes call it together
//
// In: keys and values. Out: what was found. The contract is that of slab_hash.cuh. Invariant: both
// forms of an operation, and of all widths, may meet on a key; but flush meets nothing in its
// chain.
//
//   flush        of a chain: what flush_async of this chain does. It excludes all other use of the
//                chain, not of others: operations on keys of other chains, and flushes of these, go
//                on meanwhile, and may take the slabs that it gives back. What was done in the
//                chain before must be ordered before it, and what comes after behind it: a warp's
//                own operations are (a thread's own, too), those of others by whatever lets them
//                wait for each other (a barrier of the block or the grid, the end of a kernel).
//                bucket_of says which chain a key is in, num_buckets how many there are; a list has
//                one, chain 0
//   errors       of flush none: chains that there are not are left out; it takes no slab
//   work         each slab of the chain is read once, and the last that stays once more; each pair
//                behind a tombstone is written once, and so is each word that is opened. A warp
//                flushes two chains at a time, so its 32 lanes' chains take 16 walks; each is as
//                long as the longer of two chains, and waits for a slab's words at every step
//   traffic      128 bytes a slab that is read; of a chain with tombstones as much again, at most,
//                is written. A slab that is given back costs a fence and an atomic
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/slab_hash/chains.hpp>
#include <colonnade/detail/slab_hash/machine.cuh>
#include <colonnade/detail/slab_hash/worker.hpp>

namespace colonnade {

/// What an operation found. value: only if the key was present; the one that is there, or that was
/// there before.
template <class Value> struct slab_found {
  slab_answer was;
  Value value;
  COLONNADE_HOST_DEVICE bool present() const { return was == slab_answer::present; }
};

namespace detail {

template <class Table>
constexpr bool table_has_values = !std::is_same_v<typename Table::value_type, no_value>;
/// Messages of operations that a kind of dictionary does not have.
template <class Table> COLONNADE_HOST_DEVICE constexpr void require_values() {
  static_assert(table_has_values<Table>, "slab hash: a set has keys and no values");
}
template <class Table> COLONNADE_HOST_DEVICE constexpr void require_no_values() {
  static_assert(!table_has_values<Table>, "slab hash: a key is inserted with a value");
}
template <class Table> COLONNADE_HOST_DEVICE constexpr void require_unique() {
  static_assert(!Table::format_type::multiple,
                "slab hash: a multimap does not replace: a key may have several values");
}
/// In device code that is compiled for an architecture without the instructions.
template <class Table> __device__ constexpr void require_architecture() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
  static_assert(sizeof(typename Table::word) == 8,
                "slab hash: keys or values of 64 bits need sm_90 or later in kernels of your own");
#endif
}

} // namespace detail

template <class Table, uint32_t Lanes, uint32_t InFlight> class slab_warp;

template <class Table> class slab_ref {
public:
  using table_type = Table;
  using key_type = typename Table::key_type;
  using value_type = typename Table::value_type;
  using found = slab_found<value_type>;
  /// Lanes that read a slab together, and slabs that they have asked for at once.
  template <uint32_t Lanes = 8, uint32_t InFlight = 2>
  using warp = slab_warp<Table, Lanes, InFlight>;

  slab_ref() = default;
  explicit slab_ref(const Table &table) : table_(table) {}

  __device__ found find(const key_type &key) const {
    return run(detail::fixed_operation<slab_operation::find>{}, key, value_type{});
  }
  __device__ bool contains(const key_type &key) const { return find(key).present(); }
  __device__ found insert(const key_type &key, const value_type &value) const {
    detail::require_values<Table>();
    return run(detail::fixed_operation<slab_operation::insert>{}, key, value);
  }
  __device__ found insert(const key_type &key) const {
    detail::require_no_values<Table>();
    return run(detail::fixed_operation<slab_operation::insert>{}, key, value_type{});
  }
  __device__ found insert_or_assign(const key_type &key, const value_type &value) const {
    detail::require_values<Table>();
    detail::require_unique<Table>();
    return run(detail::fixed_operation<slab_operation::insert_or_assign>{}, key, value);
  }
  /// value if the key is absent, else apply(value that is there, value).
  template <class Apply>
  __device__ found insert_or_apply(const key_type &key, const value_type &value,
                                   Apply apply) const {
    detail::require_values<Table>();
    detail::require_unique<Table>();
    return run(detail::applied_operation<Apply, value_type>{slab_operation::insert_or_apply, apply},
               key, value);
  }
  __device__ found erase(const key_type &key) const {
    return run(detail::fixed_operation<slab_operation::erase>{}, key, value_type{});
  }
  /// How many pairs the key has.
  __device__ uint32_t count(const key_type &key) const { return all(key, detail::count_pairs{}); }
  /// How many there were.
  __device__ uint32_t erase_all(const key_type &key) const {
    return all(key, detail::erase_pairs{});
  }
  /// How many there are; the values of the first `capacity` are written, in any order.
  __device__ uint32_t find_all(const key_type &key, value_type *values, uint64_t capacity) const {
    detail::require_values<Table>();
    return all(key, detail::list_pairs<value_type>{values, capacity});
  }

  /// Drops the tombstones of a chain, and gives slabs that are empty then back to the pool; the
  /// pairs that stay keep their order. One thread moves all pairs of the chain, one after the
  /// other, with 16 words of a slab in registers: where a warp is together its form takes less
  /// time.
  __device__ void flush(uint32_t bucket) const {
    detail::require_architecture<Table>();
    const detail::device_slab_machine machine;
    if (bucket < table_.num_buckets)
      detail::flush_alone<detail::device_slab_machine, Table>{machine, table_}.run(bucket);
  }
  COLONNADE_HOST_DEVICE uint32_t num_buckets() const { return table_.num_buckets; }
  /// The chain that a key is in, or would be.
  __device__ uint32_t bucket_of(const key_type &key) const { return table_.bucket_number(key); }

  /// The slabs themselves; their format is in detail/slab_hash/slab.hpp and may change.
  COLONNADE_HOST_DEVICE const Table &table() const { return table_; }

private:
  using worker = detail::slab_worker<detail::device_slab_machine, Table, 1, 1>;

  template <class Operation>
  __device__ found run(const Operation &operation, const key_type &key,
                       const value_type &value) const {
    detail::require_architecture<Table>();
    const detail::device_slab_machine machine;
    const auto outcome =
        worker(machine, table_).run(true, operation, key, detail::slab_bits(value));
    return {outcome.was, detail::from_slab_bits<value_type>(outcome.value)};
  }
  template <class Use> __device__ uint32_t all(const key_type &key, const Use &use) const {
    detail::require_architecture<Table>();
    const detail::device_slab_machine machine;
    return worker(machine, table_).each_pair(true, key, use).count;
  }
  Table table_;
};

/// It remembers where the warp takes slabs.
template <class Table, uint32_t Lanes, uint32_t InFlight> class slab_warp {
public:
  using key_type = typename Table::key_type;
  using value_type = typename Table::value_type;
  using found = slab_found<value_type>;

  __device__ explicit slab_warp(const slab_ref<Table> &dictionary)
      : table_(dictionary.table()), worker_(machine_, table_) {
    detail::require_architecture<Table>();
  }
  slab_warp(const slab_warp &) = delete;
  slab_warp &operator=(const slab_warp &) = delete;

  __device__ found find(bool has, const key_type &key) {
    return run(has, detail::fixed_operation<slab_operation::find>{}, key, value_type{});
  }
  __device__ bool contains(bool has, const key_type &key) { return find(has, key).present(); }
  __device__ found insert(bool has, const key_type &key, const value_type &value) {
    detail::require_values<Table>();
    return run(has, detail::fixed_operation<slab_operation::insert>{}, key, value);
  }
  __device__ found insert(bool has, const key_type &key) {
    detail::require_no_values<Table>();
    return run(has, detail::fixed_operation<slab_operation::insert>{}, key, value_type{});
  }
  __device__ found insert_or_assign(bool has, const key_type &key, const value_type &value) {
    detail::require_values<Table>();
    detail::require_unique<Table>();
    return run(has, detail::fixed_operation<slab_operation::insert_or_assign>{}, key, value);
  }
  template <class Apply>
  __device__ found insert_or_apply(bool has, const key_type &key, const value_type &value,
                                   Apply apply) {
    return this->apply(has, slab_operation::insert_or_apply, key, value, apply);
  }
  __device__ found erase(bool has, const key_type &key) {
    return run(has, detail::fixed_operation<slab_operation::erase>{}, key, value_type{});
  }
  __device__ uint32_t count(bool has, const key_type &key) {
    return worker_.each_pair(has, key, detail::count_pairs{}).count;
  }
  __device__ uint32_t erase_all(bool has, const key_type &key) {
    return worker_.each_pair(has, key, detail::erase_pairs{}).count;
  }
  /// Each lane its own array.
  __device__ uint32_t find_all(bool has, const key_type &key, value_type *values,
                               uint64_t capacity) {
    detail::require_values<Table>();
    return worker_.each_pair(has, key, detail::list_pairs<value_type>{values, capacity}).count;
  }
  /// Of the chain that each lane brings, if it has one; of one that several lanes bring once.
  __device__ void flush(bool has, uint32_t bucket) {
    detail::flush_chains_of_lanes(machine_, table_, has, bucket);
  }
  /// Each lane its own operation, but insert_or_apply.
  __device__ found apply(bool has, slab_operation operation, const key_type &key,
                         const value_type &value) {
    return run(has, operation, key, value);
  }
  /// Each lane its own operation; `function` is of insert_or_apply.
  template <class Apply>
  __device__ found apply(bool has, slab_operation operation, const key_type &key,
                         const value_type &value, Apply function) {
    detail::require_values<Table>();
    detail::require_unique<Table>();
    return run(has, detail::applied_operation<Apply, value_type>{operation, function}, key, value);
  }

private:
  template <class Operation>
  __device__ found run(bool has, const Operation &operation, const key_type &key,
                       const value_type &value) {
    const auto outcome = worker_.run(has, operation, key, detail::slab_bits(value));
    return {outcome.was, detail::from_slab_bits<value_type>(outcome.value)};
  }
  const detail::device_slab_machine machine_{};
  const Table table_;
  detail::slab_worker<detail::device_slab_machine, Table, Lanes, InFlight> worker_;
};

} // namespace colonnade
