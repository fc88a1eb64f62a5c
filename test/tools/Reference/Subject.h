//===- Subject.h - A file, lowered and emitted ------------------*- C++ -*--===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a source file and flags. Out: the raw IR of all that its own functions come to, the
// code that Clang emits for the same, and which functions can be compared.
//
// Invariant: an entry is compared with all that it comes to, or, if a part of that is
// outside the subset, not at all: then nothing is claimed of it.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_TEST_TOOLS_REFERENCE_SUBJECT_H
#define COLONNADE_TEST_TOOLS_REFERENCE_SUBJECT_H

#include "Frontend/ModuleLowering.h"
#include "Frontend/Sources/ToolInvocation.h"
#include "Reference/Emission.h"

namespace colonnade::reference {

struct Compared {
  FunctionId id;
  std::vector<Access> accesses;
};

class Subject {
public:
  /// Error: the file does not compile.
  static llvm::Expected<std::unique_ptr<Subject>> create(const std::string &file,
                                                         const std::vector<std::string> &flags);

  ir::Module &module() { return module_; }
  frontend::ModuleLowering &lowering() { return lowering_; }
  std::vector<Compared> compared();
  unsigned numEntries() const { return entries_.size(); }
  unsigned numRefused() const { return refused_; }

private:
  Subject() : lowering_(module_, index_) {}
  bool reachSupported(FunctionId from, std::vector<bool> &reached) const;

  frontend::Additions additions_;
  frontend::Units units_;
  frontend::LinkIndex index_;
  ir::Module module_;
  frontend::ModuleLowering lowering_;
  std::vector<FunctionId> entries_;
  unsigned refused_ = 0;
};

/// The sets of flags with which the test suite's RUN lines of a file give it to the tool;
/// `common` for %include.
std::vector<std::vector<std::string>> flagsOf(const std::string &file,
                                              const std::vector<std::string> &common);

} // namespace colonnade::reference

#endif // COLONNADE_TEST_TOOLS_REFERENCE_SUBJECT_H
