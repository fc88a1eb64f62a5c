//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// registers.hpp: what keeps a kernel's values in as few registers as it means to: small
// numbers packed several to a register, and values whose origin the compiler forgets.
//
// Invariant: nothing here changes a value; on the host `forget` does nothing.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/compiler.hpp>

#include <cstdint>
#include <cstring>
#include <type_traits>

namespace colonnade::detail {

/// The compiler no longer knows what it computed from `item`: ids and addresses cost
/// a few instructions again, but kept for all rows they push the keys to local memory.
/// For grids that are one-dimensional, which compilers do not know.
template <class Item> COLONNADE_KERNEL_CODE void forget([[maybe_unused]] Item &item) {
#if defined(__CUDA_ARCH__)
  using word =
      std::conditional_t<sizeof(Item) % 4 == 0, uint32_t,
                         std::conditional_t<sizeof(Item) % 2 == 0, uint16_t, unsigned char>>;
  word words[sizeof(Item) / sizeof(word)];
  memcpy(words, &item, sizeof(Item));
  words[0] = static_cast<word>(words[0] ^ blockIdx.y);
  memcpy(&item, words, sizeof(Item));
#endif
}

/// Adds number k to a register that starts at zero and holds `Count`.
template <uint32_t Count>
COLONNADE_KERNEL_CODE void pack(uint32_t &packed, uint32_t number, uint32_t k) {
  packed |= number << k % Count * (32 / Count);
  if (k % Count == Count - 1)
    forget(packed); // or the compiler keeps them apart
}
template <uint32_t Count> COLONNADE_KERNEL_CODE uint32_t unpack(uint32_t packed, uint32_t k) {
  return packed >> k % Count * (32 / Count) & ((1u << 32 / Count) - 1);
}

/// The same number, of which the compiler no longer knows where it came from: what
/// depends on it is computed anew, not kept in registers since it was last used.
COLONNADE_KERNEL_CODE uint32_t computed_anew(uint32_t number) {
#if defined(__CUDA_ARCH__)
  asm volatile("" : "+r"(number));
#endif
  return number;
}

} // namespace colonnade::detail
