//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Calls that bitonic_sort.cuh and bulk_sort.cuh refuse, each with its message; see
// check_refusals.py.
//
//===----------------------------------------------------------------------===//

#include <colonnade/bitonic_sort.cuh>
#include <colonnade/bulk_sort.cuh>

using namespace colonnade;

namespace {

struct owner { // not trivially copyable
  uint32_t number;
  owner() = default;
  owner(const owner &other) : number(other.number) {}
};
struct wide {
  uint32_t words[8];
};
struct unborn { // not default constructible
  uint32_t number;
  explicit unborn(uint32_t n) : number(n) {}
};

template <class Key> cudaError_t keys() {
  return bitonic_sort_keys(static_cast<Key *>(nullptr), 1);
}
template <class Value> cudaError_t pairs() {
  return bitonic_sort_pairs(static_cast<uint8_t *>(nullptr), static_cast<Value *>(nullptr), 1);
}
template <class Key> cudaError_t bulk_keys() {
  size_t bytes = 0;
  return bulk_sort_keys(nullptr, bytes, static_cast<const Key *>(nullptr),
                        static_cast<Key *>(nullptr), 1, 1);
}
template <class Value> cudaError_t bulk_pairs() {
  size_t bytes = 0;
  return bulk_stable_sort_pairs(
      nullptr, bytes, static_cast<const uint8_t *>(nullptr), static_cast<uint8_t *>(nullptr),
      static_cast<const Value *>(nullptr), static_cast<Value *>(nullptr), 1, 1);
}
template <class Index> cudaError_t bulk_rows() {
  size_t bytes = 0;
  return bulk_argsort(nullptr, bytes, static_cast<const uint8_t *>(nullptr),
                      static_cast<Index *>(nullptr), 1, 1);
}

} // namespace

// refused: bitonic sort: keys are trivially copyable, of 1 to 16 bytes
cudaError_t key_class() { return keys<owner>(); }
// refused: bitonic sort: keys are trivially copyable, of 1 to 16 bytes
cudaError_t key_32_bytes() { return keys<wide>(); }
// refused: bitonic sort: keys are trivially copyable, of 1 to 16 bytes
cudaError_t key_not_constructible() { return keys<unborn>(); }
// refused: bitonic sort: values are trivially copyable, of 1 to 16 bytes
cudaError_t value_class() { return pairs<owner>(); }
// refused: bulk sort: keys are trivially copyable, of 1 to 16 bytes
cudaError_t bulk_key_class() { return bulk_keys<owner>(); }
// refused: bulk sort: values are trivially copyable, of 1 to 16 bytes
cudaError_t bulk_value_32_bytes() { return bulk_pairs<wide>(); }
// refused: bulk sort: row numbers are unsigned integers
cudaError_t signed_rows() { return bulk_rows<int32_t>(); }
