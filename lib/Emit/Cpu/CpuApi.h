//===- CpuApi.h - The CPU back end in f.bulk.hpp ----------------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a function and its verdict. Out: the declaration of what f.bulk.cpp defines for the CPU, and
// the entry point `run_cpu`. Invariant: arguments are checked before the launch.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_EMIT_CPU_CPUAPI_H
#define COLONNADE_EMIT_CPU_CPUAPI_H

#include "Emit/Emit.h"

namespace colonnade {

void declareCpuInternals(CxxWriter &out);
void defineCpuEntry(const EmitInput &input, CxxWriter &out);

} // namespace colonnade

#endif // COLONNADE_EMIT_CPU_CPUAPI_H
