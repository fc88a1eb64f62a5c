//===- EntryCheck.cpp -----------------------------------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Interpret/EntryCheck.h"

#include "AllCalls.h"
#include "Emit/BackEnds.h"
#include "IR/Verifier.h"
#include "Interpret/ExecutionCheck.h"
#include "Interpret/ProfileCheck.h"

namespace colonnade {

void EntryCheck::runAccepted(llvm::raw_ostream &certificates) {
  if (verdict_.verdict > VerdictClass::P)
    return failWithFindings();
  const std::vector<ir::Function> kernels = this->kernels();
  for (const ir::Function &kernel : kernels)
    if (llvm::Error error = ir::verify(module_, kernel)) {
      fail("kernel IR: " + llvm::toString(std::move(error)));
      return;
    }
  for (size_t i = 0; i < job_.instances.size(); i++)
    if (!(recorded_.originals ? checkRecorded(i) : checkGiven(i)) || !checkKernels(kernels, i))
      return;
  if (!checkProfile() || !checkExecutions(kernels))
    return;
  line_.print(certificates, module_, job_, verdict_);
}

void EntryCheck::runRejected() {
  if (verdict_.verdict <= VerdictClass::P)
    fail("wrongly accepted");
  else if (recorded_.originals)
    checkThatTracesDiffer();
}

/// Of all back ends: as they are, and as they would be if each call were kept. And for row-wise
/// instances those of every plan that there is, for these sizes and for all.
std::vector<ir::Function> EntryCheck::kernels() const {
  std::vector<ir::Function> kernels;
  for (const BackEnd &backEnd : backEnds())
    for (ir::Function &kernel : llvm::cantFail(backEnd.lower(module_, canonical_, verdict_, {}))) {
      if (!kernel.runsTogether()) // those keep no calls
        if (ir::Function withCalls = keepCalls(kernel, module_, AllCalls); !withCalls.parts.empty())
          kernels.push_back(std::move(withCalls));
      kernels.push_back(std::move(kernel));
    }
  addPlanned(canonical_, verdict_, kernels);
  if (entry_.sized)
    addPlanned(entry_.sized->canonical, entry_.sized->verdict, kernels);
  return kernels;
}

void EntryCheck::addPlanned(const ir::Function &canonical, const Verdict &verdict,
                            std::vector<ir::Function> &kernels) const {
  for (const char *name : {"staged", "team", "team=32", "team=4", "team=2x4", "team=4x1",
                           "team=1x32", "team=64", "team=8x8", "strips", "strips=2", "strips=6"}) {
    auto planned = lowerToThreads(module_, canonical, verdict, {nullptr, {*parseRowPlan(name)}});
    if (!planned) {
      llvm::consumeError(planned.takeError()); // not for this function
      continue;
    }
    kernels.push_back(std::move(planned->back()));
    tally_.plans[name]++;
  }
  // Other plans for columns than for rows.
  for (const char *name : {"staged", "streamed", "team=8", "team=4x4", "team=8x1"}) {
    auto planned = lowerToThreads(module_, canonical, verdict,
                                  {nullptr, {{RowPlan::Kind::Thread}, *parseRowPlan(name)}});
    if (!planned) {
      llvm::consumeError(planned.takeError());
      continue;
    }
    kernels.push_back(std::move(planned->back()));
    tally_.plans[std::string("columns ") + name]++;
  }
}

bool EntryCheck::checkKernels(const std::vector<ir::Function> &kernels, size_t index) {
  for (const ir::Function &kernel : kernels) {
    const bool lanes = std::holds_alternative<ir::LaneShape>(*kernel.launch);
    const std::string what = std::string(lanes ? "kernel of lanes" : "kernel of threads") +
                             (kernel.runsTogether() ? " that stage rows" : "") +
                             (kernel.parts.empty() ? "" : " that keeps calls");
    if (!checkOutputs(kernel, index, what.c_str()))
      return false;
  }
  return true;
}

/// Outputs that the job gives; traces against the certificate alone.
bool EntryCheck::checkGiven(size_t index) {
  return checkOutputs(entry_.unreduced, index, "with unused results") &&
         checkOutputs(canonical_, index, "interpreter") && checkCertificate(index);
}

/// The same against a recorded run. Where the job has no outputs, they are that run's.
bool EntryCheck::checkRecorded(size_t index) {
  const record::ValidationSubject subject{module_,  canonical_,           entry_.unreduced,
                                          verdict_, recorded_.recorder(), recorded_.caller()};
  auto note = [&](const ir::AccessEvent &event) { line_.addAccess(event); };
  auto result =
      record::validateInstance(subject, recorded_.arrays(), recordedInput(index), {}, note);
  tally_.recorded++;
  std::string text;
  if (!result)
    text = llvm::toString(result.takeError());
  else if (result->outcome == record::Outcome::Differed)
    text = result->difference.text;
  else if (result->outcome != record::Outcome::Agreed)
    text = result->reason;
  if (!text.empty())
    return fail("recorded, instance " + std::to_string(index) + ": " + text);
  JobInstance &instance = job_.instances[index];
  line_.endRun(instance);
  if (!instance.after.empty())
    return checkOutputs(canonical_, index, "interpreter");
  for (auto [name, cells, indeterminate] :
       llvm::zip(recorded_.arrays().names(), result->after, result->indeterminate)) {
    instance.after[name] = cells;
    instance.indeterminate[name] = indeterminate;
  }
  return true;
}

/// Names and addresses. What is passed by value counts here, too.
bool EntryCheck::checkCertificate(size_t index) {
  const unsigned failures = tally_.failures;
  const record::TracedArrays traced(module_.function(entry_.checked.entry), canonical_);
  const record::NamedTrace interpreted = traceOf(canonical_, Contents::All, traced, index);
  const record::NamedTrace certified =
      traceOf(verdict_.certificate, Contents::Uniform, traced, index);
  if (auto apart = record::compareTraces(traced, verdict_.verdict, interpreted, certified, nullptr))
    fail("instance " + std::to_string(index) + ": " + apart->text);
  line_.endRun(job_.instances[index]);
  return tally_.failures == failures;
}

record::NamedTrace EntryCheck::traceOf(const ir::Function &function, Contents contents,
                                       const record::TracedArrays &traced, size_t index) {
  record::TraceCollector collector(traced, function);
  ir::InterpreterOptions options;
  options.onAccess = [&](const ir::AccessEvent &event) {
    collector.add(event);
    if (&function == &canonical_)
      line_.addAccess(event);
  };
  std::vector<ir::ArrayData> data = arraysOf(function, job_.instances[index], contents);
  if (llvm::Error error =
          ir::interpret(module_, function, data, scalarsOf(job_, function), options))
    fail("certificate: " + llvm::toString(std::move(error)));
  return collector.trace();
}

void EntryCheck::checkThatTracesDiffer() {
  std::optional<record::Recording> first;
  for (size_t i = 0; i < job_.instances.size(); ++i) {
    llvm::Expected<record::Recording> recording = recordInstance(i);
    if (!recording) {
      fail(llvm::toString(recording.takeError()));
      return;
    }
    if (first && !record::sameSteps(recorded_.arrays(), first->steps, recording->steps))
      return;
    if (!first)
      first = std::move(*recording);
  }
  fail("the planted leak does not show in the recorded traces");
}

/// The cells of an instance by array of the interface.
record::Instance EntryCheck::recordedInput(size_t index) const {
  const Cells &before = job_.instances[index].before;
  record::Instance instance;
  for (const std::string &name : recorded_.arrays().names()) {
    auto found = before.find(name);
    instance.cells.push_back(found == before.end() ? std::vector<uint64_t>() : found->second);
  }
  instance.scalars = scalarsOf(job_, canonical_);
  return instance;
}

llvm::Expected<record::Recording> EntryCheck::recordInstance(size_t index) {
  record::Instance instance = recordedInput(index);
  record::RunInput input{std::move(instance.cells), {}};
  for (const ir::Scalar &scalar : instance.scalars)
    input.scalars.push_back(scalar.bits);
  tally_.recorded++;
  return recorded_.recorder().run(recorded_.caller(), input);
}

/// What cost sums up, against the walk; the contents of uniform arrays are the first instance's.
bool EntryCheck::checkProfile() {
  if (job_.instances.empty())
    return true;
  const ir::Function &certificate = verdict_.certificate;
  llvm::Error error = checkProfiles(module_, certificate,
                                    arraysOf(certificate, job_.instances[0], Contents::Uniform),
                                    scalarsOf(job_, certificate));
  return !error || fail(llvm::toString(std::move(error)));
}

/// What cost counts of kernels, against the interpreter.
bool EntryCheck::checkExecutions(const std::vector<ir::Function> &kernels) {
  if (job_.instances.empty())
    return true;
  for (const ir::Function &kernel : kernels) {
    if (kernel.runsTogether()) // cost counts the one for all layouts
      continue;
    if (llvm::Error error = colonnade::checkExecutions(
            module_, kernel, arraysOf(kernel, job_.instances[0], Contents::All),
            scalarsOf(job_, kernel)))
      return fail("executions: " + llvm::toString(std::move(error)));
  }
  return true;
}

bool EntryCheck::checkOutputs(const ir::Function &function, size_t index, const char *what) {
  llvm::Error error = colonnade::checkOutputs(module_, function, job_, index);
  return !error || fail(std::string(what) + ", instance " + std::to_string(index) + ": " +
                        llvm::toString(std::move(error)));
}

bool EntryCheck::fail(const std::string &message) {
  llvm::outs() << "FAIL " << job_.name << ": " << message << "\n";
  tally_.failures++;
  return false;
}

void EntryCheck::failWithFindings() {
  std::string text = std::string("rejected, class ") + letter(verdict_.verdict);
  for (const Finding &finding : verdict_.findings)
    if (finding.verdict > VerdictClass::P)
      text += "\n  " + module_.sources.str(finding.loc) + ": " + finding.message + " [" +
              finding.id + "]";
  fail(text);
}

} // namespace colonnade
