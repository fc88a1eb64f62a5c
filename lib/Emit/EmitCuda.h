//===- EmitCuda.h - The parts of the CUDA emitter -*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   planCuda            where each array lives in a kernel, threads, unrolling
//   CudaKernelPrinter   the statements of one instance
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_EMIT_EMITCUDA_H
#define COLONNADE_EMIT_EMITCUDA_H

#include "Emit/CxxPrinter.h"
#include "Transform/Transform.h"

namespace colonnade {

struct CudaArray {
  enum class Kind : uint8_t {
    Memory,    // the caller's array, through the layout
    Registers, // the caller's array, loaded first and stored last
    Uniform,   // one copy for all instances
    Local,     // a per-thread array
    Scratch,   // a local array in global memory: too large, or of unknown size
    Table,
  };
  ArrayId array;
  Kind kind = Kind::Memory;
  size_t interfaceIndex = 0; // Memory, Registers, Uniform: position among the arguments
  std::optional<uint64_t> constantCells;
  bool loadFirst = true; // Registers: cells may keep the caller's contents
};

struct CudaPlan {
  std::vector<CudaArray> arrays; // one per array of the function, in order
  static constexpr uint8_t FullUnroll = 255;
  std::vector<uint8_t> unroll; // per op: times a For is unrolled; 0: as the compiler likes
  std::vector<bool> masked;    // per op: an access that was not checked before the launch
  bool hasScratch = false;
  unsigned threads = 256;
  std::vector<std::string> notes;
};

/// guardAll: no address was checked before the launch (AddressData.h).
CudaPlan planCuda(const Kernel &kernel, bool guardAll);

class CudaKernelPrinter : public CxxPrinter {
public:
  CudaKernelPrinter(const ir::Module &module, const Kernel &kernel, const CudaPlan &plan,
                    CxxWriter &out);

  /// Kernel parameters of an array: "b_memory", "b_cells".
  std::string memoryName(ArrayId array);
  std::string cellsName(ArrayId array);
  /// Everything one thread does for `instance`.
  void printInstance();
  /// Messages of the failure sites, by number.
  const std::vector<std::string> &sites() const { return sites_; }

protected:
  CxxExpr load(const ir::Op &op) override;
  void store(const ir::Op &op) override;
  void check(const ir::Op &op) override;
  CxxExpr operation(const ir::Op &op) override;
  void beforeLoop(const ir::Op &op) override;

private:
  struct ArrayNames {
    std::string memory, cells;
  };
  void declareArray(const CudaArray &array);
  CxxExpr element(const ir::Op &access);
  bool isGuarded(const ir::Op &access) const;
  CxxExpr floatOperation(const ir::Op &op);
  CxxExpr wrappingOperation(const ir::Op &op);
  CxxExpr mathCall(const ir::Op &op);
  bool isVarying(ValueId value) const;
  std::string site(LocId loc, const llvm::Twine &message);

  const Kernel &kernel_;
  const CudaPlan &plan_;
  std::vector<ArrayNames> arrayNames_;
  std::vector<std::string> sites_;
};

} // namespace colonnade

#endif // COLONNADE_EMIT_EMITCUDA_H
