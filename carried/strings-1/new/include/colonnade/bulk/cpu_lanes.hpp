//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// cpu_lanes.hpp: how generated CPU kernels access arrays. `b[i]` reads cell i of every
// lane, `b.set(i, value)` writes it. An access under a mask is `b.at(i, mask, site)` or
// `b.set(i, value, mask, site)`.
//
// In: a lane_group and the array's number of cells. Out: values in lanes. Invariant: the
// guarded build accesses nothing outside the array and reports the first active lane that
// would; the unguarded build runs only where the walk over the addresses has shown that no
// guard is needed. Included between simd/begin.hpp and simd/end.hpp, once per instruction
// set.
//
//===----------------------------------------------------------------------===//

#if (COLONNADE_ISA == 1 && !defined(COLONNADE_LANES_BASELINE)) ||                                  \
    (COLONNADE_ISA == 2 && !defined(COLONNADE_LANES_AVX2)) ||                                      \
    (COLONNADE_ISA == 3 && !defined(COLONNADE_LANES_AVX512))
#if COLONNADE_ISA == 1
#define COLONNADE_LANES_BASELINE
#elif COLONNADE_ISA == 2
#define COLONNADE_LANES_AVX2
#else
#define COLONNADE_LANES_AVX512
#endif

namespace colonnade::runtime::detail::COLONNADE_ISA_NAMESPACE {
using namespace colonnade::simd::COLONNADE_ISA_NAMESPACE;
} // namespace colonnade::runtime::detail::COLONNADE_ISA_NAMESPACE

#include <colonnade/bulk/cpu_transpose.hpp>

