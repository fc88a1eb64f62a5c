//===- AddressFacts.cpp - What a certificate's addresses depend on --------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Oblivious/AddressFacts.h"

#include "Oblivious/LinearLoops.h"

using namespace colonnade;
using namespace colonnade::ir;

static std::vector<bool> arraysLoaded(const Function &certificate) {
  std::vector<bool> used(certificate.values.size()), loaded(certificate.arrays.size());
  for (const Op &op : certificate.ops)
    for (ValueId operand : op.operands)
      used[operand.index] = true;
  for (const Op &op : certificate.ops)
    if (op.opcode == Opcode::Load && used[op.results[0].index])
      loaded[op.array.index] = true;
  return loaded;
}

AddressFacts colonnade::addressFacts(const Function &certificate) {
  AddressFacts facts;
  facts.loaded = arraysLoaded(certificate);
  for (size_t a = 0; a < certificate.arrays.size(); ++a)
    facts.needData |= facts.loaded[a] && certificate.arrays[a].isPassed();
  LinearLoops loops(certificate, facts.loaded);
  facts.anyLinear = loops.any();
  for (const Op &op : certificate.ops)
    facts.linear.push_back(op.opcode == Opcode::For && loops.isLinear(op));
  for (size_t v = 0; v < certificate.values.size(); ++v)
    facts.atEnds.push_back(loops.depends(ValueId(v)));
  facts.within = withinExtents(certificate, facts.loaded);
  return facts;
}
