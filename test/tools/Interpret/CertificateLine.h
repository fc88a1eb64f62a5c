//===- CertificateLine.h - What certificates.py reads -----------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: an accepted entry, and the accesses of its runs in the interpreter. Out: a line of JSON with
// the certificate as text, the reported numbers of accesses, the scalars, and of each run the
// contents of uniform arrays and the trace.
//
// Invariant: a trace has the accesses of parameters, in order, and no others.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_TEST_TOOLS_INTERPRET_CERTIFICATELINE_H
#define COLONNADE_TEST_TOOLS_INTERPRET_CERTIFICATELINE_H

#include "Interpret/Job.h"
#include "Oblivious/Oblivious.h"

#include "llvm/Support/JSON.h"

namespace colonnade {

class CertificateLine {
public:
  /// For an accepted function, as the interpreter runs it.
  explicit CertificateLine(const ir::Function &function) : function_(function) {}

  /// Of the run that endRun() is called for next.
  void addAccess(const ir::AccessEvent &event);
  void endRun(const JobInstance &instance);

  void print(llvm::raw_ostream &out, const ir::Module &module, const Job &job,
             const Verdict &verdict);

private:
  const ir::Function &function_;
  llvm::json::Array accesses_;
  llvm::json::Array runs_;
};

} // namespace colonnade

#endif // COLONNADE_TEST_TOOLS_INTERPRET_CERTIFICATELINE_H
