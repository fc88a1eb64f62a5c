//===- TypeLowering.cpp - Clang types to memory types ---------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontend/TypeLowering.h"

#include "Frontend/SizeExprLowering.h"

namespace colonnade::frontend {

using clang::QualType;
using ir::MemType;
using ir::ScalarType;

std::optional<StdArray> asStdArray(QualType type) {
  const auto *record = type.getCanonicalType()->getAsCXXRecordDecl();
  const auto *instance = llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(record);
  if (!instance || !instance->isInStdNamespace() || instance->getName() != "array")
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

static std::optional<ScalarType> integerOfWidth(unsigned width, bool isSigned) {
  switch (width) {
  case 8:
    return isSigned ? ScalarType::S8 : ScalarType::U8;
  case 16:
    return isSigned ? ScalarType::S16 : ScalarType::U16;
  case 32:
    return isSigned ? ScalarType::S32 : ScalarType::U32;
  case 64:
    return isSigned ? ScalarType::S64 : ScalarType::U64;
  default:
    return std::nullopt;
  }
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
    const auto *bits = canonical->castAs<clang::BitIntType>();
    return integerOfWidth(bits->getNumBits(), bits->isSigned());
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

std::string unsupportedReason(QualType type) {
  QualType canonical = type.getCanonicalType();
  if (scalarType(canonical) || canonical->isVoidType())
    return "";
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
    return "function pointer";
  const auto *record = canonical->getAsRecordDecl();
  if (!record)
    return "type '" + type.getAsString() + "'";
  if (record->isUnion())
    return "union '" + type.getAsString() + "'";
  if (!record->getDefinition())
    return "incomplete type '" + type.getAsString() + "'";
  const auto *cxx = llvm::dyn_cast<clang::CXXRecordDecl>(record->getDefinition());
  if (cxx && cxx->isPolymorphic())
    return "class with virtual functions '" + type.getAsString() + "'";
  if (cxx && cxx->getNumVBases() > 0)
    return "class with virtual bases '" + type.getAsString() + "'";
  if (record->isInStdNamespace() && record->getName().starts_with("atomic"))
    return "atomic type '" + type.getAsString() + "'";
  return "";
}

unsigned baseIndex(const clang::CXXRecordDecl &derived, const clang::CXXRecordDecl &base) {
  unsigned index = 0;
  for (const auto &specifier : derived.bases()) {
    const clang::CXXRecordDecl *record = specifier.getType()->getAsCXXRecordDecl();
    if (record && record->getCanonicalDecl() == base.getCanonicalDecl())
      break;
    ++index;
  }
  return index;
}

unsigned fieldIndex(const clang::FieldDecl &field) {
  const auto *cxx = llvm::dyn_cast<clang::CXXRecordDecl>(field.getParent());
  return field.getFieldIndex() + (cxx ? cxx->getNumBases() : 0);
}

std::string fieldName(const clang::FieldDecl &field) {
  if (!field.getName().empty())
    return field.getName().str();
  if (const auto *cxx = llvm::dyn_cast<clang::CXXRecordDecl>(field.getParent());
      cxx && cxx->isLambda()) {
    llvm::DenseMap<const clang::ValueDecl *, clang::FieldDecl *> captures;
    clang::FieldDecl *self = nullptr;
    cxx->getCaptureFields(captures, self);
    for (const auto &[variable, captured] : captures)
      if (captured == &field)
        return variable->getName().str();
    if (self == &field)
      return "this";
  }
  return "anon" + std::to_string(field.getFieldIndex());
}

MemTypeId TypeLowering::add(MemType type) {
  module_.memTypes.push_back(std::move(type));
  return MemTypeId(module_.memTypes.size() - 1);
}

MemTypeId TypeLowering::intern(const std::string &key, MemType type) {
  auto it = interned_.find(key);
  if (it == interned_.end())
    it = interned_.emplace(key, add(std::move(type))).first;
  return it->second;
}

MemTypeId TypeLowering::scalar(ScalarType type) {
  MemType mem;
  mem.scalar = type;
  return intern(ir::name(type), std::move(mem));
}

MemTypeId TypeLowering::array(MemTypeId element, SizeExpr count) {
  MemType mem;
  mem.kind = MemType::Kind::Array;
  mem.element = element;
  mem.count = count;
  return intern("[" + count.str() + "]" + std::to_string(element.index), std::move(mem));
}

MemTypeId TypeLowering::placeholder(const std::string &reason) {
  MemType mem;
  mem.kind = MemType::Kind::Struct;
  mem.name = "<" + reason + ">";
  std::string key = mem.name;
  return intern(key, std::move(mem));
}

MemTypeId TypeLowering::lower(QualType type) {
  QualType canonical = type.getCanonicalType().getUnqualifiedType();
  void *key = canonical.getAsOpaquePtr();
  if (auto it = cache_.find(key); it != cache_.end())
    return it->second;
  MemTypeId id = lowerUncached(canonical);
  cache_[key] = id;
  return id;
}

MemTypeId TypeLowering::lowerUncached(QualType type) {
  // Arrays first: one of elements outside the subset is an array all the same.
  if (std::optional<StdArray> stdArray = asStdArray(type))
    return array(lower(stdArray->element), SizeExpr::constant(stdArray->count));
  if (const auto *arrayType = type->getAsArrayTypeUnsafe())
    return array(lower(arrayType->getElementType()), countOf(*arrayType));
  if (std::string reason = unsupportedReason(type); !reason.empty())
    return placeholder(reason);
  if (std::optional<ScalarType> scalarKind = scalarType(type)) {
    if (*scalarKind != ScalarType::Pointer)
      return scalar(*scalarKind);
    QualType pointee = type->getPointeeType();
    if (pointee.isNull() || pointee->isVoidType())
      return scalar(ScalarType::Pointer);
    MemType mem;
    mem.scalar = ScalarType::Pointer;
    mem.element = lower(pointee);
    std::string key = "*" + std::to_string(mem.element.index);
    return intern(key, std::move(mem));
  }
  if (type->isVoidType())
    return placeholder("void");
  return lowerRecord(type);
}

/// Same-named records of different files are one type if their fields agree.
static std::string recordKey(QualType type, const clang::RecordDecl &record) {
  std::string key = "struct " + type.getAsString();
  for (const auto *field : record.fields())
    key += ";" + field->getType().getCanonicalType().getAsString() + " " + field->getName().str();
  if (record.getParentFunctionOrMethod() || record.getName().empty()) // local: never shared
    key += "@" + std::to_string(reinterpret_cast<uintptr_t>(&record));
  return key;
}

MemTypeId TypeLowering::lowerRecord(QualType type) {
  const clang::RecordDecl &record = *type->getAsRecordDecl()->getDefinition();
  std::string key = recordKey(type, record);
  if (auto it = interned_.find(key); it != interned_.end())
    return it->second;
  // Reserve the id first: a field may point back to this type.
  MemTypeId id = add({});
  interned_[key] = id;
  cache_[type.getAsOpaquePtr()] = id;
  MemType mem;
  mem.kind = MemType::Kind::Struct;
  mem.name = record.getNameAsString();
  if (const auto *cxx = llvm::dyn_cast<clang::CXXRecordDecl>(&record))
    for (const auto &base : cxx->bases())
      mem.fields.push_back(
          {base.getType()->getAsCXXRecordDecl()->getNameAsString(), lower(base.getType())});
  for (const auto *field : record.fields()) {
    MemTypeId fieldType = field->isBitField() ? placeholder("bit-field") : lower(field->getType());
    mem.fields.push_back({fieldName(*field), fieldType});
  }
  module_.memTypes[id.index] = std::move(mem);
  return id;
}

} // namespace colonnade::frontend
