//===- IRSamples.h - Functions in textual form ------------------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Together they use every part of the grammar.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_UNITTESTS_IR_IRSAMPLES_H
#define COLONNADE_UNITTESTS_IR_IRSAMPLES_H

namespace colonnade::ir {

inline constexpr const char *PrefixSums = R"(
func "prefix_sums" canonical mangled "_Z11prefix_sumsPii" {
  array @b : s32[n] parameter instance reads writes of b
  assume "parameters b and n are disjoint"
  body(%n : s32) scalar %n n {
    %one = const 1 : s32
    for %i : s32 = %one lt %n step %one () {
      %k = cast %i : s64
      %l = const 1 : s64
      %j = sub %k, %l : s64
      %x = load @b[%k] access 0 : s32
      %y = load @b[%j] access 1 : s32
      %s = add %x, %y : s32
      store @b[%k], %s access 2
      yield
    } -> %end : s32
    return
  }
}
)";

/// Index of the first cell equal to x, by an early exit; -1 if there is none.
inline constexpr const char *Find = R"(
func "find" canonical returns s32 spelt "int" {
  array @b : s32[n] parameter instance const reads of b
  array @return : s32[1] return instance writes
  body(%n : s32, %x : s32) scalar %n n scalar %x x {
    %zero = const 0 : s32
    %one = const 1 : s32
    %none = const -1 : s32
    %zero64 = const 0 : s64
    for %i : s32 = %zero lt %n step %one continue (%r : s32 = %none) {
      %k = cast %i : s64
      %v = load @b[%k] access 0 : s32
      %same = eq %v, %x : bool
      if %same {
        yield %i
      } else {
        yield %r
      } -> %r2 : s32
      %continue = not %same : bool
      yield %continue, %r2
    } -> %last : s32, %found : s32
    store @return[%zero64], %found access 1
    return
  }
}
)";

/// Collatz steps: a general loop, iterations counted in a local array, with a bound.
inline constexpr const char *Collatz = R"(
func "collatz" canonical {
  array @steps : u32[1] parameter instance writes
  array @t : f32[2, 3] table uniform = {0.5, 1.0, -2.0, inf, nan, 1e+30}
  array @"odd name"#2 : u8[4] local instance
  array @t#3 : u8[4] local instance
  body(%n : u64) scalar %n n {
    %zero = const 0 : u32
    %one = const 1 : u32
    %one64 = const 1 : u64
    %two = const 2 : u64
    %three = const 3 : u64
    %where = const 0 : s64
    %radix = const 3 : s64
    %unused = load @t[%where, %where; %radix] : f32
    loop bound [n+1] (%a : u64 = %n, %c : u32 = %zero) {
      %more = gt %a, %one64 : bool
      test %more, %a, %c
    } do (%b : u64, %d : u32) {
      %bit = and %b, %one64 : u64
      %half = div %b, %two : u64 speculative
      %triple = mul %b, %three : u64
      %up = add %triple, %one64 : u64
      %odd = cast %bit : bool
      %next = select %odd, %up, %half : u64
      %count = add %d, %one : u32
      %yes = const true : bool
      yield %yes, %next, %count
    } -> %final : u64, %iterations : u32
    store @steps[%where], %iterations
    return
  }
}
)";

inline constexpr const char *Raw = R"(
!0 = f32
!1 = s32
!2 = array [n*m] !0
!3 = struct "Vec" {"x" !0, "data" !2, "odd \22name" !1}
!4 = ptr !3
!5 = struct "Empty" {}
func "ns::scale" raw mangled "_Z5scaleP3Vecf" returns f32 spelt "float" loc("a \5Cb.cpp":1:7) {
  param v : ptr !3 count [n] reference instance loc("f.cpp":1:14)
  param f : f32
  param s : ptr !3 const byvalue uniform
  array @TWIDDLES : f32[2] table uniform const = {1.0, -0.0}
  body(%v : ptr, %f : f32, %s : ptr) {
    %o = object mem !0 text "tmp" : ptr loc("f.cpp":2:3)
    %one = const 1 : s64
    %e = ptr.index %v, %one mem !3 : ptr
    %d = ptr.field %e mem !3 index 1 : ptr
    %n = const 6 : s64
    %c = ptr.decay %d, %n mem !2 : ptr
    %x = ptr.load %c mem !0 : f32 loc("f.cpp":3:4 at "g.cpp":10:11 at "h.cpp":12:13)
    %y = mul %x, %f : f32
    %z = math fma %x, %y, %f : f32
    ptr.store %o, %z mem !0
    %t = table mem !0 array @TWIDDLES : ptr
    ptr.copy %o, %t, %one mem !0 index 1
    %byte = const 0 : u8
    ptr.fill %o, %byte, %one mem !0
    %diff = ptr.diff %o, %o mem !0 : s64
    %null = ptr.null : ptr
    %isNull = eq %o, %null : bool
    if %isNull address {
      unsupported text "inline assembly"
      yield
    } else {
      yield
    }
    loop () {
      %w = unsupported text "goto" : bool
      test %w
    } do () {
      %continue = const false : bool
      yield %continue
    }
    check %isNull text "bound 'n' holds"
    %r = call %y callee "helper" : f32
    return %r
  }
}
func "helper" raw returns f32 declared {
  param a : f32
}
)";

inline constexpr const char *KernelSample = R"(
func "k" kernel lanes 2 {
  array @b : s16[n] parameter instance of b in memory
  array @w : u64[1] parameter uniform in uniform
  array @t : s16[2] table uniform in constant = {3, 4}
  array @big : s16[1] table uniform in global = {3}
  array @l : s16[4] local instance in local
  array @s : s16[n] local instance in scratch
  note "s: in scratch memory"
  body(%n : s64) scalar %n n {
    %zero = const 0 : s64
    %one = const 1 : s64
    %ten = const 10 : s16
    %x = load @b[%zero] guarded access 7 : varying s16
    %m = gt %x, %ten : varying bool
    %any = any %m : bool
    %y = blend %m, %x, %ten : varying s16
    %z = bitcast %y : varying u16
    %u = undef : s16
    for %i : s64 = %zero lt %n step %one continue unroll 8 (%a : varying s16 = %y) {
      yield %any, %a
    } -> %last : s64, %w : varying s16
    loop unroll fully (%c : varying s16 = %w) {
      test %any, %c
    } do (%d : varying s16) {
      yield %any, %d
    } -> %e : varying s16
    %k = load @w[%zero] : u64
    %p = mul.lowhalves %k, %k : u64
    %q = div.constant %e, %ten : varying s16
    %r = rem.constant %e, %ten : varying s16
    store @b[%zero], %q mask %m guarded
    store @b[%zero], %r mask %m
    return
  }
}
func "g" kernel threads 128 {
  array @b : f32[8] parameter instance in registers loaded
  array @c : f32[8] parameter instance in registers
  body() {
    return
  }
}
)";

} // namespace colonnade::ir

#endif // COLONNADE_UNITTESTS_IR_IRSAMPLES_H
