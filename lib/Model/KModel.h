//===- KModel.h - A kernel on the K-model -----------------------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// "K-model: A New Computational Model for Stream Processors", section IV: k scalar units that run
// one instruction at a time, registers, a shared memory of k banks, an external memory.
//
//   executions of a kernel ─▶ instructions and shared accesses of an instance ─▶ T, W
//
// In: how often a kernel enters its regions, k, and how many instances there are; k of them are an
// element of the stream. Out: T, the latency of all instructions of all elements, and W, their
// length. Invariant: W <= k * T. The external memory is in neither.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_MODEL_KMODEL_H
#define COLONNADE_MODEL_KMODEL_H

#include "Model/OperationCounts.h"
#include "Model/Stages.h"

namespace colonnade::model {

/// Section IV. The longest queue at one of k banks; 0 without requests.
uint64_t longestQueue(int64_t k, llvm::ArrayRef<int64_t> addresses, bool broadcast = false);
/// Distinct aligned segments of k words: external memory transactions.
uint64_t segments(int64_t k, llvm::ArrayRef<int64_t> addresses);

/// An If without operations chooses values: no lane goes another way.
bool isChoice(const ir::Function &kernel, const ir::Op &op);
/// Whether both arms compute values by a few plain operations, or have such in them: the compiler
/// is likely to compute both, and to choose.
bool isLikelyChoice(const ir::Function &kernel, const ir::Op &op);

/// What one instance runs.
struct InstructionCounts {
  Executions plain;    // latency 1: arithmetic, registers, branches
  Executions shared;   // accesses to tables, one address for all lanes
  Executions external; // accesses to the external memory
  Executions branches; // on instance data: lanes may take both ways
  Executions routines; // operations that a GPU has no instruction for: lanes may part in them
  uint64_t spared = 0; // of all in the first two: what no lane runs that goes the longer way
};
InstructionCounts instructionCounts(const ir::Function &kernel, const RegionExecutions &executions);

struct KCost {
  uint64_t latency = 0;      // T
  uint64_t length = 0;       // W
  uint64_t longestQueue = 1; // requests to one bank by one instruction
};

struct KMachine {
  int64_t units = 32;     // k
  bool broadcast = false; // requests for one address are one request
};

/// `leastOfData`: no lane does what data decides; else some lanes go each way, and as many the
/// longer one as can. Error: it does not fit 64 bits.
llvm::Expected<KCost> kCost(const KMachine &machine, const InstructionCounts &counts, int64_t count,
                            bool leastOfData);

} // namespace colonnade::model

#endif // COLONNADE_MODEL_KMODEL_H
