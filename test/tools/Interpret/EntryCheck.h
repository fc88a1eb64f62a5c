//===- EntryCheck.h - One entry against its job -----------------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs one judged function, its certificate and its kernels on the instances of a job.
//
// In: the function with its verdict, its job, and perhaps a recorder of the original source. Out:
// a line on standard output for what is wrong, counts, and the line that certificates.py reads.
//
// Invariant: after the first instance that fails no other is run.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_TEST_TOOLS_INTERPRET_ENTRYCHECK_H
#define COLONNADE_TEST_TOOLS_INTERPRET_ENTRYCHECK_H

#include "Driver/Commands/RecordedOriginals.h"
#include "Interpret/CertificateLine.h"
#include "Interpret/InterpretedRun.h"
#include "Record/Validation.h"

namespace colonnade {

struct Tally {
  std::map<std::string, uint64_t> operations;
  std::map<std::string, uint64_t> classes;
  std::map<std::string, uint64_t> plans; // for row-wise instances; functions
  unsigned failures = 0;
  uint64_t recorded = 0; // runs
};

/// The function with `--size` of the job's scalars, as far as it has integers.
struct SizedFunction {
  ir::Function canonical;
  Verdict verdict;
};

/// An entry after the verdict; its job's outputs are filled in if they were not given.
struct JudgedEntry {
  Job &job;
  CheckedFunction checked;
  ir::Function unreduced;
  std::optional<SizedFunction> sized;
};

/// A recorder and the position of the entry in it; or neither.
struct Recorded {
  RecordedOriginals *originals = nullptr;
  size_t index = 0;

  const record::TracedArrays &arrays() const { return originals->arrays(index); }
  record::Recorder &recorder() const { return originals->recorder(index); }
  size_t caller() const { return originals->caller(index); }
};

class EntryCheck {
public:
  EntryCheck(const ir::Module &module, JudgedEntry &entry, Recorded recorded, Tally &tally)
      : module_(module), entry_(entry), job_(entry.job), canonical_(entry.checked.canonical),
        verdict_(entry.checked.verdict), recorded_(recorded), tally_(tally), line_(canonical_) {}

  /// An entry that must be accepted. A line on `certificates` if all is well.
  void runAccepted(llvm::raw_ostream &certificates);
  /// One that must be refused, and whose recorded traces, if any, must differ.
  void runRejected();

private:
  std::vector<ir::Function> kernels() const;
  void addPlanned(const ir::Function &canonical, const Verdict &verdict,
                  std::vector<ir::Function> &kernels) const;
  bool checkKernels(const std::vector<ir::Function> &kernels, size_t index);
  bool checkGiven(size_t index);
  bool checkRecorded(size_t index);
  bool checkCertificate(size_t index);
  bool checkProfile();
  bool checkExecutions(const std::vector<ir::Function> &kernels);
  void checkThatTracesDiffer();

  record::NamedTrace traceOf(const ir::Function &function, Contents contents,
                             const record::TracedArrays &traced, size_t index);
  record::Instance recordedInput(size_t index) const;
  llvm::Expected<record::Recording> recordInstance(size_t index);
  bool checkOutputs(const ir::Function &function, size_t index, const char *what);

  bool fail(const std::string &message); // false
  void failWithFindings();

  const ir::Module &module_;
  JudgedEntry &entry_;
  Job &job_;
  const ir::Function &canonical_;
  const Verdict &verdict_;
  Recorded recorded_;
  Tally &tally_;
  CertificateLine line_;
};

} // namespace colonnade

#endif // COLONNADE_TEST_TOOLS_INTERPRET_ENTRYCHECK_H
