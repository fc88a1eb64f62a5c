//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Included before generated CPU code: what every such file includes, once for each
// instruction set. What all functions share, the launch and the copies between rows and
// tiles, is not compiled again with each of them: launcher.cpp has it, to be linked.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/bulk/cpu_launch.hpp>

// clang-format off
#define COLONNADE_ISA 1
#include <colonnade/simd/begin.hpp>
#include <colonnade/simd/vec.hpp>
#include <colonnade/bulk/cpu_lanes.hpp>
#include <colonnade/simd/end.hpp>
#undef COLONNADE_ISA
#if defined(__x86_64__)
#define COLONNADE_ISA 2
#include <colonnade/simd/begin.hpp>
#include <colonnade/simd/vec.hpp>
#include <colonnade/bulk/cpu_lanes.hpp>
#include <colonnade/simd/end.hpp>
#undef COLONNADE_ISA
#define COLONNADE_ISA 3
#include <colonnade/simd/begin.hpp>
#include <colonnade/simd/vec.hpp>
#include <colonnade/bulk/cpu_lanes.hpp>
#include <colonnade/simd/end.hpp>
#undef COLONNADE_ISA
#endif
// clang-format on

// COPIES(extern template) or COPIES(template): what isa_kernels points to, for the numbers
// of lanes that are usual.
#define COPIES_OF(WORD, ISA, CELL, LANES)                                                          \
  WORD void colonnade::runtime::detail::ISA::rows_to_tile<CELL, LANES>(const void *, void *,       \
                                                                       uint64_t);                  \
  WORD void colonnade::runtime::detail::ISA::tile_to_rows<CELL, LANES>(const void *, void *,       \
                                                                       uint64_t);                  \
  WORD void colonnade::runtime::detail::ISA::strided_to_tile<CELL, LANES>(const void *, void *,    \
                                                                          uint64_t, uint64_t);     \
  WORD void colonnade::runtime::detail::ISA::tile_to_strided<CELL, LANES>(const void *, void *,    \
                                                                          uint64_t, uint64_t);
#define COPIES_ON(WORD, ISA, LANES)                                                                \
  COPIES_OF(WORD, ISA, uint8_t, LANES)                                                             \
  COPIES_OF(WORD, ISA, uint16_t, LANES)                                                            \
  COPIES_OF(WORD, ISA, uint32_t, LANES)                                                            \
  COPIES_OF(WORD, ISA, uint64_t, LANES)
#if defined(__x86_64__)
#define COPIES(WORD)                                                                               \
  COPIES_ON(WORD, baseline, 4)                                                                     \
  COPIES_ON(WORD, baseline, 2)                                                                     \
  COPIES_ON(WORD, avx2, 8)                                                                         \
  COPIES_ON(WORD, avx2, 4)                                                                         \
  COPIES_ON(WORD, avx512, 16)                                                                      \
  COPIES_ON(WORD, avx512, 8)
#else
#define COPIES(WORD) COPIES_ON(WORD, baseline, 4) COPIES_ON(WORD, baseline, 2)
#endif
COPIES(extern template)

namespace colonnade::runtime::detail {
status launch_program_once(const cpu_program &program, launch_memory &memory,
                           const raw_arguments &arguments, layout l,
                           const cpu_launch_options &options);
} // namespace colonnade::runtime::detail
#define launch_program launch_program_once
