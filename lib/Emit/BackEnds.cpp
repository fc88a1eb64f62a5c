//===- BackEnds.cpp - The back ends, one line each ------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emit/BackEnds.h"

#include "Emit/Cpu/CpuApi.h"
#include "Emit/Cuda/CudaApi.h"
#include "Emit/Cuda/CudaFilePrinter.h"
#include "Transform/Transform.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace colonnade;

static const Finding *noRefusal(const Verdict &) { return nullptr; }

static constexpr BackEnd Table[] = {
    {"cpu", "CPU", noRefusal, lowerToLanes, nullptr, declareCpuInternals, defineCpuEntry},
    {"cuda", "CUDA", findAddressFromLibrary, lowerToThreads, emitCuda, declareCudaInternals,
     defineCudaEntry},
};

llvm::ArrayRef<BackEnd> colonnade::backEnds() { return Table; }

const BackEnd *colonnade::findBackEnd(llvm::StringRef name) {
  auto found = llvm::find_if(Table, [&](const BackEnd &backEnd) { return name == backEnd.name; });
  return found == std::end(Table) ? nullptr : found;
}

std::string colonnade::backEndNames() {
  return llvm::join(llvm::map_range(Table, [](const BackEnd &b) { return b.name; }), ", ");
}

const BackEndKernels *EmitInput::backEndKernels(llvm::StringRef backEnd) const {
  for (const BackEndKernels &of : kernels)
    if (backEnd == of.backEnd->name)
      return &of;
  return nullptr;
}

llvm::ArrayRef<ir::Function> EmitInput::kernelsFor(llvm::StringRef backEnd) const {
  const BackEndKernels *const of = backEndKernels(backEnd);
  return of ? llvm::ArrayRef(of->kernels) : llvm::ArrayRef<ir::Function>();
}

const ir::Function *EmitInput::kernelFor(llvm::StringRef backEnd) const {
  const llvm::ArrayRef<ir::Function> all = kernelsFor(backEnd);
  return all.empty() ? nullptr : &all.front();
}
