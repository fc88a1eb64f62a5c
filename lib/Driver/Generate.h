//===- Generate.h - Verdicts to generated texts -----------------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// per accepted function and back end: lower ─▶ kernels ─▶ emit ─▶ texts
//
// In: an analysis and the back ends that are wanted. Out: the texts of all files; emit and
// run write them.
//
// Invariant: a malformed kernel is a RefusedKernel, never a file.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_DRIVER_GENERATE_H
#define COLONNADE_DRIVER_GENERATE_H

#include "Driver/Pipeline.h"
#include "Driver/RowPrice.h"
#include "Driver/Tuning.h"
#include "Emit/BackEnds.h"

namespace colonnade {

/// The IR of a kernel is malformed, a fault of this tool: as if its function were class U.
class RefusedKernel : public llvm::ErrorInfo<RefusedKernel> {
public:
  static char ID;
  explicit RefusedKernel(std::string text) : text(std::move(text)) {}

  std::string text; // the whole line

  void log(llvm::raw_ostream &out) const override { out << text; }
  std::error_code convertToErrorCode() const override { return llvm::inconvertibleErrorCode(); }
};

llvm::Error refusedKernel(const ir::Module &module, const CheckedFunction &checked,
                          llvm::Error error);

/// Where the plans of kernels come from.
struct PlanSource {
  RowPlan rows = {};        // what is asked for
  Tuning *tuning = nullptr; // for what is not
};

using BackEndList = llvm::ArrayRef<const BackEnd *>;

/// File stem of a function: "ns_f", "f_float_8".
std::string identifierOf(const ir::Function &function);
/// A function, or its code for some sizes, which comes after that for all.
struct NamedFunction {
  const ir::Function *function;
  std::string sizeSuffix;
};
/// The same for functions that are emitted together: overloads get numbers, in their order, and
/// code for some sizes the name of that for all with its suffix.
std::vector<std::string> identifiersOf(const std::vector<NamedFunction> &functions);

/// Error: the function is accepted, but not for this back end, and why.
llvm::Error checkBackEnd(const BackEnd &backEnd, const Analysis &analysis,
                         const CheckedFunction &checked);

/// The one that runs instances of a layout.
const ir::Function &kernelOf(llvm::ArrayRef<ir::Function> kernels, model::Layout layout);

/// Notes on what each kernel of threads is expected to take, in the layouts that it is for. Returns
/// whether host arrays in rows are expected to be done first as they are, not tiled between two
/// transposes; where that is not known, whether there is a kernel for rows.
bool addForecasts(const ir::Module &module, const ir::Function &certificate,
                  std::vector<ir::Function> &kernels);

/// What is said where the function cannot have the plan that is asked for.
llvm::Error refusedPlan(const ir::Module &module, const ir::Function &function, const RowPlan &rows,
                        llvm::Error reason);

/// The function's kernels for it. Error: that, a RefusedKernel, or why it cannot have the plan that
/// is asked for.
llvm::Expected<BackEndKernels> kernelsFor(const BackEnd &backEnd, const Analysis &analysis,
                                          const CheckedFunction &checked,
                                          const LayoutPlans &plans = {});

/// The original function behind the type-erased interface, in a file that includes `source`.
/// `isRecorded`: it tells lib/Record where cells lie; such files can be joined, and then only the
/// first includes `source`. Error: it cannot be called, and why.
llvm::Expected<EmittedFile> sequentialFile(const ir::Module &module, const CheckedFunction &checked,
                                           const std::string &source, bool isRecorded = false,
                                           bool isFirst = true);

/// All of them, in the order of `analysis.functions`.
std::vector<std::string> identifiersOf(const Analysis &analysis);

/// All files of all functions. Error: an emitter's, or two functions that
/// would share files.
llvm::Expected<std::vector<EmittedFile>> generate(const Analysis &analysis, BackEndList wanted,
                                                  const PlanSource &plans = {});

} // namespace colonnade

#endif // COLONNADE_DRIVER_GENERATE_H
