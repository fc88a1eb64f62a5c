//===- Instrumentation.cpp - Calls at each access -------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Record/Instrumentation.h"

#include "Record/Assumptions.h"
#include "Record/LibraryAccesses.h"
#include "Record/Log.h"
#include "Record/Names.h"

#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/Path.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

namespace colonnade::record {

using llvm::dyn_cast;

namespace {

class Instrumenter {
public:
  Instrumenter(llvm::Module &module, llvm::StringRef callersPath, Detail detail)
      : module_(module), callersPath_(callersPath), detail_(detail),
        layout_(module.getDataLayout()) {}

  Instrumented run() {
    dropAssumptions(module_);
    std::vector<llvm::Function *> functions;
    for (llvm::Function &function : module_)
      if (!function.isDeclaration() && !isCallers(function))
        functions.push_back(&function);
    if (detail_ == Detail::Named) {
      path_ = new llvm::GlobalVariable(module_, wide_, false, llvm::GlobalValue::InternalLinkage,
                                       llvm::ConstantInt::get(wide_, 0), "colonnade_path");
      registerGlobals();
    }
    for (llvm::Function *function : functions)
      instrument(*function);
    for (llvm::Function &function : module_)
      if (llvm::Function *original = calledBy(function))
        arguments(*original);
    return std::move(result_);
  }

private:
  bool isCallers(const llvm::Function &function) const {
    const llvm::DISubprogram *program = function.getSubprogram();
    return program && pathOf(program->getFilename(), program->getDirectory()) == callersPath_;
  }

  /// The original that a caller calls, between begin and end; null: it is no caller.
  llvm::Function *calledBy(llvm::Function &caller) const {
    bool hasBegun = false;
    if (!isCallers(caller))
      return nullptr;
    for (llvm::BasicBlock &block : caller)
      for (llvm::Instruction &each : block) {
        const auto *call = dyn_cast<llvm::CallBase>(&each);
        llvm::Function *callee = call ? call->getCalledFunction() : nullptr;
        hasBegun |= callee && callee->getName() == "colonnade_recorder_begin";
        if (hasBegun && callee && !callee->isDeclaration() && !isCallers(*callee))
          return callee;
      }
    return nullptr;
  }

  /// Where its parameters of class type lie.
  void arguments(llvm::Function &function) {
    llvm::SmallVector<llvm::DbgVariableRecord *> parameters;
    for (llvm::Instruction &each : function.getEntryBlock())
      for (llvm::DbgVariableRecord &record : llvm::filterDbgVars(each.getDbgRecordRange()))
        if (record.isDbgDeclare() && record.getVariable()->getArg() != 0)
          parameters.push_back(&record);
    for (llvm::DbgVariableRecord *record : parameters) {
      llvm::IRBuilder<> builder(const_cast<llvm::Instruction *>(record->getInstruction()));
      llvm::Value *memory = record->getVariableLocationOp(0);
      if (!memory->getType()->isPointerTy())
        continue;
      if (record->getExpression()->startsWithDeref()) // passed by the address of a copy
        memory = builder.CreateLoad(pointer_, memory);
      builder.CreateCall(recorder("argument", {word_, pointer_}),
                         {builder.getInt32(record->getVariable()->getArg() - 1), memory});
    }
  }

  static std::string pathOf(llvm::StringRef file, llvm::StringRef folder) {
    llvm::SmallString<256> path(file);
    if (llvm::sys::path::is_relative(path)) {
      path = folder;
      llvm::sys::path::append(path, file);
    }
    llvm::sys::path::remove_dots(path, /*remove_dot_dot=*/true);
    return std::string(path);
  }

  void instrument(llvm::Function &function) {
    std::vector<llvm::Instruction *> found;
    for (llvm::BasicBlock &block : function)
      for (llvm::Instruction &each : block)
        if (each.mayReadOrWriteMemory())
          found.push_back(&each);
    if (detail_ == Detail::Named) {
      names_.emplace(function, *path_);
      registerLocals(function);
      for (llvm::Loop *loop : names_->loops())
        iteration(*loop);
    }
    for (llvm::Instruction *each : found)
      instrument(*each);
  }

  /// A head is come to once more than its loop iterates.
  void iteration(llvm::Loop &loop) {
    llvm::Instruction &start = names_->startOf(loop);
    llvm::Value *outer = names_->around(loop, start);
    llvm::IRBuilder<> builder(&start);
    Site site;
    if (const llvm::DebugLoc loc = loop.getStartLoc())
      site = siteAt(*loc);
    builder.CreateCall(recorder("iteration", {wide_, word_, wide_}),
                       {names_->counterOf(loop, start), builder.getInt32(add(site)), outer});
  }

  bool isObject(llvm::Type *type) const { return type->isArrayTy() || type->isStructTy(); }

  uint64_t elementBytes(llvm::Type *type) const {
    while (type->isArrayTy())
      type = type->getArrayElementType();
    return layout_.getTypeAllocSize(type).getFixedValue();
  }

