//===- CudaLauncher.h - Which kernel runs a launch, and how -*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: the kernels of a file, with the arguments that each takes. Out: the text of the function that
// launches one of them. Invariant: for every layout and number of instances, on every GPU, one of
// them is launched, or an error is returned.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_EMIT_CUDA_CUDALAUNCHER_H
#define COLONNADE_EMIT_CUDA_CUDALAUNCHER_H

#include "Emit/Cuda/CudaKernelPrinter.h"
#include "Emit/Emit.h"

#include "llvm/ADT/STLExtras.h"

#include <deque>
#include <string>
#include <utility>
#include <vector>

namespace colonnade {

inline bool isScratch(const ir::Array &array) {
  return array.space == ir::Space::Scratch && !array.isFormal();
}

/// A kernel of the file.
struct CudaKernel {
  const ir::Function &function;
  CudaKernelPrinter body;
  std::string suffix; // of its name: another kernel for the same layouts comes before
  std::vector<std::string> launchArguments = {};

  CudaKernel(const ir::Module &module, const ir::Function &kernel, CxxWriter &out, Sites &sites)
      : function(kernel), body(module, kernel, out, sites) {}
  const ir::ThreadShape &shape() const { return std::get<ir::ThreadShape>(*function.launch); }
  std::string threads() const { return std::to_string(shape().perBlock); }
  std::string instances() const { return std::to_string(shape().instancesPerBlock()); }
  std::string bounds() const {
    return threads() + (shape().resident > 1 ? ", " + std::to_string(shape().resident) : "");
  }
  std::string sharedBytes() const { return std::to_string(function.sharedBytes()); }
  /// More shared memory than every GPU has.
  bool asksForShared() const { return function.sharedBytes() > ir::SharedBytesOfAll; }
  bool hasScratch() const { return llvm::any_of(function.arrays, isScratch); }
  std::string name() const {
    return (shape().isForRows()      ? "row_wise_kernel"
            : shape().isForColumns() ? "column_wise_kernel"
                                     : "bulk_kernel") +
           suffix;
  }
  std::string nameOfLayout() const {
    return name() + std::string(shape().isForRows() ? "" : "<Layout>");
  }
};

class CudaLauncher {
public:
  /// kernels: for all layouts, then for rows, for columns.
  CudaLauncher(const EmitInput &input, std::deque<CudaKernel> &kernels, CxxWriter &out)
      : input_(input), kernels_(kernels), out_(out) {}

  /// Whether all layouts have kernels of their own, on every GPU; or must have, as that is
  /// measured.
  bool isReplaced(const CudaKernel &kernel);
  void print();

private:
  /// Kernels for layouts of one kind.
  struct LayoutKernels {
    std::vector<std::pair<uint64_t, CudaKernel *>> few; // for at most so many instances
    CudaKernel *many = nullptr; // the one for all layouts, where no other is
  };
  LayoutKernels kernelsOf(ir::Layouts layouts);
  /// Those for few instances, then that for more, unless it is the one for all layouts.
  void launchOf(const LayoutKernels &of);
  void launchOrGoOn(CudaKernel &kernel);
  /// Where a GPU lets no block have so much shared memory, one thread runs an instance.
  void launchIfAllowed(CudaKernel &kernel);
  void launchOf(CudaKernel &kernel);
  void launchBlocks(const CudaKernel &kernel);
  void scratchLaunch(CudaKernel &kernel);
  void allocateScratch(ArrayId id, CudaKernel &kernel);

  const EmitInput &input_;
  std::deque<CudaKernel> &kernels_;
  CxxWriter &out_;
};

} // namespace colonnade

#endif // COLONNADE_EMIT_CUDA_CUDALAUNCHER_H
