//===- EmitCudaKernel.cpp - The statements of one instance in CUDA -*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//===----------------------------------------------------------------------===//

#include "Emit/EmitCuda.h"

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
                                         "from_bits"};

CudaKernelPrinter::CudaKernelPrinter(const Module &module, const Kernel &kernel,
                                     const CudaPlan &plan, CxxWriter &out)
    : CxxPrinter(module, kernel.body, out), kernel_(kernel), plan_(plan),
      arrayNames_(kernel.body.arrays.size()) {
  for (const char *name : FrameNames)
    names().reserve(name);
}

std::string CudaKernelPrinter::memoryName(ArrayId array) {
  std::string &name = arrayNames_[array.index].memory;
  if (!name.empty())
    return name;
  const Array &info = function_.array(array);
  const std::string wanted = info.role == ArrayRole::Return ? "returned" : info.name;
  if (plan_.arrays[array.index].kind == CudaArray::Kind::Uniform)
    return name = declare(array, wanted);
  declare(array, wanted); // "b" itself is what the body indexes
  return name = names().unique(nameOf(array) + "_memory");
}

std::string CudaKernelPrinter::cellsName(ArrayId array) {
  const std::optional<uint64_t> &constant = plan_.arrays[array.index].constantCells;
  if (constant)
    return std::to_string(*constant);
  std::string &name = arrayNames_[array.index].cells;
  if (name.empty())
    name = names().unique(nameOf(array) + "_cells");
  return name;
}

void CudaKernelPrinter::declareArray(const CudaArray &array) {
  const Array &info = function_.array(array.array);
  const std::string cell = cxxName(info.cell);
  const std::string view =
      std::string("const instance_cells<") +
      (array.kind == CudaArray::Kind::Scratch ? "column_wise_layout, " : "Layout, ") +
      (info.writes || array.kind == CudaArray::Kind::Scratch ? "" : "const ") + cell + "> ";
  switch (array.kind) {
  case CudaArray::Kind::Memory:
    return out_.line(view + nameOf(array.array) + "(" + memoryName(array.array) + ", instance, " +
                     cellsName(array.array) + ", count);");
  case CudaArray::Kind::Scratch:
    return out_.line(view + nameOf(array.array) + "(" + memoryName(array.array) + ", thread, " +
                     cellsName(array.array) + ", threads);");
  case CudaArray::Kind::Registers: {
    const std::string global = names().unique(nameOf(array.array) + "_global");
    out_.line(view + global + "(" + memoryName(array.array) + ", instance, " +
              cellsName(array.array) + ", count);");
    out_.line(cell + " " + nameOf(array.array) + "[" + cellsName(array.array) + "];");
    if (array.loadFirst)
      out_.line(global + ".load(" + nameOf(array.array) + ");");
    arrayNames_[array.array.index].memory = global; // for the store at the end
    return;
  }
  case CudaArray::Kind::Local: {
    const std::string name = declare(array.array, info.name);
    return out_.line(cell + " " + name + "[" +
                         std::to_string(std::max<uint64_t>(1, *array.constantCells)) + "] = {};",
                     info.loc);
  }
  case CudaArray::Kind::Uniform:
  case CudaArray::Kind::Table:
    return;
  }
}

void CudaKernelPrinter::printInstance() {
  bool guarded = false;
  for (const Op &op : function_.ops)
    guarded |= op.opcode == Opcode::Check ||
               ((op.opcode == Opcode::Load || op.opcode == Opcode::Store) && isGuarded(op));
  if (guarded)
    out_.line("const failure_guard guard(d_status, instance);");
  for (const CudaArray &array : plan_.arrays)
    declareArray(array);
  printBody();
  for (const CudaArray &array : plan_.arrays)
    if (array.kind == CudaArray::Kind::Registers && function_.array(array.array).writes)
      out_.line(arrayNames_[array.array.index].memory + ".store(" + nameOf(array.array) + ");");
}

