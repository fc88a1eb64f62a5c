//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// rare_code.hpp: how code that runs seldom is marked.
//
//   COLONNADE_RARE_CODE          of host and device
//   COLONNADE_RARE_KERNEL_CODE   of kernels
//
// In: the compiler's own macros. Out: those above. Invariant: such code is called, so that kernels
// stay small and its registers are its own; but not in relocatable device code (-rdc=true): there
// it is compiled for itself, and ptxas refuses what takes more registers than a kernel that calls
// it.
//
//===----------------------------------------------------------------------===//
#pragma once

#if defined(__CUDACC_RDC__)
#define COLONNADE_RARE_CODE __host__ __device__ __forceinline__
#define COLONNADE_RARE_KERNEL_CODE __device__ __forceinline__
#elif defined(__CUDACC__)
#define COLONNADE_RARE_CODE __host__ __device__ __noinline__
#define COLONNADE_RARE_KERNEL_CODE __device__ __noinline__
#else
#define COLONNADE_RARE_CODE inline
#define COLONNADE_RARE_KERNEL_CODE inline
#endif
