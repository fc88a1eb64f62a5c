//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// text.hpp: the windows of a text in which a part of the pattern is looked for: 16 at a time, from
// aligned vectors.
//
// In: where the first window begins, of any alignment, and how many there are. Out: bytes by
// offsets from the last multiple of 16 that is not after it. Invariant: no byte outside of the
// windows is read; in its place there is a zero.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/arrays/input_chunk.hpp>
#include <colonnade/detail/compiler.hpp>

#include <cstdint>
#include <cstring>

namespace colonnade::detail {

#if !defined(__CUDA_ARCH__)
/// On the host, where tests run kernels: what they may read of the memory around a text. Byte by
/// byte there is nothing to see, but a load of many may be misaligned, or begin before the text.
struct host_loads {
  const uint8_t *memory = nullptr, *memory_end = nullptr; // loads from elsewhere are not looked at
  const uint8_t *text = nullptr, *text_end = nullptr;     // in that memory
  uint64_t misaligned = 0, outside = 0;

  void look_at(const uint8_t *from, uint64_t bytes) {
    misaligned += reinterpret_cast<uintptr_t>(from) % bytes != 0;
    outside +=
        from + bytes > memory && from < memory_end && (from < text || from + bytes > text_end);
  }
};
inline host_loads loads_of_host;
#endif

/// Four bytes from a multiple of 4.
COLONNADE_KERNEL_CODE uint32_t aligned_word(const uint8_t *from) {
#if defined(__CUDA_ARCH__)
  return *reinterpret_cast<const uint32_t *>(from);
#else
  loads_of_host.look_at(from, 4);
  uint32_t word;
  std::memcpy(&word, from, sizeof word);
  return word;
#endif
}
/// Eight bytes from a multiple of 8, the first lowest.
COLONNADE_KERNEL_CODE uint64_t aligned_pair(const uint8_t *from) {
#if defined(__CUDA_ARCH__)
  const uint2 loaded = *reinterpret_cast<const uint2 *>(from);
  return loaded.x | uint64_t{loaded.y} << 32;
#else
  loads_of_host.look_at(from, 8);
  uint64_t pair;
  std::memcpy(&pair, from, sizeof pair);
  return pair;
#endif
}
/// Sixteen bytes from a multiple of 16.
COLONNADE_KERNEL_CODE sixteen_bytes aligned_vector(const uint8_t *from) {
  sixteen_bytes vector;
#if defined(__CUDA_ARCH__)
  const uint4 loaded = *reinterpret_cast<const uint4 *>(from);
  vector = {{loaded.x, loaded.y, loaded.z, loaded.w}};
#else
  loads_of_host.look_at(from, 16);
  std::memcpy(&vector, from, sizeof vector);
#endif
  return vector;
}
/// Asks for the line that `from` is in, which must be of the text or the pattern; nothing waits.
COLONNADE_KERNEL_CODE void fetch_line([[maybe_unused]] const uint8_t *from) {
#if defined(__CUDA_ARCH__)
  asm volatile("prefetch.global.L2 [%0];" ::"l"(from));
#endif
}
/// The 32 bits that begin `bits` (0 to 31) after the first of `low`.
COLONNADE_KERNEL_CODE uint32_t bits_from(uint32_t low, uint32_t high, uint32_t bits) {
#if defined(__CUDA_ARCH__)
  return __funnelshift_r(low, high, bits);
#else
  return bits ? low >> bits | high << (32 - bits) : low;
#endif
}
/// A word turned to the right by the lowest 5 bits of a number.
COLONNADE_KERNEL_CODE uint32_t turned(uint32_t word, uint32_t by) {
#if defined(__CUDA_ARCH__)
  return __funnelshift_r(word, word, by); // which takes these bits alone
#else
  return bits_from(word, word, by % 32);
#endif
}
/// `bits`, moved up by so many (1 to 31), with the highest ones of `word` below them.
COLONNADE_KERNEL_CODE uint32_t shifted_in(uint32_t bits, uint32_t word, uint32_t number) {
  return bits_from(word, bits, 32 - number);
}
/// The four bytes that begin `bytes` (0 to 3) after the first of `low`.
COLONNADE_KERNEL_CODE uint32_t window_of(uint32_t low, uint32_t high, uint32_t bytes) {
  return bits_from(low, high, 8 * bytes);
}
/// The number of the highest bit that is set; not of 0.
COLONNADE_KERNEL_CODE uint32_t highest_bit(uint32_t bits) {
#if defined(__CUDA_ARCH__)
  return 31 - static_cast<uint32_t>(__clz(static_cast<int>(bits)));
#else
  return 31 - static_cast<uint32_t>(__builtin_clz(bits));
#endif
}
/// Bit 7 of every byte that is zero, and no other bit.
COLONNADE_KERNEL_CODE uint32_t zero_bytes(uint32_t word) {
  return ~(((word & 0x7f7f7f7fu) + 0x7f7f7f7fu) | word | 0x7f7f7f7fu);
}

/// Of the bytes of four words, the first lowest, bit 7 of each; no other bit is set.
COLONNADE_KERNEL_CODE uint32_t bits_of_bytes(const uint32_t (&word)[4]) {
#if defined(__CUDA_ARCH__)
  // Sums of bytes times 1, 2, 4, 8 and 16 to 128: one instruction a word, beside those that
  // compare.
  const uint32_t low = __dp4a(word[1], 0x80402010u, __dp4a(word[0], 0x08040201u, 0u)),
                 high = __dp4a(word[3], 0x80402010u, __dp4a(word[2], 0x08040201u, 0u));
  return low >> 7 | high << 1;
#else
  uint32_t bits = 0;
  for (uint32_t i = 0; i < 16; ++i)
    bits |= (word[i / 4] >> (8 * (i % 4) + 7) & 1) << i;
  return bits;
#endif
}

/// Windows of Width bytes.
template <uint32_t Width> class window_text {
public:
  COLONNADE_KERNEL_CODE window_text(const uint8_t *first, uint64_t num_windows)
      : begin(reinterpret_cast<uintptr_t>(first) % 16), end(begin + num_windows),
        base_(first - begin) {}

  const uint64_t begin, end; // of the windows, as offsets

  COLONNADE_KERNEL_CODE const uint8_t *at(uint64_t offset) const { return base_ + offset; }
  /// Whether all of these bytes may be read.
  COLONNADE_KERNEL_CODE bool holds(uint64_t offset, uint64_t bytes) const {
    return offset >= begin && offset + bytes <= end + (Width - 1);
  }
  COLONNADE_KERNEL_CODE sixteen_bytes vector(uint64_t offset) const {
    if (holds(offset, 16))
      return aligned_vector(base_ + offset);
    sixteen_bytes vector;
    COLONNADE_UNROLL
    for (uint32_t i = 0; i < 4; ++i)
      vector.word[i] = bytes(offset + 4 * i);
    return vector;
  }
  COLONNADE_KERNEL_CODE uint32_t word(uint64_t offset) const {
    return holds(offset, 4) ? aligned_word(base_ + offset) : bytes(offset);
  }

private:
  COLONNADE_KERNEL_CODE uint32_t bytes(uint64_t offset) const {
    uint32_t word = 0;
    for (uint32_t i = 0; i < 4; ++i)
      if (holds(offset + i, 1))
        word |= uint32_t{base_[offset + i]} << 8 * i;
    return word;
  }
  const uint8_t *base_;
};

} // namespace colonnade::detail
