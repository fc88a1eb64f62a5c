//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// level_bins.hpp: finds the bin of a sample: among bins of equal width, or between levels.
//
// In: samples, and levels. Out: for each sample its bin, or no_bin if it is outside all bins or
// NaN. Invariant: every kind of bins has the members that counting/bins.hpp lists.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/counting/bins.hpp>

#include <algorithm>
#include <cstdint>
#include <type_traits>

namespace colonnade::detail {

/// Everything that is not an integer is compared as a float, __half and __nv_bfloat16 as well.
template <class T> constexpr bool counts_as_float = !std::is_integral_v<T>;

/// The type in which samples and levels are compared.
template <class Sample, class Level, bool Floating> struct compared {
  using type = std::conditional_t<std::is_same_v<Sample, double> || std::is_same_v<Level, double>,
                                  double, float>;
};
template <class Sample, class Level> struct compared<Sample, Level, false> {
  static constexpr bool is_signed = std::is_signed_v<Sample> || std::is_signed_v<Level>;
  static constexpr bool small = sizeof(std::common_type_t<Sample, Level>) <= 4;
  using type = std::conditional_t<is_signed, std::conditional_t<small, int32_t, int64_t>,
                                  std::conditional_t<small, uint32_t, uint64_t>>;
  template <class T>
  static constexpr bool holds = std::is_signed_v<T> || !is_signed || sizeof(T) < sizeof(type);
  static_assert(holds<Sample> && holds<Level>,
                "levels and samples: no integer type holds both; use signed levels that do");
};
template <class Sample, class Level>
using compared_as =
    typename compared<Sample, Level, counts_as_float<Sample> || counts_as_float<Level>>::type;

/// floor((sample - lower) * bins / (upper - lower)), exact, by multiplication with bins / range in
/// fixed point, where range = upper - lower.
///
/// If the range is below 2^32, that factor is rounded up after 64 binary places. The product is too
/// large by less than range / 2^64 < 1 / range, and so does not reach the next integer. Fewer
/// binary places are mostly enough for that (always if range * bins < 2^31). For a wider range the
/// factor is rounded down: the result is at most one too small, which wide_bin_of corrects.
template <class Sample, class Integer>
struct even_integer_bins : bins_without_table, bins_without_errors {
  using distance = std::make_unsigned_t<Integer>;
  Integer lower;
  distance range; // upper - lower
  uint32_t num_bins;
  uint32_t whole;                // the integer part of bins / range
  uint64_t multiplier;           // its fraction, to 64 binary places
  uint32_t short_multiplier = 0; // its fraction, to 32 + shift binary places
  uint32_t shift = 0;
  bool short_enough = false; // short_multiplier gives exact results

  even_integer_bins(Integer low, Integer high, uint32_t bins) : lower(low), num_bins(bins) {
    range = static_cast<distance>(static_cast<distance>(high) - static_cast<distance>(low));
    const unsigned __int128 one = static_cast<unsigned __int128>(1) << 64;
    const unsigned __int128 ratio = (one * bins + (wide() ? 0 : range - 1)) / range;
    whole = static_cast<uint32_t>(ratio >> 64);
    multiplier = static_cast<uint64_t>(ratio);
    if (!wide())
      find_short_multiplier(static_cast<uint32_t>(range), bins % static_cast<uint32_t>(range));
  }

  COLONNADE_HOST_DEVICE bool wide() const {
    if constexpr (sizeof(distance) > 4)
      return range >> 32;
    return false;
  }
  COLONNADE_KERNEL_CODE uint32_t bin_of(const Sample &sample) const {
    return short_enough ? bin_of<places::few>(sample) : bin_of<places::many>(sample);
  }
  template <bool Few, uint32_t N>
  COLONNADE_KERNEL_CODE void find(const void *, const Sample (&samples)[N], const uint64_t (&)[N],
                                  uint32_t (&bins)[N]) const {
    if constexpr (!Few) // atomics in global memory take longer
      find_by<places::many>(samples, bins);
    else if (short_enough && whole == 0)
      find_by<places::few_alone>(samples, bins);
    else if (short_enough)
      find_by<places::few>(samples, bins);
    else
      find_by<places::many>(samples, bins);
  }

private:
  /// Which fraction is used: the short or the long one; few_alone: the integer part is 0.
  enum class places { few_alone, few, many };

