//===- AddressProperties.cpp - What a certificate's addresses depend on --------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Oblivious/Certificate/AddressProperties.h"

#include "Oblivious/Certificate/LinearLoops.h"

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

AddressProperties colonnade::addressProperties(const Function &certificate) {
  AddressProperties properties;
  properties.loaded = arraysLoaded(certificate);
  for (size_t a = 0; a < certificate.arrays.size(); ++a)
    properties.needData |= properties.loaded[a] && certificate.arrays[a].isPassed();
  LinearLoops loops(certificate, properties.loaded);
  properties.anyLinear = loops.any();
  for (const Op &op : certificate.ops)
    properties.linear.push_back(op.opcode == Opcode::For && loops.isLinear(op));
  for (size_t v = 0; v < certificate.values.size(); ++v)
    properties.atEnds.push_back(loops.depends(ValueId(v)));
  properties.within = withinExtents(certificate, properties.loaded);
  return properties;
}
