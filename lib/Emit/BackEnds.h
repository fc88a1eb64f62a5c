//===- BackEnds.h - The back ends, one line each ----------------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: an accepted function with its verdict. Out, by a back end: kernels (Transform), and the texts
// of its files (Emit).
//
// All that the rest of the tool knows about back ends is this table: `--target` takes
// their names, `--dump=kernel` shows the kernels of each, `emit` and `run` write the files.
// Invariant: the order is that of dumps and of entry points in f.bulk.hpp.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_EMIT_BACKENDS_H
#define COLONNADE_EMIT_BACKENDS_H

#include "Emit/Emit.h"
#include "Transform/Transform.h"

namespace colonnade {

struct BackEnd {
  const char *name;  // "cuda"
  const char *title; // "CUDA", in messages
  /// Why an accepted function has no code here; null: it has.
  const Finding *(*refusal)(const Verdict &verdict);
  llvm::Expected<std::vector<ir::Function>> (*lower)(const ir::Module &module,
                                                     const ir::Function &function,
                                                     const Verdict &verdict,
                                                     const LoweringOptions &options);
  /// The file of its own; null: all it has stands in f.bulk.cpp.
  llvm::Expected<EmittedFile> (*emit)(const EmitInput &input);
  /// In f.bulk.hpp: what its files define in namespace `detail`, and its entry point.
  void (*declareInternals)(CxxWriter &out);
  void (*defineEntry)(const EmitInput &input, CxxWriter &out);
};

llvm::ArrayRef<BackEnd> backEnds();
/// Null: there is none of that name.
const BackEnd *findBackEnd(llvm::StringRef name);
/// "cpu, cuda"
std::string backEndNames();

} // namespace colonnade

#endif // COLONNADE_EMIT_BACKENDS_H
