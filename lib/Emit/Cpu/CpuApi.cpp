//===- CpuApi.cpp - The CPU back end in f.bulk.hpp ------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emit/Cpu/CpuApi.h"

#include "Emit/Api/EntryText.h"

using namespace colonnade;

void colonnade::declareCpuInternals(CxxWriter &out) {
  out.line("status launch_cpu(const raw_arguments &arguments, layout l,"
           " const cpu_launch_options &options);");
}

void colonnade::defineCpuEntry(const EmitInput &, CxxWriter &out) {
  docLine(out, "Runs `count` instances over host arrays that are already in layout `l`");
  docLine(out, "(tiled: tiles of info().cpu_tile instances), on all cores.");
  docLine(out, "Errors: invalid_argument (negative or unknown extents, null arrays),");
  docLine(out, "out_of_extent, overlapping_arrays, failed_check (with its instance).");
  openEntry(out, "inline status run_cpu(const arguments &from, uint64_t count, layout l,"
                 " const cpu_launch_options &options = {})");
  closeEntry(out, "detail::launch_cpu(raw, l, options)");
}
