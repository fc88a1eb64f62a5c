//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// compiled_isas.hpp: the instruction sets that kernels are compiled for.
//
// In: COLONNADE_ONLY_ISA, perhaps: 1 baseline, 2 AVX2, 3 AVX-512, as in begin.hpp; for programmes
// that are built where they run. Out: COLONNADE_COMPILES_ISA(n), for #if. Invariant: without
// COLONNADE_ONLY_ISA, all of the architecture.
//
//===----------------------------------------------------------------------===//
#pragma once

#if defined(COLONNADE_ONLY_ISA)
#define COLONNADE_COMPILES_ISA(n) (COLONNADE_ONLY_ISA == n)
#elif defined(__x86_64__)
#define COLONNADE_COMPILES_ISA(n) 1
#else
#define COLONNADE_COMPILES_ISA(n) (n == 1)
#endif
