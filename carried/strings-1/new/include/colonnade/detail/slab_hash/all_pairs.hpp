//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// all_pairs.hpp: what is done to all pairs of each key of an array: they are counted, erased, or
// their values listed. (What is done to one is a slab_operation.)
//
//   is_wanted  whether anything is to be done
//   pairs_of   what a lane does to the pairs that it meets (pairs.hpp)
//   finish     what it does when it has met so many
//
// In: keys; for lists, where each key's values go, which a walk before has counted. Out: for each
// key, how many pairs it has, or their values. Invariant: values of a key are written to its own
// places alone, whatever others have done to the dictionary since its pairs were counted.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/slab_hash/pairs.hpp>

namespace colonnade::detail {

struct count_operation {
  static constexpr bool of_all_pairs = true, changes = false;
  COLONNADE_HOST_DEVICE bool is_wanted() const { return true; }
  COLONNADE_HOST_DEVICE count_pairs pairs_of(bool, uint64_t) const { return {}; }
  template <class Machine>
  COLONNADE_KERNEL_CODE void finish(const Machine &, uint64_t, uint32_t) const {}
};
struct erase_all_operation : count_operation {
  static constexpr bool changes = true;
  COLONNADE_HOST_DEVICE erase_pairs pairs_of(bool, uint64_t) const { return {}; }
};

/// The values of key i from offsets[i] to offsets[i + 1], as far as there is room. Where there are
/// fewer by now, the rest is `absent`. Where there are more, some are left out: of unique keys that
/// is right, since the one pair that came was not there before; those of a multimap are listed by
/// this only if there is no room for all of them, else by staged_pairs.hpp.
template <class Value> struct find_all_operation {
  static constexpr bool of_all_pairs = true, changes = false;
  const uint64_t *offsets; // one more than keys
  Value *values;
  uint64_t capacity;
  Value absent;
  const uint64_t *total; // null, or nothing is done if so many are no more than there is room for

  COLONNADE_HOST_DEVICE bool is_wanted() const { return !total || *total > capacity; }
  COLONNADE_HOST_DEVICE list_pairs<Value> pairs_of(bool has, uint64_t i) const {
    const uint64_t first = has ? offsets[i] : 0, end = has ? offsets[i + 1] : 0;
    return {values + first, places(first, end)};
  }
  template <class Machine>
  COLONNADE_KERNEL_CODE void finish(const Machine &, uint64_t i, uint32_t count) const {
    const uint64_t first = offsets[i], room = places(first, offsets[i + 1]);
    for (uint64_t k = count; k < room; ++k)
      values[first + k] = absent;
  }

private:
  COLONNADE_HOST_DEVICE uint64_t places(uint64_t first, uint64_t end) const {
    const uint64_t last = end < capacity ? end : capacity;
    return last > first ? last - first : 0;
  }
};

template <class Operation>
concept operation_of_all_pairs = Operation::of_all_pairs;

} // namespace colonnade::detail
