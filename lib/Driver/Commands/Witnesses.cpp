//===- Witnesses.cpp - check --witness ------------------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Driver/Commands/Witnesses.h"

#include "Driver/Commands/RecordedOriginals.h"
#include "Driver/Commands/Validate.h"
#include "Emit/Cxx/Interface.h"
#include "Record/Witness.h"
#include "Support/Diagnostics.h"

#include "llvm/Support/Path.h"

#include <numeric>

namespace colonnade {
namespace {

constexpr size_t MaxCellsShown = 6;

bool isAboutLoop(const Finding &finding) {
  return finding.verdict == VerdictClass::T || finding.id == info(Diagnostic::DeclareLoop).id;
}

/// Where the number of iterations is what is refused; of a loop in a library its own line, which
/// ends the path to it.
std::vector<record::Site> refusedLoops(const ir::Module &module, const Verdict &verdict) {
  std::vector<record::Site> loops;
  for (const Finding &finding : verdict.findings) {
    if (!isAboutLoop(finding))
      continue;
    LocId at = finding.loc;
    if (LocId last = finding.path.empty() ? LocId() : finding.path.back().loc;
        last && module.sources.inUserCode(last) != last)
      at = last;
    if (!at)
      continue;
    const SourceLocation &loc = module.sources[at];
    const std::string file = module.sources.fileName(loc.file);
    loops.push_back({llvm::sys::path::filename(file).str(), loc.line, loc.column});
  }
  return loops;
}

std::string cellText(const record::TracedArrays &arrays, size_t array, size_t cell, uint64_t bits) {
  return arrays.names()[array] + "[" + std::to_string(cell) +
         "] = " + ir::str({arrays.cellTypes()[array], bits});
}

/// "n = 4, k[0] = 7": what is uniform, and the first cells read in which the inputs differ.
std::string inputText(const ir::Function &function, const record::TracedArrays &arrays,
                      const record::Instance &input, const record::Instance &other) {
  std::string text;
  auto add = [&](const std::string &part) { text += (text.empty() ? "" : ", ") + part; };
  for (auto [scalar, value] : llvm::zip(function.scalars, input.scalars))
    add(scalar.name + " = " + ir::str(value));
  size_t shown = 0;
  const std::vector<InterfaceArray> passed = interfaceOf(function).arrays;
  std::vector<size_t> order(input.cells.size()); // sizes and flags before long arrays
  std::iota(order.begin(), order.end(), 0);
  llvm::stable_sort(
      order, [&](size_t a, size_t b) { return input.cells[a].size() < input.cells[b].size(); });
  for (size_t a : order)
    for (size_t i = 0; i < input.cells[a].size(); ++i) {
      if (passed[a].direction == Direction::Out || input.cells[a][i] == other.cells[a][i])
        continue;
      if (++shown > MaxCellsShown)
        return text + ", …";
      add(cellText(arrays, a, i, input.cells[a][i]));
    }
  return text;
}

std::string stepText(const record::Witness &witness, const record::WitnessStep &step) {
  if (witness.isLoop)
    return "comes to the head of the loop " + step.access + " times";
  return "access " + std::to_string(step.rank) + " is " + step.access;
}

WitnessReport found(const CheckedFunction &checked, const record::TracedArrays &arrays,
                    record::Recorder &recorder, const record::Witness &witness) {
  const record::Site &site = recorder.site(witness.site);
  WitnessReport report;
  llvm::json::Array inputs;
  report.text = textOf(site) + ": note: witness for '" + checked.canonical.name + "'\n";
  for (const auto &[name, step, other] : {std::tuple("first", &witness.first, &witness.second),
                                          std::tuple("second", &witness.second, &witness.first)}) {
    const std::string input = inputText(checked.canonical, arrays, step->input, other->input);
    report.text +=
        std::string("  ") + name + " input: " + stepText(witness, *step) + " (" + input + ")\n";
    inputs.push_back(llvm::json::Object{
        {"input", input}, {"step", static_cast<int64_t>(step->rank)}, {"access", step->access}});
  }
  report.json = llvm::json::Object{{"found", true},
                                   {"loop", witness.isLoop},
                                   {"location", jsonOf(site)},
                                   {"inputs", std::move(inputs)}};
  return report;
}

WitnessReport notFound(const std::string &name, const std::string &reason) {
  WitnessReport report;
  report.text = "'" + name + "': no witness: " + reason + "\n";
  report.json = llvm::json::Object{{"found", false}, {"reason", reason}};
  return report;
}

} // namespace

llvm::Expected<WitnessReport> witnessReport(const Options &options, ir::Module &module,
                                            const CheckedFunction &checked) {
  const std::string &name = checked.canonical.name;
  if (isAccepted(checked.verdict.verdict))
    return notFound(name, "it is accepted");
  auto given = givenInputs(options, checked);
  if (!given)
    return given.takeError();
  auto frontend = toolOptions(options);
  if (!frontend)
    return frontend.takeError();
  auto originals = RecordedOriginals::create(*frontend, module, {&checked}, record::Detail::Named);
  if (!originals) // nothing can call it
    return notFound(name, llvm::toString(originals.takeError()));
  auto unreduced = unreducedOf(module, checked);
  if (!unreduced)
    return unreduced.takeError();
  const record::WitnessSubject subject{module,
                                       checked.canonical,
                                       *unreduced,
                                       originals->arrays(0),
                                       originals->recorder(0),
                                       originals->caller(0),
                                       refusedLoops(module, checked.verdict)};
  record::WitnessOptions witness;
  witness.seconds = options.witnessSeconds;
  auto search = record::findWitness(subject, *given, witness);
  if (!search)
    return search.takeError();
  if (search->witness)
    return found(checked, originals->arrays(0), originals->recorder(0), *search->witness);
  return notFound(name, "none found in " + std::to_string(options.witnessSeconds) + " s (" +
                            std::to_string(search->numInputs) + " inputs)");
}

} // namespace colonnade