  /// Of an array as the source has it; 0: it is none. A table of which only the first elements are
  /// given is a struct to LLVM.
  static uint64_t elementBytes(const llvm::DIType *type) {
    while (const auto *derived = llvm::dyn_cast_or_null<llvm::DIDerivedType>(type))
      type = derived->getBaseType(); // const, a typedef
    const auto *array = llvm::dyn_cast_or_null<llvm::DICompositeType>(type);
    if (!array || array->getTag() != llvm::dwarf::DW_TAG_array_type)
      return 0;
    type = array->getBaseType();
    while (const auto *derived = llvm::dyn_cast_or_null<llvm::DIDerivedType>(type)) {
      if (derived->getSizeInBits())
        break;
      type = derived->getBaseType();
    }
    return type ? type->getSizeInBits() / 8 : 0;
  }

  llvm::Value *objectId(llvm::IRBuilder<> &builder, llvm::StringRef name, llvm::Type *type,
                        const llvm::DIType *source = nullptr) {
    const uint64_t bytes = elementBytes(source);
    result_.objects.push_back({name.str(), bytes ? bytes : elementBytes(type)});
    return builder.getInt32(static_cast<uint32_t>(result_.objects.size() - 1));
  }

  /// Before any constructor of the original.
  void registerGlobals() {
    llvm::LLVMContext &context = module_.getContext();
    auto *function = llvm::Function::Create(
        llvm::FunctionType::get(llvm::Type::getVoidTy(context), false),
        llvm::GlobalValue::InternalLinkage, "colonnade_recorder_globals", module_);
    llvm::IRBuilder<> builder(llvm::BasicBlock::Create(context, "", function));
    for (llvm::GlobalVariable &global : module_.globals()) {
      llvm::Type *type = global.getValueType();
      if (global.isDeclaration() || global.getName().starts_with("llvm.") ||
          global.getSection() == "llvm.metadata" || !isObject(type))
        continue;
      llvm::SmallVector<llvm::DIGlobalVariableExpression *> debug;
      global.getDebugInfo(debug);
      const llvm::DIGlobalVariable *variable =
          debug.empty() ? nullptr : debug.front()->getVariable();
      llvm::Value *id = objectId(builder, variable ? variable->getName() : "a constant", type,
                                 variable ? variable->getType() : nullptr);
      builder.CreateCall(recorder("global", {pointer_, wide_, word_}),
                         {&global, bytesOf(type), id});
    }
    builder.CreateRetVoid();
    llvm::appendToGlobalCtors(module_, function, 0);
  }

  void registerLocals(llvm::Function &function) {
    std::vector<llvm::AllocaInst *> slots;
    for (llvm::BasicBlock &block : function)
      for (llvm::Instruction &each : block)
        if (auto *slot = dyn_cast<llvm::AllocaInst>(&each))
          if (isObject(slot->getAllocatedType()) || slot->isArrayAllocation())
            slots.push_back(slot);
    if (slots.empty())
      return;
    llvm::IRBuilder<> builder(&*function.getEntryBlock().getFirstInsertionPt());
    builder.CreateCall(recorder("enter", {}));
    for (llvm::AllocaInst *slot : slots) {
      llvm::StringRef name = "a temporary";
      for (const llvm::DbgVariableRecord *record : llvm::findDVRDeclares(slot))
        name = record->getVariable()->getName();
      builder.SetInsertPoint(slot->getNextNode());
      llvm::Value *bytes = builder.CreateMul(builder.CreateZExtOrTrunc(slot->getArraySize(), wide_),
                                             bytesOf(slot->getAllocatedType()));
      builder.CreateCall(recorder("local", {pointer_, wide_, word_}),
                         {slot, bytes, objectId(builder, name, slot->getAllocatedType())});
    }
    for (llvm::BasicBlock &block : function)
      if (auto *end = dyn_cast<llvm::ReturnInst>(block.getTerminator())) {
        builder.SetInsertPoint(end);
        builder.CreateCall(recorder("leave", {}));
      }
  }

  void instrument(llvm::Instruction &each) {
    if (auto *load = dyn_cast<llvm::LoadInst>(&each))
      return plain(each, load->getPointerOperand(), load->getType(), 0);
    if (auto *store = dyn_cast<llvm::StoreInst>(&each))
      return plain(each, store->getPointerOperand(), store->getValueOperand()->getType(), IsStore);
    if (auto *update = dyn_cast<llvm::AtomicRMWInst>(&each))
      return atomic(each, update->getPointerOperand(), update->getType());
    if (auto *exchange = dyn_cast<llvm::AtomicCmpXchgInst>(&each))
      return atomic(each, exchange->getPointerOperand(), exchange->getNewValOperand()->getType());
    if (auto *copy = dyn_cast<llvm::MemTransferInst>(&each)) {
      call(each, copy->getRawSource(), copy->getLength(), 0);
      return call(each, copy->getRawDest(), copy->getLength(), IsStore | SameStep);
    }
    if (auto *fill = dyn_cast<llvm::MemSetInst>(&each))
      return call(each, fill->getRawDest(), fill->getLength(), IsStore);
    if (auto *other = dyn_cast<llvm::CallBase>(&each))
      libraryCall(*other);
  }

