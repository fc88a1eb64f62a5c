//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// vec.hpp: one value per lane. vec<T, W> is W lanes of type T; comparisons give masks
// (mask.hpp), which convert between lane widths implicitly. Included between begin.hpp and
// end.hpp, once per instruction set.
//
// In: lanes. Out: lanes, each with the result that C++ gives for a scalar. Integer
// arithmetic wraps. Shift counts, divisors and operands of float-to-integer conversions
// must be in range in every lane; generated code sees to that for inactive lanes.
// Invariant: a vector wider than a register is two halves, down to parts that fit in a
// register (leaves), so that every operation is one on registers.
//
//===----------------------------------------------------------------------===//

#if (COLONNADE_ISA == 1 && !defined(COLONNADE_VEC_BASELINE)) ||                                    \
    (COLONNADE_ISA == 2 && !defined(COLONNADE_VEC_AVX2)) ||                                        \
    (COLONNADE_ISA == 3 && !defined(COLONNADE_VEC_AVX512))
#if COLONNADE_ISA == 1
#define COLONNADE_VEC_BASELINE
#elif COLONNADE_ISA == 2
#define COLONNADE_VEC_AVX2
#else
#define COLONNADE_VEC_AVX512
#endif

#define COLONNADE_INLINE inline __attribute__((always_inline))

#include <colonnade/simd/mask.hpp>

