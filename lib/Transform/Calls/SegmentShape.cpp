//===- SegmentShape.cpp - What makes two pieces of code the same ----------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transform/Calls/SegmentShape.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"

using namespace colonnade;
using namespace colonnade::ir;

Space colonnade::spaceInParts(const Function &kernel, const Array &array) {
  const bool isLanes = std::holds_alternative<LaneShape>(*kernel.launch);
  return isLanes && array.space == Space::Scratch ? Space::Local : *array.space;
}

llvm::StringRef colonnade::nameInSource(const Array &array) {
  const llvm::StringRef name = array.name;
  const llvm::StringRef stem = name.rtrim("0123456789");
  return stem.size() < name.size() && stem.size() > 1 && stem.ends_with("_") ? stem.drop_back()
                                                                             : name;
}

static void visitOperations(const Function &kernel, RegionId root,
                            llvm::function_ref<void(const Op &)> visit) {
  std::vector<RegionId> work = {root};
  while (!work.empty()) {
    const RegionId region = work.back();
    work.pop_back();
    for (OpId id : kernel.region(region).ops) {
      visit(kernel.op(id));
      work.insert(work.end(), kernel.op(id).regions.begin(), kernel.op(id).regions.end());
    }
  }
}

KernelUses::KernelUses(const Function &kernel)
    : ofValue(kernel.values.size()), isChecked(kernel.arrays.size()) {
  auto visit = [&](const Op &op) {
    for (ValueId operand : op.operands)
      ++ofValue[operand.index];
    if (op.array && (op.masked || op.guarded))
      isChecked[op.array.index] = true;
    for (size_t i = 0; i < op.arrays.size(); ++i) // parts come before their callers
      if (isChecked[kernel.part(op.part).arrays[i].index])
        isChecked[op.arrays[i].index] = true;
  };
  for (const Part &part : kernel.parts)
    visitOperations(kernel, part.body, visit);
  visitOperations(kernel, kernel.body, visit);
}

namespace {

class ShapeBuilder {
public:
  ShapeBuilder(const Function &kernel, const SourceMap &sources, const KernelUses &uses)
      : f_(kernel), sources_(sources), uses_(uses) {}

  SegmentShape run(const CallSegment &segment) {
    const std::vector<OpId> &ops = f_.region(segment.region).ops;
    for (size_t i = segment.begin; i < segment.end; ++i) {
      add(ops[i]);
      const Op &op = f_.op(ops[i]);
      if (op.opcode != Opcode::Constant)
        shape_.defined.insert(shape_.defined.end(), op.results.begin(), op.results.end());
    }
    for (ValueId value : shape_.defined)
      shape_.leaves.push_back(uses_.ofValue[value.index] > inside_.lookup(value.index));
    return std::move(shape_);
  }

private:
  void word(uint64_t value) { shape_.words.push_back(value); }
  void text(llvm::StringRef value) { word(value.empty() ? 0 : llvm::xxh3_64bits(value)); }

  void add(OpId id) {
    const Op &op = f_.op(id);
    if (op.opcode == Opcode::Constant) // what it is stands at its uses
      return;
    ++shape_.operations;
    shape_.mayMove &= op.opcode != Opcode::Unsupported && op.opcode != Opcode::Return;
    attributes(op);
    operands(id);
    arrays(id);
    for (ValueId result : op.results)
      define(result);
    for (RegionId region : op.regions) {
      word(f_.region(region).args.size());
      for (ValueId arg : f_.region(region).args)
        define(arg);
      for (OpId inner : f_.region(region).ops)
        add(inner);
    }
  }

  void attributes(const Op &op) {
    word(uint64_t(op.opcode) | uint64_t(op.predicate) << 8 | uint64_t(op.math) << 16 |
         uint64_t(op.unrolling.kind) << 24 | uint64_t(op.unrolling.times) << 32);
    word(uint64_t(op.hasContinueFlag) | op.postTest << 1 | op.masked << 2 | op.guarded << 3 |
         op.choosesAddress << 4);
    word(op.index);
    word(op.part.index);
    word(op.operands.size() | uint64_t(op.results.size()) << 20 |
         uint64_t(op.regions.size()) << 40);
    text(op.text);
    if (reportsLocation(op))
      location(op.loc);
  }

  static bool needsConstants(const Op &op) {
    return op.opcode == Opcode::DivConstant || op.opcode == Opcode::RemConstant;
  }
  static bool reportsLocation(const Op &op) {
    return op.masked || op.guarded || op.opcode == Opcode::Check;
  }
  void location(LocId loc) {
    const SourceLocation at = loc ? sources_[loc] : SourceLocation();
    word(at.file);
    word(uint64_t(at.line) << 32 | at.column);
  }

  uint64_t typeOf(ValueId value) const {
    return uint64_t(f_.value(value).type) << 1 | f_.varying(value);
  }

  void define(ValueId value) {
    const uint32_t number = uint32_t(numbers_.size());
    numbers_[value.index] = number;
    word(typeOf(value));
  }

  void operands(OpId id) {
    shape_.firstHole[id.index] = uint32_t(shape_.holes.size());
    for (ValueId operand : f_.op(id).operands) {
      auto number = numbers_.find(operand.index);
      if (number != numbers_.end()) {
        word(uint64_t(number->second) << 1);
        ++inside_[operand.index];
        shape_.holes.push_back(SegmentShape::Inside);
        continue;
      }
      word(typeOf(operand) << 1 | 1);
      if (const Scalar *constant = f_.constant(operand); constant && needsConstants(f_.op(id)))
        word(constant->bits);
      shape_.holes.push_back(uint32_t(shape_.values.size()));
      shape_.values.push_back(operand);
    }
  }

  void arrays(OpId id) {
    const Op &op = f_.op(id);
    shape_.firstArray[id.index] = uint32_t(shape_.arrays.size());
    if (op.array)
      array(op.array, op.masked || op.guarded);
    for (size_t i = 0; i < op.arrays.size(); ++i)
      array(op.arrays[i], uses_.isChecked[f_.part(op.part).arrays[i].index]);
  }

  /// A checked access knows the number of cells, and its message the name.
  void array(ArrayId id, bool isChecked) {
    const Array &array = f_.array(id);
    shape_.arrays.push_back(id);
    if (array.isTable())
      return word(uint64_t(id.index) << 1 | 1);
    const Space space = spaceInParts(f_, array);
    shape_.mayMove &= space != Space::Registers;
    const bool isTyped = space != Space::Local && space != Space::Scratch;
    word(uint64_t(array.cell) << 9 | uint64_t(space) << 5 | uint64_t(array.sharing) << 4 |
         (isTyped && array.writes) << 3 | isChecked << 1);
    if (!isChecked)
      return;
    const std::optional<uint64_t> cells = array.constantCells();
    shape_.mayMove &= cells && space != Space::Scratch;
    word(cells.value_or(0));
    text(nameInSource(array));
  }

  const Function &f_;
  const SourceMap &sources_;
  const KernelUses &uses_;
  SegmentShape shape_;
  llvm::DenseMap<uint32_t, uint32_t> numbers_; // of values defined inside
  llvm::DenseMap<uint32_t, uint32_t> inside_;  // their uses inside
};

} // namespace

SegmentShape colonnade::shapeOf(const Function &kernel, const SourceMap &sources,
                                const KernelUses &uses, const CallSegment &segment) {
  return ShapeBuilder(kernel, sources, uses).run(segment);
}
