//===- AccessesOfCode.cpp - Calls and accesses in Clang's code ------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What counts, and what is Clang's own doing: slots of its own on the stack, the way in
// which structs travel in registers, what only an exception comes to, and marks for later
// passes. The reads and writes of the source's own variables count.
//
//===----------------------------------------------------------------------===//

#include "Reference/Emission.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/Path.h"

namespace colonnade::reference {

using llvm::dyn_cast;

static Place placeOf(const llvm::Instruction &instruction) {
  const llvm::DILocation *at = instruction.getDebugLoc();
  if (!at)
    return {};
  return {llvm::sys::path::filename(at->getFilename()).str(), at->getLine(), at->getColumn()};
}

/// A slot for a variable of the source. Those of references hold addresses, which have no
/// memory in the language; `this` is one of them, and the struct that `auto &[x, y]` names.
static bool isVariable(const llvm::AllocaInst &slot) {
  for (const llvm::DbgVariableRecord *record :
       llvm::findDVRDeclares(const_cast<llvm::AllocaInst *>(&slot))) {
    const llvm::DIType *type = record->getVariable()->getType();
    if (!record->getVariable()->isArtificial() && type &&
        !record->getExpression()->startsWithDeref() &&
        type->getTag() != llvm::dwarf::DW_TAG_reference_type &&
        type->getTag() != llvm::dwarf::DW_TAG_rvalue_reference_type)
      return true;
  }
  return false;
}

/// A scalar slot that the source does not name, accessed as it is.
static bool isOwnSlot(const llvm::Value &pointer, const llvm::Type &type) {
  const auto *slot = dyn_cast<llvm::AllocaInst>(&pointer);
  return slot && slot->getAllocatedType() == &type && !isVariable(*slot);
}

bool Emission::passesRecord(const llvm::CallBase &call) {
  const auto *callee = llvm::dyn_cast_or_null<clang::FunctionDecl>(calledBy(call));
  return callee && llvm::any_of(callee->parameters(), [](const clang::ParmVarDecl *parameter) {
           return parameter->getType()->isRecordType();
         });
}

bool Emission::returnsRecord(const llvm::CallBase &call) {
  const auto *callee = llvm::dyn_cast_or_null<clang::FunctionDecl>(calledBy(call));
  return callee && callee->getReturnType()->isRecordType();
}

static bool isOnStack(const llvm::Value &pointer) {
  return llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(&pointer));
}

/// A part of a struct goes into the register in which it is passed or returned.
bool Emission::isPassing(const llvm::LoadInst &load) {
  return isOnStack(*load.getPointerOperand()) &&
         llvm::all_of(load.users(), [&](const llvm::User *user) {
           const auto *call = dyn_cast<llvm::CallBase>(user);
           return llvm::isa<llvm::ReturnInst>(user) || (call && passesRecord(*call));
         });
}

/// The same at the other end.
bool Emission::isPassing(const llvm::StoreInst &store) {
  const llvm::Value *value = store.getValueOperand();
  if (const auto *part = dyn_cast<llvm::ExtractValueInst>(value))
    value = part->getAggregateOperand();
  const auto *call = dyn_cast<llvm::CallBase>(value);
  return isOnStack(*store.getPointerOperand()) && call && returnsRecord(*call);
}

/// A closure or a struct without fields.
static bool hasNoFields(const llvm::AllocaInst &slot) {
  for (const llvm::DbgVariableRecord *record :
       llvm::findDVRDeclares(const_cast<llvm::AllocaInst *>(&slot)))
    if (const auto *type =
            llvm::dyn_cast_or_null<llvm::DICompositeType>(record->getVariable()->getType()))
      return type->getTag() != llvm::dwarf::DW_TAG_array_type &&
             llvm::none_of(type->getElements(), [](const llvm::DINode *element) {
               return element->getTag() == llvm::dwarf::DW_TAG_member ||
                      element->getTag() == llvm::dwarf::DW_TAG_inheritance;
             });
  return false;
}

/// The same by way of memory, which then has a type that no source has.
static bool passesByMemory(const llvm::MemTransferInst &copy) {
  return llvm::any_of(std::array{copy.getSource(), copy.getDest()}, [](const llvm::Value *end) {
    const auto *slot = dyn_cast<llvm::AllocaInst>(end);
    const auto *type = slot ? dyn_cast<llvm::StructType>(slot->getAllocatedType()) : nullptr;
    return (type && type->isLiteral()) || (slot && hasNoFields(*slot));
  });
}

