//===- LaunchTime.h - How long one launch takes -----------------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a kernel and what is known of it (TimeInput), how far back its accesses reach, a number of
// instances, and what is assumed of what is not known. Out: how long each limit alone takes, and an
// estimate of all together.
// Invariant: the same assumptions give the same time; nothing is known here of least and most.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_MODEL_LAUNCHTIME_H
#define COLONNADE_MODEL_LAUNCHTIME_H

#include "Model/KernelTime.h"
#include "Model/Sectors.h"

namespace colonnade::model {

/// Cells that one sector has where a row's cells lie side by side, else 1.
int64_t cellsOfUnit(const ModelArray &array, bool isRow);

/// How the instances of a launch share the machine.
struct Occupancy {
  double warps;         // of all instances
  double warpsOfSm;     // at once, on an SM that is full
  double warpsAtOnce;   // on all SMs
  double waves;         // of blocks, one or more
  double imbalance = 1; // the busiest SM's work over the mean's
};

/// Shares of a site's accesses.
struct SiteMisses {
  double ofL1 = 0, ofL2 = 0;
  double written = 0; // to memory, of stores
};

/// Sectors of all warps that a memory is asked for.
struct MemorySectors {
  double loads = 0, stores = 0;                   // side by side
  double scatteredLoads = 0, scatteredStores = 0; // far from each other
};

struct LaunchRequests {
  double lines = 0; // looked up in L1, a cycle each
  MemorySectors ofL2, ofDram;
};

/// Of so many instances.
class Launch {
public:
  Launch(const TimeMachine &machine, Layout layout, const TimeInput &input, const WarpReuse &reuse,
         const KernelWork &work, int64_t count, const TimeAssumptions &assumed = {});

  KernelTime time() const;

private:
  double threadsOfBlock() const {
    return std::get<ir::ThreadShape>(*input_.kernel.launch).perBlock;
  }
  Occupancy occupancy() const;
  double cold() const;
  void findMisses(const WarpReuse &reuse);
  void add(MemorySectors &sum, const Traffic &traffic, double sectors) const;
  SiteMisses missesOfRegisters(const Traffic &traffic) const;
  double left(const Traffic &traffic) const;
  LaunchRequests requests() const;
  double linesBeside(OpId op) const;
  double nsOfBatch(const LoadBatch &batch) const;
  bool isInSteps(ArrayId array) const;
  double nsOfCopies(double nsOfWork) const;
  double latency() const;
  double loadsInFlight() const;

  const TimeMachine &machine_;
  Layout layout_;
  const TimeInput &input_;
  TimeAssumptions assumed_;
  BulkInput bulk_;
  Occupancy occupancy_;
  const KernelWork &work_;
  double operations_;                 // of a warp
  double cold_;                       // of first accesses, what is not in L2 already
  bool isThere_;                      // all is
  std::map<OpId, SiteMisses> misses_; // by the certificate's operation
  std::map<uint32_t, OpId> siteOf_;   // of these, by accessId
  std::map<OpId, double> linesOf_;    // of one request, likewise
};

} // namespace colonnade::model

#endif // COLONNADE_MODEL_LAUNCHTIME_H
