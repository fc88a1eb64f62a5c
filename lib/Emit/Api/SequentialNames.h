//===- SequentialNames.h - What the thunk calls cells and scalars ----*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The thunk (SequentialFilePrinter.cpp) receives the cells of one instance and the bits of
// the uniform scalars, both in the order of the generated descriptor.
//
// In: what is emitted, and the raw function with the source's parameters. Out: C or C++
// text for each array and scalar, and the first reason why there can be no thunk.
// Invariant: no header is needed, and every name begins with "colonnade_", so that nothing
// clashes with the source that is included.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_EMIT_API_SEQUENTIALNAMES_H
#define COLONNADE_EMIT_API_SEQUENTIALNAMES_H

#include "Emit/Cxx/Interface.h"
#include "Emit/Emit.h"

#include "llvm/ADT/StringMap.h"

namespace colonnade {

class SequentialNames {
public:
  SequentialNames(const EmitInput &input, bool isC);

  const ir::MemType &type(MemTypeId id) const { return input_.module.memType(id); }
  size_t numTypes() const { return input_.module.memTypes.size(); }
  bool isC() const { return isC_; }
  const Interface &interface() const { return interface_; }
  const ir::Array &array(size_t index) const;

  /// "int32_t" as both languages know it without <stdint.h>.
  std::string cellType(ir::ScalarType type) const;
  /// Position among the descriptor's arrays, by the name in the IR: "b", "s.field".
  std::optional<size_t> arrayIndex(llvm::StringRef name) const;
  /// Of a returned scalar.
  std::optional<size_t> resultIndex() const;
  std::optional<size_t> scalarIndex(llvm::StringRef name) const;
  static std::string cells(size_t array);
  static std::string scalarBits(size_t scalar);
  static std::string scalarVariable(size_t scalar);
  /// A number of elements, in terms of scalar variables; colonnade_max and colonnade_min are
  /// the file's own.
  std::string countText(const SizeExpr &size);

  /// The first failure is kept. `options` would cure it.
  void fail(const llvm::Twine &message, std::vector<std::string> options = {});
  struct Failure {
    std::string reason; // "": none
    std::vector<std::string> options;
  };
  const Failure &failure() const { return failure_; }

private:
  const EmitInput &input_;
  const ir::Function &function_;
  const bool isC_;
  const Interface interface_;
  llvm::StringMap<size_t> arrayIndex_; // by name: a struct may have thousands of leaves
  Failure failure_;
};

} // namespace colonnade

#endif // COLONNADE_EMIT_API_SEQUENTIALNAMES_H