  template <places Places, uint32_t N>
  COLONNADE_KERNEL_CODE void find_by(const Sample (&samples)[N], uint32_t (&bins)[N]) const {
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < N; ++k)
      bins[k] = bin_of<Places>(samples[k]);
  }
  /// The fraction part / narrow, part < narrow, with the largest shift. It is exact if its product
  /// with narrow - 1, the largest distance, is too large by less than 1 / narrow.
  void find_short_multiplier(uint32_t narrow, uint32_t part) {
    while (shift < 31 && (uint64_t{part} << (shift + 1)) < narrow)
      ++shift;
    const uint64_t one = uint64_t{1} << (32 + shift);
    const unsigned __int128 product = static_cast<unsigned __int128>(one) * part;
    const uint64_t up = static_cast<uint64_t>((product + narrow - 1) / narrow);
    const uint64_t excess =
        static_cast<uint64_t>(static_cast<unsigned __int128>(up) * narrow - product);
    short_enough = up >> 32 == 0 && static_cast<unsigned __int128>(narrow - 1) * excess < one;
    short_multiplier = static_cast<uint32_t>(up);
  }
  template <places Places> COLONNADE_KERNEL_CODE uint32_t bin_of(const Sample &sample) const {
    const distance x = static_cast<distance>(static_cast<distance>(static_cast<Integer>(sample)) -
                                             static_cast<distance>(lower));
    if (x >= range) // below `lower` the difference wraps beyond any range
      return no_bin;
    const uint32_t y = static_cast<uint32_t>(x);
    if constexpr (Places == places::few_alone)
      return static_cast<uint32_t>(uint64_t{y} * short_multiplier >> 32) >> shift;
    if constexpr (Places == places::few)
      return y * whole + (static_cast<uint32_t>(uint64_t{y} * short_multiplier >> 32) >> shift);
    if (wide())
      return wide_bin_of(x);
    const uint64_t low = uint64_t{y} * static_cast<uint32_t>(multiplier) >> 32;
    return y * whole + static_cast<uint32_t>((uint64_t{y} * (multiplier >> 32) + low) >> 32);
  }
  COLONNADE_KERNEL_CODE uint32_t wide_bin_of(distance x) const {
    const uint64_t bin =
        static_cast<uint64_t>(static_cast<unsigned __int128>(x) * multiplier >> 64);
    const unsigned __int128 left =
        static_cast<unsigned __int128>(x) * num_bins - static_cast<unsigned __int128>(bin) * range;
    return static_cast<uint32_t>(bin) + (left >= range);
  }
};

/// floor of x, 0 <= x <= max_few: one addition, where a conversion takes the time of several.
COLONNADE_KERNEL_CODE uint32_t small_floor(float x) {
#if defined(__CUDA_ARCH__)
  return static_cast<uint32_t>(__float_as_int(__fadd_rd(x, 8388608.0f))) & 0x7fffff;
#else
  return static_cast<uint32_t>(x);
#endif
}
COLONNADE_KERNEL_CODE uint32_t small_floor(double x) {
#if defined(__CUDA_ARCH__)
  return static_cast<uint32_t>(__double2loint(__dadd_rd(x, 4503599627370496.0)));
#else
  return static_cast<uint32_t>(x);
#endif
}

/// floor((sample - lower) * (bins / (upper - lower))), computed in Real, or bins - 1 if that is
/// less.
template <class Sample, class Real>
struct even_float_bins : bins_without_table, bins_without_errors {
  Real lower, upper, scale;
  uint32_t num_bins;

  even_float_bins(Real low, Real high, uint32_t bins)
      : lower(low), upper(high), scale(static_cast<Real>(bins) / (high - low)), num_bins(bins) {}

