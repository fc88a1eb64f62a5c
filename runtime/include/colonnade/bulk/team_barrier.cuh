//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// team_barrier.cuh: wait_for_team<Team>, a barrier for the threads of one instance, several warps
// of a block that has other instances, too.
//
// In: blocks whose threads are whole teams of Team, at most 15, as barrier 0 is __syncthreads'.
// Out: what a thread of the team has written to shared memory before is there for the others
// behind it. Invariant: teams without an instance need not take part.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cuda_runtime.h>

namespace colonnade::runtime {

/// All threads of the calling one's team call it.
template <unsigned Team> __device__ __forceinline__ void wait_for_team() {
  static_assert(Team % 32 == 0);
  __barrier_sync_count(1 + threadIdx.x / Team, Team);
}

} // namespace colonnade::runtime
