//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// registers.hpp: keeps a kernel's values in few registers: small numbers are packed several to
// a register, and the compiler is made to forget how a value was computed.
//
// In: values in registers. Out: the same values. Invariant: nothing here changes a value; on
// the host `forget` and `computed_anew` do nothing.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/compiler.hpp>

#include <cstdint>
#include <cstring>
#include <type_traits>

namespace colonnade::detail {

/// The compiler no longer knows that `item` is the value from which it computed others, such as
/// bucket ids and addresses. Computing these again takes a few instructions; kept for all rows,
/// they would spill the keys to local memory. Only for one-dimensional grids: `item` is XORed
/// with blockIdx.y, of which compilers do not know that it is 0.
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

/// Adds number k of a sequence to the register that holds it, which has room for Count of them
/// (Count divides 32) and is zero at first.
template <uint32_t Count>
COLONNADE_KERNEL_CODE void pack(uint32_t &packed, uint32_t number, uint32_t k) {
  packed |= number << k % Count * (32 / Count);
  if (k % Count == Count - 1)
    forget(packed); // else the compiler keeps the numbers in separate registers
}
/// Number k of such registers; `packed`: the one that holds it.
template <uint32_t Count> COLONNADE_KERNEL_CODE uint32_t unpack(uint32_t packed, uint32_t k) {
  return packed >> k % Count * (32 / Count) & ((1u << 32 / Count) - 1);
}

/// The same number, of 4 or 8 bytes, of which the compiler no longer knows where it came from:
/// what depends on it is computed again, not kept in registers since it was last used.
template <class T> COLONNADE_KERNEL_CODE T computed_anew(T number) {
#if defined(__CUDA_ARCH__)
  if constexpr (sizeof(T) == 8)
    asm volatile("" : "+l"(number));
  else
    asm volatile("" : "+r"(number));
#endif
  return number;
}

} // namespace colonnade::detail
