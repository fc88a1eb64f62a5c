//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// end.hpp: ends the code for one instruction set.
//
// In: what begin.hpp set up. Out: the compiler options from before it; its macros and COLONNADE_ISA
// are undefined. Invariant: nothing of begin.hpp is left, so the next one can follow.
//
//===----------------------------------------------------------------------===//

#if defined(__clang__)
#if COLONNADE_ISA == 3
#pragma clang attribute pop
#endif
#pragma clang attribute pop
#else
#pragma GCC diagnostic pop
#pragma GCC pop_options
#endif
#undef COLONNADE_ISA_NAMESPACE
#undef COLONNADE_ISA_NAME
#undef COLONNADE_NATIVE_BYTES
#undef COLONNADE_ISA