namespace colonnade::runtime::detail::COLONNADE_ISA_NAMESPACE {

template <int W> struct tile_stride {
  explicit tile_stride(const lane_group &) {}
  static constexpr int64_t value = W;
};
struct strided {
  explicit strided(const lane_group &group) : value(group.stride) {}
  int64_t value;
};

/// Checks the address of an access under a mask; in the unguarded build it admits all.
template <bool Guarded> struct access_guard;
template <> struct access_guard<false> {
  access_guard(const lane_group &, uint64_t) {}
  template <class M> COLONNADE_INLINE bool admits(int64_t, M, uint32_t) const { return true; }
};
template <> struct access_guard<true> {
  const lane_group &group;
  uint64_t cells;
  access_guard(const lane_group &g, uint64_t num_cells) : group(g), cells(num_cells) {}
  template <int B, int W> bool admits(int64_t i, mask<B, W> m, uint32_t site) const {
    if (static_cast<uint64_t>(i) < cells)
      return true;
    if (any(m))
      group.failure->record(group.first_instance + first_lane(m), site);
    return false;
  }
  bool admits(int64_t i, bool m, uint32_t site) const { return admits(i, mask<1, 1>(m), site); }
};

template <int W, class T> struct lanes_of {
  using value = vec<T, W>;
};
template <int W> struct lanes_of<W, bool> {
  using value = mask<1, W>;
};

/// An array with an instance in each lane, in the caller's memory or in a tile.
template <class T, int W, class Stride, bool Guarded> struct lane_cells {
  using cell = std::remove_const_t<T>;
  using value = typename lanes_of<W, cell>::value;
  T *p;
  Stride stride;
  access_guard<Guarded> guard;

  COLONNADE_INLINE lane_cells(T *cells, const lane_group &group, uint64_t num_cells)
      : p(cells), stride(group), guard(group, num_cells) {}
  COLONNADE_INLINE value operator[](int64_t i) const {
    return load<W>(static_cast<const cell *>(p + i * stride.value));
  }
  COLONNADE_INLINE void set(int64_t i, value v) const { store(p + i * stride.value, v); }
  template <class M> COLONNADE_INLINE value at(int64_t i, M m, uint32_t site) const {
    return guard.admits(i, m, site) ? (*this)[i] : value(cell(0));
  }
  template <class M> COLONNADE_INLINE void set(int64_t i, value v, M m, uint32_t site) const {
    if (guard.admits(i, m, site))
      set(i, blended(m, v, (*this)[i]));
  }

private:
  // One template, not two overloads: vec<bool, W> does not exist, not even in a signature.
  template <int B> static COLONNADE_INLINE value blended(mask<B, W> m, value a, value b) {
    if constexpr (std::is_same<cell, bool>::value)
      return select(mask<1, W>(m), a, b);
    else
      return select(m, a, b);
  }
};

/// An array whose cells are V: vec<T, W> or mask<B, W> for a local array with one copy per lane;
/// a plain number for an array that all lanes share.
template <class V, bool Guarded> struct local_cells {
  V *p;
  access_guard<Guarded> guard;

  COLONNADE_INLINE local_cells(V *cells, const lane_group &group, uint64_t num_cells)
      : p(cells), guard(group, num_cells) {}
  COLONNADE_INLINE V operator[](int64_t i) const { return p[i]; }
  COLONNADE_INLINE void set(int64_t i, V v) const { p[i] = v; }
  template <class M> COLONNADE_INLINE V at(int64_t i, M m, uint32_t site) const {
    return guard.admits(i, m, site) ? p[i] : V(0);
  }
  template <class M> COLONNADE_INLINE void set(int64_t i, V v, M m, uint32_t site) const {
    if (!guard.admits(i, m, site))
      return;
    if constexpr (std::is_arithmetic<V>::value)
      p[i] = v;
    else
      p[i] = select(m, v, p[i]);
  }
};

/// Uniform arrays, constant tables, and local arrays whose cells are the same in every lane.
template <class T, bool Guarded> using uniform_cells = local_cells<T, Guarded>;

/// Hands out memory for local arrays that are too large for the stack, zeroed, at multiples of
/// 64 bytes.
struct lane_scratch {
  unsigned char *next;
  template <class V> V *take(uint64_t count) {
    V *cells = reinterpret_cast<V *>(next);
    std::memset(static_cast<void *>(cells), 0, count * sizeof(V));
    next += (count * sizeof(V) + 63) / 64 * 64;
    return cells;
  }
};

/// Records the first lane in which a check of the function does not hold.
template <int B, int W>
COLONNADE_INLINE void check(mask<B, W> holds, const lane_group &group, uint32_t site) {
  const mask<B, W> failed = !holds;
  if (__builtin_expect(any(failed), 0))
    group.failure->record(group.first_instance + first_lane(failed), site);
}
COLONNADE_INLINE void check(bool holds, const lane_group &group, uint32_t site) {
  if (!holds)
    group.failure->record(group.first_instance, site);
}

template <class T, int W>
void strided_to_tile(const void *from, void *to, uint64_t cells, uint64_t stride) {
  const T *columns = static_cast<const T *>(from);
  T *tile = static_cast<T *>(to);
  for (uint64_t i = 0; i < cells; ++i)
    store(tile + i * W, load<W>(columns + i * stride));
}
template <class T, int W>
void tile_to_strided(const void *from, void *to, uint64_t cells, uint64_t stride) {
  const T *tile = static_cast<const T *>(from);
  T *columns = static_cast<T *>(to);
  for (uint64_t i = 0; i < cells; ++i)
    store(columns + i * stride, load<W>(tile + i * W));
}

/// The kernels of one function for this instruction set. Entry::run<Stride, Guarded> is that of
/// lanes, Serial::run<Guarded> the other. With nothing to check, one build is both.
template <class Entry, class Serial, int W>
constexpr isa_kernels make_isa_kernels(const char *name) {
  constexpr bool checks = Entry::is_checked;
  return {name,
          W,
          {Entry::template run<tile_stride<W>, false>, Entry::template run<tile_stride<W>, checks>},
          {Entry::template run<strided, false>, Entry::template run<strided, checks>},
          {Serial::template run<false>, Serial::template run<Serial::is_checked>},
          {rows_to_tile<uint8_t, W>, rows_to_tile<uint16_t, W>, rows_to_tile<uint32_t, W>,
           rows_to_tile<uint64_t, W>},
          {tile_to_rows<uint8_t, W>, tile_to_rows<uint16_t, W>, tile_to_rows<uint32_t, W>,
           tile_to_rows<uint64_t, W>},
          {strided_to_tile<uint8_t, W>, strided_to_tile<uint16_t, W>, strided_to_tile<uint32_t, W>,
           strided_to_tile<uint64_t, W>},
          {tile_to_strided<uint8_t, W>, tile_to_strided<uint16_t, W>, tile_to_strided<uint32_t, W>,
           tile_to_strided<uint64_t, W>}};
}

} // namespace colonnade::runtime::detail::COLONNADE_ISA_NAMESPACE
#endif
