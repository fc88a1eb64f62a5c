//===- OutsideValues.cpp - What loops use of what is around them ----------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a loop. Out: the values from outside that what it does depends on, as sums of as few as there
// are: of i, j = i + 1 and j * n only i.
//
//===----------------------------------------------------------------------===//

#include "Model/ProfileSummary.h"

namespace colonnade::model {

using ir::Op;

/// What a loop's body uses of what is computed before it; not what is computed only once, beyond
/// all loops.
std::vector<ValueId> ProfileSummary::outsideValues(const Op &loop,
                                                   llvm::ArrayRef<ValueId> alsoUsed) const {
  std::vector<bool> isLeftOut = isOnce_, isUsed(function_.values.size());
  std::vector<const Op *> open = {&loop};
  auto use = [&](ValueId id) { isUsed[id.index] = !isKernel_ || matters_[id.index]; };
  llvm::for_each(alsoUsed, use);
  while (!open.empty()) {
    const Op &op = *open.back();
    open.pop_back();
    llvm::SmallVector<RegionId, 2> regions = op.regions;
    if (op.opcode == ir::Opcode::CallPart)
      regions.push_back(function_.part(op.part).body);
    for (RegionId id : regions) {
      for (ValueId arg : function_.region(id).args)
        isLeftOut[arg.index] = true;
      for (OpId inner : function_.region(id).ops) {
        const Op &used = function_.op(inner);
        llvm::for_each(used.operands, use);
        for (ValueId result : used.results)
          isLeftOut[result.index] = true;
        open.push_back(&used);
      }
    }
  }
  std::vector<ValueId> outside;
  for (uint32_t v = 0; v < isUsed.size(); ++v)
    if (isUsed[v] && !isLeftOut[v])
      outside.push_back(ValueId(v));
  return outside;
}

/// Of a value: coefficients by root. What is known once and for all is none, nor are differences of
/// what wraps: where a sum is used, it is looked at whether it holds.
LinearValue ProfileSummary::sumOfRoots(ValueId id, std::vector<ValueId> &roots,
                                       unsigned depth) const {
  constexpr unsigned MaxDepth = 8;
  const Op *const op = function_.definition(id);
  const bool isConstant = op && op->opcode == ir::Opcode::Constant;
  if (isConstant || (isOnce_[id.index] && values_[id.index].isKnown()))
    return LinearValue::of(ir::makeInt(ir::ScalarType::S64, ir::asInt64(values_[id.index].scalar)));
  auto isWhole = [&](ValueId of) { return ir::isInteger(typeOf(of)); };
  if (op && depth < MaxDepth && ir::isScalarOperation(op->opcode) && isWhole(op->results[0]) &&
      llvm::all_of(op->operands, isWhole)) {
    std::vector<ValueId> found = roots;
    llvm::SmallVector<LinearValue, 2> sums;
    llvm::SmallVector<const LinearValue *, 2> operands;
    for (ValueId operand : op->operands)
      sums.push_back(sumOfRoots(operand, found, depth + 1));
    for (const LinearValue &sum : sums)
      operands.push_back(&sum);
    const std::optional<LinearValue> sum =
        operands.empty() ? std::nullopt : linear(*op, ir::ScalarType::S64, operands);
    if (sum) {
      roots = std::move(found);
      return *sum;
    }
  }
  auto at = llvm::find(roots, id);
  if (at == roots.end())
    at = roots.insert(at, id);
  LinearValue root = LinearValue::of({ir::ScalarType::S64, 0});
  root.terms[static_cast<unsigned>(at - roots.begin())] = 1;
  return root;
}

OutsideValues ProfileSummary::rootsOf(llvm::ArrayRef<ValueId> outside) const {
  OutsideValues values;
  for (ValueId id : outside) {
    const LinearValue sum = sumOfRoots(id, values.roots);
    const bool isRoot =
        sum.terms.begin() != sum.terms.end() && values.roots[sum.terms.begin()->first] == id;
    if (!isRoot)
      values.sums.push_back({id, sum.terms});
  }
  return values;
}

void findKnown(OutsideValues &outside, std::vector<bool> &isKnown, size_t root) {
  const auto isSeveral = [&](const OutsideValues::Sum &sum) {
    return std::next(sum.terms.begin()) < sum.terms.end() &&
           sum.terms.of(static_cast<unsigned>(root)) != 0;
  };
  if (llvm::none_of(outside.sums, isSeveral)) {
    isKnown[root] = true;
    return;
  }
  for (const OutsideValues::Sum &sum : outside.sums)
    if (isSeveral(sum))
      outside.roots.push_back(sum.id);
  llvm::erase_if(outside.sums, isSeveral);
  isKnown.resize(outside.roots.size());
}

} // namespace colonnade::model
