//===- CudaKernelPrinter.cpp - The statements of one instance in CUDA -*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emit/Cuda/CudaKernelPrinter.h"

#include "Emit/Cuda/LoopsOfLoads.h"

#include "llvm/ADT/STLExtras.h"

using namespace colonnade;
using namespace colonnade::ir;

// Names that the kernel's frame uses, and CUDA's own.
static const char *const FrameNames[] = {"Layout",
                                         "instance",
                                         "thread",
                                         "threads",
                                         "count",
                                         "d_status",
                                         "guard",
                                         "blockIdx",
                                         "blockDim",
                                         "gridDim",
                                         "warpSize",
                                         "threadIdx",
                                         "launch",
                                         "bulk_kernel",
                                         "row_wise_kernel",
                                         "column_wise_kernel",
                                         "staged_rows",
                                         "staged_columns",
                                         "staged_live_rows",
                                         "staged_live_columns",
                                         "padded_rows",
                                         "skewed",
                                         "with_instance",
                                         "wait_for_stages",
                                         "shared_memory",
                                         "shared_bytes",
                                         "allow_shared_memory",
                                         "is_allowed",
                                         "blocks",
                                         "memory",
                                         "stream",
                                         "status",
                                         "layout",
                                         "wrapping",
                                         "info",
                                         "run",
                                         "arguments",
                                         "instance_cells",
                                         "failure_guard",
                                         "device_status",
                                         "raw_arguments",
                                         "row_wise_layout",
                                         "column_wise_layout",
                                         "tiled_layout",
                                         "require_exact_floats",
                                         "as_compared",
                                         "from_bits"};

CudaKernelPrinter::CudaKernelPrinter(const Module &module, const Function &kernel, CxxWriter &out,
                                     Sites &sites)
    : CxxPrinter(module, kernel, out, allLoads(kernel)), arrayNames_(kernel.arrays.size()),
      sites_(sites), partNeeds_(needsOfParts(kernel)), loopsOfLoads_(loopsOfLoads(kernel)) {
  for (const char *name : FrameNames)
    names().reserve(name);
}

std::string CudaKernelPrinter::memoryName(ArrayId array) {
  std::string &name = arrayNames_[array.index].memory;
  if (!name.empty())
    return name;
  const Array &info = function_.array(array);
  const std::string wanted = info.role == ArrayRole::Return ? "returned" : info.name;
  if (info.space == Space::Uniform)
    return name = declare(array, wanted);
  declare(array, wanted); // "b" itself is what the body indexes
  return name = names().unique(nameOf(array) + "_memory");
}

std::string CudaKernelPrinter::cellsName(ArrayId array) {
  const Array &info = function_.array(array);
  std::optional<uint64_t> constant = info.constantCells();
  if (constant && info.space != Space::Scratch) // the launcher computes that
    return std::to_string(*constant);
  std::string &name = arrayNames_[array.index].cells;
  if (name.empty())
    name = names().unique(nameOf(array) + "_cells");
  return name;
}

std::string CudaKernelPrinter::viewType(const Array &array) const {
  const bool scratch = array.space == Space::Scratch;
  return std::string("instance_cells<") + (scratch ? "column_wise_layout, " : "Layout, ") +
         (array.writes || scratch ? "" : "const ") + cxxName(array.cell) + ">";
}

void CudaKernelPrinter::declareArray(ArrayId id) {
  const Array &array = function_.array(id);
  const std::string cell = cxxName(array.cell);
  const std::string view = "const " + viewType(array) + " ";
  switch (*array.space) {
  case Space::Memory:
    if (!isAccessed(id)) // but staged
      return;
    return out_.line(view + nameOf(id) + "(" + memoryName(id) + ", instance, " + cellsName(id) +
                     ", count);");
  case Space::Scratch:
    return out_.line(view + nameOf(id) + "(" + memoryName(id) + ", thread, " + cellsName(id) +
                     ", threads);");
  case Space::Registers:
  case Space::Local:
    if (array.isPassed())
      return declareRegisters(id, view);
    declare(id, array.name);
    return out_.line(cell + " " + nameOf(id) + "[" +
                         std::to_string(std::max<uint64_t>(1, *array.constantCells())) + "] = {};",
                     array.loc);
  case Space::Shared:
    return declareShared(id);
  case Space::Uniform:
  case Space::Constant:
  case Space::Global:
    return;
  }
}

bool CudaKernelPrinter::isAccessed(ArrayId id) const {
  return llvm::any_of(function_.ops, [&](const Op &op) {
    return (op.opcode == Opcode::Load || op.opcode == Opcode::Store ||
            op.opcode == Opcode::CallPart) &&
           (op.array == id || llvm::is_contained(op.arrays, id));
  });
}

