//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Included before generated CPU code that is compiled for one instruction set: of the four
// forms of each kernel of lanes, and of the two of its serial code, only one is compiled,
// because that is what takes the harness's time.
//
// In: COLONNADE_ONLY_ISA; FUZZ_STRIDED, 0 for the form that works on tiles or 1 for the one
// with any stride (it does tiles, too). Out: make_unguarded and make_guarded, of which one is
// to stand for make_isa_kernels; a guarded form does what the other does. A form that is
// missing and called only says so: whoever called throws the results away.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "generated.hpp"
#include "harness.hpp"

// clang-format off
#define COLONNADE_ISA COLONNADE_ONLY_ISA
#include <colonnade/simd/begin.hpp>
// clang-format on
namespace colonnade::runtime::detail::COLONNADE_ISA_NAMESPACE {
template <class Entry, bool IsGuarded> struct one_kernel {
  static constexpr bool is_checked = true; // so that both forms are asked for
  template <class Stride, bool Guarded> static void run(const lane_group &group) {
    constexpr bool needs_stride = std::is_same_v<Stride, strided>;
    if constexpr ((needs_stride && !FUZZ_STRIDED) || (Guarded && !IsGuarded))
      fuzz::kernel_is_missing = true;
    else
      Entry::template run<std::conditional_t<FUZZ_STRIDED, strided, Stride>, IsGuarded>(group);
  }
};
template <class Serial, bool IsGuarded> struct one_serial_kernel {
  static constexpr bool is_checked = true;
  template <bool Guarded> static void run(lane_group first, uint64_t count) {
    if constexpr (Guarded && !IsGuarded)
      fuzz::kernel_is_missing = true;
    else
      Serial::template run<IsGuarded>(first, count);
  }
};
template <class Entry, class Serial, int W, bool IsGuarded>
constexpr isa_kernels make_one(const char *name) {
  return make_isa_kernels<one_kernel<Entry, IsGuarded>, one_serial_kernel<Serial, IsGuarded>, W>(
      name);
}
template <class Entry, class Serial, int W> constexpr isa_kernels make_unguarded(const char *name) {
  return make_one<Entry, Serial, W, false>(name);
}
template <class Entry, class Serial, int W> constexpr isa_kernels make_guarded(const char *name) {
  return make_one<Entry, Serial, W, true>(name);
}
} // namespace colonnade::runtime::detail::COLONNADE_ISA_NAMESPACE
#include <colonnade/simd/end.hpp>
#undef COLONNADE_ISA
