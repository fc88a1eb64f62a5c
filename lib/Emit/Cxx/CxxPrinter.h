//===- CxxPrinter.h - Structured IR to C++ statements -*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: the body of a canonical or kernel function. Out: structured C++. Control flow,
// carried values, names and scalar arithmetic are the same for all back ends and live
// here; a back end derives, says how it spells types and accesses, and may override
// single operations.
//
//   For, Loop  variables declared before, assigned at the end of each iteration
//   If         results declared before, assigned in both arms; an If whose arms
//              only choose a value becomes c ? a : b
//   parts      functions, whose results are references
//   pure ops   folded into their one use (FoldPlan), else `const T name = …;`
//
// Invariant: what cannot be printed is a failure, recorded once with its location;
// takeError() returns it.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_EMIT_CXX_CXXPRINTER_H
#define COLONNADE_EMIT_CXX_CXXPRINTER_H

#include "Emit/Cxx/CxxText.h"
#include "Emit/Cxx/FoldPlan.h"

#include "llvm/Support/Error.h"

namespace colonnade {

class CxxPrinter {
public:
  /// `needless`: see FoldPlan.h.
  CxxPrinter(const ir::Module &module, const ir::Function &function, CxxWriter &out,
             const std::vector<bool> &needless = {});
  virtual ~CxxPrinter() = default;

  /// Names for what the function's signature declares; call before printBody().
  std::string declare(ValueId value, llvm::StringRef wanted); // e.g. a parameter
  std::string declare(ArrayId array, llvm::StringRef wanted);
  const std::string &nameOf(ArrayId array) const { return arrayNames_[array.index]; }
  const std::string &nameOf(ValueId value) const { return valueNames_[value.index]; }
  const std::string &nameOf(PartId part) const { return partNames_[part.index]; }
  CxxNames &names() { return names_; }

  /// A function for each part; before what calls them.
  void printParts();
  /// The statements of the function's body, without the braces around it.
  void printBody();
  llvm::Error takeError();

protected:
  // What a back end says.
  virtual std::string type(ValueId value) const; // "float", "vec<float>"
  /// The type of a constant that holds `value`; may be "auto".
  virtual std::string definitionType(ValueId value) const { return type(value); }
  /// "const " where it stands before the type of a variable that is set once.
  virtual std::string constness(ValueId value) const { return "const "; }
  virtual CxxExpr load(const ir::Op &op) = 0;
  /// Called where a Load stands, whether or not its value is used or folded.
  virtual void visitLoad(OpId id) {}
  virtual void store(OpId id) = 0;
  virtual void check(const ir::Op &op) = 0;
  /// What the threads of a block do together: Barrier, Stage, Wait.
  virtual void together(const ir::Op &op);
  virtual void printReturn(const ir::Op &op);
  /// Called where the statements of a region begin.
  virtual void beginRegion(RegionId region) {}
  /// Called before the line of a For or Loop is printed: a place for a pragma.
  virtual void beforeLoop(const ir::Op &op) {}
  virtual void afterFor(OpId loop) {}
  virtual void printFor(OpId id);
  /// The value of a pure operation; the default is scalar C++ with C semantics.
  virtual CxxExpr operation(const ir::Op &op);
  virtual CxxExpr constant(ValueId value, bool typed);
  // Parts. A back end that has them says what its functions look like.
  virtual std::vector<std::string> contextParameters(PartId part) { return {}; }
  virtual std::vector<std::string> contextArguments(PartId part) { return {}; }
  virtual std::string arrayParameter(ArrayId formal) { return ""; }
  virtual std::string arrayArgument(ArrayId given) { return nameOf(given); }
  virtual std::string parameterType(ValueId value) const; // "const float ", "const vec<float> &"
  virtual std::string templateArguments(PartId part) const { return ""; } // "<Layout>"
  /// `declarator`: "f(const float x)".
  virtual void openPart(PartId part, const std::string &declarator);
  /// `value` as needed where a variable of `target`'s type is assigned.
  virtual CxxExpr convertTo(ValueId target, ValueId value);

  // What a back end uses.
  void printRegion(RegionId region);              // all but the terminator
  CxxExpr use(ValueId value, bool typed = false); // folded text, literal or name
  /// ((s0*r1 + s1)*r2 + s2)…, of type int64_t or implicitly converted to it.
  CxxExpr cell(const ir::Op &access);
  CxxExpr scalarOperation(const ir::Op &op);
  /// The same by a function that is defined for all operands, where C++ knows some for which the
  /// operation is not: runtime::wrapping.
  CxxExpr wrappingOperation(const ir::Op &op);
  CxxExpr choice(const ir::Op &op); // c ? a : b
  void fail(LocId loc, const llvm::Twine &message);
  unsigned uses(ValueId value) const { return plan_.uses(value); }
  bool omitted(OpId op) const { return plan_.omitted(op); }

  const ir::Module &module_;
  const ir::Function &function_;
  CxxWriter &out_;

private:
  struct Assignment {
    ValueId target;
    ValueId value;
  };
  void printOp(OpId id);
  void printDefinition(OpId id);
  void printIf(const ir::Op &op);
  bool printAsChoice(const ir::Op &op);
  void printLoop(const ir::Op &op);
  void printPart(PartId part);
  void printCallPart(const ir::Op &op);
  void declareCarried(llvm::ArrayRef<ValueId> args, llvm::ArrayRef<ValueId> inits,
                      llvm::ArrayRef<ValueId> results);
  void shareName(ValueId from, ValueId to);
  /// Assigns all at once, then the condition: returns its text, evaluated before
  /// the assignments if it reads what they change.
  CxxExpr assignAll(llvm::ArrayRef<Assignment> list, ValueId condition);
  void leaves(ValueId value, std::set<std::string> &names) const;
  bool isName(ValueId value, const std::string &name) const;
  CxxExpr stripIndexCast(ValueId value, bool &stripped);
  CxxExpr arithmetic(const ir::Op &op);
  CxxExpr castOperation(const ir::Op &op);

  FoldPlan plan_;
  CxxNames names_;
  std::vector<std::string> valueNames_, arrayNames_, partNames_;
  std::string error_;
};

} // namespace colonnade

#endif // COLONNADE_EMIT_CXX_CXXPRINTER_H
