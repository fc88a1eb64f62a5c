//===- Varying.cpp - What follows from varying values ---------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transform/Varying.h"

#include "llvm/ADT/STLExtras.h"

using namespace colonnade;
using namespace colonnade::ir;

void colonnade::spreadVarying(Function &kernel) {
  bool changes = true;
  const auto mark = [&](ValueId value) {
    changes |= !kernel.value(value).varying;
    kernel.value(value).varying = true;
  };
  while (changes) {
    changes = false;
    for (size_t o = 0; o < kernel.ops.size(); ++o) {
      const Op &op = kernel.ops[o];
      if (op.regions.empty() && kernel.anyVarying(op.operands))
        llvm::for_each(op.results, mark);
      if (op.opcode == Opcode::If && kernel.varying(op.operands[0]))
        llvm::for_each(op.results, mark);
      for (size_t r = 0; r < op.results.size() && op.opcode == Opcode::If; ++r)
        for (RegionId arm : op.regions)
          if (kernel.varying(kernel.terminator(arm).operands[r]))
            mark(op.results[r]);
      if (op.opcode != Opcode::For)
        continue;
      const llvm::ArrayRef<ValueId> args = kernel.region(op.regions[0]).args;
      if (kernel.anyVarying(llvm::ArrayRef(op.operands).take_front(3))) {
        mark(args[0]);
        llvm::for_each(op.results, mark);
      }
      for (size_t c = 1; c < args.size(); ++c)
        if (kernel.anyVarying(
                {op.operands[2 + c], args[c], op.results[c],
                 kernel.terminator(op.regions[0]).operands[c - 1 + op.hasContinueFlag]})) {
          mark(args[c]);
          mark(op.results[c]);
        }
    }
  }
}
