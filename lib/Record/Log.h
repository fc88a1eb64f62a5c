//===- Log.h - What a recorded run leaves -----------------------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Memory that a recorded process shares with the one that started it, and the functions that
// instrumented code calls, which write there:
//
//   colonnade_recorder_cell    the caller of the original: the next cell of an array lies there
//   colonnade_recorder_value   the caller: an argument is passed by value, and its cells lie there
//   colonnade_recorder_argument  the original: its own copy of such an argument lies there
//   colonnade_recorder_begin   the call of the original begins …
//   colonnade_recorder_end     … and ends
//   colonnade_recorder_access  an access
//
// and where accesses are named (Instrumentation.h):
//
//   colonnade_recorder_global     where a global variable lies
//   colonnade_recorder_enter      a function begins …
//   colonnade_recorder_local      … where a variable of it lies
//   colonnade_recorder_leave      … and returns: its variables are gone
//   colonnade_recorder_iteration  a loop's head is come to
//
// In: what instrumented code says. Out: the log of a run, and the objects it is about.
// Invariant: nothing is written beyond the log's capacity; a run with more accesses ends there.
// An access is logged if it lies in an array or a variable named so, between begin and end. What is
// passed by value is accessed in the original's copy of it, and logged as if in the caller's.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_RECORD_LOG_H
#define COLONNADE_RECORD_LOG_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <vector>

namespace colonnade::record {

enum AccessFlags : uint32_t {
  IsStore = 1,
  SameStep = 2, // as the access before: the other end of a copy
};

/// LoggedAccess::object
enum : uint32_t {
  NoObject = UINT32_MAX,          // in an array: `address` says where
  IterationOfLoop = NoObject - 1, // `address` is how often the head was come to
};

struct LoggedAccess {
  uint64_t address; // or the offset in the object
  uint64_t name;    // of the calls and loop iterations that it happens in
  uint32_t bytes;
  uint32_t site; // index into Instrumented::sites
  uint32_t step; // the accesses of one instruction have the same
  uint32_t isStore;
  uint32_t object; // index into Instrumented::objects, or one of the above
};

/// A cell of array `array`, the one after the last that was logged for it.
struct LoggedCell {
  uint64_t address;
  uint32_t array;
  uint32_t bytes;
};

enum class RunState : uint32_t { Starting, Running, Returned, TooLong };

struct LogHeader {
  RunState state = RunState::Starting;
  uint32_t numAccesses = 0, numCells = 0;
};

/// The shared memory. The sizes are fixed, so that addresses in it are those of the child.
class Log {
public:
  Log(uint32_t maxAccesses, uint32_t maxCells);
  ~Log();
  Log(const Log &) = delete;
  bool isMapped() const { return memory_ != nullptr; }
  void clear() { *header = {}; }

  LogHeader *header = nullptr;
  LoggedAccess *accesses = nullptr;
  LoggedCell *cells = nullptr;
  uint32_t maxAccesses, maxCells;

private:
  void *memory_ = nullptr;
  uint64_t bytes_;
};

/// In the child: where the functions above log to. Accesses to `ranges` are logged beside those
/// to cells and objects.
struct AddressRange {
  uint64_t first, end;
};
void openLog(Log &log, std::vector<AddressRange> ranges);

/// The functions above, for the linker of recorded code.
struct Callback {
  llvm::StringRef name;
  void *address;
};
std::vector<Callback> callbacks();

} // namespace colonnade::record

#endif // COLONNADE_RECORD_LOG_H
