//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// bulk_sets.hpp: many sets of points, in classes by size, and where the hull of each goes.
//
//   lanes     sets of at most as many points as one thread takes     lane_sets.hpp
//   narrow    those that a narrow block takes                        block_sets.hpp
//   wide      those that a wide block takes                          block_sets.hpp
//   large     all others                                             large_sets.hpp
//   sieved    of these, once they are known, the ones of which a     sieved_sets.hpp
//             sieve leaves few points
//
// In: p + 1 offsets. Out: of a set its points, its class and its output. Invariant: a set that ends
// before it begins, or beyond the points, or is longer than the caller says, counts as empty.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/convex_hull/hull_order.hpp>

#include <iterator>

namespace colonnade::detail {

enum class set_class : uint32_t { lanes, narrow, wide, large, sieved };
constexpr uint32_t num_set_classes = 5;

/// The most points of a set of the first classes.
struct set_sizes {
  uint32_t lanes, narrow, wide;
};

/// Offset: an unsigned integer.
template <class Offset> struct bulk_sets {
  const Offset *offsets;
  uint64_t num_points, longest;
  const uint32_t *by_class;     // numbers of sets
  const uint64_t *class_begins; // in these; and the end of the last class

  COLONNADE_KERNEL_CODE bool is_valid(Offset begin, Offset end) const {
    return begin <= end && end <= num_points && end - begin <= longest;
  }
  COLONNADE_KERNEL_CODE bool is_valid(uint64_t set) const {
    return is_valid(offsets[set], offsets[set + 1]);
  }
  COLONNADE_KERNEL_CODE uint64_t begin(uint64_t set) const { return offsets[set]; }
  COLONNADE_KERNEL_CODE uint64_t size(uint64_t set) const {
    return is_valid(set) ? offsets[set + 1] - offsets[set] : 0;
  }
  COLONNADE_KERNEL_CODE uint64_t class_begin(set_class c) const {
    return class_begins[static_cast<uint32_t>(c)];
  }
  COLONNADE_KERNEL_CODE uint64_t class_size(set_class c) const {
    return class_begins[static_cast<uint32_t>(c) + 1] - class_begins[static_cast<uint32_t>(c)];
  }
  /// Set k of a class.
  COLONNADE_KERNEL_CODE uint32_t of_class(set_class c, uint64_t k) const {
    return by_class[class_begin(c) + k];
  }
};

/// The sets' classes, in the sets' order.
template <class Offset> struct set_classes {
  using value_type = uint32_t;
  using difference_type = std::ptrdiff_t;
  using pointer = const uint32_t *;
  using reference = uint32_t;
  using iterator_category = std::random_access_iterator_tag;

  bulk_sets<Offset> sets; // by_class is not there yet
  set_sizes most;
  uint64_t first = 0;

  COLONNADE_HOST_DEVICE set_classes operator+(difference_type i) const {
    return {sets, most, first + static_cast<uint64_t>(i)};
  }
  COLONNADE_KERNEL_CODE uint32_t operator[](difference_type i) const {
    const uint64_t size = sets.size(first + static_cast<uint64_t>(i));
    return uint32_t{size > most.lanes} + (size > most.narrow) + (size > most.wide);
  }
};
struct class_of_set {
  COLONNADE_KERNEL_CODE uint32_t operator()(uint32_t c) const { return c; }
};

/// Of one set.
template <class Index> struct set_output {
  Index *hull; // null: vertices are only counted
  uint32_t *count;
  device_status *status;

  template <class Points>
  COLONNADE_KERNEL_CODE void put(const Points &, uint64_t place, uint32_t index) const {
    if (hull && place != hull_order::nowhere)
      hull[place] = static_cast<Index>(index);
  }
  template <class Machine>
  COLONNADE_KERNEL_CODE void put_count(const Machine &, uint64_t number) const {
    *count = static_cast<uint32_t>(number);
  }
  template <class Machine>
  COLONNADE_KERNEL_CODE void refuse(const Machine &machine, uint64_t first) const {
    *count = 0;
    if (status)
      machine.min_global(&status->first, first);
  }
};

/// Every hull at its set's own offset.
template <class Offset, class Index> struct bulk_output {
  Index *hulls; // null: vertices are only counted
  uint32_t *counts;
  const Offset *offsets;
  device_status *status;

  COLONNADE_KERNEL_CODE set_output<Index> of(uint32_t set, uint64_t) const {
    return {hulls ? hulls + offsets[set] : nullptr, counts + set, status};
  }
};

} // namespace colonnade::detail
