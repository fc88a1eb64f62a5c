//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Calls that merge_sort.cuh refuses, each with its message; see check_refusals.py.
//
//===----------------------------------------------------------------------===//

#include "refused_types.hpp"

#include <colonnade/merge_sort.cuh>

using namespace colonnade;

namespace {

struct anyhow {
  template <class T> __host__ __device__ bool operator()(const T &, const T &) const {
    return false;
  }
};

template <class Key, class Out = Key> cudaError_t keys() {
  size_t bytes = 0;
  return merge_sort_keys(nullptr, bytes, static_cast<const Key *>(nullptr),
                         static_cast<Out *>(nullptr), 1, anyhow{}, {}, merging_policy{});
}
template <class Value, class Out = Value> cudaError_t pairs() {
  size_t bytes = 0;
  return stable_merge_sort_pairs(nullptr, bytes, static_cast<const uint8_t *>(nullptr),
                                 static_cast<uint8_t *>(nullptr),
                                 static_cast<const Value *>(nullptr), static_cast<Out *>(nullptr),
                                 1, anyhow{}, {}, merging_policy{});
}
template <class Key, class Index> cudaError_t order() {
  size_t bytes = 0;
  return merge_argsort(nullptr, bytes, static_cast<const Key *>(nullptr),
                       static_cast<Index *>(nullptr), 1, anyhow{}, {}, merging_policy{});
}

} // namespace

// refused: merge sort: keys are trivially copyable
cudaError_t key_class() { return keys<owner>(); }
// refused: merge sort: keys are trivially copyable
cudaError_t key_32_bytes() { return keys<wide>(); }
// refused: merge sort: keys in and out are of one type
cudaError_t key_types() { return keys<uint32_t, uint64_t>(); }
// refused: merge sort: values are trivially copyable
cudaError_t value_32_bytes() { return pairs<wide>(); }
// refused: merge sort: values in and out are of one type
cudaError_t value_types() { return pairs<uint32_t, float>(); }
// refused: merge sort: a permutation's indices are unsigned
cudaError_t signed_index() { return order<uint32_t, int32_t>(); }
// refused: merge sort: keys are trivially copyable
cudaError_t ordered_class() { return order<owner, uint32_t>(); }