bool CudaKernelPrinter::isVarying(ValueId value) const {
  return value.index >= kernel_.varying.size() || kernel_.varying[value.index];
}

// What every instance accesses was checked before the launch; registers were
// walked access by access.
bool CudaKernelPrinter::isGuarded(const Op &access) const {
  const CudaArray &array = plan_.arrays[access.array.index];
  if (!plan_.masked[size_t(&access - function_.ops.data())] ||
      array.kind == CudaArray::Kind::Registers)
    return false;
  AccessOperands parts = accessOperands(access);
  const Scalar *constant =
      parts.radices.empty() ? function_.constant(parts.subscripts[0]) : nullptr;
  return !(constant && array.constantCells && constant->bits < *array.constantCells);
}

std::string CudaKernelPrinter::site(LocId loc, const llvm::Twine &message) {
  constexpr size_t MaxSites = 1 << 16; // a device_status has 16 bits for it
  const std::string position = out_.position(loc);
  const std::string text = (position.empty() ? "" : position + ": ") + message.str();
  for (size_t i = 0; i < sites_.size(); ++i)
    if (sites_[i] == text)
      return std::to_string(i);
  if (sites_.size() + 1 < MaxSites)
    sites_.push_back(text);
  return std::to_string(sites_.size() - 1);
}

CxxExpr CudaKernelPrinter::element(const Op &access) {
  return {nameOf(access.array) + "[" + cell(access).text + "]", Precedence::Primary};
}

static std::string outside(const Array &array) { return "an address lies outside " + array.name; }

CxxExpr CudaKernelPrinter::load(const Op &op) {
  if (!isGuarded(op))
    return element(op);
  return call("guard.load", {{nameOf(op.array)},
                             cell(op),
                             {cellsName(op.array)},
                             {site(op.loc, outside(function_.array(op.array)))}});
}

void CudaKernelPrinter::store(const Op &op) {
  const CxxExpr value = use(accessOperands(op).stored, true);
  if (!isGuarded(op))
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

void CudaKernelPrinter::beforeLoop(const Op &op) {
  const unsigned unroll = plan_.unroll[size_t(&op - function_.ops.data())];
  if (unroll == CudaPlan::FullUnroll)
    out_.line("#pragma unroll");
  else if (unroll > 1)
    out_.line("#pragma unroll " + std::to_string(unroll));
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

// Signed arithmetic on data wraps: no flag and no optimisation may assume that
// it does not overflow.
CxxExpr CudaKernelPrinter::wrappingOperation(const Op &op) {
  const char *name = op.opcode == Opcode::Add   ? "add"
                     : op.opcode == Opcode::Sub ? "sub"
                     : op.opcode == Opcode::Mul ? "mul"
                     : op.opcode == Opcode::Shl ? "shl"
                                                : "neg";
  llvm::SmallVector<CxxExpr> operands;
  for (ValueId operand : op.operands)
    operands.push_back(use(operand, true));
  return call(std::string("wrapping::") + name + "<" +
                  cxxName(function_.value(op.results[0]).type) + ">",
              operands);
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
  const bool wraps =
      (type == ScalarType::S32 || type == ScalarType::S64) && isVarying(op.results[0]);
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
  case Opcode::Math:
    return mathCall(op);
  case Opcode::Blend:
    return {use(op.operands[0]).within(Precedence::LogicalOr) + " ? " +
                use(op.operands[1], true).within(Precedence::LogicalOr) + " : " +
                use(op.operands[2], true).within(Precedence::LogicalOr),
            Precedence::Conditional};
  case Opcode::AnyLane:
    return use(op.operands[0]);
  case Opcode::ActiveMask:
    return {"true", Precedence::Primary};
  case Opcode::InstanceIndex:
    return {"static_cast<int64_t>(instance)", Precedence::Primary};
  default:
    return scalarOperation(op);
  }
}
