//===- TypeLowering.cpp - Clang types to memory types ---------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontend/Types/TypeLowering.h"

#include "Frontend/Types/SizeExprLowering.h"

#include <set>

namespace colonnade::frontend {

using clang::QualType;
using ir::MemType;
using ir::ScalarType;

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

MemTypeId TypeLowering::bitField(QualType type) {
  MemTypeId cell = lower(type), nothing = placeholder(std::string(ir::NoValue));
  MemType mem;
  mem.kind = MemType::Kind::Struct;
  mem.name = std::string(ir::BitFieldPrefix) + ir::name(module_.memTypes[cell.index].scalar) + ">";
  mem.fields = {{"", nothing}, {"", cell}};
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
  if (std::optional<StdArray> stdArray = asStdArray(type)) {
    MemTypeId element = lower(stdArray->element);
    return array(element, SizeExpr::constant(stdArray->count));
  }
  if (const auto *arrayType = type->getAsArrayTypeUnsafe())
    return array(lower(arrayType->getElementType()), countOf(*arrayType));
  if (std::string reason = unsupportedReason(type); !reason.empty())
    return placeholder(reason);
  if (std::optional<QualType> cell = cellOfUnion(type))
    return lower(*cell);
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

static std::string recordKey(QualType type);

/// Where a part of a record lies, and what it is.
static std::string partKey(uint64_t bit, QualType type) {
  QualType element = type;
  while (const auto *array = element->getAsArrayTypeUnsafe())
    element = array->getElementType();
  std::string key = ";" + std::to_string(bit) + " " + type.getCanonicalType().getAsString() + " ";
  return element->isRecordType() ? key + "{" + recordKey(element) + "}" : key;
}

/// Same-named records of different files are one type if their layouts agree.
static std::string recordKey(QualType type) {
  const clang::RecordDecl &record = *type->getAsRecordDecl()->getDefinition();
  const clang::ASTContext &context = record.getASTContext();
  const clang::ASTRecordLayout &layout = context.getASTRecordLayout(&record);
  std::string key = "struct " + type.getCanonicalType().getAsString() + " " +
                    std::to_string(layout.getSize().getQuantity());
  if (const auto *cxx = llvm::dyn_cast<clang::CXXRecordDecl>(&record))
    for (const auto &base : cxx->bases())
      if (!base.isVirtual())
        key +=
            partKey(context.toBits(layout.getBaseClassOffset(base.getType()->getAsCXXRecordDecl())),
                    base.getType());
  for (const auto *field : record.fields()) {
    key += partKey(layout.getFieldOffset(field->getFieldIndex()), field->getType());
    key += field->getName().str();
    if (field->isBitField())
      key += ":" + std::to_string(field->getBitWidthValue(context));
  }
  const bool isOfOneFile = context.getLangOpts().CPlusPlus && !record.isExternallyVisible();
  if (isOfOneFile || record.getParentFunctionOrMethod() || record.getName().empty())
    key += "@" + std::to_string(reinterpret_cast<uintptr_t>(&record));
  return key;
}

static std::string withoutCell(const clang::FieldDecl &bitField) {
  return bitField.isUnnamedBitField() ? std::string(ir::NoValue) : "a " + bitFieldProblem(bitField);
}

namespace {
/// Names of a record's parts, no two of them the same: two bases may have one name (Part<0>,
/// Part<1>), and a field that of a base. Fields keep what the source calls them.
class PartNames {
public:
  explicit PartNames(const clang::RecordDecl &record) {
    for (const clang::FieldDecl *field : record.fields())
      if (!field->getName().empty())
        used_.insert(field->getName().str());
  }
  std::string of(const clang::FieldDecl &field) {
    return field.getName().empty() ? unused(fieldName(field)) : fieldName(field);
  }
  std::string ofBase(const clang::CXXRecordDecl &base) { return unused(base.getNameAsString()); }

private:
  std::string unused(std::string name) {
    while (!used_.insert(name).second)
      name += "_";
    return name;
  }
  std::set<std::string> used_;
};
} // namespace

std::string TypeLowering::layouts() const {
  std::string text;
  for (const auto &[key, id] : interned_)
    text += llvm::StringRef(key).split('@').first.str() + "\n";
  return text;
}

/// A field or base; one of size 0 has nothing that a copy could move.
MemTypeId TypeLowering::lowerPart(QualType type) {
  return hasNoSize(type) ? placeholder(std::string(ir::NoValue)) : lower(type);
}

MemTypeId TypeLowering::lowerRecord(QualType type) {
  const clang::RecordDecl &record = *type->getAsRecordDecl()->getDefinition();
  std::string key = recordKey(type);
  if (auto it = interned_.find(key); it != interned_.end())
    return it->second;
  // Reserve the id first: a field may point back to this type.
  MemTypeId id = add({});
  interned_[key] = id;
  cache_[type.getAsOpaquePtr()] = id;
  MemType mem;
  mem.kind = MemType::Kind::Struct;
  mem.name = record.getNameAsString();
  const clang::ASTRecordLayout &layout = record.getASTContext().getASTRecordLayout(&record);
  mem.sizeBytes = layout.getSize().getQuantity();
  PartNames names(record);
  if (const auto *cxx = llvm::dyn_cast<clang::CXXRecordDecl>(&record))
    for (const auto &base : cxx->bases()) {
      const clang::CXXRecordDecl *type = base.getType()->getAsCXXRecordDecl();
      mem.fields.push_back({names.ofBase(*type), lowerPart(base.getType()),
                            uint64_t(layout.getBaseClassOffset(type).getQuantity())});
    }
  for (const auto *field : record.fields()) {
    MemTypeId fieldType = !field->isBitField() ? lowerPart(field->getType())
                          : hasCell(*field)    ? bitField(field->getType())
                                               : placeholder(withoutCell(*field));
    mem.fields.push_back(
        {names.of(*field), fieldType, layout.getFieldOffset(field->getFieldIndex()) / 8});
  }
  module_.memTypes[id.index] = std::move(mem);
  return id;
}

} // namespace colonnade::frontend