/// The other bits of the bytes in which a bit-field lies, which its store puts back: they are
/// masked, joined with the new bits, and go where they came from.
static bool keepsNeighbours(const llvm::LoadInst &load) {
  const auto onlyUser = [](const llvm::Value &value, unsigned opcode) {
    const auto *user =
        value.hasOneUse() ? dyn_cast<llvm::Instruction>(*value.user_begin()) : nullptr;
    return user && user->getOpcode() == opcode ? user : nullptr;
  };
  const llvm::Instruction *masked = onlyUser(load, llvm::Instruction::And);
  const llvm::Instruction *joined = masked ? onlyUser(*masked, llvm::Instruction::Or) : nullptr;
  const llvm::Instruction *put = joined ? onlyUser(*joined, llvm::Instruction::Store) : nullptr;
  return put && llvm::cast<llvm::StoreInst>(put)->getPointerOperand() == load.getPointerOperand();
}

static bool isZero(const llvm::Value &value) {
  const auto *constant = dyn_cast<llvm::Constant>(&value);
  return constant && constant->isNullValue();
}

/// An instruction of floating-point arithmetic, as it is written under FENV_ACCESS.
static bool isStrictArithmetic(const llvm::IntrinsicInst &intrinsic) {
  switch (intrinsic.getIntrinsicID()) {
#define INSTRUCTION(NAME, NARG, ROUND_MODE, INTRINSIC) case llvm::Intrinsic::INTRINSIC:
#define FUNCTION(NAME, NARG, ROUND_MODE, INTRINSIC)
#include "llvm/IR/ConstrainedOps.def"
    return true;
  default:
    return false;
  }
}

/// Not an evaluation of the source.
bool Emission::isClangsOwn(const llvm::Instruction &instruction) {
  if (const auto *load = dyn_cast<llvm::LoadInst>(&instruction))
    return isOwnSlot(*load->getPointerOperand(), *load->getType()) || isPassing(*load) ||
           keepsNeighbours(*load);
  if (const auto *store = dyn_cast<llvm::StoreInst>(&instruction))
    return isOwnSlot(*store->getPointerOperand(), *store->getValueOperand()->getType()) ||
           isPassing(*store);
  if (const auto *copy = dyn_cast<llvm::MemTransferInst>(&instruction))
    return passesByMemory(*copy);
  const auto *call = dyn_cast<llvm::CallBase>(&instruction);
  const auto *assembly = call ? dyn_cast<llvm::InlineAsm>(call->getCalledOperand()) : nullptr;
  if (assembly) // its operands are accesses of their own
    return assembly->getAsmString().empty();
  const auto *intrinsic = dyn_cast<llvm::IntrinsicInst>(&instruction);
  return intrinsic && (intrinsic->isAssumeLikeIntrinsic() || isStrictArithmetic(*intrinsic) ||
                       intrinsic->getIntrinsicID() == llvm::Intrinsic::stacksave ||
                       intrinsic->getIntrinsicID() == llvm::Intrinsic::stackrestore);
}

/// The blocks that are reached without an exception.
static llvm::SmallVector<const llvm::BasicBlock *> ordinaryBlocks(const llvm::Function &code) {
  llvm::SmallVector<const llvm::BasicBlock *> open = {&code.getEntryBlock()}, found;
  llvm::DenseSet<const llvm::BasicBlock *> seen = {&code.getEntryBlock()};
  while (!open.empty()) {
    const llvm::BasicBlock *block = open.pop_back_val();
    found.push_back(block);
    for (const llvm::BasicBlock *next : llvm::successors(block))
      if (!next->isLandingPad() && seen.insert(next).second)
        open.push_back(next);
  }
  return found;
}

std::vector<Access> Emission::accessesOf(const llvm::Function &code) {
  std::vector<Access> accesses;
  auto bytes = [&](llvm::Type *type) {
    return unsigned(code.getDataLayout().getTypeStoreSize(type));
  };
  unsigned block = 0;
  auto visit = [&](const llvm::Instruction &each) {
    Access access;
    access.block = block;
    access.place = placeOf(each);
    if (access.place.line == 0 || isClangsOwn(each)) // no line: arguments go into their slots
      return;
    if (const auto *load = dyn_cast<llvm::LoadInst>(&each)) {
      access.kind = AccessKind::Load;
      access.bytes = bytes(load->getType());
    } else if (const auto *store = dyn_cast<llvm::StoreInst>(&each)) {
      access.kind = AccessKind::Store;
      access.bytes = bytes(store->getValueOperand()->getType());
      access.isZero = isZero(*store->getValueOperand());
    } else if (llvm::isa<llvm::MemTransferInst>(each)) {
      access.kind = AccessKind::Copy;
    } else if (const auto *fill = dyn_cast<llvm::MemSetInst>(&each)) {
      access.kind = AccessKind::Fill;
      access.isZero = isZero(*fill->getValue());
    } else if (const auto *call = dyn_cast<llvm::CallBase>(&each)) {
      access.callee = calledBy(*call);
    } else {
      return;
    }
    llvm::raw_string_ostream(access.text) << each;
    accesses.push_back(std::move(access));
  };
  for (const llvm::BasicBlock *each : ordinaryBlocks(code)) {
    llvm::for_each(*each, visit);
    ++block;
  }
  return accesses;
}

} // namespace colonnade::reference
