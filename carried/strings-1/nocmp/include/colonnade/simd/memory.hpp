//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// memory.hpp: loads lanes from consecutive cells, and stores them. Part of vec.hpp.
//
// In: a pointer to W cells, which need no more than their own alignment. Out: W lanes, or
// the other way round. Invariant: exactly these W cells are accessed.
//
//===----------------------------------------------------------------------===//

namespace colonnade {
namespace simd {
namespace COLONNADE_ISA_NAMESPACE {

template <int W, class T> COLONNADE_INLINE vec<T, W> load(const T *p) {
  if constexpr (is_leaf<T, W>) {
    native<T, W> v;
    __builtin_memcpy(&v, p, sizeof v);
    return vec<T, W>(v);
  } else {
    return {load<W / 2>(p), load<W / 2>(p + W / 2)};
  }
}
template <class T, int W> COLONNADE_INLINE void store(T *p, vec<T, W> a) {
  if constexpr (is_leaf<T, W>) {
    __builtin_memcpy(p, &a.v, sizeof a.v);
  } else {
    store(p, a.lo);
    store(p + W / 2, a.hi);
  }
}
#if COLONNADE_ISA == 3
/// The first `count` lanes of a whole or half register of 4- or 8-byte cells; memory beyond them is
/// not touched. When loaded, the others are 0.
template <int W, class T> COLONNADE_INLINE vec<T, W> load_first(const T *p, unsigned count) {
  const auto m = static_cast<__mmask16>((1u << count) - 1);
  if constexpr (sizeof(T) == 4 && W == 16)
    return vec<T, W>((native<T, W>)_mm512_maskz_loadu_epi32(m, p));
  else if constexpr (sizeof(T) == 4)
    return vec<T, W>((native<T, W>)_mm256_maskz_loadu_epi32(static_cast<__mmask8>(m), p));
  else if constexpr (W == 8)
    return vec<T, W>((native<T, W>)_mm512_maskz_loadu_epi64(static_cast<__mmask8>(m), p));
  else
    return vec<T, W>((native<T, W>)_mm256_maskz_loadu_epi64(static_cast<__mmask8>(m), p));
}
template <class T, int W> COLONNADE_INLINE void store_first(T *p, vec<T, W> a, unsigned count) {
  const auto m = static_cast<__mmask16>((1u << count) - 1);
  if constexpr (sizeof(T) == 4 && W == 16)
    _mm512_mask_storeu_epi32(p, m, (__m512i)a.v);
  else if constexpr (sizeof(T) == 4)
    _mm256_mask_storeu_epi32(p, static_cast<__mmask8>(m), (__m256i)a.v);
  else if constexpr (W == 8)
    _mm512_mask_storeu_epi64(p, static_cast<__mmask8>(m), (__m512i)a.v);
  else
    _mm256_mask_storeu_epi64(p, static_cast<__mmask8>(m), (__m256i)a.v);
}
#endif

/// Cells of type bool are read as bytes, and written as 0 or 1.
template <int W> COLONNADE_INLINE mask<1, W> load(const bool *p) {
  return load<W>(reinterpret_cast<const uint8_t *>(p)) != vec<uint8_t, W>(uint8_t{0});
}
template <int B, int W> COLONNADE_INLINE void store(bool *p, mask<B, W> m) {
  store(reinterpret_cast<uint8_t *>(p), to_number<uint8_t>(m));
}

/// Index of the first set lane; W if none.
template <int B, int W> COLONNADE_INLINE int first_lane(mask<B, W> m) {
  uint8_t lanes[W];
  store(lanes, to_number<uint8_t>(m));
  int i = 0;
  while (i < W && !lanes[i])
    ++i;
  return i;
}

} // namespace COLONNADE_ISA_NAMESPACE
} // namespace simd
} // namespace colonnade
