//===- CommonCells.h - Cells that several threads access --------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Internal to the interpreter of blocks: the cells of one array, with who accessed each since it
// was last written.
//
// In: accesses of threads, each with how many barriers its thread has passed. Out: whether another
// thread's access of the same cell may come before as well as after, though one of the two writes.
// Invariant: that depends on barriers alone, not on the order in which threads happened to run.
//
// A cell that is being staged is written, or read, at any time up to the thread's wait.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_IR_COMMONCELLS_H
#define COLONNADE_IR_COMMONCELLS_H

#include "IR/Machine.h"

namespace colonnade::ir {

/// A thread of a block, at some time: how many barriers of each kind it has passed.
struct ThreadTime {
  uint32_t thread = 0;
  uint32_t instance = 0; // of the block
  uint32_t instanceBarriers = 0, warpBarriers = 0, blockBarriers = 0;
};

class CommonCells {
public:
  CommonCells(std::string name, ArrayData &data)
      : name_(std::move(name)), data_(data), history_(data.cells.size()) {}

  MaybeFault read(int64_t cell, const ThreadTime &now);
  MaybeFault write(int64_t cell, const ThreadTime &now);
  /// From now on to the end it is read, or written.
  MaybeFault beginRead(int64_t cell, const ThreadTime &now);
  MaybeFault beginWrite(int64_t cell, const ThreadTime &now);
  MaybeFault endRead(int64_t cell, const ThreadTime &now);
  MaybeFault endWrite(int64_t cell, const ThreadTime &now);

  size_t size() const { return history_.size(); }
  bool isWritten(int64_t cell) const { return history_[size_t(cell)].write.has_value(); }
  const std::string &name() const { return name_; }
  uint64_t bits(int64_t cell) const { return data_.cells[size_t(cell)]; }
  bool isUndefined(int64_t cell) const {
    return !data_.initialised.empty() && !data_.initialised[size_t(cell)];
  }
  void set(int64_t cell, uint64_t bits, bool undefined);

private:
  struct History {
    std::optional<ThreadTime> write;        // the last one
    llvm::SmallVector<ThreadTime, 1> reads; // since then, the last one of each thread
    uint32_t readsBegun = 0;                // that have not ended
    std::optional<ThreadTime> writeBegun;   // likewise
  };
  ThreadFault race(int64_t cell, const ThreadTime &before, const char *what, const ThreadTime &now,
                   const char *does) const;

  std::string name_;
  ArrayData &data_;
  std::vector<History> history_;
};

} // namespace colonnade::ir

#endif // COLONNADE_IR_COMMONCELLS_H
