//===- HeldRegisters.h - Arrays in registers while rows stream --*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: arrays that each thread has in registers while other arrays stream, as planned. Out: their
// cells are copied from memory at the beginning, and back at the end, by strips of each row through
// shared memory where rows are long. Invariant: as of StreamedStrips.h.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_TRANSFORM_HELDREGISTERS_H
#define COLONNADE_TRANSFORM_HELDREGISTERS_H

#include "Transform/StreamedStrips.h"

namespace colonnade {

class HeldRegisters {
public:
  HeldRegisters(BlockBuilder &builder, ThreadPlace place, llvm::ArrayRef<HeldArray> held)
      : builder_(builder), place_(place), held_(held) {}

  /// Accesses of these arrays so far go to registers.
  void load();
  void store();

private:
  using Batch = std::vector<std::pair<const HeldArray *, const HeldStrip *>>;

  std::vector<Batch> batches(bool HeldArray::*isCopied) const;
  ValueId beginOf(const HeldArray &held, const HeldStrip &strip);
  void eachCell(const HeldArray &held, const HeldStrip &strip, bool isIn);

  BlockBuilder &builder_;
  ThreadPlace place_;
  llvm::ArrayRef<HeldArray> held_;
};

} // namespace colonnade

#endif // COLONNADE_TRANSFORM_HELDREGISTERS_H
