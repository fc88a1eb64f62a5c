//===- Recorder.h - Runs the original and lists its accesses ----*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   sources ─▶ originalCode ─▶ instrument ─▶ JIT ─▶ a child for each run ─▶ Recording
//
// In: source files, callers of functions (Emit.h, Original::isRecorded), and an input: the cells
// of one instance. Out: what the original accessed, step by step, and the cells
// afterwards; or how it ended instead. No compiler is started.
//
// Invariant: the user's code runs in the child alone, also what runs before main().
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_RECORD_RECORDER_H
#define COLONNADE_RECORD_RECORDER_H

#include "Frontend/Sources/OriginalCode.h"
#include "IR/Type.h"
#include "Record/Child.h"
#include "Record/Instrumentation.h"

#include <memory>

namespace colonnade::record {

/// A cell that a step touches.
struct RecordedCell {
  uint32_t array; // position in the interface
  bool isStore = false;
  bool isPart = false; // not all of its bytes
  int64_t cell = 0;
  friend bool operator==(const RecordedCell &, const RecordedCell &) = default;
};

/// A part of a variable that is no array of the interface: recorded with Detail::Named.
struct RecordedObject {
  uint32_t id;
  bool isStore;
  uint64_t offset, bytes;
  friend bool operator==(const RecordedObject &, const RecordedObject &) = default;
};

/// What one instruction of the original accesses: of a copy, all cells.
struct RecordedStep {
  uint32_t site = 0;
  uint64_t name = 0;               // Detail::Named: of its calls and iterations
  std::vector<RecordedCell> cells; // loads before stores, each in the order of addresses
  std::vector<RecordedObject> objects;
  uint64_t iteration = 0; // not 0: no access, a loop's head is come to for that time
};

enum class RunEnd : uint8_t {
  Returned,
  Crashed, // by a signal: undefined behaviour, or no memory left
  TooSlow, // Limits::seconds
  TooLong, // more accesses than a recording holds
  Left,    // exit(): the function did not return
};

struct Recording {
  RunEnd end = RunEnd::Returned;
  int signal = 0; // Crashed
  std::vector<RecordedStep> steps;
  std::vector<std::vector<uint64_t>> after; // Returned: cells by array
};

/// The cells of one instance, by array of the interface, and the bits of the scalars.
struct RunInput {
  std::vector<std::vector<uint64_t>> cells;
  std::vector<uint64_t> scalars;
};

class Recorder {
public:
  /// `cellTypes`: of the arrays of each function's interface. Error: a source gives no code, or
  /// something that it calls is defined nowhere.
  static llvm::Expected<Recorder> create(const FrontendOptions &options,
                                         const OriginalCallers &callers,
                                         std::vector<std::vector<ir::ScalarType>> cellTypes,
                                         Detail detail = Detail::Plain);
  Recorder(Recorder &&) noexcept;
  ~Recorder();

  /// `function`: position among the callers. Error: no process or no memory for one.
  llvm::Expected<Recording> run(size_t function, const RunInput &input, const Limits &limits = {});
  const Site &site(uint32_t index) const;
  const ObjectInfo &object(uint32_t id) const;

private:
  class Impl;
  explicit Recorder(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

} // namespace colonnade::record

#endif // COLONNADE_RECORD_RECORDER_H
