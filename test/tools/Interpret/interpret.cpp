//===- interpret.cpp - Checks the interpreter against a job file ----------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// colonnade-interpret JOBS.json FILE... [options] [-- CLANG-FLAGS]
//
// Lowers, normalises and verifies every entry of JOBS.json, runs the interpreter
// on its instances, and compares outputs with the sequential ones. The kernels of
// all back ends run on one lane and must give the same outputs. One line a failure;
// then one line of JSON with the classes and how often each IR operation occurred.
//
// --record: the original sources are recorded, too (lib/Record): the same outputs, and
// a trace that agrees with the interpreter's and the certificate's.
// --expect-rejected: every entry must be refused, and if it is recorded, two of its
// instances must really differ in their traces.
// --certificates=FILE: writes the certificate of each accepted entry and the interpreter's
// traces, a line of JSON each, which certificates.py compares once more by itself.
//
//===----------------------------------------------------------------------===//

#include "IR/Verifier.h"
#include "Interpret/EntryCheck.h"
#include "Normalize/Normalize.h"
#include "Oblivious/Ranges/ProvenChecks.h"

#include "llvm/Support/FileSystem.h"

using namespace colonnade;

namespace {

llvm::json::Object counts(const std::map<std::string, uint64_t> &map) {
  llvm::json::Object object;
  for (const auto &[name, count] : map)
    object[name] = count;
  return object;
}

struct CheckOptions {
  FrontendOptions frontend;
  bool expectRejected = false, record = false;
  std::string certificates = "/dev/null";
};

/// Error: its IR is malformed.
llvm::Expected<ir::Function> canonicalOf(ir::Module &module, FunctionId entry,
                                         const EntryFacts &facts,
                                         ir::Function *unreduced = nullptr) {
  auto canonical = normalize(module, entry, facts, DefaultMaxWalks, unreduced);
  if (!canonical)
    return canonical.takeError();
  dropProvenChecks(*canonical);
  deriveExtents(*canonical);
  if (llvm::Error error = ir::verify(module, *canonical))
    return error;
  return std::move(*canonical);
}

/// Normalised and judged. Error: its IR is malformed.
llvm::Expected<JudgedEntry> judge(ir::Module &module, Job &job, FunctionId entry,
                                  const EntrySource &source, Tally &tally) {
  JudgedEntry judged{job, {entry, source, {}, {}, {}}, {}, {}};
  auto canonical = canonicalOf(module, entry, {}, &judged.unreduced);
  if (!canonical)
    return canonical.takeError();
  for (const ir::Op &op : canonical->ops)
    tally.operations[ir::mnemonic(op.opcode)]++;
  judged.checked.canonical = std::move(*canonical);
  judged.checked.verdict = verifyOblivious(module, judged.checked.canonical);
  tally.classes[std::string(1, letter(judged.checked.verdict.verdict))]++;
  for (ir::Array &array : judged.unreduced.arrays)
    for (const ir::Array &derived : judged.checked.canonical.arrays)
      if (array.name == derived.name && array.isPassed())
        array.extents = derived.extents;
  return judged;
}

/// Error: it is malformed, or no longer accepted.
llvm::Error judgeSized(ir::Module &module, JudgedEntry &judged) {
  EntryFacts facts;
  const ir::Function &general = judged.checked.canonical;
  for (const ir::ScalarParam &scalar : general.scalars) {
    const ir::ScalarType type = general.value(scalar.value).type;
    const ir::Scalar value = {type, judged.job.scalars.at(scalar.name)};
    const bool isTooLarge = type == ir::ScalarType::U64 && ir::asInt64(value) < 0;
    if (ir::isInteger(type) && !isTooLarge)
      facts.sizes[scalar.name] = ir::asInt64(value);
  }
  if (facts.sizes.empty() || judged.checked.verdict.verdict > VerdictClass::P)
    return llvm::Error::success();
  auto canonical = canonicalOf(module, judged.checked.entry, facts);
  if (!canonical)
    return canonical.takeError();
  Verdict verdict = verifyOblivious(module, *canonical);
  if (verdict.verdict > VerdictClass::P)
    return llvm::createStringError("rejected with --size");
  judged.sized = SizedFunction{std::move(*canonical), std::move(verdict)};
  return llvm::Error::success();
}

llvm::Error checkJobs(CheckOptions &options, std::vector<Job> &jobs, Tally &tally) {
  std::error_code error;
  llvm::raw_fd_ostream certificates(options.certificates, error);
  if (error)
    return llvm::createStringError(options.certificates + ": " + error.message());
  for (Job &job : jobs)
    options.frontend.functions.push_back(job.name);
  llvm::Expected<FrontendResult> lowered = lowerSources(options.frontend);
  if (!lowered)
    return lowered.takeError();
  std::vector<JudgedEntry> entries;
  for (size_t i = 0; i < jobs.size(); i++) {
    auto entry = judge(lowered->module, jobs[i], lowered->entries[i], lowered->sources[i], tally);
    if (!entry)
      return llvm::createStringError(jobs[i].name + ": " + llvm::toString(entry.takeError()));
    if (llvm::Error failed = judgeSized(lowered->module, *entry))
      return llvm::createStringError(jobs[i].name +
                                     ", --size: " + llvm::toString(std::move(failed)));
    entries.push_back(std::move(*entry));
  }
  std::optional<RecordedOriginals> originals;
  if (options.record) {
    std::vector<const CheckedFunction *> functions;
    for (const JudgedEntry &entry : entries)
      functions.push_back(&entry.checked);
    auto created = RecordedOriginals::create(options.frontend, lowered->module, functions);
    if (!created)
      return created.takeError();
    originals.emplace(std::move(*created));
  }
  for (size_t i = 0; i < entries.size(); i++) {
    EntryCheck check(lowered->module, entries[i], {originals ? &*originals : nullptr, i}, tally);
    if (options.expectRejected)
      check.runRejected();
    else
      check.runAccepted(certificates);
  }
  return llvm::Error::success();
}

int check(CheckOptions options, llvm::StringRef jobFile) {
  llvm::Expected<std::vector<Job>> jobs = readJobs(jobFile);
  Tally tally;
  llvm::Error error = jobs ? checkJobs(options, *jobs, tally) : jobs.takeError();
  if (error) {
    llvm::errs() << llvm::toString(std::move(error)) << "\n";
    return 3;
  }
  llvm::outs() << llvm::json::Value(llvm::json::Object{{"entries", jobs->size()},
                                                       {"failures", tally.failures},
                                                       {"recorded", tally.recorded},
                                                       {"classes", counts(tally.classes)},
                                                       {"plans", counts(tally.plans)},
                                                       {"operations", counts(tally.operations)}})
               << "\n";
  return tally.failures ? 1 : 0;
}

} // namespace

int main(int argc, char **argv) {
  CheckOptions options;
  std::vector<std::string> positional;
  bool flags = false;
  for (int i = 1; i < argc; i++) {
    llvm::StringRef argument = argv[i];
    if (flags)
      options.frontend.clangFlags.push_back(argument.str());
    else if (argument == "--")
      flags = true;
    else if (argument == "--expect-rejected")
      options.expectRejected = true;
    else if (argument == "--record")
      options.record = true;
    else if (argument.consume_front("--certificates="))
      options.certificates = argument.str();
    else
      positional.push_back(argument.str());
  }
  if (positional.size() < 2) {
    llvm::errs() << "usage: colonnade-interpret JOBS.json FILE... [--expect-rejected] "
                    "[--record] [--certificates=FILE] [-- FLAGS]\n";
    return 3;
  }
  options.frontend.files.assign(positional.begin() + 1, positional.end());
  return check(std::move(options), positional[0]);
}