  /// A whole variable on the stack has one address, whatever the data.
  static bool isWholeVariable(const llvm::Value *pointer, const llvm::Type *type) {
    const auto *slot = dyn_cast<llvm::AllocaInst>(pointer);
    return slot && slot->getAllocatedType() == type && !slot->isArrayAllocation();
  }

  void plain(llvm::Instruction &at, llvm::Value *pointer, llvm::Type *type, uint32_t flags) {
    if (!isWholeVariable(pointer, type))
      call(at, pointer, bytesOf(type), flags);
  }

  void atomic(llvm::Instruction &at, llvm::Value *pointer, llvm::Type *type) {
    call(at, pointer, bytesOf(type), 0);
    call(at, pointer, bytesOf(type), IsStore | SameStep);
  }

  void libraryCall(llvm::CallBase &at) {
    const llvm::Function *callee = at.getCalledFunction();
    if (at.isInlineAsm())
      return assembly(at);
    if (!callee || !callee->isDeclaration()) {
      if (names_)
        names_->enterCall(at, *at.getParent(), siteOf(at));
      return;
    }
    uint32_t sameStep = 0;
    for (const LibraryAccess &access : libraryAccesses(callee->getName(), at.arg_size())) {
      llvm::IRBuilder<> builder(&at);
      llvm::Value *bytes = access.countArgument ? at.getArgOperand(*access.countArgument)
                                                : builder.getInt64(access.bytes);
      const uint32_t direction = access.isStore ? uint32_t(IsStore) : 0;
      call(at, at.getArgOperand(access.pointerArgument), bytes, direction | sameStep);
      sameStep = SameStep;
    }
  }

  /// What is passed by address may be read, then written.
  void assembly(llvm::CallBase &at) {
    using llvm::InlineAsm;
    std::vector<unsigned> reads, writes;
    unsigned argument = 0;
    for (const InlineAsm::ConstraintInfo &each :
         llvm::cast<InlineAsm>(at.getCalledOperand())->ParseConstraints()) {
      if (each.isIndirect)
        (each.Type == InlineAsm::isOutput ? writes : reads).push_back(argument);
      argument += each.Type == InlineAsm::isInput || each.isIndirect;
    }
    for (unsigned read : reads)
      plain(at, at.getArgOperand(read), at.getParamElementType(read), 0);
    for (unsigned write : writes)
      plain(at, at.getArgOperand(write), at.getParamElementType(write), IsStore);
  }

  llvm::Value *bytesOf(llvm::Type *type) {
    return llvm::ConstantInt::get(wide_, layout_.getTypeStoreSize(type).getFixedValue());
  }

  void call(llvm::Instruction &at, llvm::Value *pointer, llvm::Value *bytes, uint32_t flags) {
    llvm::IRBuilder<> builder(&at);
    bytes = builder.CreateZExtOrTrunc(bytes, builder.getInt64Ty());
    llvm::Value *name = names_ ? names_->at(at, *at.getParent()) : builder.getInt64(0);
    builder.CreateCall(
        recorder("access", {pointer_, wide_, word_, word_, wide_}),
        {pointer, bytes, builder.getInt32(siteOf(at)), builder.getInt32(flags), name});
  }

  llvm::FunctionCallee recorder(const std::string &what, llvm::ArrayRef<llvm::Type *> types) {
    return module_.getOrInsertFunction(
        "colonnade_recorder_" + what,
        llvm::FunctionType::get(llvm::Type::getVoidTy(module_.getContext()), types, false));
  }

  static Site siteAt(const llvm::DILocation &loc) {
    return {pathOf(loc.getFilename(), loc.getDirectory()), loc.getLine(), loc.getColumn()};
  }

  uint32_t siteOf(const llvm::Instruction &at) {
    const llvm::DILocation *loc = at.getDebugLoc();
    return add(loc ? siteAt(*loc) : Site());
  }

  uint32_t add(Site site) {
    result_.sites.push_back(std::move(site));
    return static_cast<uint32_t>(result_.sites.size() - 1);
  }

  llvm::Module &module_;
  std::string callersPath_;
  const Detail detail_;
  const llvm::DataLayout &layout_;
  llvm::Type *const word_ = llvm::Type::getInt32Ty(module_.getContext());
  llvm::Type *const wide_ = llvm::Type::getInt64Ty(module_.getContext());
  llvm::Type *const pointer_ = llvm::PointerType::getUnqual(module_.getContext());
  llvm::GlobalVariable *path_ = nullptr; // Named
  std::optional<Names> names_;           // Named: of the function that is instrumented
  Instrumented result_;
};

} // namespace

Instrumented instrument(llvm::Module &module, llvm::StringRef callersPath, Detail detail) {
  return Instrumenter(module, callersPath, detail).run();
}

} // namespace colonnade::record
