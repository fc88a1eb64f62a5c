//===- CpuSamples.h - Canonical functions for the CPU back end --*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_UNITTESTS_EMIT_CPUSAMPLES_H
#define COLONNADE_UNITTESTS_EMIT_CPUSAMPLES_H

#include "CpuSample.h"

namespace colonnade {

inline const CpuSample CpuSamples[] = {
    {"prefix_sums", 4, {"9"}, "", R"(
func "prefix_sums" canonical {
  array @b : f32[n] parameter instance reads writes of b
  body(%n : s32) scalar %n n {
    %one = const 1 : s32
    %one64 = const 1 : s64
    for %i : s32 = %one lt %n step %one () {
      %k = cast %i : s64
      %x = load @b[%k] access 0 : f32
      %j = sub %k, %one64 : s64
      %y = load @b[%j] access 1 : f32
      %s = add %x, %y : f32
      store @b[%k], %s access 2
      yield
    } -> %last : s32
    return
  }
})"},
    // Nothing reads x after the loop, of which lanes leave in either arm.
    {"leaves", 4, {"9"}, "", R"(
func "leaves" canonical {
  array @c : u32[1] parameter instance const reads of c
  array @iterations : s32[1] parameter instance writes of iterations
  body(%n : s32) scalar %n n {
    %cell = const 0 : s64
    %zero = const 0 : s32
    %one = const 1 : s32
    %none = const 1 : u32
    %five = const 5 : u32
    %seven = const 7 : u32
    %stop = const false : bool
    for %i : s32 = %zero lt %n step %one continue (%x : u32 = %none) {
      %rest = rem %x, %five : u32
      %leaves = eq %rest, %none : bool
      if %leaves {
        yield %x
      } else {
        %d = load @c[%cell] access 0 : u32
        %m = mul %x, %seven : u32
        %s = add %m, %d : u32
        yield %s
      } -> %x1 : u32
      %more = rem %x1, %seven : u32
      %again = ne %more, %none : bool
      if %again {
        %y = add %x1, %none : u32
        yield %again, %y
      } else {
        yield %stop, %five
      } -> %goes : bool, %x2 : u32
      yield %goes, %x2
    } -> %last : s32, %xl : u32
    store @iterations[%cell], %last access 1
    return
  }
})"},
    // A data exit whose counter and carried value are used after the loop.
    {"find", 4, {"7", "3", "0xfffffff0"}, "", R"(
func "find" canonical returns s32 spelt "int" {
  array @a : s32[n] parameter instance const reads of a
  array @return : s32[1] return instance writes
  array @iterations : s32[1] parameter instance writes of iterations
  body(%n : s32, %x : s32, %lo : s32) scalar %n n scalar %x x scalar %lo lo {
    %zero = const 0 : s32
    %one = const 1 : s32
    %none = const -1 : s32
    %cell = const 0 : s64
    for %i : s32 = %zero lt %n step %one continue (%r : s32 = %none, %seven : s32 = %x) {
      %k = cast %i : s64
      %v = load @a[%k] access 0 : s32
      %same = gt %v, %x : bool
      if %same {
        yield %i
      } else {
        yield %r
      } -> %next : s32
      %continue = not %same : bool
      %plus = add %seven, %one : s32
      yield %continue, %next, %plus
    } -> %last : s32, %found : s32, %sum : s32
    %less = lt %found, %lo : bool
    %result = select %less, %lo, %found : s32
    store @return[%cell], %result access 1
    %both = add %last, %sum : s32
    store @iterations[%cell], %both access 2
    return
  }
})"},
    // Masked stores, covered and not; unsafe operands in inactive lanes.
    {"masked", 4, {"8"}, "", R"(
func "masked" canonical {
  array @a : s32[n] parameter instance reads writes of a
  array @f : f32[n] parameter instance const reads of f
  array @out : s32[n] parameter instance writes of out
  body(%n : s32) scalar %n n {
    %zero = const 0 : s32
    %one = const 1 : s32
    %big = const 1000 : s32
    %limit = const 8.0 : f32
    %minus = const -8.0 : f32
    %mask5 = const 31 : s32
    for %i : s32 = %zero lt %n step %one () {
      %k = cast %i : s64
      %x = load @a[%k] access 0 : s32
      %nonzero = ne %x, %zero : bool
      if %nonzero {
        %q = div %big, %x : s32
        %r = rem %big, %x : s32
        %s = add %q, %r : s32
        store @a[%k], %s access 1
        yield %s
      } else {
        yield %one
      } -> %y : s32
      %f = load @f[%k] access 2 : f32
      %below = lt %f, %limit : bool
      %above = gt %f, %minus : bool
      %inside = and %below, %above : bool
      if %inside {
        %t = cast %f : s32
        %abs = and %t, %mask5 : s32
        %sh = shl %one, %abs : s32
        %sum = xor %sh, %y : s32
        store @out[%k], %sum access 3
        yield
      } else {
        yield
      }
      yield
    } -> %last : s32
    return
  }
})"},
    // A loop whose trip count differs between lanes; narrow and boolean cells.
    {"narrow", 1, {"5"}, "", R"(
func "narrow" canonical {
  array @in : u8[n] parameter instance const reads of in
  array @flags : bool[n] parameter instance reads writes of flags
  array @out : u8[n] parameter instance writes of out
  body(%n : s32) scalar %n n {
    %zero = const 0 : s32
    %one = const 1 : s32
    %three = const 3 : u8
    %seven = const 7 : u8
    %stop = const 40 : s32
    %u0 = const 0 : u8
    for %i : s32 = %zero lt %n step %one () {
      %k = cast %i : s64
      %x = load @in[%k] access 0 : u8
      for %iteration : s32 = %zero lt %stop step %one continue (%v : u8 = %x) {
        %small = lt %v, %seven : bool
        %continue = not %small : bool
        if %small {
          yield %v
        } else {
          %d = div %v, %three : u8
          %e = add %d, %u0 : u8
          %w = sub %e, %three : u8
          yield %w
        } -> %w2 : u8
        yield %continue, %w2
      } -> %iterations : s32, %end : u8
      %r8 = cast %iterations : u8
      %sum = add %end, %r8 : u8
      %p = mul %sum, %three : u8
      store @out[%k], %p access 1
      %flag = load @flags[%k] access 2 : bool
      %odd = lt %p, %seven : bool
      %both = xor %flag, %odd : bool
      store @flags[%k], %both access 3
      yield
    } -> %last : s32
    return
  }
})"},
    // What fits in 8 or 16 bits is computed there, and a 32-bit carry in 64.
    {"bytes", 2, {"7"}, "", R"(
func "bytes" canonical {
  array @in : u8[n] parameter instance const reads of in
  array @by : s8[n] parameter instance const reads of by
  array @words : u32[n] parameter instance const reads of words
  array @sums : s32[n] parameter instance writes of sums
  array @clamped : u8[n] parameter instance writes of clamped
  array @mixed : u8[n] parameter instance writes of mixed
  array @scaled : u16[n] parameter instance writes of scaled
  array @product : u32[n] parameter instance writes of product
  array @ratio : s16[n] parameter instance writes of ratio
  body(%n : s32) scalar %n n {
    %zero = const 0 : s32
    %one = const 1 : s32
    %three = const 3 : s32
    %five = const 5 : s32
    %ten = const 10 : s32
    %by7 = const -7 : s32
    %top = const 255 : s32
    %u11 = const 11 : u32
    %u257 = const 257 : u32
    %u5 = const 5 : u32
    %w32 = const 32 : s32
    %c0 = const 0 : u32
    for %i : s32 = %zero lt %n step %one (%h : s32 = %one, %carry : u32 = %c0) {
      %k = cast %i : s64
      %x8 = load @in[%k] access 0 : u8
      %x = cast %x8 : s32
      %s8 = load @by[%k] access 1 : s8
      %s = cast %s8 : s32
      for %j : s32 = %zero lt %five step %one (%sum : s32 = %zero) {
        %more = add %sum, %x : s32
        %less = sub %more, %s : s32
        yield %less
      } -> %j5 : s32, %sum5 : s32
      store @sums[%k], %sum5 access 2
      %p = mul %x, %s : s32
      %q = div %p, %by7 : s32
      %r = rem %p, %ten : s32
      %t = sub %q, %r : s32
      %sh = shr %p, %three : s32
      %u = add %t, %sh : s32
      %neg = lt %u, %zero : bool
      %up = select %neg, %zero, %u : s32
      %over = gt %up, %top : bool
      %down = select %over, %top, %up : s32
      %d8 = cast %down : u8
      store @clamped[%k], %d8 access 3
      %h5 = mul %h, %five : s32
      %hx = add %h5, %x : s32
      %h8 = cast %hx : u8
      store @mixed[%k], %h8 access 4
      %xu = cast %x8 : u32
      %x11 = div %xu, %u11 : u32
      %big = mul %xu, %u257 : u32
      %bits = shr %big, %u5 : u32
      %both = add %bits, %x11 : u32
      %b16 = cast %both : u16
      store @scaled[%k], %b16 access 5
      %odd = or %s, %one : s32
      %o = div %x, %odd : s32
      %m = rem %x, %odd : s32
      %om = sub %o, %m : s32
      %om16 = cast %om : s16
      store @ratio[%k], %om16 access 6
      %w = load @words[%k] access 7 : u32
      %w64 = cast %w : u64
      %sq = mul %w64, %w64 : u64
      %c64 = cast %carry : u64
      %wide = add %sq, %c64 : u64
      %low = cast %wide : u32
      store @product[%k], %low access 8
      %high = shr %wide, %w32 : u64
      %next = cast %high : u32
      yield %hx, %next
    } -> %last : s32, %hend : s32, %cend : u32
    return
  }
})"},
    // Tables, uniform arrays, local arrays per lane and shared, double precision.
    {"mixed", 8, {"6"}, "", R"(
func "mixed" canonical {
  array @table : s32[4] table uniform reads = {1, 3, 0, 2}
  array @w : f64[n] parameter uniform const reads of w
  array @x : f64[n] parameter instance const reads of x
  array @y : f64[n] parameter instance writes of y
  array @t : f64[4] local instance reads writes
  array @order : s32[4] local instance reads writes
  body(%n : s32) scalar %n n {
    %zero = const 0 : s32
    %one = const 1 : s32
    %four = const 4 : s32
    %half = const 0.5 : f64
    %zerof = const 0.0 : f64
    for %c : s32 = %zero lt %four step %one () {
      %ck = cast %c : s64
      store @t[%ck], %half access 10
      %from = load @table[%ck] access 11 : s32
      store @order[%ck], %from access 12
      yield
    } -> %l0 : s32
    for %i : s32 = %zero lt %n step %one () {
      %k = cast %i : s64
      %slot = rem %i, %four : s32
      %sk = cast %slot : s64
      %place = load @order[%sk] access 0 : s32
      %pk = cast %place : s64
      %x = load @x[%k] access 1 : f64
      %w = load @w[%k] access 2 : f64
      %old = load @t[%pk] access 3 : f64
      %m = mul %x, %w : f64
      %s = add %m, %old : f64
      %positive = gt %x, %zerof : bool
      if %positive {
        store @t[%pk], %s access 4
        %root = math sqrt %x : f64
        %e = math sin %root : f64
        yield %e
      } else {
        %fl = math floor %x : f64
        %mn = math fmin %fl, %s : f64
        yield %mn
      } -> %g : f64
      %now = load @t[%pk] access 5 : f64
      %h = add %g, %now : f64
      store @y[%k], %h access 6
      yield
    } -> %last : s32
    return
  }
})"},
    // A masked address outside its extent: fine while no lane is active …
    {"guarded", 4, {"4"}, "", R"(
func "guarded" canonical {
  array @a : s32[n] parameter instance reads writes of a
  body(%n : s32) scalar %n n {
    %zero = const 0 : s32
    %one = const 1 : s32
    %far = const 1000 : s32
    for %i : s32 = %zero le %n step %one () {
      %k = cast %i : s64
      %c0 = const 0 : s64
      %x = load @a[%c0] access 0 : s32
      %ever = gt %x, %far : bool
      if %ever {
        %v = load @a[%k] access 1 : s32
        %w = add %v, %one : s32
        store @a[%k], %w access 2
        yield
      } else {
        yield
      }
      yield
    } -> %last : s32
    return
  }
})"},
    // … and a status naming the first instance that is.
    {"reached",
     4,
     {"4"},
     "status 4 instance 4: f.cpp:9:3: an instance reaches a cell of 'a' outside its extent",
     R"(
func "reached" canonical {
  array @a : s32[n] parameter instance const reads of a
  array @b : s32[n] parameter instance writes of b
  body(%n : s32) scalar %n n {
    %zero = const 0 : s32
    %c0 = const 0 : s64
    %k = cast %n : s64
    %x = load @a[%c0] access 0 : s32
    %ever = gt %x, %zero : bool
    if %ever {
      %v = load @a[%k] access 1 : s32 loc("f.cpp":9:3)
      store @b[%c0], %v access 2
      yield
    } else {
      yield
    }
    return
  }
})"},
    {"outside",
     4,
     {"4", "4"},
     "status 3 f.cpp:9:3: cell 4 of 'a' is accessed, but it has 4 cells",
     R"(
func "outside" canonical {
  array @a : s32[n] parameter instance const reads of a
  array @b : s32[n] parameter instance writes of b
  body(%n : s32, %m : s32) scalar %n n scalar %m m {
    %c0 = const 0 : s64
    %k = cast %m : s64
    %v = load @a[%k] access 1 : s32 loc("f.cpp":9:3)
    store @b[%c0], %v access 2
    return
  }
})"},
    // A false fact is a status, under a mask only for active lanes.
    {"checked", 4, {"4"}, "status 4 instance 15: <unknown>: bound (", R"(
func "checked" canonical {
  array @a : s32[n] parameter instance const reads of a
  array @b : s32[n] parameter instance writes of b
  body(%n : s32) scalar %n n {
    %c0 = const 0 : s64
    %c1 = const 1 : s64
    %zero = const 0 : s32
    %fifteen = const 15 : s32
    %x = load @a[%c0] access 0 : s32
    %y = load @a[%c1] access 3 : s32
    %ever = gt %x, %zero : bool
    if %ever {
      %small = lt %y, %fifteen : bool
      check %small text "bound"
      store @b[%c0], %x access 2
      yield
    } else {
      yield
    }
    return
  }
})"},
    // Arrays of symbolic size inside, more than the stack takes.
    {"scratch", 4, {"700"}, "", R"(
func "scratch" canonical {
  array @a : f32[n] parameter instance reads writes of a
  array @t : f32[n] local instance reads writes
  array @big : bool[2000] local instance reads writes
  body(%n : s32) scalar %n n {
    %zero = const 0 : s32
    %one = const 1 : s32
    %zf = const 0.0 : f32
    for %i : s32 = %zero lt %n step %one () {
      %k = cast %i : s64
      %x = load @a[%k] access 0 : f32
      %y = mul %x, %x : f32
      store @t[%k], %y access 1
      %p = lt %x, %zf : bool
      store @big[%k], %p access 2
      yield
    } -> %l0 : s32
    for %j : s32 = %zero lt %n step %one () {
      %k2 = cast %j : s64
      %q = load @big[%k2] access 3 : bool
      if %q {
        %v = load @t[%k2] access 4 : f32
        yield %v
      } else {
        yield %zf
      } -> %r : f32
      store @a[%k2], %r access 5
      yield
    } -> %l1 : s32
    return
  }
})"},
};

} // namespace colonnade

#endif // COLONNADE_UNITTESTS_EMIT_CPUSAMPLES_H