/// Where a block has more than what arrays can be declared with, all are parts of it.
void CudaKernelPrinter::declareShared(ArrayId id) {
  const Array &array = function_.array(id);
  const bool isDeclared = function_.sharedBytes() <= SharedBytesOfAll;
  if (!isDeclared && sharedOffset_ == 0)
    out_.line("alignas(16) extern __shared__ unsigned char shared_memory[];");
  std::string row; // all dimensions but the first
  for (const SizeExpr &extent : llvm::drop_end(llvm::drop_begin(array.extents)))
    row += "[" + extent.str() + "]";
  row += "[" + std::to_string(array.rowPitch()) + "]";
  const std::string cell = cxxName(array.cell), rows = "[" + array.extents[0].str() + "]";
  declare(id, array.name);
  if (!isDeclared)
    return placeShared(array, nameOf(id), cell, row);
  if (array.sharing == Sharing::Block)
    return out_.line("alignas(16) __shared__ " + cell + " " + nameOf(id) + rows + row + ";",
                     array.loc);
  const unsigned warps = std::get<ThreadShape>(*function_.launch).perBlock / LanesPerWarp;
  const std::string all = names().unique(nameOf(id) + "_of_warps");
  out_.line("alignas(16) __shared__ " + cell + " " + all + "[" + std::to_string(warps) + "]" +
                rows + row + ";",
            array.loc);
  out_.line(cell + "(*const " + nameOf(id) + ")" + row + " = " + all + "[threadIdx.x / 32];");
}

/// row: "[33]"
void CudaKernelPrinter::placeShared(const Array &array, const std::string &name,
                                    const std::string &cell, const std::string &row) {
  const uint64_t bytes = function_.sharedBytes(array),
                 warps = std::get<ThreadShape>(*function_.launch).perBlock / LanesPerWarp;
  std::string place = "shared_memory";
  if (sharedOffset_)
    place += " + " + std::to_string(sharedOffset_);
  if (array.sharing == Sharing::Warp && warps > 1)
    place += " + threadIdx.x / 32 * " + std::to_string(bytes / warps);
  const std::string to = cell + "(*", rows = ")" + row;
  out_.line(to + "const " + name + rows + " = reinterpret_cast<" + to + rows + ">(" + place + ");",
            array.loc);
  sharedOffset_ += bytes;
}

void CudaKernelPrinter::declareRegisters(ArrayId id, const std::string &view) {
  const std::string global = names().unique(nameOf(id) + "_global");
  out_.line(view + global + "(" + memoryName(id) + ", instance, " + cellsName(id) + ", count);");
  out_.line(std::string(cxxName(function_.array(id).cell)) + " " + nameOf(id) + "[" +
            cellsName(id) + "];");
  if (function_.array(id).loadedFirst)
    out_.line(global + ".load(" + nameOf(id) + ");");
  arrayNames_[id.index].memory = global; // for the store at the end
}

/// Of arrays that are changed in place, some of their cells alone, ptxas moves loads to where
/// values are needed, if the distances of cells are constants; each then waits for memory. It moves
/// none past a barrier of the warp (docs/decisions/0048).
void CudaKernelPrinter::keepLoadsFirst() {
  static constexpr uint64_t Few = 32;
  const auto mayBeLate = [](const Array &array) {
    return array.space == Space::Registers && array.isPassed() && array.loadedFirst &&
           array.writes && !array.stored.empty() && *array.constantCells() > Few;
  };
  if (llvm::any_of(function_.arrays, mayBeLate))
    printBarrierOfLoads();
}

void CudaKernelPrinter::afterFor(OpId loop) {
  if (loopsOfLoads_[loop.index])
    printBarrierOfLoads();
}

void CudaKernelPrinter::printBarrierOfLoads() {
  out_.line("if constexpr (Layout::kind == layout::tiled)");
  out_.line("  __syncwarp(); // all loads before the first value is used");
}

void CudaKernelPrinter::storeRegisters(ArrayId id) {
  const std::string begin = arrayNames_[id.index].memory + ".store(" + nameOf(id);
  if (function_.array(id).stored.empty())
    out_.line(begin + ");");
  for (const CellRange &range : function_.array(id).stored)
    out_.line(begin + ", cell_range<" + std::to_string(range.first) + ", " +
              std::to_string(range.last) + ">{});");
}

bool CudaKernelPrinter::hasChecks() const {
  return llvm::any_of(function_.ops,
                      [](const Op &op) { return op.opcode == Opcode::Check || op.guarded; });
}

