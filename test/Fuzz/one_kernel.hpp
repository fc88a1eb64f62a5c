//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Included before generated CPU code that is compiled for one instruction set: of the four
// forms of each kernel only one is compiled, because that is what takes the harness's time.
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
  template <class Stride, bool Guarded> static void run(const lane_group &group) {
    constexpr bool needs_stride = std::is_same_v<Stride, strided>;
    if constexpr ((needs_stride && !FUZZ_STRIDED) || (Guarded && !IsGuarded))
      fuzz::kernel_is_missing = true;
    else
      Entry::template run<std::conditional_t<FUZZ_STRIDED, strided, Stride>, IsGuarded>(group);
  }
};
template <class Entry, int W> constexpr isa_kernels make_unguarded(const char *name) {
  return make_isa_kernels<one_kernel<Entry, false>, W>(name);
}
template <class Entry, int W> constexpr isa_kernels make_guarded(const char *name) {
  return make_isa_kernels<one_kernel<Entry, true>, W>(name);
}
} // namespace colonnade::runtime::detail::COLONNADE_ISA_NAMESPACE
#include <colonnade/simd/end.hpp>
#undef COLONNADE_ISA
