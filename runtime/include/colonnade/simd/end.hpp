//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// end.hpp: restores the compiler options that begin.hpp changed, and undefines its macros
// and COLONNADE_ISA, so that the next begin.hpp can follow.
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
