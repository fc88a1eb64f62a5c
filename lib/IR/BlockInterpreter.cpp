//===- BlockInterpreter.cpp - Kernels of threads, block by block ----------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/BlockInterpreter.h"

#include "IR/CommonCells.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

#include <deque>
#include <map>
#include <random>

namespace colonnade::ir {

using Kind = InterpreterError::Kind;

namespace {

/// What all blocks of a launch have in common.
struct Launch {
  const Module &module;
  const Function &kernel;
  const Bytecode &code;
  uint64_t count;
  const BlockOptions &options;
  InterpreterOptions machineOptions;
  std::vector<ArrayState> arrays;                   // of one instance, or uniform
  std::map<uint32_t, CommonCells> callersCells;     // by array in the caller's memory
  std::map<uint32_t, std::vector<uint64_t>> copied; // cells of a row, by Stage

  const ThreadShape &shape() const { return std::get<ThreadShape>(*kernel.launch); }
  unsigned threads() const { return shape().perBlock; }
  bool together() const { return shape().together; }
  const std::vector<uint64_t> &copiedCells(OpId stage, uint64_t width) {
    std::vector<uint64_t> &cells = copied[stage.index];
    if (cells.empty())
      cells = ir::copiedCells(kernel.op(stage), width);
    return cells;
  }
};

class Block;

class Thread final : public ThreadContext {
public:
  Thread(Block &block, Launch &launch, uint32_t number);

  llvm::Error begin(llvm::ArrayRef<Scalar> scalars);

  uint64_t place(Opcode opcode) const override;
  void accesses(OpId op, const ArrayState &array, bool isStore, int64_t cell,
                llvm::ArrayRef<int64_t> iterations) override;
  MaybeFault load(OpId op, const ArrayState &array, int64_t cell, uint64_t &bits,
                  bool &undefined) override;
  MaybeFault store(OpId op, const ArrayState &array, int64_t cell, uint64_t bits,
                   bool undefined) override;
  MaybeFault stage(OpId op, int64_t at) override;
  MaybeFault wait(uint32_t but) override;
  std::string name() const override;

  bool hasInstance() const { return instance_ < launch_.count; }
  unsigned warp() const { return time_.thread / LanesPerWarp; }
  /// They wait for each other at barriers of such a kind.
  bool isGrouped(const Thread &other, Sharing among) const {
    return among == Sharing::Block ||
           (among == Sharing::Warp ? warp() == other.warp() : instance_ == other.instance_);
  }
  void pass(Sharing among);

  Machine machine;
  enum class State : uint8_t { Running, Waiting, Ended } state = State::Running;
  Sharing waitsFor = Sharing::Warp;

private:
  struct Copy { // begun, not ended
    CommonCells *to, *from;
    int64_t toCell, fromCell;
    uint32_t stage = 0; // the first of the thread is 1
  };
  void setArray(size_t a, ArrayState &state);
  void note(OpId op, ArrayId array, bool isStore, int64_t cell,
            llvm::ArrayRef<int64_t> iterations = {});
  MaybeFault stageIn(OpId op, const Copy &copy);
  MaybeFault stageOut(OpId op, const Copy &copy);

  Block &block_;
  Launch &launch_;
  ThreadTime time_;
  uint64_t instance_;
  std::deque<ArrayData> own_; // local arrays; where they are must not change
  std::vector<Copy> begun_;
  uint32_t numStages_ = 0;             // to shared memory
  std::map<uint32_t, uint64_t> turns_; // by operation
};

class Block {
public:
  Block(Launch &launch, uint64_t number);

  llvm::Error run(llvm::ArrayRef<Scalar> scalars);
  uint64_t number() const { return number_; }
  CommonCells &shared(size_t array, unsigned warp);

private:
  uint64_t quantum();
  bool arrive(Thread &thread, Sharing among);
  std::vector<Thread *> group(const Thread &thread, Sharing among);
  bool checkGroups(const Thread &ended);

