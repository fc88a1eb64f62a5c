//===- Instrumentation.cpp - Calls at each access -------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Record/Instrumentation.h"

#include "Record/LibraryAccesses.h"
#include "Record/Log.h"

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/Path.h"

namespace colonnade::record {

using llvm::dyn_cast;

namespace {

class Instrumenter {
public:
  Instrumenter(llvm::Module &module, llvm::StringRef callersPath)
      : module_(module), callersPath_(callersPath), layout_(module.getDataLayout()) {
    llvm::LLVMContext &context = module.getContext();
    llvm::Type *word = llvm::Type::getInt32Ty(context), *wide = llvm::Type::getInt64Ty(context);
    access_ =
        module.getOrInsertFunction("colonnade_recorder_access", llvm::Type::getVoidTy(context),
                                   llvm::PointerType::getUnqual(context), wide, word, word, wide);
  }

  Instrumented run() {
    for (llvm::Function &function : module_)
      if (!function.isDeclaration() && !isCallers(function))
        instrument(function);
    return std::move(result_);
  }

private:
  bool isCallers(const llvm::Function &function) const {
    const llvm::DISubprogram *program = function.getSubprogram();
    return program && pathOf(program->getFilename(), program->getDirectory()) == callersPath_;
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
    for (llvm::Instruction *each : found)
      instrument(*each);
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
    if (!callee || !callee->isDeclaration())
      return;
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

  llvm::Value *bytesOf(llvm::Type *type) {
    return llvm::ConstantInt::get(llvm::Type::getInt64Ty(module_.getContext()),
                                  layout_.getTypeStoreSize(type).getFixedValue());
  }

  void call(llvm::Instruction &at, llvm::Value *pointer, llvm::Value *bytes, uint32_t flags) {
    llvm::IRBuilder<> builder(&at);
    bytes = builder.CreateZExtOrTrunc(bytes, builder.getInt64Ty());
    builder.CreateCall(access_, {pointer, bytes, builder.getInt32(siteOf(at)),
                                 builder.getInt32(flags), builder.getInt64(0)});
  }

  uint32_t siteOf(const llvm::Instruction &at) {
    Site site;
    if (const llvm::DILocation *loc = at.getDebugLoc())
      site = {pathOf(loc->getFilename(), loc->getDirectory()), loc->getLine(), loc->getColumn()};
    result_.sites.push_back(std::move(site));
    return static_cast<uint32_t>(result_.sites.size() - 1);
  }

  llvm::Module &module_;
  std::string callersPath_;
  const llvm::DataLayout &layout_;
  llvm::FunctionCallee access_;
  Instrumented result_;
};

} // namespace

Instrumented instrument(llvm::Module &module, llvm::StringRef callersPath) {
  return Instrumenter(module, callersPath).run();
}

} // namespace colonnade::record
