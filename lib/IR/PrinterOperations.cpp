//===- PrinterOperations.cpp - Text of bodies -----------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One printer per shape of operation; whatever has no shape of its own prints as
//   results = mnemonic operands attributes : types
//
//===----------------------------------------------------------------------===//

#include "IR/Evaluate.h"
#include "IR/PrinterImpl.h"

namespace colonnade::ir {

static const char *predicateName(Predicate predicate) {
  static constexpr const char *Names[] = {"lt", "le", "gt", "ge", "ne"};
  return Names[static_cast<size_t>(predicate)];
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

void Printer::valueName(ValueId id) {
  const std::string &name = function_->value(id).name;
  out_ << '%';
  if (!name.empty()) {
    word(name);
    out_ << '#';
  }
  out_ << numbers_[id.index];
}

void Printer::define(ValueId id) {
  numbers_[id.index] = nextNumber_++;
  valueName(id);
}

void Printer::typedArg(ValueId id) {
  define(id);
  out_ << " : ";
  type(id);
}

void Printer::type(ValueId id) {
  out_ << (function_->varying(id) ? "varying " : "") << name(function_->value(id).type);
}

void Printer::use(ValueId id) {
  if (id.index < numbers_.size() && numbers_[id.index] != UINT32_MAX)
    valueName(id);
  else
    out_ << "%<undefined " << static_cast<int32_t>(id.index) << '>';
}

void Printer::uses(llvm::ArrayRef<ValueId> ids) {
  for (size_t i = 0; i < ids.size(); ++i) {
    out_ << (i ? ", " : "");
    use(ids[i]);
  }
}

void Printer::types(llvm::ArrayRef<ValueId> results) {
  if (results.empty())
    return;
  out_ << " : ";
  for (size_t i = 0; i < results.size(); ++i) {
    out_ << (i ? ", " : "");
    type(results[i]);
  }
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

void Printer::region(RegionId id) {
  out_ << "{\n";
  indent_ += 2;
  for (OpId inner : function_->region(id).ops)
    op(inner);
  indent_ -= 2;
  indent();
  out_ << '}';
}

/// Invalid IR must print too, as plain() does it.
bool Printer::hasOwnShape(const Op &op) const {
  switch (op.opcode) {
  case Opcode::Load:
  case Opcode::Store: {
    size_t fixed = (op.masked ? 1 : 0) + (op.opcode == Opcode::Store ? 1 : 0);
    return op.operands.size() > fixed && (op.operands.size() - fixed) % 2 == 1;
  }
  case Opcode::For:
    return op.operands.size() >= 3 && op.regions.size() == 1 &&
           !function_->region(op.regions[0]).args.empty();
  case Opcode::Loop:
    return op.regions.size() == 2;
  case Opcode::Stage:
    return op.arrays.size() == 2;
  default:
    return true;
  }
}

// Results are numbered after the regions: they are visible only behind them.
// So the text of an operation with regions carries them at its end.
void Printer::op(OpId id) {
  const Op &op = function_->op(id);
  bool structured = !op.regions.empty();
  std::string note = options_.note ? options_.note(id) : std::string();
  if (structured && !note.empty()) {
    indent();
    out_ << "// " << note << '\n';
  }
  indent();
  if (!structured && !op.results.empty()) {
    for (size_t i = 0; i < op.results.size(); ++i) {
      out_ << (i ? ", " : "");
      define(op.results[i]);
    }
    out_ << " = ";
  }
  switch (hasOwnShape(op) ? op.opcode : Opcode::Undef) {
  case Opcode::Constant:
    out_ << "const " << str(op.scalar) << " : " << name(op.scalar.type);
    break;
  case Opcode::Load:
  case Opcode::Store:
    access(op);
    break;
  case Opcode::If:
    ifOp(op);
    break;
  case Opcode::For:
    forOp(op);
    break;
  case Opcode::Loop:
    loopOp(op);
    break;
  case Opcode::CallPart:
    callPart(op);
    break;
  case Opcode::Stage:
    stage(op);
    break;
  case Opcode::Barrier:
    out_ << "barrier " << sharingName(op.among);
    break;
  case Opcode::Wait:
    out_ << "wait";
    if (op.index)
      out_ << " but " << op.index;
    break;
  default:
    plain(op);
    break;
  }
  if (structured && !op.results.empty()) {
    out_ << " -> ";
    for (size_t i = 0; i < op.results.size(); ++i) {
      out_ << (i ? ", " : "");
      typedArg(op.results[i]);
    }
  }
  out_ << (op.speculative ? " speculative" : "") << (op.atFirst ? " but at first" : "");
  loc(op.loc);
  if (!structured && !note.empty())
    out_ << " // " << note;
  out_ << '\n';
}

void Printer::access(const Op &op) {
  AccessOperands parts = accessOperands(op);
  out_ << mnemonic(op.opcode) << ' ';
  arrayRef(op.array);
  out_ << '[';
  uses(parts.subscripts);
  if (!parts.radices.empty()) {
    out_ << "; ";
    uses(parts.radices);
  }
  out_ << ']';
  if (parts.stored) {
    out_ << ", ";
    use(parts.stored);
  }
  if (op.masked) {
    out_ << " mask ";
    use(parts.mask);
  }
  out_ << (op.guarded ? " guarded" : "");
  if (op.accessId != UINT32_MAX)
    out_ << " access " << op.accessId;
  types(op.results);
}

void Printer::ifOp(const Op &op) {
  out_ << "if ";
  uses(op.operands);
  out_ << (op.choosesAddress ? " address" : "");
  for (size_t i = 0; i < op.regions.size(); ++i) {
    out_ << (i ? " else " : " ");
    region(op.regions[i]);
  }
}

void Printer::carried(llvm::ArrayRef<ValueId> args, llvm::ArrayRef<ValueId> inits) {
  out_ << '(';
  for (size_t i = 0; i < args.size(); ++i) {
    out_ << (i ? ", " : "");
    typedArg(args[i]);
    if (i < inits.size()) {
      out_ << " = ";
      use(inits[i]);
    }
  }
  out_ << ')';
}

void Printer::unrolling(const Op &op) {
  if (op.unrolling.kind == Unrolling::Kind::Fully)
    out_ << "unroll fully ";
  else if (op.unrolling.kind == Unrolling::Kind::Times)
    out_ << "unroll " << unsigned(op.unrolling.times) << ' ';
}

void Printer::forOp(const Op &op) {
  llvm::ArrayRef<ValueId> args = function_->region(op.regions[0]).args;
  llvm::ArrayRef<ValueId> operands = op.operands;
  out_ << "for ";
  typedArg(args[0]);
  out_ << " = ";
  use(operands[0]);
  out_ << ' ' << predicateName(op.predicate) << ' ';
  use(operands[1]);
  out_ << " step ";
  use(operands[2]);
  out_ << (op.hasContinueFlag ? " continue" : "") << (op.postTest ? " posttest" : "")
       << (op.dataEnds ? " data ends" : "") << ' ';
  unrolling(op);
  carried(args.drop_front(), operands.drop_front(3));
  out_ << ' ';
  region(op.regions[0]);
}

void Printer::loopOp(const Op &op) {
  out_ << "loop ";
  if (op.bound.known()) {
    out_ << "bound ";
    sizes(op.bound);
    out_ << ' ';
  }
  unrolling(op);
  carried(function_->region(op.regions[0]).args, op.operands);
  out_ << ' ';
  region(op.regions[0]);
  out_ << " do ";
  carried(function_->region(op.regions[1]).args, {});
  out_ << ' ';
  region(op.regions[1]);
}

void Printer::arrayRefs(llvm::ArrayRef<ArrayId> ids) {
  out_ << '(';
  for (size_t i = 0; i < ids.size(); ++i) {
    out_ << (i ? ", " : "");
    arrayRef(ids[i]);
  }
  out_ << ')';
}

void Printer::callPart(const Op &op) {
  out_ << mnemonic(op.opcode) << ' ';
  quoted(op.part.index < function_->parts.size() ? function_->part(op.part).name : "?");
  out_ << ' ';
  arrayRefs(op.arrays);
  out_ << (op.operands.empty() ? "" : " ");
  uses(op.operands);
  types(op.results);
}

void Printer::stage(const Op &op) {
  out_ << "stage ";
  arrayRef(op.arrays[0]);
  out_ << " from ";
  arrayRef(op.arrays[1]);
  if (!op.operands.empty()) {
    out_ << " at ";
    use(op.operands[0]);
  }
  ranges("cells", op.live);
}

/// " stored 0 to 3, 8 to 8"; of none, nothing.
void Printer::ranges(const char *what, llvm::ArrayRef<CellRange> ranges) {
  for (const CellRange &range : ranges)
    out_ << (&range == ranges.data() ? std::string(" ") + what + " " : ", ") << range.first
         << " to " << range.last;
}

void Printer::plain(const Op &op) {
  out_ << mnemonic(op.opcode);
  if (op.opcode == Opcode::Math)
    out_ << ' ' << name(op.math);
  if (!op.operands.empty()) {
    out_ << ' ';
    uses(op.operands);
  }
  if (op.memType)
    out_ << " mem !" << op.memType.index;
  if (op.index)
    out_ << " index " << op.index;
  if (op.array) {
    out_ << " array ";
    arrayRef(op.array);
  }
  if (op.callee) {
    out_ << " callee ";
    quoted(op.callee.index < module_.functions.size() ? module_.function(op.callee).name : "?");
    out_ << '#' << op.callee.index;
  }
  out_ << (op.isOwn ? " own" : op.standsForConstant ? " constant" : "");
  if (!op.text.empty()) {
    out_ << " text ";
    quoted(op.text);
  }
  types(op.results);
}

} // namespace colonnade::ir
