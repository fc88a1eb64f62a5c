//===- Remedies.h - The options that cure a finding -------------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the user can state so that a finding goes away, as the command line takes it.
//
// In: a canonical function, and what a finding is about. Out: texts such as `--bound 56=16`,
// ready to be pasted into a shell.
// Invariant: with its options added, the finding is not reported again. A number in an option
// is proved where the types show one; else it is an example that the user has to judge.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_OBLIVIOUS_REMEDIES_H
#define COLONNADE_OBLIVIOUS_REMEDIES_H

#include "IR/Function.h"
#include "Oblivious/Flow/Origins.h"

namespace colonnade {

/// `--name value`, quoted where a shell would take it apart.
std::string optionText(llvm::StringRef name, llvm::StringRef value);

/// `--bound 12=16`, for a For or Loop: a bound for the loops at its line. Empty: none can be
/// stated there.
std::string boundOption(const ir::Module &module, const ir::Function &function, const ir::Op &loop);

/// `--uniform s.size` for each array that the origins of a label are cells of.
std::vector<std::string> uniformOptions(const ir::Function &function, const OriginSet &origins);

/// `--size n=8` for each uniform integer: an example of a constant size.
std::vector<std::string> sizeOptions(const ir::Function &function);

enum class Instances {
  Computing, // `--instance S` for each uniform scalar that no address and no loop depends on
  Any,       // for all others, if there is no such scalar
};
std::vector<std::string> instanceOptions(const ir::Function &function, Instances which);

} // namespace colonnade

#endif // COLONNADE_OBLIVIOUS_REMEDIES_H
