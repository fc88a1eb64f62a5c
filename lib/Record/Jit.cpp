//===- Jit.cpp - LLVM code to functions of this process -------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Record/Jit.h"

#include "Record/Log.h"

#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Support/TargetSelect.h"

namespace colonnade::record {
namespace {

constexpr const char *ConstructName = "colonnade_recorder_construct";

struct Constructor {
  uint64_t priority;
  llvm::Function *function;
};

/// In the order in which they run.
std::vector<Constructor> takeConstructors(llvm::Module &module) {
  std::vector<Constructor> constructors;
  llvm::GlobalVariable *list = module.getGlobalVariable("llvm.global_ctors");
  if (!list)
    return constructors;
  if (const auto *entries = llvm::dyn_cast<llvm::ConstantArray>(list->getInitializer()))
    for (const llvm::Use &entry : entries->operands()) {
      const auto *fields = llvm::cast<llvm::ConstantStruct>(entry);
      auto *function = llvm::dyn_cast<llvm::Function>(fields->getOperand(1)->stripPointerCasts());
      if (function)
        constructors.push_back(
            {llvm::cast<llvm::ConstantInt>(fields->getOperand(0))->getZExtValue(), function});
    }
  list->eraseFromParent();
  llvm::stable_sort(constructors, [](const Constructor &a, const Constructor &b) {
    return a.priority < b.priority;
  });
  return constructors;
}

/// One function that calls them all; a JIT would run them where it compiles.
void addConstruct(llvm::Module &module) {
  llvm::LLVMContext &context = module.getContext();
  auto *type = llvm::FunctionType::get(llvm::Type::getVoidTy(context), false);
  auto *construct =
      llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage, ConstructName, module);
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(context, "", construct));
  for (const Constructor &each : takeConstructors(module))
    builder.CreateCall(type, each.function);
  builder.CreateRetVoid();
}

llvm::orc::SymbolMap recorderSymbols(llvm::orc::LLJIT &jit) {
  llvm::orc::SymbolMap symbols;
  auto add = [&](llvm::StringRef name, void *address) {
    symbols[jit.mangleAndIntern(name)] = {llvm::orc::ExecutorAddr::fromPtr(address),
                                          llvm::JITSymbolFlags::Exported};
  };
  for (const Callback &callback : callbacks())
    add(callback.name, callback.address);
  static int handle; // of what would be a shared library, for destructors
  add("__dso_handle", &handle);
  return symbols;
}

llvm::Expected<std::unique_ptr<llvm::orc::LLJIT>> createJit(const llvm::Module &module) {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  auto machine = llvm::orc::JITTargetMachineBuilder::detectHost();
  if (!machine)
    return machine.takeError();
  if (llvm::Triple(module.getTargetTriple()).getArch() != machine->getTargetTriple().getArch())
    return llvm::createStringError("the code is for " + module.getTargetTriple() +
                                   ", not for this machine");
  machine->setCodeGenOptLevel(llvm::CodeGenOptLevel::None);
  return llvm::orc::LLJITBuilder()
      .setJITTargetMachineBuilder(std::move(*machine))
      .setPlatformSetUp(llvm::orc::setUpInactivePlatform)
      .create();
}

template <class Function>
llvm::Error look(llvm::orc::LLJIT &jit, llvm::StringRef name, Function *&into) {
  auto address = jit.lookup(name);
  if (!address)
    return address.takeError();
  into = address->toPtr<Function *>();
  return llvm::Error::success();
}

} // namespace

llvm::Expected<CompiledCallers> compile(std::unique_ptr<llvm::Module> module,
                                        std::unique_ptr<llvm::LLVMContext> context,
                                        const std::vector<std::string> &names) {
  auto jit = createJit(*module);
  if (!jit)
    return jit.takeError();
  addConstruct(*module);
  // What fails is returned, and not printed besides.
  (*jit)->getExecutionSession().setErrorReporter(
      [](llvm::Error error) { llvm::consumeError(std::move(error)); });
  if (llvm::Error error =
          (*jit)->getMainJITDylib().define(llvm::orc::absoluteSymbols(recorderSymbols(**jit))))
    return error;
  if (llvm::Error error =
          (*jit)->addIRModule(llvm::orc::ThreadSafeModule(std::move(module), std::move(context))))
    return error;
  CompiledCallers compiled;
  if (llvm::Error error = look(**jit, ConstructName, compiled.construct))
    return error;
  for (const std::string &name : names)
    if (llvm::Error error = look(**jit, name, compiled.callers.emplace_back()))
      return error;
  compiled.jit = std::move(*jit);
  return compiled;
}

} // namespace colonnade::record
