//===- CommonCells.cpp - Cells that several threads access ----------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/CommonCells.h"

#include "llvm/ADT/STLExtras.h"

namespace colonnade::ir {

/// Since then, both have passed a barrier that waits for both.
static bool isOrdered(const ThreadTime &before, const ThreadTime &now) {
  const bool isOneInstance = before.instance == now.instance,
             isOneWarp = before.thread / LanesPerWarp == now.thread / LanesPerWarp;
  return before.thread == now.thread || before.blockBarriers < now.blockBarriers ||
         (isOneInstance && before.instanceBarriers < now.instanceBarriers) ||
         (isOneWarp && before.warpBarriers < now.warpBarriers);
}

ThreadFault CommonCells::race(int64_t cell, const ThreadTime &before, const char *what,
                              const ThreadTime &now, const char *does) const {
  return {InterpreterError::Kind::Race, Undefined::None,
          "race: thread " + std::to_string(now.thread) + " " + does + " cell " +
              std::to_string(cell) + " of '" + name_ + "', which thread " +
              std::to_string(before.thread) + " " + what + ", and no barrier lies between"};
}

MaybeFault CommonCells::read(int64_t cell, const ThreadTime &now) {
  History &history = history_[static_cast<size_t>(cell)];
  if (history.writeBegun)
    return race(cell, *history.writeBegun, "is staging", now, "reads");
  if (history.write && !isOrdered(*history.write, now))
    return race(cell, *history.write, "writes", now, "reads");
  auto own = llvm::find_if(history.reads,
                           [&](const ThreadTime &read) { return read.thread == now.thread; });
  if (own == history.reads.end())
    history.reads.push_back(now);
  else
    *own = now;
  return std::nullopt;
}

MaybeFault CommonCells::write(int64_t cell, const ThreadTime &now) {
  History &history = history_[static_cast<size_t>(cell)];
  if (history.writeBegun)
    return race(cell, *history.writeBegun, "is staging", now, "writes");
  if (history.readsBegun > 0)
    return race(cell, history.reads.back(), "is staging", now, "writes");
  if (history.write && !isOrdered(*history.write, now))
    return race(cell, *history.write, "writes", now, "writes");
  for (const ThreadTime &read : history.reads)
    if (!isOrdered(read, now))
      return race(cell, read, "reads", now, "writes");
  history.reads.clear();
  history.write = now;
  return std::nullopt;
}

MaybeFault CommonCells::beginRead(int64_t cell, const ThreadTime &now) {
  MaybeFault fault = read(cell, now);
  ++history_[static_cast<size_t>(cell)].readsBegun;
  return fault;
}

MaybeFault CommonCells::endRead(int64_t cell, const ThreadTime &now) {
  --history_[static_cast<size_t>(cell)].readsBegun;
  return read(cell, now);
}

MaybeFault CommonCells::beginWrite(int64_t cell, const ThreadTime &now) {
  if (MaybeFault fault = write(cell, now))
    return fault;
  history_[static_cast<size_t>(cell)].writeBegun = now;
  return std::nullopt;
}

MaybeFault CommonCells::endWrite(int64_t cell, const ThreadTime &now) {
  history_[static_cast<size_t>(cell)].writeBegun.reset();
  return write(cell, now);
}

void CommonCells::set(int64_t cell, uint64_t bits, bool undefined) {
  data_.cells[static_cast<size_t>(cell)] = bits;
  if (undefined && data_.initialised.empty())
    data_.initialised.assign(data_.cells.size(), true);
  if (!data_.initialised.empty())
    data_.initialised[static_cast<size_t>(cell)] = !undefined;
}

} // namespace colonnade::ir
