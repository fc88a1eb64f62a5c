//===- Emit.h - Kernel IR to generated C++ and CUDA -*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: the canonical function, its verdict, and its kernels for each back end wanted. Out:
// texts of f.bulk.hpp (API), f.bulk.cpp (host part and CPU) and of the files that a back
// end has of its own (BackEnds.h). Invariant: nothing is decided here, and nothing is written to
// disk.
//
//   Cxx/   what all printers share: names, expressions, statements, tables
//   Cuda/  f.bulk.cu
//   Cpu/   f.bulk.cpp
//   Api/   f.bulk.hpp, descriptor and check of extents, the sequential thunk
//
// A ...FilePrinter prints a file, a ...KernelPrinter the body of a kernel.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_EMIT_EMIT_H
#define COLONNADE_EMIT_EMIT_H

#include "Emit/Cxx/CxxText.h"
#include "Oblivious/Oblivious.h"
#include "Support/SizeRange.h"

#include "llvm/Support/Error.h"

#include <array>

namespace colonnade {

struct EmittedFile {
  std::string name; // "f.bulk.cpp"
  std::string text;
};

struct BackEnd; // BackEnds.h

/// Launches of at most so many instances take another kernel than those of more.
struct FewInstances {
  uint64_t most;
  size_t kernel; // its number
};

/// What Transform made of one function for one back end.
struct BackEndKernels {
  const BackEnd *backEnd;
  std::vector<ir::Function> kernels;
  /// Of kernels of threads: row-wise instances, and those in columns and tiles; the fewest first.
  /// Launches of more take the first kernel for their layout, as all do where there are none.
  std::array<std::vector<FewInstances>, 2> few = {};
};

/// Code of the same function for some sizes alone.
struct SizedCode {
  std::string identifier;
  SizeRanges sizes;
};

struct EmitInput {
  const ir::Module &module;
  const ir::Function &function; // canonical
  const Verdict &verdict;
  std::string identifier;                   // file stem: "f"
  std::vector<BackEndKernels> kernels = {}; // of the back ends that are wanted
  SizeRanges sizes = {};                    // --size n=32, n=1..32: the code is for that alone
  std::vector<SizedCode> sized = {};        // calls at these sizes run this code instead, the first
                                            // that is for them
  bool prefersRows = false; // on a GPU, row-wise host arrays are done first without transposes
  unsigned number = 0, count = 1; // of this code, among those of the function; see SizeDispatch.h
  std::map<std::string, std::string> aliases = {}; // --alias out=in: out is the array in
  /// Of a plan that is to be measured: no launch takes another plan's kernel, on no GPU, and
  /// f.bulk.cu has no device for host arrays.
  bool isMeasured = false;
  const ir::Function *raw = nullptr; // the entry with the source's parameters

  /// Null: it is not wanted.
  const BackEndKernels *backEndKernels(llvm::StringRef backEnd) const;
  /// For a back end: the kernel for all layouts first; none: it is not wanted.
  llvm::ArrayRef<ir::Function> kernelsFor(llvm::StringRef backEnd) const;
  const ir::Function *kernelFor(llvm::StringRef backEnd) const; // the first one, or null
};

// What one function's files define, all in the namespace of GeneratedNamespace.h, which
// users call colonnade::bulk::<apiName(identifier)>:
//
//   f.bulk.hpp        struct arguments; inline run_cpu, run_cuda, run; declares info()
//                     and, in `detail`, what the other files define:
//   f.bulk.cpp        info() (Api/Descriptor.h), detail::check_extents and
//                     detail::launch_cpu
//   f.bulk.cu         detail::launch_cuda, detail::cuda_failure, detail::open_device;
//                     info() refers to them if COLONNADE_BULK_CUDA is defined
//   f.sequential.cpp  colonnade_sequential_f, extern "C": the original function behind the
//                     type-erased interface; used if COLONNADE_BULK_SEQUENTIAL is defined.
//                     f.sequential.c, to be compiled as C, if the original is C

/// f.bulk.hpp: the documented API, the same for all back ends.
EmittedFile emitHeader(const EmitInput &input);
/// f.bulk.cpp: descriptor, host entry points, check of extents, CPU kernel if wanted.
llvm::Expected<EmittedFile> emitHost(const EmitInput &input);
/// The name of the function that f.sequential.cpp defines.
std::string sequentialName(llvm::StringRef identifier);

/// The original function, and how it is called.
struct Original {
  const ir::Function &raw;
  std::string source; // the file to include
  bool isC = false;
  std::string pointerType = {};         // chooses among overloads; or empty
  std::vector<bool> takesRvalue = {};   // of each parameter of the source
  std::vector<std::string> cTypes = {}; // C: each of them as it is spelled
  std::string uncallable = {};          // why it cannot be called; or empty
  bool isRecorded = false;              // the thunk tells lib/Record where cells lie
  bool isFirst = true;                  // else what comes before the thunk is left out
  std::string name = {};                // what code that includes the file calls it; empty: as raw
};

/// Why there can be no thunk for the original, and the options that would cure it.
class UncallableOriginal : public llvm::ErrorInfo<UncallableOriginal> {
public:
  static char ID;
  UncallableOriginal(std::string reason, std::vector<std::string> options)
      : reason(std::move(reason)), options(std::move(options)) {}

  std::string reason;
  std::vector<std::string> options;

  void log(llvm::raw_ostream &out) const override { out << reason; }
  std::error_code convertToErrorCode() const override { return llvm::inconvertibleErrorCode(); }
};

/// f.sequential.cpp or f.sequential.c: includes the source that defines the entry and defines the
/// thunk. Error: UncallableOriginal, also if an
/// argument cannot be made out of cells.
llvm::Expected<EmittedFile> emitSequential(const EmitInput &input, const Original &original);

} // namespace colonnade

#endif // COLONNADE_EMIT_EMIT_H
