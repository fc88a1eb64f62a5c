//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// spans.hpp: arrays that know their size.
//
// In: cuda::std::span, std::span, or anything else with data() and size(), of device memory. Out:
// whether it is such a thing, and whether several have one size. Invariant: nothing is
// dereferenced.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <concepts>
#include <cstdint>

namespace colonnade::detail {

template <class T>
concept span_like = requires(const T &span) {
  { *span.data() };
  { span.size() } -> std::convertible_to<uint64_t>;
};

template <class First, class... Others>
constexpr bool same_size(const First &first, const Others &...others) {
  return ((first.size() == others.size()) && ...);
}

} // namespace colonnade::detail
