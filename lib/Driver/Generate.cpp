//===- Generate.cpp - Verdicts to generated texts -------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Driver/Generate.h"

#include "Driver/Commands/Verdicts.h"
#include "Driver/SizeVariants.h"
#include "IR/Printer.h"
#include "Support/Diagnostics.h"
#include "Transform/Strips/StripForm.h"

#include "llvm/ADT/StringExtras.h"

namespace colonnade {
namespace {

/// A call of the code for all sizes passes on its arguments as they are.
llvm::Error checkInterface(const ir::Module &module, const CheckedFunction &general,
                           const CheckedFunction &sized) {
  auto typesOf = [](const ir::Function &function) {
    std::string text;
    for (const ir::Array &array : function.arrays)
      if (array.isPassed())
        text += array.name + ' ' + std::to_string(int(array.cell)) +
                (array.isPerInstance() ? "; " : " uniform; ");
    for (const ir::ScalarParam &scalar : function.scalars)
      text += scalar.name + ' ' + std::to_string(int(function.value(scalar.value).type)) + "; ";
    return text;
  };
  if (typesOf(general.canonical) == typesOf(sized.canonical))
    return llvm::Error::success();
  return llvm::createStringError(
      module.sources.str(general.canonical.loc) + ": '" + general.canonical.name + "' for '" +
      sized.sizeSuffix.substr(1) +
      "' takes other arguments than for all sizes: give --size one value");
}

/// What one function's files are called, and which others they know of.
struct CodeOf {
  std::string identifier;
  std::vector<SizedCode> sized;
  unsigned number, count; // of this code, among those for sizes of one function
};

/// Of a function's code for all sizes, analysis.functions[first], and for some, up to `end`.
llvm::Expected<std::vector<CodeOf>> codesOf(const Analysis &analysis,
                                            llvm::ArrayRef<std::string> identifiers, size_t first,
                                            size_t end) {
  std::vector<CodeOf> codes{{identifiers[first], {}, 0, unsigned(end - first)}};
  for (size_t i = first + 1; i < end; ++i) {
    const CheckedFunction &checked = analysis.functions[i];
    if (llvm::Error error = checkInterface(analysis.module, analysis.functions[first], checked))
      return error;
    codes.front().sized.push_back({identifiers[i], sizesOf(checked.facts)});
    codes.push_back({identifiers[i], {}, unsigned(i - first), unsigned(end - first)});
  }
  return codes;
}

/// The files of one function, appended to `files`.
llvm::Error generateOne(const Analysis &analysis, const CheckedFunction &checked,
                        const CodeOf &code, BackEndList wanted, const PlanSource &source,
                        std::vector<EmittedFile> &files) {
  EmitInput input{analysis.module, checked.canonical, checked.verdict, code.identifier};
  input.sizes = sizesOf(checked.facts);
  input.sized = code.sized;
  input.number = code.number;
  input.count = code.count;
  input.raw = &analysis.module.function(checked.entry);
  for (const BackEnd *backEnd : wanted) {
    llvm::Expected<BackEndKernels> kernels = kernelsFor(*backEnd, analysis, checked, {source.rows});
    if (!kernels)
      return kernels.takeError();
    if (source.tuning && backEnd->emit)
      source.tuning->apply(analysis, checked, *kernels);
    input.prefersRows |=
        addForecasts(analysis.module, checked.verdict.certificate, kernels->kernels);
    input.kernels.push_back(std::move(*kernels));
  }
  auto add = [&](llvm::Expected<EmittedFile> file) -> llvm::Error {
    if (!file)
      return file.takeError();
    files.push_back(std::move(*file));
    return llvm::Error::success();
  };
  files.push_back(emitHeader(input));
  if (llvm::Error error = add(emitHost(input)))
    return error;
  for (const BackEnd *backEnd : wanted)
    if (backEnd->emit)
      if (llvm::Error error = add(backEnd->emit(input)))
        return error;
  files.push_back({input.identifier + ".bulk.json", certificateJson(analysis, checked)});
  return llvm::Error::success();
}

} // namespace

char RefusedKernel::ID = 0;

llvm::Error refusedKernel(const ir::Module &module, const CheckedFunction &checked,
                          llvm::Error error) {
  LocId loc = checked.canonical.loc;
  std::string text;
  llvm::handleAllErrors(std::move(error), [&](const ir::MalformedFunction &breach) {
    loc = breach.loc ? breach.loc : loc;
    text = breach.text;
  });
  return llvm::make_error<RefusedKernel>(module.sources.str(loc) +
                                         ": error: " + format(Diagnostic::MalformedIr, {text}) +
                                         " [" + info(Diagnostic::MalformedIr).id + ", class U]");
}

llvm::Error checkBackEnd(const BackEnd &backEnd, const Analysis &analysis,
                         const CheckedFunction &checked) {
  const Finding *finding = backEnd.refusal(checked.verdict);
  if (!finding)
    return llvm::Error::success();
  return llvm::createStringError(analysis.module.sources.str(finding->loc) + ": no " +
                                 backEnd.title + " code for '" + checked.canonical.name +
                                 "': " + finding->message + " [" + finding->id + "]");
}

llvm::Error refusedPlan(const ir::Module &module, const ir::Function &function, const RowPlan &rows,
                        llvm::Error reason) {
  return llvm::createStringError(module.sources.str(function.loc) + ": no plan '" + name(rows) +
                                 "' for the rows of '" + function.name +
                                 "': " + llvm::toString(std::move(reason)));
}

const ir::Function &kernelOf(llvm::ArrayRef<ir::Function> kernels, model::Layout layout) {
  const auto wanted = layout == model::Layout::Row ? ir::Layouts::Rows : ir::Layouts::Columns;
  const auto *const found = llvm::find_if(kernels, [&](const ir::Function &kernel) {
    const auto *threads = std::get_if<ir::ThreadShape>(&*kernel.launch);
    return threads && threads->layouts == wanted;
  });
  return found == kernels.end() ? kernels.front() : *found;
}

bool addForecasts(const ir::Module &module, const ir::Function &certificate,
                  std::vector<ir::Function> &kernels) {
  const std::optional<ir::Function> own = certificateOfStrips(module, certificate, kernels.front());
  const RowPrice price(module, own ? *own : certificate);
  bool hasRows = false;
  std::optional<Forecast> tiled, rows;
  for (ir::Function &kernel : kernels) {
    const auto *threads = std::get_if<ir::ThreadShape>(&*kernel.launch);
    if (!threads)
      continue;
    hasRows |= threads->isForRows();
    for (const model::Layout layout : model::allLayouts()) {
      const bool isRow = layout == model::Layout::Row;
      if (&kernelOf(kernels, layout) != &kernel)
        continue;
      std::optional<Forecast> forecast = price.forecast(kernel, layout);
      if (forecast)
        kernel.notes.push_back(forecast->note);
      if (isRow)
        rows = std::move(forecast);
      else if (layout == model::Layout::Tiled)
        tiled = std::move(forecast);
    }
  }
  return tiled && rows ? rows->microseconds <= tiled->microseconds + 2 * rows->copy : hasRows;
}

llvm::Expected<BackEndKernels> kernelsFor(const BackEnd &backEnd, const Analysis &analysis,
                                          const CheckedFunction &checked,
                                          const LayoutPlans &plans) {
  if (llvm::Error error = checkBackEnd(backEnd, analysis, checked))
    return error;
  // SIMD lanes gain nothing by loops that go further than they have to.
  const bool isPadded = checked.padded && backEnd.emit;
  const ir::Function &function = isPadded ? checked.padded->function : checked.canonical;
  const Verdict &verdict = isPadded ? checked.padded->verdict : checked.verdict;
  const RowPrice price(analysis.module, verdict.certificate);
  LoweringOptions options{&price, plans};
  if (isPadded)
    options.mostCells = checked.padded->mostCells;
  auto kernels = backEnd.lower(analysis.module, function, verdict, options);
  if (!kernels)
    return refusedPlan(analysis.module, checked.canonical, plans.rows, kernels.takeError());
  BackEndKernels result{&backEnd, std::move(*kernels)};
  if (backEnd.emit) {
    std::vector<std::string> &notes = result.kernels.front().notes;
    notes.insert(notes.begin(), checked.sizeNotes.begin(), checked.sizeNotes.end());
  }
  for (const ir::Function &kernel : result.kernels)
    if (llvm::Error error = ir::verify(analysis.module, kernel))
      return refusedKernel(analysis.module, checked, std::move(error));
  return result;
}

std::string identifierOf(const ir::Function &function) {
  std::string result;
  for (char c : function.name)
    if (llvm::isAlnum(c))
      result += c;
    else if (!result.empty() && result.back() != '_')
      result += '_';
  while (!result.empty() && result.back() == '_')
    result.pop_back();
  return result.empty() ? "function" : result; // no letter of ours in its name
}

llvm::Expected<EmittedFile> sequentialFile(const ir::Module &module, const CheckedFunction &checked,
                                           const std::string &source, bool isRecorded,
                                           bool isFirst) {
  EmitInput input{module, checked.canonical, checked.verdict, identifierOf(checked.canonical)};
  input.aliases.insert(checked.facts.aliases.begin(), checked.facts.aliases.end());
  const EntrySource &entry = checked.source;
  return emitSequential(input, {module.function(checked.entry), source, entry.isC,
                                entry.pointerType, entry.takesRvalue, entry.cTypes,
                                entry.uncallable, isRecorded, isFirst, entry.name});
}

std::vector<std::string> identifiersOf(const std::vector<NamedFunction> &functions) {
  std::vector<std::string> identifiers;
  std::string general;
  for (const auto &[function, sizeSuffix] : functions) {
    const std::string first = sizeSuffix.empty() ? identifierOf(*function) : general + sizeSuffix;
    std::string identifier = first;
    for (unsigned number = 2; llvm::is_contained(identifiers, identifier); ++number)
      identifier = first + "_" + std::to_string(number);
    if (sizeSuffix.empty())
      general = identifier;
    identifiers.push_back(std::move(identifier));
  }
  return identifiers;
}

std::vector<std::string> identifiersOf(const Analysis &analysis) {
  std::vector<NamedFunction> functions;
  for (const CheckedFunction &checked : analysis.functions)
    functions.push_back({&checked.canonical, checked.sizeSuffix});
  return identifiersOf(functions);
}

llvm::Expected<std::vector<EmittedFile>> generate(const Analysis &analysis, BackEndList wanted,
                                                  const PlanSource &plans) {
  std::vector<EmittedFile> files;
  const llvm::ArrayRef<CheckedFunction> functions = analysis.functions;
  const std::vector<std::string> identifiers = identifiersOf(analysis);
  for (size_t first = 0, end = 0; first < functions.size(); first = end) {
    for (end = first + 1; end < functions.size() && !functions[end].sizeSuffix.empty(); ++end) {
    }
    auto codes = codesOf(analysis, identifiers, first, end);
    if (!codes)
      return codes.takeError();
    for (const auto &[code, checked] : llvm::zip_equal(*codes, functions.slice(first, end - first)))
      // Code for all sizes beside that for some has no plan that needs them.
      if (llvm::Error error = generateOne(analysis, checked, code, wanted,
                                          code.sized.empty() ? plans : PlanSource{}, files))
        return error;
  }
  return files;
}

} // namespace colonnade