  template <bool Few> COLONNADE_KERNEL_CODE uint32_t bin_of(const Sample &sample) const {
    const Real x = static_cast<Real>(sample);
    if (!(x >= lower && x < upper))
      return no_bin;
    const Real y = (x - lower) * scale;
    const uint32_t bin = Few ? small_floor(y) : static_cast<uint32_t>(y);
    return bin < num_bins ? bin : num_bins - 1;
  }
  template <bool Few, uint32_t N>
  COLONNADE_KERNEL_CODE void find(const void *, const Sample (&samples)[N], const uint64_t (&)[N],
                                  uint32_t (&bins)[N]) const {
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < N; ++k)
      bins[k] = bin_of<Few>(samples[k]);
  }
};

/// The bin with levels[bin] <= sample < levels[bin + 1], by a binary search without branches.
/// Levels that fit in shared memory are stored there as a complete search tree, row by row (the
/// Eytzinger layout: S. Khuong and P. Morin, Array layouts for comparison-based searching, 2017),
/// so that the nodes of a row are in different banks.
template <class Sample, class Level, class Value> struct range_bins : bins_without_errors {
  static constexpr size_t max_table_bytes = 65536;
  const Level *levels; // num_bins + 1, rising
  uint32_t num_bins;
  uint32_t depth; // of the tree: 2^depth >= num_bins

  range_bins(const Level *d_levels, uint32_t bins) : levels(d_levels), num_bins(bins), depth(0) {
    while (depth < 31 && (1u << depth) < bins)
      ++depth;
  }

  COLONNADE_HOST_DEVICE bool in_table() const {
    return (sizeof(Value) << depth) <= max_table_bytes;
  }
  size_t shared_bytes() const { return in_table() ? sizeof(Value) << depth : 0; }

  /// The level at a node of the tree, 1 being its root; nodes beyond the last inner level have the
  /// upper level.
  COLONNADE_KERNEL_CODE Value level_of(uint32_t node) const {
    uint32_t row = 0;
    while (node >> (row + 1))
      ++row;
    const uint32_t inner = (2 * (node - (1u << row)) + 1) << (depth - row - 1);
    return static_cast<Value>(levels[inner < num_bins ? inner : num_bins]);
  }
  /// All threads fill the table. Node 0 is not part of the tree; it has the lowest level.
  template <class Machine> COLONNADE_KERNEL_CODE void fill(const Machine &machine, void *to) const {
    if (!in_table())
      return;
    Value *table = static_cast<Value *>(to);
    for (uint32_t node = machine.thread(); node < 1u << depth; node += machine.num_threads())
      table[node] = node ? level_of(node) : static_cast<Value>(levels[0]);
  }
  template <bool Few, uint32_t N>
  COLONNADE_KERNEL_CODE void find(const void *shared, const Sample (&samples)[N],
                                  const uint64_t (&)[N], uint32_t (&bins)[N]) const {
    const Value *table = static_cast<const Value *>(shared);
    const Value lower = static_cast<Value>(levels[0]), upper = static_cast<Value>(levels[num_bins]);
    Value x[N];
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < N; ++k) {
      x[k] = static_cast<Value>(samples[k]);
      bins[k] = in_table() ? 1 : 0;
    }
    if (in_table()) {
      for (uint32_t row = 0; row < depth; ++row)
        COLONNADE_UNROLL
      for (uint32_t k = 0; k < N; ++k)
        bins[k] = 2 * bins[k] + (table[bins[k]] <= x[k] ? 1 : 0);
    } else {
      for (uint32_t row = depth; row-- > 0;)
        COLONNADE_UNROLL
      for (uint32_t k = 0; k < N; ++k) {
        const uint32_t next = bins[k] + (1u << row);
        if (next < num_bins && static_cast<Value>(levels[next]) <= x[k])
          bins[k] = next;
      }
    }
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < N; ++k) {
      bins[k] -= in_table() ? 1u << depth : 0;
      if (!(x[k] >= lower && x[k] < upper))
        bins[k] = no_bin;
    }
  }
};

} // namespace colonnade::detail
