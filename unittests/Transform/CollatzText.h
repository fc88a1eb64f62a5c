//===- CollatzText.h - A loop that lanes leave one by one -------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_UNITTESTS_TRANSFORM_COLLATZTEXT_H
#define COLONNADE_UNITTESTS_TRANSFORM_COLLATZTEXT_H

namespace colonnade {

/// Lanes leave a general loop by its test and by its continue flag. Not accepted without
/// a bound, so it is predicated and interpreted only.
inline const char *const CollatzText = R"(
func "collatz" canonical {
  array @m : u64[1] parameter instance const reads of m
  array @count : u64[2] parameter instance writes of count
  body(%limit : s32) scalar %limit limit {
    %zero = const 0 : s32
    %one = const 1 : s32
    %c1 = const 1 : u64
    %c2 = const 2 : u64
    %c3 = const 3 : u64
    %c255 = const 255 : u64
    %cell = const 0 : s64
    %cell1 = const 1 : s64
    %raw = load @m[%cell] access 0 : u64
    %start0 = and %raw, %c255 : u64
    %start = or %start0, %c1 : u64
    loop (%i : s32 = %zero, %v : u64 = %start, %steps : u64 = %c2) {
      %below = lt %i, %limit : bool
      test %below, %i, %v, %steps
    } do (%bi : s32, %bv : u64, %bs : u64) {
      %done = eq %bv, %c1 : bool
      %continue = not %done : bool
      %rest = rem %bv, %c2 : u64
      %odd = eq %rest, %c1 : bool
      if %odd {
        %triple = mul %bv, %c3 : u64
        %up = add %triple, %c1 : u64
        yield %up
      } else {
        %half = div %bv, %c2 : u64
        yield %half
      } -> %next : u64
      %i1 = add %bi, %one : s32
      %s1 = add %bs, %c1 : u64
      yield %continue, %i1, %next, %s1
    } -> %end : s32, %value : u64, %total : u64
    store @count[%cell], %total access 1
    store @count[%cell1], %value access 2
    return
  }
})";

} // namespace colonnade

#endif // COLONNADE_UNITTESTS_TRANSFORM_COLLATZTEXT_H
