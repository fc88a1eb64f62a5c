//===- SegmentShape.h - What makes two pieces of code the same --*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: operations of a kernel that follow each other. Out: their shape, a list of numbers in
// which whatever is defined outside (values, constants, arrays) is a numbered hole, and what
// fills each hole.
// Invariant: operations of equal shapes do the same to what fills their holes. What an
// error message says of an access is in the shape, too.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_TRANSFORM_CALLS_SEGMENTSHAPE_H
#define COLONNADE_TRANSFORM_CALLS_SEGMENTSHAPE_H

#include "Transform/Calls/CallSegments.h"

#include "llvm/ADT/DenseMap.h"

namespace colonnade {

struct SegmentShape {
  /// No hole: the value is defined inside.
  static constexpr uint32_t Inside = UINT32_MAX;

  std::vector<uint64_t> words;
  std::vector<ValueId> values;  // by hole
  std::vector<ArrayId> arrays;  // by hole
  std::vector<ValueId> defined; // by its operations, not by those in their regions
  std::vector<bool> leaves;     // per value of `defined`: used outside
  uint64_t operations = 0;      // with those in regions, without constants
  bool mayMove = true;          // false: something stands only where it stands

  std::vector<uint32_t> holes;                   // of operands, in the order of the operations
  llvm::DenseMap<uint32_t, uint32_t> firstHole;  // of an operation, in `holes`
  llvm::DenseMap<uint32_t, uint32_t> firstArray; // of an operation, in `arrays`
};

/// What shapes need to know of the whole kernel.
struct KernelUses {
  explicit KernelUses(const ir::Function &kernel);

  std::vector<unsigned> ofValue; // by value
  std::vector<bool> isChecked;   // by array: some access to it is, in the part that takes it
};

SegmentShape shapeOf(const ir::Function &kernel, const SourceMap &sources, const KernelUses &uses,
                     const CallSegment &segment);

/// The memory that a part sees: in a kernel of lanes scratch memory is accessed like local.
ir::Space spaceInParts(const ir::Function &kernel, const ir::Array &array);
/// "t" of "t_5", the fifth array of that name.
llvm::StringRef nameInSource(const ir::Array &array);

} // namespace colonnade

#endif // COLONNADE_TRANSFORM_CALLS_SEGMENTSHAPE_H
