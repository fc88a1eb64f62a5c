//===- TeamRequests.h - What a warp of teams asks of memory -----*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a kernel in which a team of threads runs a row-wise instance, what its members do together
// (TeamTrace.h), a number of instances. Out: what each access asks for, sectors and lines of
// memory or wavefronts of shared memory; how many lanes of its warps are active; how often they
// part.
//
//   members of a team ─▶ lanes of a warp: 32 / team instances, each with its own row
//
// Invariant: exact for the kernel's operations, any number of instances, and a last warp that has
// fewer. What a compiler merges is not left out.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_MODEL_TEAMREQUESTS_H
#define COLONNADE_MODEL_TEAMREQUESTS_H

#include "Model/BulkCost.h"
#include "Model/OperationCounts.h"

namespace colonnade::model {

/// Stages of a memory with as many banks as lanes, where a cell is a word: of requests for
/// different addresses, or of one for each address.
struct BankStages {
  uint64_t apart = 0, broadcast = 0;
};

/// Of all warps, but for requests.
struct TeamSite {
  uint32_t accessId = 0;
  ArrayId array;
  bool isStore = false;
  uint64_t requests = 0;         // a warp
  uint64_t sectors = 0;          // 0 in shared memory
  uint64_t lines = 0;            // likewise
  uint64_t groups = 0;           // likewise: of as many cells as lanes
  uint64_t wavefronts = 0;       // of shared memory, 0 elsewhere
  uint64_t excessWavefronts = 0; // among them, beyond one a request (two, of 8 bytes)
  // Of a warp, in shared memory: of which all lanes have an instance; of the last one, if it has
  // fewer.
  BankStages stages, stagesOfLast;
};

/// What warps issue, as the K-model counts instructions; accesses to memory, too.
struct TeamLanes {
  uint64_t latency = 0; // T: instructions of all warps
  uint64_t length = 0;  // W: of their lanes

  double efficiency() const;
};

struct TeamRequests {
  int64_t count = 0;
  std::vector<TeamSite> sites; // by accessId
  TeamLanes lanes;
  uint64_t partings = 0; // of a warp: branches of which members take both ways, ends of loops
                         // that some leave before others

  /// What is counted of all warps, for another number of instances: in proportion.
  uint64_t ofAll(uint64_t counted, int64_t otherCount) const;
};

/// Error: as for teamTrace(). `arrays` by ArrayId, of the certificate.
llvm::Expected<TeamRequests> teamRequests(const ir::Function &kernel,
                                          llvm::ArrayRef<ModelArray> arrays, Layout layout,
                                          int64_t count, const std::vector<ir::ArrayData> &contents,
                                          llvm::ArrayRef<ir::Scalar> scalars);

} // namespace colonnade::model

#endif // COLONNADE_MODEL_TEAMREQUESTS_H
