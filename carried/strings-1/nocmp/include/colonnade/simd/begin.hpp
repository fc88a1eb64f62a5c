//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// begin.hpp: the code from here to end.hpp is compiled for one instruction set.
//
// In: COLONNADE_ISA, defined before: 1 baseline (SSE2 on x86-64), 2 AVX2 with FMA,
// 3 AVX-512 (F, BW, DQ, VL). Out: compiler options for what follows, and the macros
// COLONNADE_ISA_NAMESPACE, COLONNADE_ISA_NAME ("avx2") and COLONNADE_NATIVE_BYTES (of a
// register). Invariant: a product and a sum are never contracted to one fma, whatever the
// command line says.
//
// There is no include guard: a file compiles its kernels once per instruction set by
// including itself. Include all standard headers before.
//
//===----------------------------------------------------------------------===//

#if !defined(COLONNADE_ISA)
#error "set COLONNADE_ISA to 1 (baseline), 2 (AVX2) or 3 (AVX-512) before including begin.hpp"
#endif
#if defined(__FAST_MATH__) && !defined(COLONNADE_ALLOW_FAST_MATH)
#error "fast-math breaks bit-identity: compile without it or define COLONNADE_ALLOW_FAST_MATH"
#endif

#if COLONNADE_ISA == 3
#define COLONNADE_ISA_NAMESPACE avx512
#define COLONNADE_ISA_NAME "avx512"
#define COLONNADE_NATIVE_BYTES 64
#elif COLONNADE_ISA == 2
#define COLONNADE_ISA_NAMESPACE avx2
#define COLONNADE_ISA_NAME "avx2"
#define COLONNADE_NATIVE_BYTES 32
#else
#define COLONNADE_ISA_NAMESPACE baseline
#define COLONNADE_ISA_NAME "baseline"
#define COLONNADE_NATIVE_BYTES 16
#endif

#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#if COLONNADE_ISA == 3 // two: before Clang 16 each takes one attribute
#pragma clang attribute push(                                                                      \
    __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx2,fma"))), apply_to = function)
#pragma clang attribute push(__attribute__((min_vector_width(512))), apply_to = function)
#elif COLONNADE_ISA == 2
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#else
#pragma clang attribute push(__attribute__((min_vector_width(128))), apply_to = function)
#endif
#else
#pragma GCC push_options
#pragma GCC optimize("fp-contract=off")
#if COLONNADE_ISA == 3
#pragma GCC target("avx512f,avx512bw,avx512dq,avx512vl,avx2,fma")
#elif COLONNADE_ISA == 2
#pragma GCC target("avx2,fma")
#endif
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi" // vectors never cross a real call
#endif
