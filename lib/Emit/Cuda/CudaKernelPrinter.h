//===- CudaKernelPrinter.h - The statements of one instance in CUDA -*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a kernel of threads. Out: the statements of one thread, on scalars; branches on data
// stay branches. What the text itself guarantees: no contraction to FMA (rounding
// intrinsics), wrapping arithmetic on data.
// Invariant: nothing is decided here.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_EMIT_EMITCUDA_H
#define COLONNADE_EMIT_EMITCUDA_H

#include "Emit/Cxx/CxxPrinter.h"
#include "Emit/Cxx/Interface.h"
#include "Emit/Cxx/PartNeeds.h"
#include "Emit/Cxx/Sites.h"

namespace colonnade {

/// A Stage of rows whose number of cells the launch says, that padded_rows.cuh copies.
bool isPaddedRow(const ir::Function &kernel, const ir::Op &stage);
/// Whether some Waits leave Stages on their way.
bool waitsForSome(const ir::Function &kernel);

class CudaKernelPrinter : public CxxPrinter {
public:
  /// sites: of the file; kernels of one function share them.
  CudaKernelPrinter(const ir::Module &module, const ir::Function &kernel, CxxWriter &out,
                    Sites &sites);

  /// Kernel parameters of an array: "b_memory", "b_cells".
  std::string memoryName(ArrayId array);
  std::string cellsName(ArrayId array);
  /// Everything one thread does for `instance`.
  void printInstance();
  /// The cells that its copies move, where these are not all; before the kernel of that name.
  void printLiveCells(const std::string &kernel);

protected:
  std::string constness(ValueId value) const override;
  CxxExpr load(const ir::Op &op) override;
  void store(OpId id) override;
  void check(const ir::Op &op) override;
  void together(const ir::Op &op) override;
  CxxExpr operation(const ir::Op &op) override;
  void beforeLoop(const ir::Op &op) override;
  void afterFor(OpId loop) override;
  std::vector<std::string> contextParameters(PartId part) override;
  std::vector<std::string> contextArguments(PartId part) override;
  std::string arrayParameter(ArrayId formal) override;
  std::string templateArguments(PartId part) const override;
  void openPart(PartId part, const std::string &declarator) override;

private:
  struct ArrayNames {
    std::string memory, cells;
  };
  bool hasChecks() const;
  bool hasChecks(PartId part) const;
  std::string viewType(const ir::Array &array) const; // "instance_cells<Layout, float>"
  void declareArray(ArrayId array);
  void declareShared(ArrayId array);
  void placeShared(const ir::Array &array, const std::string &name, const std::string &cell,
                   const std::string &row);
  bool isAccessed(ArrayId array) const;
  bool waitsForTeams() const;
  std::string teamBarrier() const;
  void stage(const ir::Op &op);
  void copyRows(const ir::Op &op);
  void declareRegisters(ArrayId array, const std::string &view);
  void keepLoadsFirst();
  void printBarrierOfLoads();
  void storeRegisters(ArrayId array);
  CxxExpr element(const ir::Op &access);
  CxxExpr floatOperation(const ir::Op &op);
  CxxExpr floatOrder(const ir::Op &op);
  CxxExpr mathCall(const ir::Op &op);
  std::string site(LocId loc, const llvm::Twine &message);

  std::vector<ArrayNames> arrayNames_;
  Sites &sites_;
  std::vector<PartNeeds> partNeeds_;
  std::vector<bool> loopsOfLoads_;                         // by operation
  std::map<std::vector<uint64_t>, std::string> liveLists_; // names, by contents
  uint64_t sharedOffset_ = 0; // of the next array, where they are parts of one piece
};

} // namespace colonnade

#endif // COLONNADE_EMIT_EMITCUDA_H
