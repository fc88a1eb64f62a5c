//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// bucket_id.hpp: turns the result of the user's bucket functor into an id that is safe to use as
// an index.
//
// In: the functor, and the user's number of buckets. Out: ids from 0 to last(). Under a policy that
// discards there is one more bucket after the user's, for the items to leave out. Invariant: an id
// that is out of range counts as the user's last bucket, so that the item is kept and nothing is
// accessed out of range; the histogram pass reports it.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/device/report.hpp>
#include <colonnade/multisplit_tuning.hpp>

#include <cstdint>
#include <type_traits>

namespace colonnade::detail {

/// Whether the functor takes the item's index as well. In device code only: the host cannot tell
/// for device lambdas.
template <class Bucket, class Key>
constexpr bool takes_index = std::is_invocable_v<const Bucket &, const Key &, uint64_t>;

template <class Function, class... Arguments>
constexpr bool gives_integer =
    std::is_integral_v<typename std::invoke_result<const Function &, const Arguments &...>::type>;

template <class Bucket, class Key, bool Index = takes_index<Bucket, Key>,
          bool Alone = std::is_invocable_v<const Bucket &, const Key &>>
constexpr bool is_bucket_functor = false;
template <class Bucket, class Key, bool Alone>
constexpr bool is_bucket_functor<Bucket, Key, true, Alone> = gives_integer<Bucket, Key, uint64_t>;
template <class Bucket, class Key>
constexpr bool is_bucket_functor<Bucket, Key, false, true> = gives_integer<Bucket, Key>;

template <class Bucket, bool Discards> struct bucket_ids {
  static constexpr bool discards = Discards;

  Bucket bucket;
  uint32_t num_buckets; // the user's

  COLONNADE_HOST_DEVICE uint32_t count() const { return num_buckets + Discards; }
  COLONNADE_HOST_DEVICE uint32_t last() const { return num_buckets - 1 + Discards; }

  template <class Key> COLONNADE_KERNEL_CODE uint32_t raw(const Key &key, uint64_t index) const {
    static_assert(
        is_bucket_functor<Bucket, Key>,
        "multisplit: the bucket functor is a const uint32_t(key) or uint32_t(key, uint64_t index)");
    if constexpr (takes_index<Bucket, Key>)
      return static_cast<uint32_t>(bucket(key, index));
    else
      return static_cast<uint32_t>(bucket(key));
  }
  COLONNADE_HOST_DEVICE bool in_range(uint32_t raw_id) const {
    return raw_id < num_buckets || (Discards && raw_id == discard_bucket);
  }
  COLONNADE_HOST_DEVICE uint32_t safe(uint32_t raw_id) const {
    if (Discards && raw_id == discard_bucket)
      return num_buckets;
    const uint32_t highest = num_buckets - 1; // one minimum instruction
    return raw_id < highest ? raw_id : highest;
  }
  template <class Key>
  COLONNADE_KERNEL_CODE uint32_t operator()(const Key &key, uint64_t index) const {
    return safe(raw(key, index));
  }
};

/// The bucket of the item at a place of a tile that is sorted by bucket: a binary search.
template <uint32_t NumBuckets>
COLONNADE_KERNEL_CODE uint32_t bucket_at(const uint32_t *tile_start, uint32_t place) {
  uint32_t b = 0;
  COLONNADE_UNROLL
  for (uint32_t step = NumBuckets / 2; step > 0; step /= 2)
    if (tile_start[b + step] <= place)
      b += step;
  return b;
}

/// Reports the item if its id is out of range. `status` is not null.
template <class Machine, class Ids, class Key>
COLONNADE_KERNEL_CODE void report_bad_id(const Machine &machine, const Ids &ids, const Key &key,
                                         uint64_t index, device_status *status) {
  if (!ids.in_range(ids.raw(key, index)))
    report_error(machine, status, data_error::bucket_out_of_range, index);
}
/// The same for a thread's items of chunk `c` of `whole`, an input_chunk of `in`. Rare: they are
/// read again, one after the other, by little code.
template <class Machine, class Ids, class Chunk, class In>
COLONNADE_KERNEL_CODE void report_chunk(const Machine &machine, const Ids &ids, const Chunk &whole,
                                        uint64_t c, const In &in, device_status *status) {
  COLONNADE_UNROLL_BY(1)
  for (uint32_t k = 0; k < Chunk::items; ++k) {
    const uint64_t i = whole.index_of(c, machine.thread(), k);
    report_bad_id(machine, ids, typename Chunk::item(in[static_cast<std::ptrdiff_t>(i)]), i,
                  status);
  }
}
/// The item's id, safe to use; one that was out of range is reported.
template <class Machine, class Ids, class Key>
COLONNADE_KERNEL_CODE uint32_t checked_id(const Machine &machine, const Ids &ids, const Key &key,
                                          uint64_t index, device_status *status) {
  const uint32_t raw = ids.raw(key, index);
  if (status && !ids.in_range(raw))
    report_error(machine, status, data_error::bucket_out_of_range, index);
  return ids.safe(raw);
}

} // namespace colonnade::detail
