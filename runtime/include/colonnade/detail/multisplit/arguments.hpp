//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// arguments.hpp: iterators that stand for what a caller does not pass.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/multisplit/tile_storage.hpp>

#include <cstddef>
#include <iterator>

namespace colonnade::detail {

/// Values of a multisplit of keys: never read.
struct no_items {
  using value_type = nothing;
  using difference_type = std::ptrdiff_t;
  using pointer = const nothing *;
  using reference = nothing;
  using iterator_category = std::random_access_iterator_tag;
};

/// 0, 1, 2, ...
template <class Index> struct index_iterator {
  using value_type = Index;
  using difference_type = std::ptrdiff_t;
  using pointer = const Index *;
  using reference = Index;
  using iterator_category = std::random_access_iterator_tag;

  uint64_t first = 0;
  COLONNADE_HOST_DEVICE Index operator[](difference_type i) const {
    return static_cast<Index>(first + static_cast<uint64_t>(i));
  }
  COLONNADE_HOST_DEVICE index_iterator operator+(difference_type i) const {
    return {first + static_cast<uint64_t>(i)};
  }
};

} // namespace colonnade::detail
