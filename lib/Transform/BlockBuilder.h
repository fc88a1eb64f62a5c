//===- BlockBuilder.h - Appends what threads of a block do together -*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a kernel to append to. Out: operations on rows in shared memory, barriers, and what only
// threads with an instance do; and the launch shape for it.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_TRANSFORM_BLOCKBUILDER_H
#define COLONNADE_TRANSFORM_BLOCKBUILDER_H

#include "IR/Builder.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace colonnade {

/// Whether rows are better copied together where instances lie row after row: neighbouring threads'
/// instances share no sector, or each of many cells would be asked for by itself.
bool hasLongRows(const ir::Array &array);

/// Blocks for row-wise instances with so many threads each: as many warps as have room in what
/// every GPU has of shared memory; where that is none, one warp, and more must be asked for. False:
/// there is not as much.
bool shapeForRows(ir::Function &kernel, unsigned team);

/// Instances whose cells of any array that is staged fill sectors in a column; a power of two.
unsigned instancesOfSectors(const ir::Function &kernel);

class BlockBuilder : public ir::Builder {
public:
  using Builder::Builder;

  ValueId number(uint64_t value) {
    return constantInt(ir::ScalarType::S64, static_cast<int64_t>(value));
  }
  ValueId varying(ValueId value) {
    function().value(value).varying = true;
    return value;
  }
  /// The thread's place: of Lane, Warp, Member, HasInstance.
  ValueId place(ir::Opcode opcode, ir::ScalarType type) {
    return varying(result(append(ir::makeOp(opcode), type)));
  }

  /// but: so many of the last stages to shared memory.
  void wait(uint32_t but = 0) {
    ir::Op op = ir::makeOp(ir::Opcode::Wait);
    op.index = but;
    append(std::move(op), {});
  }
  void barrier(ir::Sharing among) {
    ir::Op op = ir::makeOp(ir::Opcode::Barrier);
    op.among = among;
    append(std::move(op), {});
  }
  /// at: the first cell of each instance; invalid if the rows hold all.
  void stage(ArrayId to, ArrayId from, ValueId at = {});
  /// body(j), for each of so many cells, unrolled.
  void forCells(uint64_t cells, llvm::function_ref<void(ValueId)> body);
  /// All cells of an array, by each thread itself.
  void copyCells(ArrayId to, ArrayId from, uint64_t cells);
  void onlyIf(ValueId condition, llvm::function_ref<void()> body);
  /// An access's subscript in the instance's cells.
  ValueId cellOf(const ir::Op &access);
};

} // namespace colonnade

#endif // COLONNADE_TRANSFORM_BLOCKBUILDER_H