  Launch &launch_;
  uint64_t number_;
  std::mt19937_64 random_;
  std::deque<ArrayData> sharedData_;
  std::map<std::pair<size_t, unsigned>, CommonCells> shared_; // by array and warp
  std::deque<Thread> threads_;
  std::vector<Thread *> runnable_;
};

} // namespace

//===----------------------------------------------------------------------===//
// A thread
//===----------------------------------------------------------------------===//

Thread::Thread(Block &block, Launch &launch, uint32_t number)
    : machine(launch.module, launch.kernel, launch.code, launch.machineOptions, this),
      block_(block), launch_(launch), time_{number, number / launch.shape().team, 0, 0, 0},
      instance_(block.number() * launch.shape().instancesPerBlock() + time_.instance) {}

llvm::Error Thread::begin(llvm::ArrayRef<Scalar> scalars) {
  machine.arrays() = launch_.arrays;
  for (size_t a = 0; a < launch_.arrays.size(); ++a)
    setArray(a, machine.arrays()[a]);
  return machine.setScalars(scalars);
}

void Thread::setArray(size_t a, ArrayState &state) {
  const Array &array = launch_.kernel.arrays[a];
  if (array.isShared()) {
    state.common = &block_.shared(a, warp());
  } else if (array.isLocal()) {
    const auto cells = static_cast<size_t>(state.cells);
    state.data = &own_.emplace_back(
        ArrayData{std::vector<uint64_t>(cells), std::vector<bool>(cells, false)});
  } else if (array.isPassed() && array.isPerInstance()) {
    state.common = &launch_.callersCells.at(static_cast<uint32_t>(a));
    state.first = static_cast<int64_t>(instance_) * state.cells;
  }
}

uint64_t Thread::place(Opcode opcode) const {
  switch (opcode) {
  case Opcode::HasInstance:
    return hasInstance();
  case Opcode::Lane:
    return time_.thread % LanesPerWarp;
  case Opcode::Member:
    return time_.thread % launch_.shape().team;
  default:
    return warp();
  }
}

std::string Thread::name() const {
  return "block " + std::to_string(block_.number()) + ", thread " + std::to_string(time_.thread);
}

void Thread::pass(Sharing among) {
  time_.instanceBarriers += among == Sharing::Instance;
  time_.warpBarriers += among == Sharing::Warp;
  time_.blockBarriers += among == Sharing::Block;
  state = State::Running;
}

void Thread::note(OpId op, ArrayId array, bool isStore, int64_t cell,
                  llvm::ArrayRef<int64_t> iterations) {
  if (launch_.options.onAccess)
    launch_.options.onAccess(
        {block_.number(), time_.thread, op, turns_[op.index]++, array, isStore, cell, iterations});
}

void Thread::accesses(OpId op, const ArrayState &array, bool isStore, int64_t cell,
                      llvm::ArrayRef<int64_t> iterations) {
  note(op, array.array, isStore, array.common ? array.first + cell : cell, iterations);
}

static ThreadFault noInstance(const CommonCells &cells) {
  return {Kind::Undefined, Undefined::OutOfExtent,
          "the thread has no instance, whose cells of '" + cells.name() + "' it accesses"};
}

static MaybeFault unwritten(const CommonCells &cells, int64_t cell) {
  return ThreadFault{Kind::Undefined, Undefined::Uninitialised,
                     "cell " + std::to_string(cell) + " of '" + cells.name() +
                         "' is read before it is written"};
}

MaybeFault Thread::load(OpId op, const ArrayState &array, int64_t cell, uint64_t &bits,
                        bool &undefined) {
  CommonCells &cells = *array.common;
  const bool isShared = launch_.kernel.array(array.array).isShared();
  if (!isShared && !hasInstance())
    return noInstance(cells);
  const int64_t at = array.first + cell;
  if (MaybeFault fault = cells.read(at, time_))
    return fault;
  if (isShared && !cells.isWritten(at))
    return unwritten(cells, at);
  bits = cells.bits(at);
  undefined = cells.isUndefined(at);
  return std::nullopt;
}

MaybeFault Thread::store(OpId op, const ArrayState &array, int64_t cell, uint64_t bits,
                         bool undefined) {
  CommonCells &cells = *array.common;
  if (!launch_.kernel.array(array.array).isShared() && !hasInstance())
    return noInstance(cells);
  const int64_t at = array.first + cell;
  if (MaybeFault fault = cells.write(at, time_))
    return fault;
  cells.set(at, bits, undefined);
  return std::nullopt;
}

/// The cells of a row that are copied, of each of the group's instances, in their order: this
/// thread has each whose number is its own modulo the threads of the group.
MaybeFault Thread::stage(OpId op, int64_t at) {
  const std::vector<ArrayId> &arrays = launch_.kernel.op(op).arrays;
  const bool isLoad = launch_.kernel.array(arrays[0]).isShared();
  const ArrayState &to = machine.arrays()[arrays[0].index];
  const ArrayState &from = machine.arrays()[arrays[1].index];
  const ArrayState &shared = isLoad ? to : from, &memory = isLoad ? from : to;
  const Array &array = launch_.kernel.array(shared.array);
  const bool isWarp = array.sharing == Sharing::Warp;
  numStages_ += isLoad;
  const uint64_t threads = isWarp ? LanesPerWarp : launch_.threads();
  const uint64_t team = launch_.shape().team, most = threads / team; // rows
  const uint64_t own = time_.thread % threads, first = instance_ - own / team;
  const auto cells = static_cast<uint64_t>(memory.cells),
             width = static_cast<uint64_t>(shared.cells) / most;
  const bool isKnown = launch_.kernel.array(memory.array).constantCells().has_value();
  if (!isKnown && cells > width)
    return ThreadFault{Kind::Undefined, Undefined::OutOfExtent,
                       "a row of " + std::to_string(width) + " has no room for " +
                           std::to_string(cells) + " cells"};
  if (isKnown && (at < 0 || static_cast<uint64_t>(at) > cells - width))
    return ThreadFault{Kind::Undefined, Undefined::OutOfExtent,
                       "there are no " + std::to_string(width) + " cells from " +
                           std::to_string(at) + " on"};
  const uint64_t rows = first < launch_.count ? std::min(most, launch_.count - first) : uint64_t(0);
  const std::vector<uint64_t> &copied = launch_.copiedCells(op, isKnown ? width : cells);
  for (uint64_t e = own; e < rows * copied.size(); e += threads) {
    const uint64_t row = e / copied.size(), inRow = copied[e % copied.size()];
    const auto inMemory =
                   static_cast<int64_t>((first + row) * cells + static_cast<uint64_t>(at) + inRow),
               inShared = static_cast<int64_t>(array.rowOf(row) * width + inRow);
    const Copy copy = {to.common, from.common, isLoad ? inShared : inMemory,
                       isLoad ? inMemory : inShared};
    note(op, memory.array, !isLoad, inMemory);
    if (MaybeFault fault = isLoad ? stageIn(op, copy) : stageOut(op, copy))
      return fault;
  }
  return std::nullopt;
}

MaybeFault Thread::stageIn(OpId op, const Copy &copy) {
  if (MaybeFault fault = copy.from->beginRead(copy.fromCell, time_))
    return fault;
  if (MaybeFault fault = copy.to->beginWrite(copy.toCell, time_))
    return fault;
  begun_.push_back(copy);
  begun_.back().stage = numStages_;
  return std::nullopt;
}

MaybeFault Thread::stageOut(OpId op, const Copy &copy) {
  if (MaybeFault fault = copy.from->read(copy.fromCell, time_))
    return fault;
  if (!copy.from->isWritten(copy.fromCell))
    return unwritten(*copy.from, copy.fromCell);
  if (MaybeFault fault = copy.to->write(copy.toCell, time_))
    return fault;
  copy.to->set(copy.toCell, copy.from->bits(copy.fromCell), copy.from->isUndefined(copy.fromCell));
  return std::nullopt;
}

MaybeFault Thread::wait(uint32_t but) {
  const auto isAwaited = [&](const Copy &copy) { return copy.stage + but <= numStages_; };
  for (const Copy &copy : begun_) {
    if (!isAwaited(copy))
      continue;
    if (MaybeFault fault = copy.from->endRead(copy.fromCell, time_))
      return fault;
    if (MaybeFault fault = copy.to->endWrite(copy.toCell, time_))
      return fault;
    copy.to->set(copy.toCell, copy.from->bits(copy.fromCell),
                 copy.from->isUndefined(copy.fromCell));
  }
  llvm::erase_if(begun_, isAwaited);
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// A block
//===----------------------------------------------------------------------===//

Block::Block(Launch &launch, uint64_t number)
    : launch_(launch), number_(number),
      random_(launch.options.seed * 0x9e3779b97f4a7c15 + number + 1) {}

CommonCells &Block::shared(size_t array, unsigned warp) {
  const Array &info = launch_.kernel.arrays[array];
  const std::pair key(array, info.sharing == Sharing::Block ? 0 : warp);
  auto found = shared_.find(key);
  if (found == shared_.end()) {
    const auto cells = static_cast<size_t>(launch_.arrays[array].cells);
    ArrayData &data = sharedData_.emplace_back(ArrayData{std::vector<uint64_t>(cells), {}});
    found = shared_.try_emplace(key, info.name, data).first;
  }
  return found->second;
}

/// Steps at a time: from one, so that threads take turns, to as many as it likes.
uint64_t Block::quantum() {
  static constexpr uint64_t Steps[] = {1, 4, 25, UINT64_MAX};
  return Steps[random_() % std::size(Steps)];
}

llvm::Error Block::run(llvm::ArrayRef<Scalar> scalars) {
  for (uint32_t number = 0; number < launch_.threads(); ++number) {
    Thread &thread = threads_.emplace_back(*this, launch_, number);
    if (!thread.hasInstance() && !launch_.together()) {
      thread.state = Thread::State::Ended;
      continue;
    }
    if (llvm::Error error = thread.begin(scalars))
      return error;
    runnable_.push_back(&thread);
  }
  while (!runnable_.empty()) {
    const size_t chosen = random_() % runnable_.size();
    Thread &thread = *runnable_[chosen];
    const Machine::Stop stop = thread.machine.advance(quantum());
    if (stop == Machine::Stop::Paused)
      continue;
    runnable_.erase(runnable_.begin() + static_cast<ptrdiff_t>(chosen));
    bool goesOn = stop != Machine::Stop::Failed;
    if (stop == Machine::Stop::Barrier) {
      goesOn = arrive(thread, thread.machine.barrier());
    } else if (stop == Machine::Stop::End) {
      thread.state = Thread::State::Ended;
      goesOn = checkGroups(thread);
    }
    if (!goesOn)
      for (Thread &each : threads_)
        if (llvm::Error error = each.machine.takeError())
          return error;
  }
  return llvm::Error::success();
}

std::vector<Thread *> Block::group(const Thread &thread, Sharing among) {
  std::vector<Thread *> members;
  for (Thread &each : threads_)
    if (thread.isGrouped(each, among))
      members.push_back(&each);
  return members;
}

/// False: another thread of the group is elsewhere for good: it has ended, or waits for this one.
/// The last one to arrive frees all.
bool Block::arrive(Thread &thread, Sharing among) {
  thread.state = Thread::State::Waiting;
  thread.waitsFor = among;
  const std::vector<Thread *> members = group(thread, among);
  bool all = true;
  for (const Thread *each : members) {
    if (each->state == Thread::State::Ended)
      return thread.machine.failAtBarrier(
          Kind::Divergence, "barrier in divergent flow: " + each->name() + " has ended");
    if (each->state == Thread::State::Waiting && each->isGrouped(thread, each->waitsFor) &&
        !each->machine.isWhere(thread.machine))
      return thread.machine.failAtBarrier(
          Kind::Divergence, "barrier in divergent flow: " + each->name() + " is at another one");
    all &= each->state == Thread::State::Waiting && each->machine.isWhere(thread.machine);
  }
  if (all)
    for (Thread *each : members) {
      each->pass(among);
      runnable_.push_back(each);
    }
  return true;
}

/// False: a thread waits for one that has ended.
bool Block::checkGroups(const Thread &ended) {
  for (Thread &each : threads_)
    if (each.state == Thread::State::Waiting && each.isGrouped(ended, each.waitsFor))
      return each.machine.failAtBarrier(
          Kind::Divergence, "barrier in divergent flow: " + ended.name() + " has ended");
  return true;
}

//===----------------------------------------------------------------------===//
// A launch
//===----------------------------------------------------------------------===//

/// Cells of one instance, for all of them where each has its own.
static llvm::Error makeCells(const Function &kernel, llvm::ArrayRef<Scalar> scalars, size_t a,
                             uint64_t count, ArrayData &data) {
  const Array &array = kernel.arrays[a];
  auto extents = concreteExtents(kernel, array, scalars);
  if (!extents)
    return extents.takeError();
  uint64_t cells = count;
  for (int64_t extent : *extents)
    cells *= static_cast<uint64_t>(extent);
  if (data.cells.empty()) {
    data.cells.assign(cells, 0);
    data.initialised.assign(cells, false);
  }
  if (data.cells.size() != cells)
    return badInterpreterArguments(kernel, "array '" + array.name + "' has " +
                                               llvm::Twine(data.cells.size()) + " cells, not " +
                                               llvm::Twine(cells));
  return llvm::Error::success();
}

llvm::Error interpretBlocks(const Module &module, const Function &kernel, uint64_t count,
                            std::vector<ArrayData> &arrays, llvm::ArrayRef<Scalar> scalars,
                            const BlockOptions &options) {
  if (!kernel.launch || !std::holds_alternative<ThreadShape>(*kernel.launch))
    return badInterpreterArguments(kernel, "is no kernel of threads");
  if (count == 0)
    return llvm::Error::success();
  const Bytecode code(kernel);
  InterpreterOptions machineOptions;
  machineOptions.maxSteps = options.maxSteps;
  Launch launch{module, kernel, code, count, options, machineOptions, {}, {}};
  arrays.resize(kernel.arrays.size());
  auto isCommon = [&](size_t a) {
    return kernel.arrays[a].isPassed() && kernel.arrays[a].isPerInstance();
  };
  for (size_t a = 0; a < arrays.size(); ++a)
    if (isCommon(a))
      if (llvm::Error error = makeCells(kernel, scalars, a, count, arrays[a]))
        return error;
  if (llvm::Error error = prepareArrays(kernel, scalars, arrays, launch.arrays))
    return error;
  for (size_t a = 0; a < arrays.size(); ++a)
    if (isCommon(a))
      launch.callersCells.try_emplace(static_cast<uint32_t>(a), kernel.arrays[a].name, arrays[a]);
  const uint64_t each = launch.shape().instancesPerBlock(), blocks = (count + each - 1) / each;
  for (uint64_t number = 0; number < blocks; ++number)
    if (llvm::Error error = Block(launch, number).run(scalars))
      return error;
  return llvm::Error::success();
}

} // namespace colonnade::ir
