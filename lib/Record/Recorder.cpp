//===- Recorder.cpp - Runs the original and lists its accesses ------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Record/Recorder.h"

#include "Record/AddressMap.h"
#include "Record/ArrayMemory.h"
#include "Record/Jit.h"

#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/LLVMContext.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace colonnade::record {

constexpr uint32_t MaxAccesses = 1u << 22, MaxCells = 1u << 22;

class Recorder::Impl {
public:
  Impl(Instrumented instrumented, CompiledCallers compiled,
       std::vector<std::vector<ir::ScalarType>> cellTypes)
      : instrumented_(std::move(instrumented)), compiled_(std::move(compiled)),
        cellTypes_(std::move(cellTypes)), log_(MaxAccesses, MaxCells) {}

  llvm::Expected<Recording> run(size_t function, const RunInput &input, const Limits &limits) {
    ArrayMemory memory(input.cells, cellTypes_[function]);
    if (!memory.isMapped() || !log_.isMapped())
      return llvm::createStringError("not enough memory to record a run");
    log_.clear();
    const std::vector<void *> pointers = memory.pointers();
    auto work = [&] {
      openLog(log_, memory.ranges());
      compiled_.construct();
      compiled_.callers[function](pointers.data(), input.scalars.data());
    };
    llvm::Expected<ChildEnd> ended = runInChild(work, limits);
    if (!ended)
      return ended.takeError();
    Recording recording;
    recording.end = endOf(*ended);
    recording.signal = ended->signal;
    recording.steps = steps(memory, cellTypes_[function]);
    if (recording.end == RunEnd::Returned)
      recording.after = memory.cells();
    return recording;
  }

  const Instrumented &instrumented() const { return instrumented_; }

private:
  RunEnd endOf(const ChildEnd &ended) const {
    if (ended.isTooSlow)
      return RunEnd::TooSlow;
    if (log_.header->state == RunState::TooLong)
      return RunEnd::TooLong;
    if (ended.signal != 0)
      return RunEnd::Crashed;
    return log_.header->state == RunState::Returned ? RunEnd::Returned : RunEnd::Left;
  }

  std::vector<RecordedStep> steps(const ArrayMemory &memory,
                                  const std::vector<ir::ScalarType> &cellTypes) const {
    const LogHeader &header = *log_.header;
    AddressMap map(memory.ranges(), cellTypes, {log_.cells, header.numCells});
    std::vector<RecordedStep> steps;
    uint32_t last = 0; // no access has it
    for (const LoggedAccess &access :
         llvm::ArrayRef<LoggedAccess>(log_.accesses, header.numAccesses)) {
      if (access.step != last)
        steps.push_back({access.site, access.name, {}, {}, 0});
      last = access.step;
      RecordedStep &step = steps.back();
      if (access.object == IterationOfLoop)
        step.iteration = access.address;
      else if (access.object != NoObject)
        step.objects.push_back({access.object, access.isStore != 0, access.address, access.bytes});
      else
        map.find({access.address, access.address + access.bytes}, access.isStore, step.cells);
    }
    return steps;
  }

  Instrumented instrumented_;
  CompiledCallers compiled_;
  std::vector<std::vector<ir::ScalarType>> cellTypes_;
  Log log_;
};

/// Clang has left much memory free; each child would be given a map of it.
static void returnFreeMemory() {
#ifdef __GLIBC__
  ::malloc_trim(0);
#endif
}

Recorder::Recorder(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Recorder::Recorder(Recorder &&) noexcept = default;
Recorder::~Recorder() = default;

llvm::Expected<Recorder> Recorder::create(const FrontendOptions &options,
                                          const OriginalCallers &callers,
                                          std::vector<std::vector<ir::ScalarType>> cellTypes,
                                          Detail detail) {
  auto context = std::make_unique<llvm::LLVMContext>();
  auto module = originalCode(options, callers, *context);
  if (!module)
    return module.takeError();
  Instrumented instrumented = instrument(**module, callersPath(callers), detail);
  llvm::StripDebugInfo(**module); // the sites are known
  auto compiled = compile(std::move(*module), std::move(context), callers.names);
  if (!compiled)
    return compiled.takeError();
  returnFreeMemory();
  return Recorder(
      std::make_unique<Impl>(std::move(instrumented), std::move(*compiled), std::move(cellTypes)));
}

llvm::Expected<Recording> Recorder::run(size_t function, const RunInput &input,
                                        const Limits &limits) {
  return impl_->run(function, input, limits);
}

const Site &Recorder::site(uint32_t index) const { return impl_->instrumented().sites[index]; }
const ObjectInfo &Recorder::object(uint32_t id) const { return impl_->instrumented().objects[id]; }

} // namespace colonnade::record
