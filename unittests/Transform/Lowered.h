//===- Lowered.h - Canonical text to kernels, for tests ---------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: the text of a canonical function. Out: its verdict and kernels.
// Invariant: each kernel is verified, and read back from its own text.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_UNITTESTS_TRANSFORM_LOWERED_H
#define COLONNADE_UNITTESTS_TRANSFORM_LOWERED_H

#include "IRText.h"

#include "Transform/Transform.h"

namespace colonnade {

inline std::string textOf(const ir::Function &function) {
  std::string text;
  llvm::raw_string_ostream out(text);
  ir::print(out, ir::Module(), function);
  return text;
}

struct Lowered {
  ir::Module module;
  Verdict verdict;
  ir::Function threads, lanes;

  explicit Lowered(llvm::StringRef text) : module(ir::parsed(text)) {
    if (module.functions.empty())
      return;
    const ir::Function &function = module.functions[0];
    EXPECT_EQ(ir::verifyError(module), "");
    verdict = verifyOblivious(module, function);
    threads = llvm::cantFail(lowerToThreads(module, function, verdict)).front();
    lanes = llvm::cantFail(lowerToLanes(module, function, verdict)).front();
    for (const ir::Function *kernel : {&threads, &lanes}) {
      EXPECT_EQ(ir::verifyError(module, *kernel), "") << textOf(*kernel);
      ir::Module again = ir::parsed(textOf(*kernel));
      if (!again.functions.empty()) {
        EXPECT_EQ(textOf(again.functions[0]), textOf(*kernel));
      }
    }
  }

  /// A function over the arrays @a and @b of n floats and whatever else is declared.
  static Lowered of(const std::string &declarations, const std::string &body) {
    return Lowered("func \"f\" canonical {\n" + declarations +
                   "\n  body(%n : s32, %flag : bool) scalar %n n scalar %flag flag {\n"
                   "%zero = const 0 : s32\n%one = const 1 : s32\n%cell = const 0 : s64\n" +
                   body + "\nreturn\n}\n}\n");
  }
};

inline const ir::Array &arrayNamed(const ir::Function &function, llvm::StringRef name) {
  for (const ir::Array &array : function.arrays)
    if (array.name == name)
      return array;
  ADD_FAILURE() << "no array " << name.str();
  return function.arrays.front();
}

inline unsigned count(const ir::Function &function, ir::Opcode opcode) {
  unsigned number = 0;
  for (const ir::Op &op : function.ops)
    number += op.opcode == opcode;
  return number;
}

/// The value of that name; the last one, if there are several.
inline ValueId valueNamed(const ir::Function &function, llvm::StringRef name) {
  for (size_t v = function.values.size(); v-- > 0;)
    if (function.values[v].name == name)
      return ValueId(v);
  ADD_FAILURE() << "no value " << name.str();
  return ValueId(0);
}

} // namespace colonnade

#endif // COLONNADE_UNITTESTS_TRANSFORM_LOWERED_H
