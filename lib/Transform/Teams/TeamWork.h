//===- TeamWork.h - What the work of a team comes to ------------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: what each member of a team issues and accesses, from the walk. Out: instructions and
// wavefronts of shared memory of a warp, for loops as they are and for unrolled ones.
//
// Invariant: members that do the same operation at the same time issue it together, and their cells
// are one request.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_TRANSFORM_TEAMS_TEAMWORK_H
#define COLONNADE_TRANSFORM_TEAMS_TEAMWORK_H

#include "IR/Function.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

#include <array>
#include <vector>

namespace colonnade {

/// Threads of the largest team.
inline constexpr unsigned MaxTeam = 256;

/// Of one warp, for all instances that it runs; of a team of several warps, the mean of these.
struct WarpWork {
  double instructions = 0; // that its lanes issue together
  double tiled = 0;        // of these, in tiled nests: they do not wait for each other
  double accesses = 0;     // of common arrays
  double wavefronts = 0;   // that these take, without skew
  double skewed = 0;       // the same, of rows that are skewed
};
/// Where all loops are unrolled, subscripts are constants, and a cell is loaded once until
/// something is stored to its array.
struct TeamWork {
  WarpWork rolled, unrolled;
  double barriers = 0;
};

/// What all loops unrolled leave is not too much.
bool isUnrolled(const TeamWork &work);

/// Of one execution of an operation, without what is in it.
double instructionsOf(const ir::Function &kernel, const ir::Op &op);

/// Of arrays that each thread has for itself.
uint64_t cellsInRegisters(const ir::Function &kernel);
/// That a thread takes with them, so that none is spilled.
uint64_t registersWithOwn(const ir::Function &kernel);

/// Cells of a row of so many bytes each behind which one is left free where it is skewed: the
/// banks' width.
uint64_t skewOf(uint64_t cellBytes);

/// Of cells of a common array, so many bytes each, that the members of one team access together.
/// isNext: each member's is the one behind its last: four are loaded at once where rows are not
/// skewed. share: of what is counted.
void addRequest(WarpWork &work, llvm::ArrayRef<int64_t> cells, uint64_t bytes, bool isNext = false,
                double share = 1);

/// The iterations that a team runs at the same time: one a member, or all of a tiled nest.
class TeamTurn {
public:
  TeamTurn(const ir::Function &kernel, unsigned team)
      : kernel_(kernel), warps_(std::max(1u, team / ir::LanesPerWarp)) {}

  void begin(int32_t member) { member_ = member; }
  void issue(double rolled, double unrolled) {
    issued_[static_cast<size_t>(member_)] += rolled;
    issuedUnrolled_[static_cast<size_t>(member_)] += unrolled;
  }
  /// isThere: the member has loaded it before.
  void access(OpId op, int64_t cell, bool isThere) {
    const uint64_t own = uint64_t(op.index) << 32 | static_cast<uint32_t>(member_);
    Last &last = last_[own];
    const uint64_t key = uint64_t(op.index) << 32 | last.times++;
    Request &request = requests_[{key, static_cast<uint32_t>(member_) / ir::LanesPerWarp}];
    request.isNext &= last.times > 1 && cell == last.cell + 1;
    last.cell = cell;
    request.all.push_back(cell);
    if (!isThere)
      request.unrolled.push_back(cell);
  }
  void end(TeamWork &work, bool isTiled = false);

private:
  struct Request { // cells of the members
    llvm::SmallVector<int64_t, 4> all, unrolled;
    bool isNext = true;
  };
  struct Last { // of a member's accesses by an operation
    uint32_t times = 0;
    int64_t cell = 0;
  };

  using Issued = std::array<double, MaxTeam>;
  double ofWarp(const Issued &issued) const;

  const ir::Function &kernel_;
  const unsigned warps_; // of the team
  int32_t member_ = 0;
  Issued issued_ = {}, issuedUnrolled_ = {}; // by member
  llvm::DenseMap<uint64_t, Last> last_;      // by operation and member
  // By operation and time, and by warp.
  llvm::DenseMap<std::pair<uint64_t, uint32_t>, Request> requests_;
};

} // namespace colonnade

#endif // COLONNADE_TRANSFORM_TEAMS_TEAMWORK_H
