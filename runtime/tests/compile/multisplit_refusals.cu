//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Calls that multisplit.cuh refuses, each with its message; see check_refusals.py.
//
//===----------------------------------------------------------------------===//

#include "refused_types.hpp"

#include <colonnade/multisplit.cuh>
#include <colonnade/segmented_multisplit.cuh>
#include <colonnade/two_way_multisplit.cuh>

using namespace colonnade;

namespace {

struct zero {
  template <class Key> __device__ uint32_t operator()(const Key &) const { return 0; }
};
struct not_const {
  __device__ uint32_t operator()(uint32_t) { return 0; }
};
struct of_pointer {
  __device__ uint32_t operator()(const char *) const { return 0; }
};
struct of_nothing {
  __device__ uint32_t operator()() const { return 0; }
};
struct gives_float {
  __device__ float operator()(uint32_t) const { return 0; }
};
struct index_gives_float {
  __device__ float operator()(uint32_t, uint64_t) const { return 0; }
};
struct with_state {
  owner state;
  __device__ uint32_t operator()(uint32_t) const { return 0; }
};
struct too_many : multisplit_policy {
  static constexpr uint32_t max_buckets = ~0u;
};
struct rounds_down : multisplit_policy {
  static constexpr uint32_t max_buckets = 256;
  static constexpr uint32_t round_up_bits(uint32_t) { return 1; }
};
struct light : multisplit_policy {
  static constexpr uint32_t max_buckets = 256;
  static constexpr uint64_t max_items = 1 << 20;
  static constexpr uint32_t round_up_bits(uint32_t) { return 8; }
};

template <class Key, class Policy = light, class Bucket> cudaError_t keys(const Bucket &bucket) {
  size_t bytes = 0;
  return multisplit_keys(nullptr, bytes, static_cast<const Key *>(nullptr),
                         static_cast<Key *>(nullptr), 1, 2, bucket, nullptr, {}, Policy{});
}
template <class Value> cudaError_t pairs() {
  size_t bytes = 0;
  return multisplit_pairs(nullptr, bytes, static_cast<const uint32_t *>(nullptr),
                          static_cast<uint32_t *>(nullptr), static_cast<const Value *>(nullptr),
                          static_cast<Value *>(nullptr), 1, 2, zero{}, nullptr, {}, light{});
}
template <class Key, class Bucket> cudaError_t two_ways(const Bucket &bucket) {
  size_t bytes = 0;
  return two_way_multisplit_keys(nullptr, bytes, static_cast<const Key *>(nullptr),
                                 static_cast<Key *>(nullptr), 1, bucket, nullptr);
}
struct light_segments : segmented_multisplit_policy {
  static constexpr uint32_t round_up_bits(uint32_t) { return 8; }
};
template <class Key, class Bucket> cudaError_t segments(const Bucket &bucket) {
  size_t bytes = 0;
  return segmented_multisplit_keys(nullptr, bytes, static_cast<const Key *>(nullptr),
                                   static_cast<Key *>(nullptr), 1, 1, nullptr, 2, bucket, nullptr,
                                   {}, light_segments{});
}
template <class Index> cudaError_t permutation() {
  size_t bytes = 0;
  return multisplit_permutation(nullptr, bytes, static_cast<const uint32_t *>(nullptr),
                                static_cast<Index *>(nullptr), 1, 2, zero{}, nullptr, {}, light{});
}

} // namespace

// refused: multisplit: keys are trivially copyable
cudaError_t key_class() { return keys<owner>(zero{}); }
// refused: multisplit: keys are trivially copyable
cudaError_t key_32_bytes() { return keys<wide>(zero{}); }
// refused: multisplit: values are trivially copyable
cudaError_t value_class() { return pairs<owner>(); }
// refused: multisplit: values are trivially copyable
cudaError_t value_32_bytes() { return pairs<wide>(); }
// refused: multisplit: the bucket functor is a const
cudaError_t changes() { return keys<uint32_t>(not_const{}); }
// refused: multisplit: the bucket functor is a const
cudaError_t other_key() { return keys<uint32_t>(of_pointer{}); }
// refused: multisplit: the bucket functor is a const
cudaError_t no_key() { return keys<uint32_t>(of_nothing{}); }
// refused: multisplit: the bucket functor is a const
cudaError_t real() { return keys<uint32_t>(gives_float{}); }
// refused: multisplit: the bucket functor is a const
cudaError_t real_2() { return keys<uint32_t>(index_gives_float{}); }
// refused: multisplit: the bucket functor is trivially
cudaError_t state(const with_state &bucket) { return keys<uint32_t>(bucket); }
// refused: two-way multisplit: keys are trivially copyable
cudaError_t two_way_key() { return two_ways<wide>(zero{}); }
// refused: multisplit: the bucket functor is trivially
cudaError_t two_way_state(const with_state &bucket) { return two_ways<uint32_t>(bucket); }
// refused: segmented multisplit: keys are trivially copyable
cudaError_t segments_key() { return segments<owner>(zero{}); }
// refused: multisplit: the bucket functor is trivially
cudaError_t segments_state(const with_state &bucket) { return segments<uint32_t>(bucket); }
// refused: bucket ids have 31 bits
cudaError_t most() { return keys<uint32_t, too_many>(zero{}); }
// refused: round_up_bits returns Bits to 8
cudaError_t bits() { return keys<uint32_t, rounds_down>(zero{}); }
// refused: multisplit: a permutation's indices
cudaError_t signed_index() { return permutation<int32_t>(); }
