//===- Verifier.cpp - Structural and type rules of the IR ---------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Verifier.h"

#include "IR/VerifierTypes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/raw_ostream.h"

namespace colonnade::ir {

namespace {

enum class Level : uint8_t { Core, Raw, Kernel };

Level level(Opcode opcode) {
  static constexpr Level Levels[] = {
#define COLONNADE_OP(Name, mnemonic, level) Level::level,
#include "IR/Opcodes.def"
  };
  return Levels[static_cast<size_t>(opcode)];
}

bool isAllowed(Opcode opcode, Stage stage) {
  bool canonicalOnly = opcode == Opcode::For || opcode == Opcode::Load || opcode == Opcode::Store;
  switch (level(opcode)) {
  case Level::Core:
    return stage != Stage::Raw || !canonicalOnly;
  case Level::Raw:
    return stage == Stage::Raw;
  case Level::Kernel:
    return stage == Stage::Kernel;
  }
  return false;
}

const char *name(Stage stage) {
  return stage == Stage::Raw ? "raw" : stage == Stage::Canonical ? "canonical" : "kernel";
}

bool isTerminator(Opcode opcode) {
  return opcode == Opcode::Yield || opcode == Opcode::Test || opcode == Opcode::Return;
}

/// The caller's arrays, the function's own, and tables have different spaces.
bool mayLiveIn(const Array &array, Space space) {
  if (array.isFormal()) // as what it is called with, which is neither a table nor in registers
    return space == Space::Memory || space == Space::Uniform || space == Space::Local ||
           space == Space::Scratch;
  switch (space) {
  case Space::Memory:
    return array.isPassed() && array.isPerInstance();
  case Space::Registers:
    return array.isPerInstance() && array.constantCells();
  case Space::Uniform:
    return array.isPassed() && !array.isPerInstance();
  case Space::Local:
    return array.isLocal() && !array.isShared() && array.constantCells();
  case Space::Scratch:
    return array.isLocal() && !array.isShared();
  case Space::Constant:
  case Space::Global:
    return array.isTable();
  case Space::Shared:
    return array.isLocal() && array.isShared() && array.constantCells() && !array.extents.empty();
  }
  return false;
}

class Verifier {
public:
  Verifier(const Module &module, const Function &function) : module_(module), f_(function) {}

  llvm::Error run();

private:
  static constexpr size_t MaxBreaches = 20;

  void breach(const llvm::Twine &what) {
    if (++count_ <= MaxBreaches)
      breaches_.push_back(("'" + llvm::Twine(f_.name) + "': " + what).str());
  }
  void breach(OpId id, const llvm::Twine &what);

  void header();
  void arrays();
  void launch();
  void team();
  void block(const Array &array);
  void writtenBack(const Array &array);
  void kernelOnly(OpId id);
  /// A region on the way, and the operation in it whose regions are visited.
  struct Frame {
    RegionId region;
    Opcode terminator = Opcode::Yield;
    size_t nextOp = 0;
    size_t outer = 0; // values visible around the region
    OpId open;
    unsigned nextRegion = 0;
    size_t breachesBefore = 0;
  };
  void parts();
  void visitOps(RegionId root, Opcode terminator);
  bool mayAccess(ArrayId array) const;
  void callPart(OpId id);
  void enter(RegionId id, OpId parent, Opcode terminator);
  void open(Frame &frame, size_t index);
  void close(OpId id, size_t breachesBefore);
  void arguments(RegionId id);
  bool ids(OpId id);
  void results(OpId id);

