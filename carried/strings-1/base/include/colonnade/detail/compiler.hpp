//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// compiler.hpp: the few macros that the headers need.
//
//   COLONNADE_HOST_DEVICE    functions for host and device
//   COLONNADE_KERNEL_CODE    code of a kernel: device code under nvcc, ordinary code elsewhere, so
//                            that tests run it on the host
//   COLONNADE_UNROLL         before a loop that must be unrolled, so that arrays it indexes stay
//                            in registers
//   COLONNADE_UNROLL_BY(k)   before a loop of which k iterations are to be in flight at once
//   COLONNADE_ABI            the inline namespace of kernels, named after the architectures, so
//                            that files compiled for different ones never share a kernel by
//                            accident
//
// In: the compiler's own macros. Out: those above. Invariant: without nvcc the headers are plain
// C++, in which the macros mean inline or nothing.
//
//===----------------------------------------------------------------------===//
#pragma once

#if defined(__CUDACC__)
#define COLONNADE_HOST_DEVICE __host__ __device__ __forceinline__
#define COLONNADE_KERNEL_CODE __device__ __forceinline__
#else
#define COLONNADE_HOST_DEVICE inline __attribute__((always_inline))
#define COLONNADE_KERNEL_CODE inline
#endif

#if defined(__CUDA_ARCH__) // host compilers warn of pragmas they do not know
#define COLONNADE_UNROLL _Pragma("unroll")
#define COLONNADE_PRAGMA(text) _Pragma(#text)
#define COLONNADE_UNROLL_BY(count) COLONNADE_PRAGMA(unroll count)
#else
#define COLONNADE_UNROLL
#define COLONNADE_UNROLL_BY(count)
#endif

#define COLONNADE_JOIN_1(a) v1_##a
#define COLONNADE_JOIN_2(a, b) v1_##a##_##b
#define COLONNADE_JOIN_3(a, b, c) v1_##a##_##b##_##c
#define COLONNADE_JOIN_4(a, b, c, d) v1_##a##_##b##_##c##_##d
#define COLONNADE_JOIN_5(a, b, c, d, e) v1_##a##_##b##_##c##_##d##_##e
#define COLONNADE_JOIN_6(a, b, c, d, e, f) v1_##a##_##b##_##c##_##d##_##e##_##f
#define COLONNADE_JOIN_MANY(a, b, c, d, e, f, ...) v1_##a##_##b##_##c##_##d##_##e##_##f##_more
#define COLONNADE_JOIN_PICK(a, b, c, d, e, f, g, h, name, ...) name
#define COLONNADE_JOIN(...)                                                                        \
  COLONNADE_JOIN_PICK(__VA_ARGS__, COLONNADE_JOIN_MANY, COLONNADE_JOIN_MANY, COLONNADE_JOIN_6,     \
                      COLONNADE_JOIN_5, COLONNADE_JOIN_4, COLONNADE_JOIN_3, COLONNADE_JOIN_2,      \
                      COLONNADE_JOIN_1, )                                                          \
  (__VA_ARGS__)
#if defined(__CUDA_ARCH_LIST__)
#define COLONNADE_ABI COLONNADE_JOIN(__CUDA_ARCH_LIST__)
#else
#define COLONNADE_ABI v1_host
#endif
