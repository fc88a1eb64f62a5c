//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// slab_items.hpp: keys and values of tests, of 32 and of 64 bits, and keys that a user says are
// equal, on the host and on the GPU.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "slab_history.hpp"

namespace colonnade::testing {

/// Keys and values of tests are of 32 bits; wide ones have them in both halves, and one whose
/// halves differ is none.
template <class Item> COLONNADE_HOST_DEVICE Item widened(uint32_t number) {
  return sizeof(Item) == 8 ? static_cast<Item>(uint64_t{number} << 32 | number) : Item{number};
}
template <class Item> COLONNADE_HOST_DEVICE uint32_t narrowed(Item item) {
  const uint64_t bits = item;
  return sizeof(Item) == 8 && bits >> 32 != (bits & ~0u) ? 0x7ea5ab1e : static_cast<uint32_t>(bits);
}

/// A user's equality and hash: keys are equal if they are in all but these bits.
constexpr uint32_t variant_bits = 20; // and those above
template <class Item> COLONNADE_HOST_DEVICE Item without_variant(Item key) {
  return key & widened<Item>((1u << variant_bits) - 1);
}
struct variants_are_equal {
  template <class Item> COLONNADE_HOST_DEVICE bool operator()(Item a, Item b) const {
    return without_variant(a) == without_variant(b);
  }
};
struct hash_of_variants {
  template <class Item> COLONNADE_HOST_DEVICE uint32_t operator()(Item key) const {
    return slab_hash_function{}(without_variant(key));
  }
};

/// Of insert_or_apply: what histories say of it.
struct applied_items {
  template <class Item> COLONNADE_HOST_DEVICE Item operator()(Item old, Item given) const {
    return widened<Item>(applied_to(narrowed(old), narrowed(given)));
  }
};

} // namespace colonnade::testing
