//===- SizeValues.cpp - Sizes and subscripts as operations ----------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transform/Padding/SizeValues.h"

#include "Oblivious/Ranges/Affine.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"

using namespace colonnade;
using namespace colonnade::ir;

static ValueId scalarNamed(const Function &function, const std::string &name) {
  return llvm::find_if(function.scalars,
                       [&](const ScalarParam &scalar) { return scalar.name == name; })
      ->value;
}

ValueId colonnade::sizeValue(Builder &builder, const SizeExpr &size) {
  using Kind = SizeExpr::Kind;
  if (size.kind() == Kind::Constant)
    return builder.constantInt(ScalarType::S64, *size.asConstant());
  if (size.kind() == Kind::Name)
    return builder.cast(scalarNamed(builder.function(), size.name()), ScalarType::S64);
  const ValueId a = sizeValue(builder, size.lhs()), b = sizeValue(builder, size.rhs());
  switch (size.kind()) {
  case Kind::Add:
    return builder.binary(Opcode::Add, a, b);
  case Kind::Sub:
    return builder.binary(Opcode::Sub, a, b);
  case Kind::Mul:
    return builder.binary(Opcode::Mul, a, b);
  case Kind::Div:
    return builder.binary(Opcode::Div, a, b);
  case Kind::Rem:
    return builder.binary(Opcode::Rem, a, b);
  case Kind::Max:
    return builder.select(builder.binary(Opcode::Gt, a, b), a, b);
  case Kind::Min:
    return builder.select(builder.binary(Opcode::Lt, a, b), a, b);
  default:
    llvm_unreachable("a size that is not known");
  }
}

static ValueId valueNamed(Builder &builder, const Cloner &cloner, const Function &from,
                          const std::string &name, ScalarType type) {
  if (!Affine::isCounter(name))
    return builder.cast(cloner.map(scalarNamed(from, name)), type);
  const auto index = static_cast<uint32_t>(std::stoul(name.substr(1)));
  return builder.cast(cloner.map(ValueId(index)), type);
}

ValueId colonnade::polynomialValue(Builder &builder, const Cloner &cloner, const Function &from,
                                   const Polynomial &polynomial, ScalarType type) {
  ValueId sum;
  const auto add = [&](ValueId term) { sum = sum ? builder.binary(Opcode::Add, sum, term) : term; };
  for (const auto &[monomial, coefficient] : polynomial.terms()) {
    ValueId product;
    for (const auto &[name, power] : monomial)
      for (unsigned i = 0; i < power; ++i) {
        const ValueId factor = valueNamed(builder, cloner, from, name, type);
        product = product ? builder.binary(Opcode::Mul, product, factor) : factor;
      }
    if (!product || coefficient.num != 1) {
      const ValueId number = builder.constantInt(type, coefficient.num);
      product = product ? builder.binary(Opcode::Mul, product, number) : number;
    }
    add(product);
  }
  return sum ? sum : builder.constantInt(type, 0);
}
