//===- LoopsOfLoads.cpp - Loads that must not be moved --------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emit/Cuda/LoopsOfLoads.h"

#include "IR/KernelFacts.h"

#include "llvm/ADT/STLExtras.h"

using namespace colonnade;
using namespace colonnade::ir;

namespace {

class LoadLoops {
public:
  explicit LoadLoops(const Function &kernel) : kernel_(kernel), are_(kernel.ops.size()) {}

  std::vector<bool> run() {
    visit(kernel_.body);
    return std::move(are_);
  }

private:
  /// All threads come to the region's operations.
  void visit(RegionId region) {
    for (OpId id : kernel_.region(region).ops) {
      const Op &op = kernel_.op(id);
      are_[id.index] = isOfLoads(op);
      if (!are_[id.index] && isUniform(op))
        for (RegionId inner : op.regions)
          visit(inner);
    }
  }

  /// No data decides which of its operations run, and how often.
  bool isUniform(const Op &op) const {
    const size_t bounds = op.opcode == Opcode::For ? 3 : 1;
    return (op.opcode == Opcode::If || op.opcode == Opcode::For) && !op.hasContinueFlag &&
           !kernel_.anyVarying(llvm::ArrayRef(op.operands).take_front(bounds));
  }

  bool isOfLoads(const Op &loop) const {
    // As of arrays in registers (CudaKernelPrinter.cpp).
    static constexpr int64_t Few = 32;
    if (loop.opcode != Opcode::For || loop.unrolling.kind != Unrolling::Kind::Fully ||
        loop.hasContinueFlag)
      return false;
    int64_t loads = 0;
    bool areChanged = false;
    for (OpId id : kernel_.region(loop.regions[0]).ops) {
      const Op &op = kernel_.op(id);
      const Array *const array = isAccess(op) ? &kernel_.array(op.array) : nullptr;
      const bool isLoad = op.opcode == Opcode::Load && array->space == Space::Memory,
                 isKept = op.opcode == Opcode::Store && array->space == Space::Registers;
      if ((array && !isLoad && !isKept) || !op.regions.empty())
        return false;
      loads += isLoad;
      areChanged |= isLoad && array->writes;
    }
    return areChanged && loads * constantIterations(kernel_, loop).value_or(0) > Few;
  }

  const Function &kernel_;
  std::vector<bool> are_;
};

} // namespace

std::vector<bool> colonnade::loopsOfLoads(const Function &kernel) {
  return LoadLoops(kernel).run();
}
