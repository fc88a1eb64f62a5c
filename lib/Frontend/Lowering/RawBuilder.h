//===- RawBuilder.h - Builder for the operations of raw IR -----*- C++ -*--===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Adds the pointer operations of raw IR, and shorthands over several operations, to
// ir::Builder. In: operands. Out: operations at the builder's place and location.
//
// Invariant: knows nothing of Clang.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_FRONTEND_RAWBUILDER_H
#define COLONNADE_FRONTEND_RAWBUILDER_H

#include "IR/Builder.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

namespace colonnade::frontend {

class RawBuilder : public ir::Builder {
public:
  using Builder::Builder;

  /// `sizes`: those of its variable-length dimensions, outermost first.
  ValueId object(MemTypeId type, llvm::StringRef name, llvm::ArrayRef<ValueId> sizes = {});
  /// A variable that the source knows nothing of, such as a flag.
  ValueId ownObject(MemTypeId type, llvm::StringRef name);
  /// A copy of a constant, for one use of its name.
  ValueId constantObject(MemTypeId type, llvm::StringRef name);
  ValueId table(ArrayId array, MemTypeId type);
  ValueId null();
  ValueId index(ValueId pointer, ValueId count, MemTypeId element);
  ValueId field(ValueId pointer, MemTypeId structType, unsigned index, llvm::StringRef name);
  /// Back from a base class.
  ValueId record(ValueId field, MemTypeId structType, unsigned index);
  ValueId decay(ValueId pointer, ValueId radix, MemTypeId arrayType);
  ValueId load(ValueId pointer, MemTypeId type, ir::ScalarType scalar, llvm::StringRef name = {});
  void store(ValueId pointer, ValueId value, MemTypeId type);
  void copy(ValueId to, ValueId from, ValueId count, MemTypeId type, ir::CopyKind kind);
  void fill(ValueId to, ValueId byte, ValueId count, MemTypeId type);
  ValueId difference(ValueId p, ValueId q, MemTypeId type);
  OpId call(FunctionId callee, llvm::ArrayRef<ValueId> args,
            std::optional<ir::ScalarType> resultType);
  void check(ValueId condition, std::string text);

  /// The same bits as another type of the same width.
  ValueId bitcast(ValueId value, ir::ScalarType to);
  /// As the languages convert: to bool by comparison with zero.
  ValueId convert(ValueId value, ir::ScalarType to);
  ValueId zero(ir::ScalarType type) { return constant({type, 0}); }
  ValueId index64(int64_t value) { return constantInt(ir::ScalarType::S64, value); }
  ir::ScalarType typeOf(ValueId value) { return function().value(value).type; }
  /// The C notion of truth: Bool as it is, anything else compared with zero.
  ValueId truth(ValueId value);

  /// `if (condition) then(); else otherwise();` with both regions ended.
  void emitIf(
      ValueId condition, llvm::function_ref<void()> then,
      llvm::function_ref<void()> otherwise = [] {});
};

} // namespace colonnade::frontend

#endif // COLONNADE_FRONTEND_RAWBUILDER_H
