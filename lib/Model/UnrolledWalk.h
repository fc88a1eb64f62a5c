//===- UnrolledWalk.h - A kernel's accesses where loops are unrolled *- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a region of a kernel, or some iterations of a loop at once. Out: the accesses in it, in their
// order, with subscripts as sums (ValueSums.h). Loops that are unrolled fully are followed, and so
// are branches: both arms, where data decides. Other loops end a stretch of accesses, and their
// bodies are regions of their own.
//
// Invariant: each region of the kernel is followed from one root, and is a root itself if it is
// not followed from another.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_MODEL_UNROLLEDWALK_H
#define COLONNADE_MODEL_UNROLLEDWALK_H

#include "Model/ValueSums.h"

namespace colonnade::model {

class UnrolledWalk {
public:
  explicit UnrolledWalk(const ir::Function &kernel) : kernel_(kernel), sums_(kernel) {}
  virtual ~UnrolledWalk() = default;

  /// A region that is walked by itself.
  struct Root {
    RegionId region;
    OpId loop; // whose body it is; none: it is run once each time
  };

  /// The region, or so many iterations of it. False: too long; then no loop in it is to be
  /// followed.
  bool run(const Root &root, unsigned iterations, bool followsLoops = true);
  /// What was not followed.
  const std::vector<Root> &roots() const { return roots_; }
  bool hasFollowedLoops() const { return hasFollowedLoops_; }

protected:
  /// `guard`: the number of the branch of a team's members that is around it; 0: none.
  virtual void access(OpId id, llvm::ArrayRef<ValueSum> subscripts, unsigned guard) = 0;
  /// What is known of memory need not hold any more.
  virtual void forget() = 0;
  /// A branch on data: one arm or the other is made. First comes Begin, between them Other.
  enum class Fork : uint8_t { Begin, Other, End };
  virtual void fork(Fork at) = 0;

  /// Whether the member takes all branches that are around now.
  bool isTaken(int64_t member) const;

  const ir::Function &kernel_;
  ValueSums sums_;

private:
  void iterate(const ir::Op &loop, RegionId body, unsigned iterations);
  void region(RegionId id);
  void operation(OpId id);
  bool followed(const ir::Op &op);
  bool followedLoop(const ir::Op &loop);
  void branch(const ir::Op &branch);
  void bothArms(const ir::Op &branch);
  void endStretch(OpId id);
  void pass(llvm::ArrayRef<ValueId> from, llvm::ArrayRef<ValueId> to);

  std::vector<Root> roots_;
  std::map<std::vector<ValueSum>, unsigned> guards_; // numbers, by what decides
  std::vector<ValueSum> conditions_;                 // of the branches around
  bool followsLoops_ = true, hasFollowedLoops_ = false;
  uint64_t left_ = 0; // operations
};

} // namespace colonnade::model

#endif // COLONNADE_MODEL_UNROLLEDWALK_H
