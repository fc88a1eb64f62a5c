//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// mask.hpp: a truth value in each lane, and the registers that lanes are kept in. Part of
// vec.hpp.
//
// mask<B, W> is W truth values, each 0 or -1 in an integer of B bytes, as comparisons of
// lanes of B bytes give them. In: truth values, or masks of lanes of other bytes. Out: masks,
// combined, and whether any lane is set. Invariant: as vec's, masks wider than a register are
// halves of halves, so that each part fits in a register.
//
//===----------------------------------------------------------------------===//

namespace colonnade {
namespace simd {
namespace COLONNADE_ISA_NAMESPACE {

constexpr int native_bytes = COLONNADE_NATIVE_BYTES;

template <int Bytes> struct int_of_bytes;
template <> struct int_of_bytes<1> {
  using s = int8_t;
  using u = uint8_t;
};
template <> struct int_of_bytes<2> {
  using s = int16_t;
  using u = uint16_t;
};
template <> struct int_of_bytes<4> {
  using s = int32_t;
  using u = uint32_t;
};
template <> struct int_of_bytes<8> {
  using s = int64_t;
  using u = uint64_t;
};
template <class T> using signed_bits = typename int_of_bytes<sizeof(T)>::s;
template <class T> using unsigned_bits = typename int_of_bytes<sizeof(T)>::u;

template <class T, int W> struct native_of {
  typedef T type __attribute__((vector_size(sizeof(T) * W)));
};
template <class T, int W> using native = typename native_of<T, W>::type;
/// Whether W lanes of T fit in a register.
template <class T, int W> constexpr bool is_leaf = sizeof(T) * W <= native_bytes || W == 1;

/// The type that lanes are computed in: unsigned for signed integers, so that they wrap.
template <class T, bool IsFloat = std::is_floating_point<T>::value> struct wrapped {
  using type = unsigned_bits<T>;
};
template <class T> struct wrapped<T, true> {
  using type = T;
};
template <class T> using wrapped_t = typename wrapped<T>::type;

template <class V, class T, int... I>
COLONNADE_INLINE V splat_lanes(T value, std::integer_sequence<int, I...>) {
  return V{((void)I, value)...};
}

template <int B, int W, bool Leaf = (B * W <= native_bytes || W == 1)> struct mask;

template <int B, int W> struct mask<B, W, true> {
  using lane = typename int_of_bytes<B>::s;
  native<lane, W> v; // 0 or -1

  mask() = default;
  COLONNADE_INLINE explicit mask(native<lane, W> lanes) : v(lanes) {}
  COLONNADE_INLINE mask(bool all)
      : v(splat_lanes<native<lane, W>>(static_cast<lane>(all ? -1 : 0),
                                       std::make_integer_sequence<int, W>())) {}
  template <int C, std::enable_if_t<C != B, int> = 0> COLONNADE_INLINE mask(mask<C, W> other);

  friend COLONNADE_INLINE mask operator&(mask a, mask b) { return mask(a.v & b.v); }
  friend COLONNADE_INLINE mask operator|(mask a, mask b) { return mask(a.v | b.v); }
  friend COLONNADE_INLINE mask operator^(mask a, mask b) { return mask(a.v ^ b.v); }
  friend COLONNADE_INLINE mask operator!(mask a) { return mask(~a.v); }
};

template <int B, int W> struct mask<B, W, false> {
  using half = mask<B, W / 2>;
  half lo, hi;

  mask() = default;
  COLONNADE_INLINE mask(half l, half h) : lo(l), hi(h) {}
  COLONNADE_INLINE mask(bool all) : lo(all), hi(all) {}
  template <int C, std::enable_if_t<C != B, int> = 0> COLONNADE_INLINE mask(mask<C, W> other);

  friend COLONNADE_INLINE mask operator&(mask a, mask b) { return {a.lo & b.lo, a.hi & b.hi}; }
  friend COLONNADE_INLINE mask operator|(mask a, mask b) { return {a.lo | b.lo, a.hi | b.hi}; }
  friend COLONNADE_INLINE mask operator^(mask a, mask b) { return {a.lo ^ b.lo, a.hi ^ b.hi}; }
  friend COLONNADE_INLINE mask operator!(mask a) { return {!a.lo, !a.hi}; }
};

// Masks of different lane widths are combined at the narrower one.
#define COLONNADE_MASK_MIXED(OP)                                                                   \
  template <int A, int B, int W, std::enable_if_t<A != B, int> = 0>                                \
  COLONNADE_INLINE auto operator OP(mask<A, W> a, mask<B, W> b) {                                  \
    using common = mask<(A < B ? A : B), W>;                                                       \
    return common(a) OP common(b);                                                                 \
  }
COLONNADE_MASK_MIXED(&)
COLONNADE_MASK_MIXED(|)
COLONNADE_MASK_MIXED(^)
#undef COLONNADE_MASK_MIXED

template <class V> COLONNADE_INLINE bool any_bits(V v) {
#if COLONNADE_ISA == 3
  if constexpr (sizeof(V) == 64)
    return _mm512_test_epi64_mask((__m512i)v, (__m512i)v) != 0;
#endif
#if COLONNADE_ISA >= 2
  if constexpr (sizeof(V) == 32)
    return !_mm256_testz_si256((__m256i)v, (__m256i)v);
#endif
#if defined(__SSE2__)
  if constexpr (sizeof(V) == 16)
    return _mm_movemask_epi8((__m128i)v) != 0;
#endif
  unsigned char bytes[sizeof(V)];
  __builtin_memcpy(bytes, &v, sizeof v);
  unsigned all = 0;
  for (unsigned char byte : bytes)
    all |= byte;
  return all != 0;
}

/// True if some lane is set.
template <int B, int W> COLONNADE_INLINE bool any(mask<B, W> m) {
  if constexpr (B * W <= native_bytes || W == 1)
    return any_bits(m.v);
  else
    return any(m.lo | m.hi);
}

} // namespace COLONNADE_ISA_NAMESPACE
} // namespace simd
} // namespace colonnade
