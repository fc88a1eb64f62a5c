//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Calls that radix_sort.cuh refuses, each with its message; see check_refusals.py.
//
//===----------------------------------------------------------------------===//

#include "refused_types.hpp"

#include <colonnade/radix_sort.cuh>

using namespace colonnade;

namespace {

template <class Key> cudaError_t keys() {
  size_t bytes = 0;
  return sort_keys(nullptr, bytes, static_cast<const Key *>(nullptr), static_cast<Key *>(nullptr),
                   1);
}
template <class Key> cudaError_t keys_in_two_buffers() {
  size_t bytes = 0;
  double_buffer<Key> both{};
  return sort_keys(nullptr, bytes, both, 1);
}
template <class Value> cudaError_t pairs() {
  size_t bytes = 0;
  return sort_pairs(nullptr, bytes, static_cast<const uint8_t *>(nullptr),
                    static_cast<uint8_t *>(nullptr), static_cast<const Value *>(nullptr),
                    static_cast<Value *>(nullptr), 1);
}
template <class Value> cudaError_t pairs_in_two_buffers() {
  size_t bytes = 0;
  double_buffer<uint8_t> both{};
  double_buffer<Value> values{};
  return sort_pairs(nullptr, bytes, both, values, 1);
}
template <class Index> cudaError_t order() {
  size_t bytes = 0;
  return argsort(nullptr, bytes, static_cast<const uint8_t *>(nullptr),
                 static_cast<Index *>(nullptr), 1);
}

} // namespace

// refused: radix sort: integers and floats of 8 to 64 bits
cudaError_t key_pair() { return keys<wide>(); }
// refused: radix sort: integers and floats of 8 to 64 bits
cudaError_t key_16_bytes() { return keys<long double>(); }
// refused: radix sort: integers and floats of 8 to 64 bits
cudaError_t key_pointer() { return keys_in_two_buffers<char *>(); }
// refused: radix sort: values are trivially copyable
cudaError_t value_class() { return pairs<owner>(); }
// refused: radix sort: values are trivially copyable
cudaError_t value_32_bytes() { return pairs<wide>(); }
// refused: radix sort: values are trivially copyable
cudaError_t value_class_2() { return pairs_in_two_buffers<owner>(); }
// refused: radix sort: a permutation's indices
cudaError_t signed_index() { return order<int32_t>(); }
