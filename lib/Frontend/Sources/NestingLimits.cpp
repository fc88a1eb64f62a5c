//===- NestingLimits.cpp - How deep a source may nest ---------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontend/Sources/NestingLimits.h"

#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Lex/Preprocessor.h"

namespace colonnade::frontend {

using namespace clang::tok;

/// `{` behind these begins a list of values or names.
static bool beginsList(TokenKind before) {
  switch (before) {
  case equal:
  case comma:
  case l_paren:
  case identifier:
  case greater:
  case r_square:
  case kw_return:
    return true;
  default:
    return false;
  }
}

void NestingScan::open(TokenKind kind) {
  Level level;
  if (kind == l_brace) {
    level.isList = sawEnum_ || beginsList(last_) || (last_ == l_brace && levels_.back().isList);
    level.isBlock = !level.isList;
    sawEnum_ = false;
  } else {
    count(kind); // a call, a subscript, a cast
    level.isBlock = false;
  }
  levels_.push_back(level);
}

/// What stands in parentheses is a part of the expression around.
void NestingScan::close(TokenKind kind) {
  if (levels_.size() == 1)
    return; // Clang reports it
  const Level inner = levels_.back();
  levels_.pop_back();
  statements_ -= inner.statements;
  if (kind == r_brace)
    return inner.isBlock ? endStatement() : void();
  levels_.back().operators += inner.operators;
  levels_.back().decisions += inner.decisions;
}

void NestingScan::endStatement() {
  Level &level = levels_.back();
  level.operators = level.decisions = 0;
  level.hasEnded = true;
}

void NestingScan::count(TokenKind kind) {
  Level &level = levels_.back();
  switch (kind) {
  case comma:
    if (level.isList) {
      level.operators = level.decisions = 0;
      return;
    }
    break;
  case ampamp:
  case pipepipe:
  case question:
    ++level.decisions;
    break;
  case kw_if:
  case kw_for:
  case kw_while:
  case kw_do:
  case kw_switch:
  case kw_case:
  case kw_default:
    ++level.statements;
    ++statements_;
    return;
  default:
    if (!clang::tok::getPunctuatorSpelling(kind))
      return;
  }
  ++level.operators;
}

std::optional<std::string> NestingScan::add(TokenKind kind) {
  Level &level = levels_.back();
  if (level.hasEnded && kind != kw_else) {
    statements_ -= level.statements;
    level.statements = 0;
  }
  level.hasEnded = false;
  if (kind == l_brace || kind == l_paren || kind == l_square)
    open(kind);
  else if (kind == r_brace || kind == r_paren || kind == r_square)
    close(kind);
  else if (kind == semi)
    endStatement();
  else
    count(kind);
  sawEnum_ = kind == kw_enum || (sawEnum_ && kind != semi);
  last_ = kind;
  auto passed = [](unsigned limit, const char *what) {
    return "more than " + std::to_string(limit) + " " + what;
  };
  const Level &now = levels_.back();
  if (now.operators > MaxOperators)
    return passed(MaxOperators, "operators in one expression");
  if (now.decisions > MaxDecisions)
    return passed(MaxDecisions, "of '||', '&&' and '?:' in one expression");
  if (statements_ > MaxStatements)
    return passed(MaxStatements, "statements nested without braces, or in one chain of 'else if'");
  return std::nullopt;
}

namespace {

class ScanAction : public clang::PreprocessorFrontendAction {
public:
  std::optional<std::string> passed;

  void ExecuteAction() override {
    clang::Preprocessor &preprocessor = getCompilerInstance().getPreprocessor();
    preprocessor.IgnorePragmas();
    preprocessor.EnterMainSourceFile();
    NestingScan scan;
    clang::Token token;
    do {
      preprocessor.Lex(token);
      if (std::optional<std::string> found = scan.add(token.getKind())) {
        passed = place(token.getLocation()) + *found;
        return;
      }
    } while (token.isNot(eof));
  }

private:
  std::string place(clang::SourceLocation loc) const {
    const clang::PresumedLoc at = getCompilerInstance().getSourceManager().getPresumedLoc(loc);
    if (at.isInvalid())
      return "";
    return std::string(at.getFilename()) + ":" + std::to_string(at.getLine()) + ":" +
           std::to_string(at.getColumn()) + ": ";
  }
};

} // namespace

std::optional<std::string> passedLimit(const clang::CompilerInvocation &invocation,
                                       clang::FileManager &files) {
  clang::CompilerInstance compiler;
  compiler.setInvocation(std::make_shared<clang::CompilerInvocation>(invocation));
  compiler.setFileManager(&files);
  compiler.createDiagnostics(new clang::IgnoringDiagConsumer(), /*ShouldOwnClient=*/true);
  compiler.createSourceManager(files);
  ScanAction scan;
  compiler.ExecuteAction(scan);
  return scan.passed;
}

} // namespace colonnade::frontend
