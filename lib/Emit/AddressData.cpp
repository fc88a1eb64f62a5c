//===- AddressData.cpp - Do addresses come out of arrays? -----------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emit/AddressData.h"

using namespace colonnade;
using namespace colonnade::ir;

std::vector<bool> colonnade::arraysReadForAddresses(const Function &certificate) {
  std::vector<bool> used(certificate.values.size()), read(certificate.arrays.size());
  for (const Op &op : certificate.ops)
    for (ValueId operand : op.operands)
      used[operand.index] = true;
  for (const Op &op : certificate.ops)
    if (op.opcode == Opcode::Load && used[op.results[0].index])
      read[op.array.index] = true;
  return read;
}

bool colonnade::addressesNeedData(const Function &certificate) {
  std::vector<bool> read = arraysReadForAddresses(certificate);
  for (size_t a = 0; a < read.size(); ++a) {
    if (read[a] && certificate.arrays[a].isPassed())
      return true;
  }
  return false;
}
