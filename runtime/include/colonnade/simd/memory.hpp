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
