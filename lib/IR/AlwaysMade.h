//===- AlwaysMade.h - Accesses that every instance makes --------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: an access of a certificate's run, with the iterations of the loops around. Out: whether it is
// made whatever the data. In the first iteration of a loop that data ends, nothing has ended it
// yet.
//
// Invariant: an access that is not speculative is.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_IR_ALWAYSMADE_H
#define COLONNADE_IR_ALWAYSMADE_H

#include "IR/Interpreter.h"

namespace colonnade::ir {

class AlwaysMade {
public:
  explicit AlwaysMade(const Function &certificate);

  bool operator()(const AccessEvent &access) const;

private:
  const Function &certificate_;
  /// By operation, of those that are made at first: which of the loops around data ends, outermost
  /// first.
  std::vector<std::vector<unsigned>> endedByData_;
};

} // namespace colonnade::ir

#endif // COLONNADE_IR_ALWAYSMADE_H
