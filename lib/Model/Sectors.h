//===- Sectors.h - Requests and sectors of a CUDA kernel --------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The UMM with a real machine's numbers: warps of 32 lanes, groups of 32 bytes (sectors), cells
// of 1 to 8 bytes, and every array in the space where the kernel has it.
//
//   memory      the caller's memory, in the layout
//   registers   each cell of the caller's memory once, before and after
//   local       32 lanes' words lie side by side, whatever the layout; where the caller's array is
//               placed there, its memory once before and after
//   scratch     column-wise over threads
//   shared      rows of the caller's memory that a warp stages: cell after cell, or words of them
//   uniform,
//   global      one address for all lanes: one sector
//   constant    its own cache: no request to global memory
//
// Copies of some cells alone load the numbers of these from lists, which are uniform unless they
// are constant.
//
// In: the profile of one instance, the kernel, instances, a layout. Out: requests of a warp and
// sectors of all warps, by site, each access made by all lanes.
// Invariant: arrays of the kernel and the certificate have the same ids; allocations are aligned to
// sectors.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_MODEL_SECTORS_H
#define COLONNADE_MODEL_SECTORS_H

#include "Model/BulkCost.h"

namespace colonnade::model {

/// What one site, or the loading or storing of an array's registers or rows, asks of memory.
struct Traffic {
  ArrayId array;
  OpId op; // of the certificate; invalid: of registers or rows
  ir::Space space = ir::Space::Memory;
  bool isStore = false;
  bool isConditional = false;
  uint64_t requests = 0;                   // a warp
  uint64_t sectors = 0;                    // all warps
  std::optional<uint64_t> ofLastWarp = {}; // requests, if it is not full
  bool parts = false;            // a full warp, in the last request: not all lanes make it
  uint64_t excessWavefronts = 0; // of shared memory, all warps: lanes that wait for a bank
  bool mayTakeMore = false;      // of them
  uint64_t askedTwice = 0;       // sectors: copies of 16 bytes (RowCopies.h)
  uint64_t times = 1;            // of copies: of strips of rows one after the other
  bool isList = false;           // loads of the list of the array's cells that are copied
  /// Threads of a team may ask for cells of their own, and it is not counted which: requests are
  /// those of the source, sectors those of one cell.
  bool isOfTeam = false;
};

/// What is asked of a space.
struct SpaceTraffic {
  ir::Space space = ir::Space::Memory;
  uint64_t requests = 0;    // a warp
  uint64_t sectors = 0;     // all warps
  uint64_t conditional = 0; // sectors among them that are only asked for where the data says so
};

constexpr int64_t LanesOfWarp = 32;
constexpr int64_t BytesOfSector = 32;
constexpr int64_t BytesOfLine = 128;

/// Of a profile's residues: a multiple of every group of cells, `width` or those of a line. Small,
/// as loops take longer the larger it is.
uint64_t periodOf(llvm::ArrayRef<ModelArray> arrays, int64_t width = LanesOfWarp);

/// Of a warp of so many lanes, when each instance has a team of them.
int64_t instancesOfWarp(const ir::Function &kernel, int64_t lanes = LanesOfWarp);

/// What transfers memory in groups, for warps.
struct TrafficMachine {
  int64_t lanes = LanesOfWarp;
  std::optional<int64_t> groupBytes = BytesOfSector; // nullopt: as many cells as lanes
};

std::vector<Traffic> traffic(const ir::Function &kernel, Layout layout, const BulkInput &input,
                             const TrafficMachine &machine = {});
/// Generated kernels set their local arrays to 0 where they begin: stores that the source has not.
std::vector<Traffic> clearing(const ir::Function &kernel, Layout layout, const BulkInput &input,
                              const TrafficMachine &machine = {});
/// In the order of ir::Space; without spaces that nothing is asked of.
std::vector<SpaceTraffic> bySpace(llvm::ArrayRef<Traffic> traffic);

} // namespace colonnade::model

#endif // COLONNADE_MODEL_SECTORS_H
