//===- Table.cpp - Functions that are known by name -----------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Look-up by what Clang knows of a function. What a name means is its handler alone; a
// name that is in no row is lowered by its body.
//
//===----------------------------------------------------------------------===//

#include "Frontend/Library/Table.h"

#include "Frontend/ClangHeaders.h"
#include "Frontend/Library/Handlers.h"
#include "Frontend/Types/TypeLowering.h"

#include "llvm/ADT/StringMap.h"

namespace colonnade::frontend::library {

using ir::MathFn;
using ir::Opcode;

static const LibraryFunction table[] = {
#define COLONNADE_LIBRARY(name, sources, fewest, most, handler)                                    \
  {name, sources, fewest, most, handler},
#define COLONNADE_READ(name, sources, arguments, handler)                                          \
  {name, sources, arguments, arguments, nullptr, handler},
#define COLONNADE_UNSEEN(name, refusal) {name, NoBody, 0, ~0u, nullptr, nullptr, refusal},
#include "Frontend/Library/Functions.def"
};

llvm::ArrayRef<LibraryFunction> allFunctions() { return table; }

/// Rows by name.
static const llvm::StringMap<std::vector<const LibraryFunction *>> &rowsByName() {
  static const auto rows = [] {
    llvm::StringMap<std::vector<const LibraryFunction *>> byName;
    for (const LibraryFunction &row : table)
      byName[row.name].push_back(&row);
    return byName;
  }();
  return rows;
}

static const LibraryFunction *findRow(llvm::StringRef name,
                                      llvm::function_ref<bool(const LibraryFunction &)> fits) {
  auto rows = rowsByName().find(name);
  if (rows == rowsByName().end())
    return nullptr;
  for (const LibraryFunction *row : rows->second)
    if (fits(*row))
      return row;
  return nullptr;
}

static constexpr llvm::StringLiteral BuiltinPrefix = "__builtin_";

bool isBuiltin(const clang::FunctionDecl &callee) {
  return callee.getBuiltinID() != 0 && callee.getDeclName().isIdentifier() &&
         callee.getName().starts_with(BuiltinPrefix);
}

/// int abs(int) __asm__("other"): calls of it go elsewhere.
static bool isRenamed(const clang::FunctionDecl &callee) {
  const auto *label = callee.getAttr<clang::AsmLabelAttr>();
  return label && callee.getDeclName().isIdentifier() && label->getLabel() != callee.getName();
}

/// double frexp(double x, int *e) { … } in the user's files: what it does is in its body. So is
/// what another library's swap of its own type does, as a specialisation of std::swap.
static bool isDefinedByUser(const clang::FunctionDecl &callee) {
  if (callee.getTemplateSpecializationKind() == clang::TSK_ExplicitSpecialization)
    return true;
  const clang::FunctionDecl *definition = nullptr;
  const clang::SourceManager &sources = callee.getASTContext().getSourceManager();
  return (callee.getDeclContext()->getRedeclContext()->isTranslationUnit() || callee.isExternC()) &&
         callee.hasBody(definition) && !sources.isInSystemHeader(definition->getLocation());
}

bool isRedefined(const clang::FunctionDecl &callee) {
  const unsigned id = callee.getBuiltinID(); // 0 with -fno-builtin
  return id != 0 && callee.getASTContext().BuiltinInfo.isPredefinedLibFunction(id) &&
         isDefinedByUser(callee);
}

/// A function of C's library. Headers of other libraries are system headers too, and what theirs
/// do is in a body.
static bool isOfSystem(const clang::FunctionDecl &callee) {
  const bool isGlobal = callee.getDeclContext()->getRedeclContext()->isTranslationUnit();
  return (isGlobal || callee.isExternC()) && (callee.getBuiltinID() != 0 || !callee.hasBody());
}

/// The one source of a function, and its name without the prefix of builtins; 0: none.
static unsigned sourceOf(const clang::FunctionDecl &callee, std::string &name) {
  if (isRenamed(callee) || isDefinedByUser(callee))
    return 0;
  if (const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(&callee)) {
    name = callee.getNameAsString(); // also "operator[]"
    return asStdArray(callee.getASTContext().getRecordType(method->getParent()))
               ? unsigned(StdArray)
               : 0;
  }
  if (!callee.getDeclName().isIdentifier())
    return 0;
  llvm::StringRef plain = callee.getName();
  plain.consume_front(BuiltinPrefix);
  name = plain.str();
  const clang::SourceManager &sources = callee.getASTContext().getSourceManager();
  if (callee.getBuiltinID() == 0 && !sources.isInSystemHeader(callee.getLocation()))
    return 0;
  if (isBuiltin(callee))
    return Builtin;
  if (callee.isInStdNamespace())
    return Std;
  return isOfSystem(callee) ? unsigned(System) : 0; // lib::memcpy is some other function
}

const LibraryFunction *findFunction(const clang::FunctionDecl &callee, unsigned arguments) {
  std::string name;
  unsigned source = sourceOf(callee, name);
  return findRow(name, [&](const LibraryFunction &row) {
    return (row.sources & source) && arguments >= row.fewest && arguments <= row.most;
  });
}

const LibraryFunction *findUnseenFunction(llvm::StringRef qualifiedName) {
  return findRow(qualifiedName, [](const LibraryFunction &row) { return row.sources & NoBody; });
}

} // namespace colonnade::frontend::library