namespace colonnade {
namespace simd {
namespace COLONNADE_ISA_NAMESPACE {

template <class T, int W, bool Leaf = is_leaf<T, W>> struct vec;

template <class To, bool Truth = false, class From, int W, bool Leaf>
vec<To, W> convert(vec<From, W, Leaf> a);
template <class T, int W> void store(T *p, vec<T, W> a);
template <int W, class T> vec<T, W> load(const T *p);
template <class T, int W> vec<T, W> quotient(vec<T, W> a, vec<T, W> b);
template <class T, int W> vec<T, W> remainder_of(vec<T, W> a, vec<T, W> b);

template <class T, int W> struct vec<T, W, true> {
  using lane = T;
  using mask_type = mask<sizeof(T), W>;
  using arithmetic = native<wrapped_t<T>, W>;
  native<T, W> v;

  vec() = default;
  COLONNADE_INLINE explicit vec(native<T, W> lanes) : v(lanes) {}
  COLONNADE_INLINE vec(T all)
      : v(splat_lanes<native<T, W>>(all, std::make_integer_sequence<int, W>())) {}
  COLONNADE_INLINE arithmetic w() const { return (arithmetic)v; }
  COLONNADE_INLINE T operator[](int i) const { return v[i]; }

#define COLONNADE_VEC_OP(OP)                                                                       \
  friend COLONNADE_INLINE vec operator OP(vec a, vec b) {                                          \
    return vec((native<T, W>)(a.w() OP b.w()));                                                    \
  }
  COLONNADE_VEC_OP(+)
  COLONNADE_VEC_OP(-)
  COLONNADE_VEC_OP(*)
#undef COLONNADE_VEC_OP
#define COLONNADE_VEC_OP(OP)                                                                       \
  friend COLONNADE_INLINE vec operator OP(vec a, vec b) { return vec(a.v OP b.v); }
  COLONNADE_VEC_OP(&)
  COLONNADE_VEC_OP(|)
  COLONNADE_VEC_OP(^)
  COLONNADE_VEC_OP(>>)
#undef COLONNADE_VEC_OP
  friend COLONNADE_INLINE vec operator/(vec a, vec b) {
    if constexpr (std::is_floating_point<T>::value)
      return vec(a.v / b.v);
    else
      return quotient(a, b);
  }
  friend COLONNADE_INLINE vec operator%(vec a, vec b) { return remainder_of(a, b); }
  friend COLONNADE_INLINE vec operator<<(vec a, vec b) {
    return vec((native<T, W>)(a.w() << (arithmetic)b.v));
  }
  friend COLONNADE_INLINE vec shift_left(vec a, int n) { return vec((native<T, W>)(a.w() << n)); }
  friend COLONNADE_INLINE vec shift_right(vec a, int n) { return vec(a.v >> n); }
  friend COLONNADE_INLINE vec operator-(vec a) { return vec((native<T, W>)(-a.w())); }
  friend COLONNADE_INLINE vec operator~(vec a) { return vec(~a.v); }
#if COLONNADE_ISA == 1 && defined(__SSE2__)
  // Doubles are compared by intrinsics: SSE2 has no test of 64-bit masks, and at -O1 g++ 12
  // stops with an internal error where such a mask is not used beside its comparison.
#define COLONNADE_VEC_CMP(OP, NAME)                                                                \
  friend COLONNADE_INLINE mask_type operator OP(vec a, vec b) {                                    \
    using lanes = native<signed_bits<T>, W>;                                                       \
    if constexpr (std::is_same<T, double>::value && W == 2)                                        \
      return mask_type((lanes)_mm_cmp##NAME##_pd((__m128d)a.v, (__m128d)b.v));                     \
    else                                                                                           \
      return mask_type((lanes)(a.v OP b.v));                                                       \
  }
#else
#define COLONNADE_VEC_CMP(OP, NAME)                                                                \
  friend COLONNADE_INLINE mask_type operator OP(vec a, vec b) {                                    \
    return mask_type((native<signed_bits<T>, W>)(a.v OP b.v));                                     \
  }
#endif
  COLONNADE_VEC_CMP(==, eq)
  COLONNADE_VEC_CMP(!=, neq)
  COLONNADE_VEC_CMP(<, lt)
  COLONNADE_VEC_CMP(<=, le)
  COLONNADE_VEC_CMP(>, gt)
  COLONNADE_VEC_CMP(>=, ge)
#undef COLONNADE_VEC_CMP
  /// Per lane: m ? a : b.
  friend COLONNADE_INLINE vec select(mask_type m, vec a, vec b) {
#if COLONNADE_ISA == 1
    // SSE2 has no blend instruction: and, andnot, or; `m.v < 0` would cost a comparison. Not for
    // floats, where compilers drop that comparison, and may make a minimum or maximum of it all.
    using bits = native<signed_bits<T>, W>;
    if constexpr (!std::is_same<T, float>::value)
      return vec((native<T, W>)((m.v & (bits)a.v) | (~m.v & (bits)b.v)));
#endif
    return vec(m.v < 0 ? a.v : b.v);
  }
};

template <class T, int W> struct vec<T, W, false> {
  using lane = T;
  using mask_type = mask<sizeof(T), W>;
  using half = vec<T, W / 2>;
  half lo, hi;

  vec() = default;
  COLONNADE_INLINE vec(half l, half h) : lo(l), hi(h) {}
  COLONNADE_INLINE vec(T all) : lo(all), hi(all) {}
  COLONNADE_INLINE T operator[](int i) const { return i < W / 2 ? lo[i] : hi[i - W / 2]; }

#define COLONNADE_VEC_OP(OP)                                                                       \
  friend COLONNADE_INLINE vec operator OP(vec a, vec b) { return {a.lo OP b.lo, a.hi OP b.hi}; }
  COLONNADE_VEC_OP(+)
  COLONNADE_VEC_OP(-)
  COLONNADE_VEC_OP(*)
  COLONNADE_VEC_OP(/)
  COLONNADE_VEC_OP(%)
  COLONNADE_VEC_OP(&)
  COLONNADE_VEC_OP(|)
  COLONNADE_VEC_OP(^)
  COLONNADE_VEC_OP(<<)
  COLONNADE_VEC_OP(>>)
#undef COLONNADE_VEC_OP
  friend COLONNADE_INLINE vec shift_left(vec a, int n) {
    return {shift_left(a.lo, n), shift_left(a.hi, n)};
  }
  friend COLONNADE_INLINE vec shift_right(vec a, int n) {
    return {shift_right(a.lo, n), shift_right(a.hi, n)};
  }
  friend COLONNADE_INLINE vec operator-(vec a) { return {-a.lo, -a.hi}; }
  friend COLONNADE_INLINE vec operator~(vec a) { return {~a.lo, ~a.hi}; }
#define COLONNADE_VEC_CMP(OP)                                                                      \
  friend COLONNADE_INLINE mask_type operator OP(vec a, vec b) {                                    \
    return {a.lo OP b.lo, a.hi OP b.hi};                                                           \
  }
  COLONNADE_VEC_CMP(==)
  COLONNADE_VEC_CMP(!=)
  COLONNADE_VEC_CMP(<)
  COLONNADE_VEC_CMP(<=)
  COLONNADE_VEC_CMP(>)
  COLONNADE_VEC_CMP(>=)
#undef COLONNADE_VEC_CMP
  friend COLONNADE_INLINE vec select(mask_type m, vec a, vec b) {
    return {select(m.lo, a.lo, b.lo), select(m.hi, a.hi, b.hi)};
  }
};

/// Per lane: m ? a : b, for truth values. The condition may be of another lane width.
template <int C, int B, int W>
COLONNADE_INLINE mask<B, W> select(mask<C, W> m, mask<B, W> a, mask<B, W> b) {
  const mask<B, W> chosen(m);
  return (chosen & a) | (b & !chosen);
}

//===-- halves and conversions -----------------------------------------------===//

template <int First, class V, int... I>
COLONNADE_INLINE auto take_lanes(V v, std::integer_sequence<int, I...>) {
  return __builtin_shufflevector(v, v, (First + I)...);
}
template <class V, int... I>
COLONNADE_INLINE auto join_lanes(V a, V b, std::integer_sequence<int, I...>) {
  return __builtin_shufflevector(a, b, I...);
}

template <class T, int W> COLONNADE_INLINE vec<T, W / 2> lower(vec<T, W> a) {
  if constexpr (is_leaf<T, W>)
    return vec<T, W / 2>(
        (native<T, W / 2>)take_lanes<0>(a.v, std::make_integer_sequence<int, W / 2>()));
  else
    return a.lo;
}
template <class T, int W> COLONNADE_INLINE vec<T, W / 2> upper(vec<T, W> a) {
  if constexpr (is_leaf<T, W>)
    return vec<T, W / 2>(
        (native<T, W / 2>)take_lanes<W / 2>(a.v, std::make_integer_sequence<int, W / 2>()));
  else
    return a.hi;
}
template <class T, int H> COLONNADE_INLINE vec<T, 2 * H> combine(vec<T, H> a, vec<T, H> b) {
  if constexpr (is_leaf<T, 2 * H>)
    return vec<T, 2 * H>(
        (native<T, 2 * H>)join_lanes(a.v, b.v, std::make_integer_sequence<int, 2 * H>()));
  else
    return {a, b};
}

template <int First, class V, int... I>
COLONNADE_INLINE auto zip_lanes(V a, V b, std::integer_sequence<int, I...>) {
  constexpr int width = sizeof...(I);
  return __builtin_shufflevector(a, b, (First + I / 2 + (I % 2) * width)...);
}
/// Interleaves a and b: a0 b0 a1 b1 …, the first W of these lanes in `first`, the rest in `second`.
template <class T, int W>
COLONNADE_INLINE void zip(vec<T, W> a, vec<T, W> b, vec<T, W> &first, vec<T, W> &second) {
  using all = std::make_integer_sequence<int, W>;
  const auto lo = zip_lanes<0>(a.v, b.v, all()), hi = zip_lanes<W / 2>(a.v, b.v, all());
  first = vec<T, W>((native<T, W>)lo);
  second = vec<T, W>((native<T, W>)hi);
}

} // namespace COLONNADE_ISA_NAMESPACE
} // namespace simd
} // namespace colonnade

#include <colonnade/simd/convert.hpp>
#include <colonnade/simd/divide.hpp>
#include <colonnade/simd/math.hpp>
#include <colonnade/simd/memory.hpp>
#endif