/// Their instances lie in a warp, whose other lanes wait as well: all that have an instance.
bool CudaKernelPrinter::waitsForTeams() const {
  return function_.team() <= LanesPerWarp && llvm::any_of(function_.ops, [](const Op &op) {
           return op.opcode == Opcode::Barrier && op.among == Sharing::Instance;
         });
}

/// For the threads of an instance.
std::string CudaKernelPrinter::teamBarrier() const {
  const unsigned team = function_.team();
  if (team <= LanesPerWarp)
    return "__syncwarp(with_instance);";
  const bool isBlock = std::get<ThreadShape>(*function_.launch).instancesPerBlock() == 1;
  return isBlock ? "__syncthreads();" : "wait_for_team<" + std::to_string(team) + ">();";
}

void CudaKernelPrinter::printInstance() {
  if (hasChecks())
    out_.line("const failure_guard guard(d_status, instance);");
  if (waitsForTeams())
    out_.line("const unsigned with_instance = __ballot_sync(~0u, instance < count);");
  for (size_t a = 0; a < function_.arrays.size(); ++a)
    if (!function_.arrays[a].isFormal())
      declareArray(ArrayId(a));
  keepLoadsFirst();
  printBody();
  for (size_t a = 0; a < function_.arrays.size(); ++a) {
    const Array &array = function_.arrays[a];
    if (array.space == Space::Registers && array.isPassed() && array.writes)
      storeRegisters(ArrayId(a));
  }
}

bool CudaKernelPrinter::hasChecks(PartId part) const {
  return partNeeds_[part.index].checks || partNeeds_[part.index].guarded;
}

std::vector<std::string> CudaKernelPrinter::contextParameters(PartId part) {
  if (!hasChecks(part))
    return {};
  return {"const failure_guard &guard"};
}

std::vector<std::string> CudaKernelPrinter::contextArguments(PartId part) {
  if (!hasChecks(part))
    return {};
  return {"guard"};
}

std::string CudaKernelPrinter::arrayParameter(ArrayId formal) {
  const Array &array = function_.array(formal);
  const std::string name = declare(formal, array.name);
  switch (*array.space) {
  case Space::Memory:
  case Space::Scratch:
    return "const " + viewType(array) + " " + name;
  default:
    return std::string(array.space == Space::Uniform ? "const " : "") + cxxName(array.cell) +
           " *const " + name;
  }
}

std::string CudaKernelPrinter::templateArguments(PartId part) const {
  return partNeeds_[part.index].usesLayout ? "<Layout>" : "";
}

// A part that touches no array in the caller's memory is compiled once for all layouts.
void CudaKernelPrinter::openPart(PartId part, const std::string &declarator) {
  if (partNeeds_[part.index].usesLayout)
    out_.line("template <class Layout>");
  out_.open("__device__ __noinline__ void " + declarator, function_.part(part).loc);
}

std::string CudaKernelPrinter::site(LocId loc, const llvm::Twine &message) {
  return std::to_string(sites_.add(out_.position(loc), message.str()));
}

CxxExpr CudaKernelPrinter::element(const Op &access) {
  if (function_.array(access.array).isShared()) {
    const Array &array = function_.array(access.array);
    const llvm::ArrayRef<ValueId> subscripts = accessOperands(access).subscripts;
    std::string text = nameOf(access.array);
    for (ValueId subscript : llvm::drop_end(subscripts))
      text += "[" + use(subscript).text + "]";
    const std::string last = use(subscripts.back()).text;
    text += "[" + (array.skew ? "skewed<" + std::to_string(array.skew) + ">(" + last + ")" : last) +
            "]";
    return {text, Precedence::Primary};
  }
  return {nameOf(access.array) + "[" + cell(access).text + "]", Precedence::Primary};
}

static std::string outside(const Array &array) { return "an address lies outside " + array.name; }

/// What a constant integer is initialised with, nvcc asks again at each use in a template, and
/// so on: that doubles with each value of a chain.
std::string CudaKernelPrinter::constness(ValueId value) const {
  return isFloat(function_.value(value).type) ? "const " : "";
}

CxxExpr CudaKernelPrinter::load(const Op &op) {
  if (!op.guarded)
    return element(op);
  return call("guard.load", {{nameOf(op.array)},
                             cell(op),
                             {cellsName(op.array)},
                             {site(op.loc, outside(function_.array(op.array)))}});
}

void CudaKernelPrinter::store(OpId id) {
  const Op &op = function_.op(id);
  const CxxExpr value = use(accessOperands(op).stored, true);
  if (!op.guarded)
    return out_.line(element(op).text + " = " + value.text + ";", op.loc);
  out_.line(call("guard.store", {{nameOf(op.array)},
                                 cell(op),
                                 value,
                                 {cellsName(op.array)},
                                 {site(op.loc, outside(function_.array(op.array)))}})
                    .text +
                ";",
            op.loc);
}

