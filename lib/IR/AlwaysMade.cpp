//===- AlwaysMade.cpp - Accesses that every instance makes ----------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/AlwaysMade.h"

#include "llvm/ADT/STLExtras.h"

using namespace colonnade;
using namespace colonnade::ir;

static bool isLoop(const Op &op) { return op.opcode == Opcode::For || op.opcode == Opcode::Loop; }

AlwaysMade::AlwaysMade(const Function &certificate)
    : certificate_(certificate), endedByData_(certificate.ops.size()) {
  struct Place {
    RegionId region;
    unsigned depth; // loops around
    std::vector<unsigned> endedByData;
  };
  std::vector<Place> open = {{certificate.body, 0, {}}};
  while (!open.empty()) {
    const Place place = std::move(open.back());
    open.pop_back();
    for (OpId id : certificate.region(place.region).ops) {
      const Op &op = certificate.op(id);
      if (op.atFirst)
        endedByData_[id.index] = place.endedByData;
      for (RegionId inner : op.regions) {
        open.push_back({inner, place.depth + isLoop(op), place.endedByData});
        if (op.dataEnds)
          open.back().endedByData.push_back(place.depth);
      }
    }
  }
}

bool AlwaysMade::operator()(const AccessEvent &access) const {
  const Op &op = certificate_.op(access.op);
  if (!op.speculative || !op.atFirst)
    return !op.speculative;
  return llvm::all_of(endedByData_[access.op.index],
                      [&](unsigned loop) { return access.iterations[loop] == 0; });
}
