//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Calls that segmented_sort.cuh refuses, each with its message; see check_refusals.py.
//
//===----------------------------------------------------------------------===//

#include "refused_types.hpp"

#include <colonnade/segmented_sort.cuh>

using namespace colonnade;

namespace {

struct neither {
  uint64_t count, length;
};

template <class Key, class Segments> cudaError_t keys(Segments segments) {
  size_t bytes = 0;
  return segmented_sort_keys(nullptr, bytes, static_cast<const Key *>(nullptr),
                             static_cast<Key *>(nullptr), segments);
}
template <class Value> cudaError_t pairs() {
  size_t bytes = 0;
  return segmented_sort_pairs(nullptr, bytes, static_cast<const uint8_t *>(nullptr),
                              static_cast<uint8_t *>(nullptr), static_cast<const Value *>(nullptr),
                              static_cast<Value *>(nullptr), equal_segments{1, 1});
}
template <class Index> cudaError_t order() {
  size_t bytes = 0;
  return segmented_argsort(nullptr, bytes, static_cast<const uint8_t *>(nullptr),
                           static_cast<Index *>(nullptr), equal_segments{1, 1});
}

} // namespace

// refused: integers and floats of 8 to 64 bits
cudaError_t key_class() { return keys<wide>(equal_segments{1, 1}); }
// refused: segments are equal_segments, or listed_segments
cudaError_t other_segments() { return keys<uint8_t>(neither{1, 1}); }
constexpr const float *floats = nullptr;
// refused: whose begins and ends are integers
cudaError_t floating_offsets() { return keys<uint8_t>(segments_between(1, floats, 1)); }
// refused: segmented sort: values are trivially copyable
cudaError_t value_class() { return pairs<owner>(); }
// refused: segmented sort: values are trivially copyable
cudaError_t value_32_bytes() { return pairs<wide>(); }
// refused: segmented sort: places are unsigned
cudaError_t signed_index() { return order<int32_t>(); }
