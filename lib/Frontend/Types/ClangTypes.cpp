//===- ClangTypes.cpp - What a Clang type is to us ------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontend/Types/ClangTypes.h"

#include "Frontend/Types/Attributes.h"

#include "llvm/ADT/StringSwitch.h"

namespace colonnade::frontend {

using clang::QualType;
using ir::ScalarType;

/// Made from the library's own template, not from a specialisation for types of the user's.
static bool isOfLibrary(const clang::ClassTemplateSpecializationDecl &instance) {
  const clang::SourceManager &sources = instance.getASTContext().getSourceManager();
  return !instance.isExplicitSpecialization() &&
         llvm::isa<clang::ClassTemplateDecl *>(instance.getSpecializedTemplateOrPartial()) &&
         sources.isInSystemHeader(instance.getSpecializedTemplate()->getLocation());
}

std::optional<StdArray> asStdArray(QualType type) {
  const auto *record = type.getCanonicalType()->getAsCXXRecordDecl();
  const auto *instance = llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(record);
  if (!instance || !instance->isInStdNamespace() || instance->getName() != "array" ||
      !isOfLibrary(*instance))
    return std::nullopt;
  const auto &args = instance->getTemplateArgs();
  if (args.size() != 2 || args[0].getKind() != clang::TemplateArgument::Type ||
      args[1].getKind() != clang::TemplateArgument::Integral)
    return std::nullopt;
  return StdArray{args[0].getAsType(), args[1].getAsIntegral().getZExtValue()};
}

QualType elementType(QualType array) {
  if (std::optional<StdArray> stdArray = asStdArray(array))
    return stdArray->element;
  return array->getAsArrayTypeUnsafe()->getElementType();
}

static std::optional<ScalarType> builtinScalar(const clang::BuiltinType &type) {
  using K = clang::BuiltinType;
  switch (type.getKind()) {
  case K::Bool:
    return ScalarType::Bool;
  case K::Char_S:
  case K::SChar:
    return ScalarType::S8;
  case K::Char_U:
  case K::UChar:
  case K::Char8:
    return ScalarType::U8;
  case K::Short:
    return ScalarType::S16;
  case K::UShort:
  case K::Char16:
    return ScalarType::U16;
  case K::Int:
  case K::WChar_S:
    return ScalarType::S32;
  case K::UInt:
  case K::Char32:
  case K::WChar_U:
    return ScalarType::U32;
  case K::Long:
  case K::LongLong:
    return ScalarType::S64;
  case K::ULong:
  case K::ULongLong:
    return ScalarType::U64;
  case K::Float:
    return ScalarType::F32;
  case K::Double:
    return ScalarType::F64;
  case K::NullPtr:
    return ScalarType::Pointer;
  default:
    return std::nullopt;
  }
}

std::optional<ScalarType> scalarType(QualType type) {
  QualType canonical = type.getCanonicalType();
  if (const auto *builtin = canonical->getAs<clang::BuiltinType>())
    return builtinScalar(*builtin);
  if (const auto *enumType = canonical->getAs<clang::EnumType>()) {
    QualType integer = enumType->getDecl()->getIntegerType();
    return integer.isNull() ? std::nullopt : scalarType(integer);
  }
  if (canonical->isBitIntType()) {
    const auto *integer = canonical->castAs<clang::BitIntType>();
    const unsigned bits = integer->getNumBits();
    bool isWhole = bits == 8 || bits == 16 || bits == 32 || bits == 64;
    return isWhole ? std::optional(ir::integerType(bits / 8, integer->isSigned())) : std::nullopt;
  }
  if (canonical->isReferenceType() || canonical->isPointerType())
    return canonical->getPointeeType()->isFunctionType() ? std::nullopt
                                                         : std::optional(ScalarType::Pointer);
  return std::nullopt;
}

bool isAggregate(QualType type) {
  QualType canonical = type.getCanonicalType();
  return canonical->isRecordType() || canonical->isArrayType();
}

std::optional<QualType> cellOfUnion(QualType type) {
  const clang::RecordDecl *record = type.getCanonicalType()->getAsRecordDecl();
  if (!record || !record->isUnion() || !record->getDefinition())
    return std::nullopt;
  const clang::ASTContext &context = record->getASTContext();
  std::optional<QualType> cell;
  for (const clang::FieldDecl *field : record->getDefinition()->fields()) {
    QualType member = field->getType();
    std::optional<ScalarType> scalar = scalarType(member);
    if (!scalar || *scalar == ScalarType::Pointer || *scalar == ScalarType::Bool ||
        field->isBitField() || member.isVolatileQualified() ||
        context.getTypeSize(member) != context.getTypeSize(type))
      return std::nullopt;
    if (!cell || (ir::isFloat(*scalarType(*cell)) && !ir::isFloat(*scalar)))
      cell = member.getUnqualifiedType();
  }
  const auto *cxx = llvm::dyn_cast<clang::CXXRecordDecl>(record->getDefinition());
  return cxx && !cxx->isTriviallyCopyable() ? std::nullopt : cell;
}

/// Fields and structs in a struct. Each number is an array of its own, and a few lines of nested
/// structs are millions.
static constexpr unsigned MaxFields = 65536;

/// Takes a field, base or struct in it from `left` each; false if there are more.
static bool hasFields(const clang::RecordDecl &record, unsigned &left) {
  auto fits = [&](QualType type) {
    const clang::RecordDecl *inner = type->getBaseElementTypeUnsafe()->getAsRecordDecl();
    inner = inner ? inner->getDefinition() : nullptr;
    return left-- > 0 && (!inner || hasFields(*inner, left));
  };
  if (const auto *cxx = llvm::dyn_cast<clang::CXXRecordDecl>(&record))
    for (const clang::CXXBaseSpecifier &base : cxx->bases())
      if (!fits(base.getType()))
        return false;
  return llvm::all_of(record.fields(),
                      [&](const clang::FieldDecl *field) { return fits(field->getType()); });
}

/// Of a class, struct or union, or one of its fields.
static std::string attributeProblemOf(const clang::RecordDecl &record) {
  if (std::string problem = attributeProblem(record); !problem.empty())
    return problem;
  for (const clang::FieldDecl *field : record.fields())
    if (std::string problem = attributeProblem(*field); !problem.empty())
      return problem + " of '" + field->getNameAsString() + "'";
  return "";
}

/// What to write instead of a class of the library that no array can stand for; null: nothing.
static const char *insteadOfLibraryType(const clang::RecordDecl &record) {
  if (!record.isInStdNamespace())
    return nullptr;
  return llvm::StringSwitch<const char *>(record.getName())
      .Cases("optional", "expected", "keep a flag beside the value")
      .Cases("variant", "any", "keep each value in a variable of its own")
      .Cases("function", "move_only_function", "call the function itself, or a lambda")
      .Default(nullptr);
}

bool hasNoSize(QualType type) {
  const auto *array = llvm::dyn_cast<clang::ConstantArrayType>(type->getUnqualifiedDesugaredType());
  if (array && array->isZeroSize())
    return true;
  const clang::RecordDecl *record = type->getBaseElementTypeUnsafe()->getAsRecordDecl();
  return record && record->isCompleteDefinition() && !record->isInvalidDecl() &&
         record->getASTContext().getASTRecordLayout(record).getSize().isZero();
}

/// Since C++20 a class that declares a constructor, though by `= default`, is no aggregate, and g++
/// then lets a derived class use the padding at its end.
static bool mayShareItsPadding(const clang::CXXRecordDecl &base) {
  const clang::ASTContext &context = base.getASTContext();
  if (!base.isPOD() || !base.hasUserDeclaredConstructor())
    return false;
  const clang::ASTRecordLayout &layout = context.getASTRecordLayout(&base);
  uint64_t end = 0; // in bits
  for (const clang::FieldDecl *field : base.fields())
    end = layout.getFieldOffset(field->getFieldIndex()) +
          (field->isBitField() ? field->getBitWidthValue(context)
                               : context.getTypeSize(field->getType()));
  return end < static_cast<uint64_t>(context.toBits(layout.getSize()));
}

bool isLaidOutDifferently(QualType type) {
  const auto *record = type->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
  record = record ? record->getDefinition() : nullptr;
  if (!record || record->isDependentType() || !record->getLangOpts().CPlusPlus20)
    return false;
  return llvm::any_of(record->bases(),
                      [](const clang::CXXBaseSpecifier &base) {
                        return mayShareItsPadding(*base.getType()->getAsCXXRecordDecl()) ||
                               isLaidOutDifferently(base.getType());
                      }) ||
         llvm::any_of(record->fields(), [](const clang::FieldDecl *field) {
           return isLaidOutDifferently(field->getType());
         });
}

std::string unsupportedReason(QualType type) {
  QualType canonical = type.getCanonicalType();
  if (scalarType(canonical) || canonical->isVoidType())
    return "";
  if (hasNoSize(canonical))
    return "type '" + type.getAsString() + "' of size 0, whose objects share their addresses";
  if (const auto *array = canonical->getAsArrayTypeUnsafe())
    return unsupportedReason(array->getElementType());
  if (canonical->isSpecificBuiltinType(clang::BuiltinType::LongDouble))
    return "long double";
  if (canonical->isSpecificBuiltinType(clang::BuiltinType::Int128) ||
      canonical->isSpecificBuiltinType(clang::BuiltinType::UInt128))
    return "__int128";
  if (canonical->isAnyComplexType())
    return "complex number";
  if (canonical->isAtomicType())
    return "atomic type";
  if (canonical->isVectorType())
    return "vector type '" + type.getAsString() + "'";
  if (canonical->isMemberPointerType())
    return "pointer to member";
  if (canonical->isFunctionPointerType() || canonical->isFunctionType() ||
      canonical->isFunctionReferenceType())
    return FunctionPointer;
  const auto *record = canonical->getAsRecordDecl();
  if (!record)
    return "type '" + type.getAsString() + "'";
  if (record->getDefinition())
    if (std::string problem = attributeProblemOf(*record->getDefinition()); !problem.empty())
      return "type '" + type.getAsString() + "' with " + problem;
  if (record->isUnion() && cellOfUnion(canonical))
    return "";
  if (record->isUnion())
    return "union '" +
           canonical.getUnqualifiedType().getAsString(record->getASTContext().getPrintingPolicy()) +
           "' of members that are no numbers of one width (shift and mask a number, or copy bits)";
  if (!record->getDefinition())
    return "incomplete type '" + type.getAsString() + "'";
  const auto *cxx = llvm::dyn_cast<clang::CXXRecordDecl>(record->getDefinition());
  if (cxx && cxx->isPolymorphic())
    return "class with virtual functions '" + type.getAsString() + "'";
  if (cxx && cxx->getNumVBases() > 0)
    return "class with virtual bases '" + type.getAsString() + "'";
  if (isLaidOutDifferently(canonical))
    return "class '" + type.getAsString() +
           "' with a base whose padding compilers use differently (no '= default' constructor "
           "there)";
  if (record->isInStdNamespace() && record->getName().starts_with("atomic"))
    return "atomic type '" + type.getAsString() + "'";
  if (const char *instead = insteadOfLibraryType(*record))
    return "'std::" + record->getNameAsString() + "' (" + instead + ")";
  unsigned left = MaxFields;
  if (!hasFields(*record->getDefinition(), left))
    return "type '" + type.getAsString() + "' of more than " + std::to_string(MaxFields) +
           " fields, the limit";
  return "";
}

bool ownsMemory(QualType type) {
  const auto *record = type->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
  return record && record->isInStdNamespace() &&
         type.isDestructedType() == QualType::DK_cxx_destructor;
}

std::string destructorProblem(QualType type) {
  return "type '" + QualType(type->getBaseElementTypeUnsafe(), 0).getAsString() +
         "', whose destructor is not trivial (" +
         (ownsMemory(type) ? "instead of what owns memory or a lock, use arrays of constant size"
                           : "do what it does where the scope ends") +
         ")";
}

std::string bitFieldProblem(const clang::FieldDecl &field) {
  const clang::ASTContext &context = field.getASTContext();
  if (std::string reason = unsupportedReason(field.getType()); !reason.empty())
    return reason;
  const bool isWide = field.getBitWidthValue(context) > context.getTypeSize(context.IntTy);
  return isWide && !context.getLangOpts().CPlusPlus
             ? "bit-field wider than int in C, whose type compilers disagree about"
             : "";
}

bool isZeroOfFile(const clang::VarDecl &variable) {
  return !variable.getLangOpts().CPlusPlus && variable.hasGlobalStorage() &&
         !variable.isExternallyVisible() && !variable.getAnyInitializer() &&
         variable.hasDefinition() != clang::VarDecl::DeclarationOnly &&
         !variable.getType()->isIncompleteType() && attributeProblem(variable).empty();
}

bool hasCell(const clang::FieldDecl &field) {
  if (field.isBitField())
    return !field.isUnnamedBitField() && bitFieldProblem(field).empty();
  return !field.getType()->isReferenceType() && unsupportedReason(field.getType()).empty();
}

} // namespace colonnade::frontend