void CudaKernelPrinter::check(const Op &op) {
  const std::string text = op.text.empty() ? "a check is false" : op.text;
  out_.line("guard.check(" + use(op.operands[0]).text + ", " + site(op.loc, text) + ");", op.loc);
}

void CudaKernelPrinter::together(const Op &op) {
  if (op.opcode == Opcode::Stage)
    return stage(op); // CudaStages.cpp
  if (op.opcode == Opcode::Wait)
    return out_.line(op.index ? "wait_for_stages_but<" + std::to_string(op.index) + ">();"
                              : "wait_for_stages();");
  out_.line(op.among == Sharing::Instance ? teamBarrier()
            : op.among == Sharing::Warp   ? "__syncwarp();"
                                          : "__syncthreads();");
}

void CudaKernelPrinter::beforeLoop(const Op &op) {
  if (op.unrolling.kind == Unrolling::Kind::Fully)
    out_.line("#pragma unroll");
  else if (op.unrolling.kind == Unrolling::Kind::Times)
    out_.line("#pragma unroll " + std::to_string(op.unrolling.times));
}

// Intrinsics that round once and are never contracted, whatever the flags.
CxxExpr CudaKernelPrinter::floatOperation(const Op &op) {
  const bool single = function_.value(op.results[0]).type == ScalarType::F32;
  const char *name = op.opcode == Opcode::Add   ? "add_rn"
                     : op.opcode == Opcode::Sub ? "sub_rn"
                     : op.opcode == Opcode::Mul ? "mul_rn"
                                                : "div_rn";
  return call(std::string(single ? "__f" : "__d") + name,
              {use(op.operands[0], true), use(op.operands[1], true)});
}

// Zeros of either sign are equal, and what is chosen then keeps its sign (kernel.cuh).
CxxExpr CudaKernelPrinter::floatOrder(const Op &op) {
  const Operator symbol = *binaryOperator(op.opcode);
  return binaryExpr(use(op.operands[0], true), symbol.text,
                    call("as_compared", {use(op.operands[1], true)}), symbol.precedence);
}

CxxExpr CudaKernelPrinter::mathCall(const Op &op) {
  const bool single = function_.value(op.results[0]).type == ScalarType::F32;
  std::string callee = std::string("::") + name(op.math) + (single ? "f" : "");
  if (op.math == MathFn::Sqrt)
    callee = single ? "__fsqrt_rn" : "__dsqrt_rn";
  if (op.math == MathFn::Fma)
    callee = single ? "__fmaf_rn" : "__fma_rn";
  llvm::SmallVector<CxxExpr> operands;
  for (ValueId operand : op.operands)
    operands.push_back(use(operand, true));
  return call(callee, operands);
}

CxxExpr CudaKernelPrinter::operation(const Op &op) {
  const ScalarType type = function_.value(op.results[0]).type;
  // Signed arithmetic on data wraps: no flag and no optimisation may assume that it does not
  // overflow.
  const bool wraps =
      (type == ScalarType::S32 || type == ScalarType::S64) && function_.varying(op.results[0]);
  switch (op.opcode) {
  case Opcode::Add:
  case Opcode::Sub:
  case Opcode::Mul:
    if (isFloat(type))
      return floatOperation(op);
    return wraps ? wrappingOperation(op) : scalarOperation(op);
  case Opcode::Div:
    return isFloat(type) ? floatOperation(op) : scalarOperation(op);
  case Opcode::Neg:
  case Opcode::Shl:
    return wraps ? wrappingOperation(op) : scalarOperation(op);
  case Opcode::Lt:
  case Opcode::Le:
  case Opcode::Gt:
  case Opcode::Ge:
    return isFloat(function_.value(op.operands[0]).type) ? floatOrder(op) : scalarOperation(op);
  case Opcode::Math:
    return mathCall(op);
  case Opcode::Blend:
    return choice(op);
  case Opcode::AnyLane:
    return use(op.operands[0]);
  case Opcode::Lane:
    return {"threadIdx.x % 32", Precedence::Multiplicative};
  case Opcode::Warp:
    return {"threadIdx.x / 32", Precedence::Multiplicative};
  case Opcode::Member:
    return {"threadIdx.x % " + std::to_string(std::get<ThreadShape>(*function_.launch).team),
            Precedence::Multiplicative};
  case Opcode::HasInstance:
    return {"instance < count", Precedence::Relational};
  default:
    return scalarOperation(op);
  }
}
