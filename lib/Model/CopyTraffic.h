//===- CopyTraffic.h - Requests and sectors of copies to rows and back *- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a kernel whose warps or blocks copy the caller's cells to rows in shared memory and back,
// instances, a layout. Out: for each Stage what its copies ask of memory; and, where it copies some
// cells alone, what loading the numbers of these asks for: a request for each of the copy's, of a
// list that all instances share (stage_live.cuh). Lists in constant memory are not counted.
//
// Invariant: of a kernel without Stages, nothing. A list begins at a sector.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_MODEL_COPYTRAFFIC_H
#define COLONNADE_MODEL_COPYTRAFFIC_H

#include "Model/Sectors.h"

namespace colonnade::model {

std::vector<Traffic> copyTraffic(const ir::Function &kernel, Layout layout, const BulkInput &input,
                                 const TrafficMachine &machine);

} // namespace colonnade::model

#endif // COLONNADE_MODEL_COPYTRAFFIC_H
