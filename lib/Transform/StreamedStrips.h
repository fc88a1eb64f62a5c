//===- StreamedStrips.h - Strips of rows while a loop runs ------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a loop that streams, as planned. Out: copies of its strips, and its iterations of a strip,
// whose accesses go to the lane's row in shared memory. Invariant: barriers of the warp stand
// between its copies and the threads' own accesses.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_TRANSFORM_STREAMEDSTRIPS_H
#define COLONNADE_TRANSFORM_STREAMEDSTRIPS_H

#include "Transform/BlockBuilder.h"
#include "Transform/RowStreamingPlan.h"

namespace colonnade {

/// Of a thread.
struct ThreadPlace {
  ValueId lane, hasInstance;
};

/// A loop's, of its strips.
struct StripNumber {
  std::optional<uint64_t> known;
  ValueId value = {};
};

/// An array's rows while a strip is in them.
struct Strip {
  const StreamedArray *array;
  ArrayId rows;
  ValueId begin;
};

class StreamedStrips {
public:
  StreamedStrips(BlockBuilder &builder, ThreadPlace place)
      : builder_(builder), kernel_(builder.function()), place_(place) {}

  /// Where the strips of a number lie, in rows or, where the next ones are on their way, in one or
  /// the other of two.
  std::vector<Strip> of(const StreamedLoop &loop, const StripNumber &number, bool isOther);
  void stageIn(llvm::ArrayRef<Strip> strips);
  /// What the loop carries behind the iterations of a strip that is in shared memory. The loop has
  /// no region yet.
  llvm::SmallVector<ValueId, 4> run(const StreamedLoop &loop, const StripNumber &number,
                                    llvm::ArrayRef<Strip> strips, llvm::ArrayRef<ValueId> carried);

private:
  ValueId beginOf(const StreamedArray &array, const StripNumber &strip, uint64_t numStrips);
  std::vector<ValueId> iterations(const StreamedLoop &loop, ValueId number,
                                  llvm::ArrayRef<ValueId> carried);
  std::vector<ValueId> iterations(const StreamedLoop &loop, uint64_t number,
                                  llvm::ArrayRef<ValueId> carried);
  void setLoop(OpId loop, std::initializer_list<ValueId> bounds, ir::Predicate predicate,
               llvm::ArrayRef<ValueId> carried);
  std::vector<ValueId> resultsOf(OpId loop) const;
  void toRows(RegionId region, llvm::ArrayRef<Strip> strips);
  void toRow(OpId id, const Strip &strip);
  ValueId least(ValueId a, ValueId b) {
    return builder_.select(builder_.binary(ir::Opcode::Lt, a, b), a, b);
  }
  ValueId most(ValueId a, ValueId b) {
    return builder_.select(builder_.binary(ir::Opcode::Lt, a, b), b, a);
  }

  BlockBuilder &builder_;
  ir::Function &kernel_;
  ThreadPlace place_;
};

} // namespace colonnade

#endif // COLONNADE_TRANSFORM_STREAMEDSTRIPS_H