  const Module &module_;
  const Function &f_;
  std::vector<bool> visible_;     // by value
  std::vector<bool> seenOps_;     // by op
  std::vector<bool> seenRegions_; // by region
  std::vector<Frame> frames_;
  PartId part_;                  // that is visited; invalid: the body
  std::vector<ValueId> defined_; // visible values, a stack of scopes
  std::vector<std::string> breaches_;
  LocId loc_; // of the first breach
  size_t count_ = 0;
};

void Verifier::breach(OpId id, const llvm::Twine &what) {
  const Op &op = f_.op(id);
  if (!loc_)
    loc_ = op.loc;
  std::string where = op.loc ? " at " + module_.sources.str(op.loc) : "";
  breach("op " + llvm::Twine(id.index) + " '" + mnemonic(op.opcode) + "'" + where + ": " + what);
}

llvm::Error Verifier::run() {
  visible_.resize(f_.values.size());
  seenOps_.resize(f_.ops.size());
  seenRegions_.resize(f_.regions.size());
  header();
  arrays();
  launch();
  parts();
  if (f_.body.index < f_.regions.size())
    visitOps(f_.body, Opcode::Return);
  else if (f_.body || f_.isDefined)
    breach("no body");
  if (breaches_.empty())
    return llvm::Error::success();
  std::string text;
  for (const std::string &line : breaches_)
    text += (text.empty() ? "" : "\n") + line;
  return llvm::make_error<MalformedFunction>(loc_, text);
}

void Verifier::header() {
  if (f_.body.index >= f_.regions.size())
    return;
  llvm::ArrayRef<ValueId> args = f_.region(f_.body).args;
  for (const ScalarParam &scalar : f_.scalars)
    if (llvm::find(args, scalar.value) == args.end())
      breach("scalar '" + scalar.name + "' is no argument of the body");
  if (f_.stage != Stage::Raw)
    return;
  if (f_.rawParams.size() != args.size())
    return breach("the body has " + llvm::Twine(args.size()) + " arguments for " +
                  llvm::Twine(f_.rawParams.size()) + " parameters");
  for (size_t i = 0; i < args.size(); ++i)
    if (args[i].index < f_.values.size() && f_.value(args[i]).type != f_.rawParams[i].type)
      breach("parameter '" + f_.rawParams[i].name + "' and its argument differ in type");
}

void Verifier::arrays() {
  for (const Array &array : f_.arrays) {
    if (array.cell == ScalarType::Pointer)
      breach("array '" + array.name + "' has pointers as cells");
    if (array.role != ArrayRole::Table)
      continue;
    int64_t cells = 1;
    bool known = true;
    for (const SizeExpr &extent : array.extents) {
      auto value = extent.asConstant();
      known &= value && !__builtin_mul_overflow(cells, *value, &cells);
    }
    if (!known || cells != static_cast<int64_t>(array.contents.size()))
      breach("table '" + array.name + "' has " + llvm::Twine(array.contents.size()) +
             " contents, which are not its extents");
  }
}

/// A block has whole teams, which have whole warps, or warps whole teams.
void Verifier::team() {
  const auto *shape = f_.launch ? std::get_if<ThreadShape>(&*f_.launch) : nullptr;
  if (!shape || shape->team == 1)
    return;
  const unsigned team = shape->team;
  if (team == 0 || (LanesPerWarp % team != 0 && team % LanesPerWarp != 0))
    return breach("a team is neither whole warps nor an equal part of one");
  if (shape->perBlock % team != 0)
    breach("a block has no whole teams");
  if (team > LanesPerWarp && shape->instancesPerBlock() > MostTeamBarriers)
    breach("a block has more teams of several warps than barriers");
}

/// What holds for kernels as a whole, and what belongs to them alone.
void Verifier::launch() {
  bool isKernel = f_.stage == Stage::Kernel;
  if (isKernel != f_.launch.has_value())
    breach(isKernel ? "a kernel without a launch shape" : "a launch shape outside a kernel");
  team();
  if (f_.isSerial() && llvm::any_of(f_.values, [](const Value &value) { return value.varying; }))
    breach("a value varies where instances run one after the other");
  for (const Array &array : f_.arrays) {
    if (isKernel != array.space.has_value())
      breach("array '" + array.name + "' " +
             (isKernel ? "has no memory space" : "has a memory space outside a kernel"));
    else if (isKernel && !mayLiveIn(array, *array.space))
      breach("array '" + array.name + "' cannot live in that memory space");
    if (array.loadedFirst && array.space != Space::Registers)
      breach("array '" + array.name + "' is loaded first, but not in registers");
    if (!array.stored.empty())
      writtenBack(array);
    block(array);
  }
}

/// Ranges of cells that go back to the caller's memory.
void Verifier::writtenBack(const Array &array) {
  if (array.space != Space::Registers || !array.isPassed())
    return breach("array '" + array.name + "' is written back, but not in registers");
  if (!areRanges(array.stored, array.constantCells().value_or(0)))
    breach("array '" + array.name + "': ranges that are written back do not ascend");
}

/// What belongs to the threads of a block.
void Verifier::block(const Array &array) {
  const auto *shape = f_.launch ? std::get_if<ThreadShape>(&*f_.launch) : nullptr;
  if (shape && shape->together && array.isPassed() && array.space == Space::Registers)
    return breach("array '" + array.name +
                  "' is moved to registers and back, also by threads without an instance");
  if (!array.isShared() && !array.pitch && !array.skew && !array.spread)
    return;
  if (array.space != Space::Shared)
    return breach("array '" + array.name + "' is shared by threads, but not in shared memory");
  if (!shape || !shape->together || shape->perBlock % LanesPerWarp != 0)
    breach("array '" + array.name + "' is shared by threads, but no whole warps run together");
  if (!array.extents.empty() &&
      array.rowPitch() < array.skewed(uint64_t(array.extents.back().asConstant().value_or(0))))
    breach("rows of array '" + array.name + "' overlap");
  const uint64_t rows =
      array.extents.empty() ? 0 : uint64_t(array.extents.front().asConstant().value_or(0));
  if (array.spread && rows % array.spread != 0)
    breach("rows of array '" + array.name + "' cannot lie " + std::to_string(array.spread) +
           " apart");
}

void Verifier::parts() {
  if (!f_.parts.empty() && f_.stage != Stage::Kernel)
    breach("parts outside a kernel");
  std::vector<bool> taken(f_.arrays.size());
  for (size_t p = 0; p < f_.parts.size(); ++p) {
    const Part &part = f_.parts[p];
    for (ArrayId array : part.arrays) {
      if (array.index >= f_.arrays.size() || !f_.array(array).isFormal())
        return breach("part '" + part.name + "' takes an array that is not formal");
      if (taken[array.index])
        return breach("array '" + f_.array(array).name + "' is taken twice");
      taken[array.index] = true;
    }
    if (part.body.index >= f_.regions.size())
      return breach("part '" + part.name + "' has no body");
    part_ = PartId(p);
    visitOps(part.body, Opcode::Yield);
  }
  part_ = {};
}

/// A part sees what it takes, and tables; the body all but that.
bool Verifier::mayAccess(ArrayId array) const {
  if (f_.array(array).isTable())
    return true;
  return part_ ? llvm::is_contained(f_.part(part_).arrays, array) : !f_.array(array).isFormal();
}

void Verifier::callPart(OpId id) {
  const Op &op = f_.op(id);
  if (op.part.index >= (part_ ? part_.index : f_.parts.size()))
    return breach(id, "there is no such part before");
  for (ArrayId array : op.arrays)
    if (array.index >= f_.arrays.size())
      return breach(id, "an array is out of range");
    else if (f_.array(array).isTable() || !mayAccess(array))
      breach(id, "array '" + f_.array(array).name + "' cannot be passed here");
}

void Verifier::kernelOnly(OpId id) {
  const Op &op = f_.op(id);
  if (op.masked)
    breach(id, "masked outside a kernel");
  if (op.guarded)
    breach(id, "guarded outside a kernel");
  if (op.unrolling.kind != Unrolling::Kind::None)
    breach(id, "unrolled outside a kernel");
}

void Verifier::arguments(RegionId id) {
  llvm::ArrayRef<ValueId> args = f_.region(id).args;
  for (size_t i = 0; i < args.size(); ++i) {
    if (args[i].index >= f_.values.size()) {
      breach("region " + llvm::Twine(id.index) + ": argument id out of range");
      continue;
    }
    const Value &value = f_.value(args[i]);
    if (value.def || value.region != id || value.index != i || visible_[args[i].index])
      breach("region " + llvm::Twine(id.index) + ": argument " + llvm::Twine(i) +
             " does not know its place");
    visible_[args[i].index] = true;
    defined_.push_back(args[i]);
  }
}

/// Iterative: generated code nests deeply.
void Verifier::visitOps(RegionId root, Opcode terminator) {
  enter(root, {}, terminator);
  while (!frames_.empty()) {
    Frame &frame = frames_.back();
    if (frame.open) {
      const Op &op = f_.op(frame.open);
      if (frame.nextRegion < op.regions.size()) {
        bool isBefore = op.opcode == Opcode::Loop && frame.nextRegion == 0;
        enter(op.regions[frame.nextRegion++], frame.open, isBefore ? Opcode::Test : Opcode::Yield);
      } else {
        close(frame.open, frame.breachesBefore);
        frame.open = {};
      }
    } else if (frame.nextOp < f_.region(frame.region).ops.size()) {
      open(frame, frame.nextOp++);
    } else {
      for (; defined_.size() > frame.outer; defined_.pop_back())
        visible_[defined_.back().index] = false;
      frames_.pop_back();
    }
  }
}

void Verifier::enter(RegionId id, OpId parent, Opcode terminator) {
  const Region &region = f_.region(id);
  if (seenRegions_[id.index])
    return breach("region " + llvm::Twine(id.index) + " has two owners");
  seenRegions_[id.index] = true;
  if (region.parent != parent)
    breach("region " + llvm::Twine(id.index) + " does not know its parent");
  if (region.ops.empty())
    return breach("region " + llvm::Twine(id.index) + " has no terminator");
  Frame frame;
  frame.region = id;
  frame.terminator = terminator;
  frame.outer = defined_.size();
  frames_.push_back(frame);
  arguments(id);
}

/// Starts on one operation of a region: what can be said before its regions.
void Verifier::open(Frame &frame, size_t index) {
  llvm::ArrayRef<OpId> ops = f_.region(frame.region).ops;
  OpId id = ops[index];
  if (id.index >= f_.ops.size() || seenOps_[id.index])
    return breach("region " + llvm::Twine(frame.region.index) + ": operation " +
                  llvm::Twine(index) +
                  (id.index >= f_.ops.size() ? " is out of range" : " has two owners"));
  seenOps_[id.index] = true;
  const Op &op = f_.op(id);
  bool isLast = index + 1 == ops.size();
  if (isLast && op.opcode != frame.terminator)
    breach(id, llvm::Twine("the region must end in '") + mnemonic(frame.terminator) + "'");
  else if (!isLast && isTerminator(op.opcode))
    breach(id, "a terminator in the middle of a region");
  if (!ids(id))
    return;
  if (!isAllowed(op.opcode, f_.stage))
    breach(id, llvm::Twine("not allowed in ") + name(f_.stage) + " functions");
  if (f_.stage != Stage::Kernel)
    kernelOnly(id);
  frame.open = id;
  frame.nextRegion = 0;
  frame.breachesBefore = count_;
}

/// The rest, once its regions are known to be right: their terminators and
/// arguments take part in the types.
void Verifier::close(OpId id, size_t breachesBefore) {
  results(id);
  if (count_ != breachesBefore)
    return;
  if (auto wrong = typeBreach(module_, f_, f_.op(id)))
    breach(id, *wrong);
}

/// Ids of operands, regions and arrays are in range and visible.
bool Verifier::ids(OpId id) {
  const Op &op = f_.op(id);
  size_t before = count_;
  for (size_t i = 0; i < op.operands.size(); ++i)
    if (op.operands[i].index >= f_.values.size())
      breach(id, "operand " + llvm::Twine(i) + " is out of range");
    else if (!visible_[op.operands[i].index])
      breach(id, "operand " + llvm::Twine(i) + " is not visible here");
  for (RegionId region : op.regions)
    if (region.index >= f_.regions.size())
      breach(id, "a region is out of range");
  if (op.array && op.array.index >= f_.arrays.size())
    breach(id, "the array is out of range");
  else if (op.array && !mayAccess(op.array))
    breach(id, "array '" + f_.array(op.array).name + "' cannot be accessed here");
  if (op.opcode == Opcode::CallPart)
    callPart(id);
  if (op.opcode == Opcode::Stage)
    for (ArrayId array : op.arrays)
      if (array.index >= f_.arrays.size())
        breach(id, "an array is out of range");
      else if (!mayAccess(array))
        breach(id, "array '" + f_.array(array).name + "' cannot be accessed here");
  if (op.memType && op.memType.index >= module_.memTypes.size())
    breach(id, "the memory type is out of range");
  if (op.callee && op.callee.index >= module_.functions.size())
    breach(id, "the callee is out of range");
  for (ValueId result : op.results)
    if (result.index >= f_.values.size())
      breach(id, "a result is out of range");
  return count_ == before;
}

void Verifier::results(OpId id) {
  const Op &op = f_.op(id);
  for (size_t i = 0; i < op.results.size(); ++i) {
    const Value &value = f_.value(op.results[i]);
    if (value.def != id || value.region || value.index != i || visible_[op.results[i].index])
      breach(id, "result " + llvm::Twine(i) + " does not know its definition");
    if (value.type == ScalarType::Pointer && f_.stage != Stage::Raw)
      breach(id, "a pointer outside raw functions");
    visible_[op.results[i].index] = true;
    defined_.push_back(op.results[i]);
  }
}

} // namespace

char MalformedFunction::ID = 0;

llvm::Error verify(const Module &module, const Function &function) {
  return Verifier(module, function).run();
}

} // namespace colonnade::ir
