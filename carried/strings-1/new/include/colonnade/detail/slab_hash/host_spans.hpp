//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// host_spans.hpp: operations of host slab hashes on arrays that know their size: std::span,
// std::vector, or whatever has data() and size().
//
// In: arrays on the host. Out: what the operation on pointers returns. Invariant: where sizes that
// must be equal differ nothing is done, and std::invalid_argument is thrown.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/arrays/spans.hpp>
#include <colonnade/device_status.hpp>

#include <stdexcept>

namespace colonnade::detail {

template <class Map> class host_slab_spans {
public:
  template <span_like Keys, span_like Values>
  device_status find(const Keys &keys, Values &&values, bool *present = nullptr,
                     uint32_t threads = 0) const {
    require(same_size(keys, values));
    return self().find(keys.data(), values.data(), keys.size(), present, threads);
  }
  template <span_like Keys, span_like Present>
  device_status contains(const Keys &keys, Present &&present, uint32_t threads = 0) const {
    require(same_size(keys, present));
    return self().contains(keys.data(), present.data(), keys.size(), threads);
  }
  template <span_like Keys, span_like Values>
  device_status insert(const Keys &keys, const Values &values, bool *present = nullptr,
                       uint32_t threads = 0) {
    require(same_size(keys, values));
    return self().insert(keys.data(), values.data(), keys.size(), present, threads);
  }
  /// Of a set.
  template <span_like Keys>
  device_status insert(const Keys &keys, bool *present = nullptr, uint32_t threads = 0) {
    return self().insert(keys.data(), keys.size(), present, threads);
  }
  template <span_like Keys, span_like Values>
  device_status insert_or_assign(const Keys &keys, const Values &values, bool *present = nullptr,
                                 uint32_t threads = 0) {
    require(same_size(keys, values));
    return self().insert_or_assign(keys.data(), values.data(), keys.size(), present, threads);
  }
  template <span_like Keys, span_like Values, class Apply>
  device_status insert_or_apply(const Keys &keys, const Values &values, const Apply &apply,
                                typename Values::value_type *old_values = nullptr,
                                bool *present = nullptr, uint32_t threads = 0) {
    require(same_size(keys, values));
    return self().insert_or_apply(keys.data(), values.data(), keys.size(), apply, old_values,
                                  present, threads);
  }
  template <span_like Keys>
  device_status erase(const Keys &keys, bool *present = nullptr, uint32_t threads = 0) {
    return self().erase(keys.data(), keys.size(), present, threads);
  }
  /// offsets: one more than keys.
  template <span_like Keys, span_like Offsets>
  device_status count(const Keys &keys, Offsets &&offsets, uint32_t threads = 0) const {
    require(offsets.size() == keys.size() + 1);
    return self().count(keys.data(), offsets.data(), keys.size(), threads);
  }
  template <span_like Keys, span_like Counts>
  device_status erase_all(const Keys &keys, Counts &&counts, uint32_t threads = 0) {
    require(same_size(keys, counts));
    return self().erase_all(keys.data(), counts.data(), keys.size(), threads);
  }
  /// As many values as there is room for; offsets: one more than keys.
  template <span_like Keys, span_like Offsets, span_like Values>
  device_status find_all(const Keys &keys, Offsets &&offsets, Values &&values,
                         uint32_t threads = 0) const {
    require(offsets.size() == keys.size() + 1);
    return self().find_all(keys.data(), keys.size(), offsets.data(), values.data(), values.size(),
                           threads);
  }
  template <span_like Keys, span_like Values>
  device_status build(const Keys &keys, const Values &values, uint32_t threads = 0) {
    require(same_size(keys, values));
    return self().build(keys.data(), values.data(), keys.size(), threads);
  }
  /// Of a set.
  template <span_like Keys> device_status build(const Keys &keys, uint32_t threads = 0) {
    return self().build(keys.data(), nullptr, keys.size(), threads);
  }

private:
  static void require(bool sizes_fit) {
    if (!sizes_fit)
      throw std::invalid_argument("slab hash: sizes of arrays differ");
  }
  Map &self() { return static_cast<Map &>(*this); }
  const Map &self() const { return static_cast<const Map &>(*this); }
};

} // namespace colonnade::detail
