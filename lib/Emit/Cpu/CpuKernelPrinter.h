//===- CpuKernelPrinter.h - The body of a CPU kernel -*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a kernel of lanes, or a serial one, in which nothing varies. Out: its C++. Varying values
// are `vec<T>`, varying truth values `mask`, uniform values plain scalars; control is uniform.
// Accesses go through the accessors of runtime/include/colonnade/bulk/cpu_lanes.hpp. Invariant:
// nothing is decided here; what a kernel does not say is an error.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_EMIT_CPU_CPUKERNELPRINTER_H
#define COLONNADE_EMIT_CPU_CPUKERNELPRINTER_H

#include "Emit/Cxx/CxxPrinter.h"
#include "Emit/Cxx/Interface.h"
#include "Emit/Cxx/PartNeeds.h"
#include "Emit/Cxx/Sites.h"
#include "IR/Operators.h"

namespace colonnade {

class CpuKernelPrinter : public CxxPrinter {
public:
  CpuKernelPrinter(const ir::Module &module, const ir::Function &kernel, Sites &sites,
                   CxxWriter &out);

  /// The functions that the kernel calls, the kernel and the Entry whose run() unpacks a
  /// lane_group.
  void print();
  /// uint64_t scratch_bytes(scalars, lanes), or serial_scratch_bytes(scalars): what local arrays
  /// need beyond the stack.
  void printScratchBytes();

protected:
  std::string type(ValueId value) const override;
  std::string definitionType(ValueId value) const override;
  CxxExpr convertTo(ValueId target, ValueId value) override;
  CxxExpr load(const ir::Op &op) override;
  void store(OpId id) override;
  void check(const ir::Op &op) override;
  CxxExpr operation(const ir::Op &op) override;
  std::vector<std::string> contextParameters(PartId part) override;
  std::vector<std::string> contextArguments(PartId part) override;
  std::string arrayParameter(ArrayId formal) override;
  std::string arrayArgument(ArrayId given) override;
  std::string parameterType(ValueId value) const override;
  std::string templateArguments(PartId part) const override;
  void openPart(PartId part, const std::string &declarator) override;

private:
  bool varying(ValueId value) const { return function_.varying(value); }
  CxxExpr vector(ValueId value); // as vec<T> or mask whatever it is
  CxxExpr vectorOperation(const ir::Op &op);
  CxxExpr vectorBinary(const ir::Op &op);
  CxxExpr vectorCast(const ir::Op &op);
  CxxExpr vectorShift(const ir::Op &op);
  CxxExpr truthBinary(const ir::Op &op, const ir::Operator &symbol);
  CxxExpr dividedByConstant(const ir::Op &op);
  CxxExpr vectorChoice(const ir::Op &op);
  CxxExpr uniformChoice(const ir::Op &op);
  uint32_t accessSite(const ir::Op &op);
  bool isChecked(const ir::Op &op) const { return op.masked || op.guarded; }
  bool isChecked() const;
  /// An array with a cell for each lane where others have one cell.
  bool hasLanes(const ir::Array &array) const { return !isSerial_ && array.isPerInstance(); }
  std::string templateParameters() const {
    return isSerial_ ? "template <bool Guarded>" : "template <class Stride, bool Guarded>";
  }
  bool isChecked(PartId part) const {
    return partNeeds_[part.index].masked || partNeeds_[part.index].guarded;
  }
  void printPartAccessor(PartId part, ArrayId array);
  std::string cellType(const ir::Array &array) const; // "const float", "vec<float>"
  std::string checkArguments(const ir::Op &op);
  void printSignature();
  void printEntry();
  void printLoopOverRows();
  std::string kernelCall();
  void printAccessors();
  void printLocal(ArrayId array);
  void printCells(ArrayId array, const std::string &cell, const std::string &count);
  std::string laneType(ir::ScalarType type) const;
  std::string cellCount(const ir::Array &array);

  Interface interface_;
  const bool isSerial_;
  Sites &sites_;
  std::vector<PartNeeds> partNeeds_;
  std::vector<std::string> cellsNames_; // raw pointers behind the accessors
};

} // namespace colonnade

#endif // COLONNADE_EMIT_CPU_CPUKERNELPRINTER_H
