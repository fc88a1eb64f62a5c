//===- Function.h - The IR: structured SSA over arrays ----------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The IR: operations in regions, the values between them, arrays and memory types. One
// node set, three states, each checked by ir::verify (Verifier.h):
//
//   raw        front-end output: objects, pointers, calls; local scalars are
//              objects; no For; If and Loop carry no values
//   canonical  after Normalize: no pointers and no calls; scalars are SSA
//              values; arrays are objects with symbolic extents
//   kernel     after Transform: a launch shape, lanes and masks, a memory space for each
//              array, guards and unrolling, calls of parts, what the threads of a block do
//              together; several kernels may belong to one function
//
// In: what Builder appends. Out: what every pass, printer and interpreter reads.
// Invariant: values, operations and regions are dense ids in the function's arenas,
// which only grow. A region is a list of operations that ends in a terminator. A value
// is visible in its region after its definition, and in regions nested there.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_IR_FUNCTION_H
#define COLONNADE_IR_FUNCTION_H

#include "IR/Opcodes.h"
#include "IR/Type.h"
#include "Support/Location.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <variant>

namespace colonnade::ir {

/// A scalar constant: the value's bits, zero-extended to 64 (floats by bit
/// pattern). The one representation used by folding, interpreter and tests.
struct Scalar {
  ScalarType type = ScalarType::S32;
  uint64_t bits = 0;
  friend bool operator==(const Scalar &, const Scalar &) = default;
};

/// Comparison that keeps a For running: counter <predicate> hi.
enum class Predicate : uint8_t { Lt, Le, Gt, Ge, Ne };

/// How far generated code unrolls a loop of a kernel.
struct Unrolling {
  enum class Kind : uint8_t {
    None,  // as the compiler likes
    Times, // that many iterations at a time, so that their loads are in flight together
    Fully, // all iterations are known: subscripts become constants
  };
  Kind kind = Kind::None;
  uint8_t times = 0; // Times
};

/// What an Unsupported operation stands for: its `index`.
enum UnsupportedKind : uint32_t {
  OutsideSubset, // goto
  LostPart,      // a part of the source that has no operation in the raw IR
  FollowOn,      // p[i] after `p = unsupported()`
  LostOperation, // an operation of the raw IR that is not in the canonical IR
  MalformedIr,   // IR that breaks a rule of ir::verify
  TooLarge,      // a call that makes the function too large
  NeedsSize,     // what a constant size of the entry may cure: recursion
};
/// `index` of a PtrCopy.
enum CopyKind : uint32_t {
  BytesApart,     // memcpy(a, b, n)
  BytesAnywhere,  // memmove(a, b, n)
  AssignedObject, // a = b: what lies in the padding of a base class is left alone
};
/// `index` of a For that is no loop of the source: memcpy(a, b, n).
constexpr uint32_t ForOfCopy = 1;

enum class Sharing : uint8_t {
  Uniform,  // the same in all instances
  Instance, // one per instance
  Warp,     // kernel: one per warp, all of whose lanes access it
  Block,    // kernel: one per block, all of whose threads access it
};

/// The cells from one to another.
struct CellRange {
  uint64_t first = 0, last = 0;
  friend bool operator==(const CellRange &, const CellRange &) = default;
};
/// As ranges, ascending, each as long as it can be.
std::vector<CellRange> rangesOf(const std::vector<bool> &cells);
/// Ascending, none shares a cell with another, and all lie below.
bool areRanges(llvm::ArrayRef<CellRange> ranges, uint64_t cells);

struct Op {
  Opcode opcode = Opcode::Undef;
  Predicate predicate = Predicate::Lt; // For
  MathFn math = MathFn::Sqrt;          // Math
  bool hasContinueFlag = false;        // For: the Yield's first operand is the continue flag
  bool postTest = false;               // For: at least one iteration
  bool masked = false;                 // kernel Load/Store: operand 0 is the lane mask
  bool guarded = false;                // kernel Load/Store: its address was not checked before the
                                       // launch, so the access is checked as it happens
  Unrolling unrolling;                 // kernel For, Loop
  Sharing among = Sharing::Warp;       // Barrier: who waits for each other: the threads of an
                                       // instance, a warp or a block
  bool choosesAddress = false;         // If: its condition is a part of an address
  bool speculative = false; // certificate: runs where the sequential function may not, so
                            // out-of-extent, uninitialised and undefined results are no error
  bool atFirst = false;     // certificate Load/Store: speculative, but always made while all loops
                            // around that data ends are in their first iteration
  bool dataEnds = false;    // certificate For: instances may leave it after any iteration
  bool isOwn = false; // Object: of lowering's own making, such as a flag; only read where it was
                      // written. Temporaries that the languages make are not.
  bool standsForConstant = false; // Object: a copy of a constant of the source, made for this use
  LocId loc;
  uint32_t provenance = 0;        // number of what it comes from, for accounts that nothing was
                                  // lost: raw, the source node; in Normalize, the entry in an
                                  // inventory; 0: none
  uint32_t index = 0;             // PtrField: field; PtrCopy: CopyKind; Unsupported:
                                  // UnsupportedKind; For: ForOfCopy or 0; Wait: so
                                  // many of the last Stages to shared memory are not waited for
  uint32_t accessId = UINT32_MAX; // Load/Store in canonical IR: stable id of the site
  Scalar scalar;                  // Constant
  ArrayId array;                  // Load, Store, Table
  MemTypeId memType;              // raw memory operations
  FunctionId callee;              // Call
  PartId part;                    // CallPart
  std::string text;               // Unsupported, Check: message; Object: variable name
  SizeExpr bound;                 // Loop: user-given bound on iterations, if known()
  std::vector<ArrayId> arrays;    // CallPart: for each array that the part takes, the caller's;
                                  // Stage: to, from
  std::vector<CellRange> live; // Stage: the cells of a row that are copied, ascending; empty: all
  llvm::SmallVector<ValueId, 4> operands;
  llvm::SmallVector<ValueId, 2> results;
  llvm::SmallVector<RegionId, 2> regions;
};
/// Whether a variable's name is one that the user wrote: others ("%tmp") begin with a character
/// that no source has there. For messages; nothing is decided by it.
bool isSourceName(llvm::StringRef name);
/// Other attributes are set by the caller.
Op makeOp(Opcode opcode, llvm::ArrayRef<ValueId> operands = {});

struct Value {
  ScalarType type = ScalarType::S32;
  bool varying = false; // kernel: each thread or lane has its own; else equal in all active ones
  OpId def;             // the operation it is a result of; invalid for region arguments
  RegionId region;      // the region it is an argument of; invalid for results
  uint32_t index = 0;
  std::string name; // source name, possibly empty; not unique
};

struct Region {
  OpId parent; // invalid for the function body
  llvm::SmallVector<ValueId, 4> args;
  std::vector<OpId> ops;
};

enum class ArrayRole : uint8_t {
  Parameter, // reached through a pointer, reference or struct parameter
  Return,    // the return value, one cell, named "return"
  Scalar,    // a by-value scalar declared instance: one cell, read at entry
  Local,     // a local array or field
  Table,     // a constant table, contents known
  Formal,    // kernel: a part's name for an array that it is called with
};

/// Where an array lives while a kernel runs.
enum class Space : uint8_t {
  Memory,    // the caller's memory, an instance's cells through the layout: `float *b`
  Uniform,   // the caller's memory, one copy for all instances: `const float *twiddles`
  Registers, // every subscript is a constant once loops are unrolled: `b` with --size n=8
  Local,     // a local array of a thread or lane: `float window[16]`
  Scratch,   // a local array too large for that, or of unknown size: `float copy[5000]`
  Constant,  // a table in memory for constants: `static const float weights[4]`
  Global,    // a table too large for that
  Shared,    // on chip, for the lanes of a warp or the threads of a block: `__shared__ float t[33]`
};
constexpr size_t NumSpaces = static_cast<size_t>(Space::Shared) + 1;
/// "registers", as in textual IR.
const char *name(Space space);

/// An object of one cell type; cells are scalar leaves. Structs are split into
/// one array per leaf, named "s.field".
struct Array {
  std::string name;
  ScalarType cell = ScalarType::F32;
  std::vector<SizeExpr> extents; // outermost first; product = cells per instance
  bool extentsDerived = false;   // derived from the accesses, not declared
  ArrayRole role = ArrayRole::Local;
  Sharing sharing = Sharing::Instance;
  bool isConst = false; // pointee is const-qualified: never stored to
  bool reads = false;   // filled in by normalisation
  bool writes = false;
  LocId loc;
  std::optional<Space> space;     // kernel
  bool loadedFirst = false;       // Registers: the caller's cells may be read, or kept
  std::vector<CellRange> stored;  // Registers: what is written back, ascending; empty: all cells
  uint64_t pitch = 0;             // Shared: cells from a row to the next, as a row may be padded;
                                  // 0: as many as the row has
  uint64_t skew = 0;              // Shared: behind so many cells of a row, and each as many more,
                                  // one is left free; 0: nowhere
  uint64_t spread = 0;            // Shared: rows of neighbouring instances lie so many rows apart,
                                  // as many of them as there is room for, and then as many again
                                  // beside them; 0: one behind the other
  std::vector<uint64_t> contents; // Table: bits of each cell
  std::string parameter;          // the source parameter it belongs to, e.g. "s" of "s.field"
  std::string object;             // whose leaf it is: "s" of "s.field", "s.p" of "s.p->x"

  bool isLocal() const { return role == ArrayRole::Local; }
  bool isTable() const { return role == ArrayRole::Table; }
  bool isFormal() const { return role == ArrayRole::Formal; }
  /// In memory that callers pass, and a piece of the interface.
  bool isPassed() const { return !isLocal() && !isTable() && !isFormal(); }
  /// Each instance has cells of its own. Of a local array this is decided in Transform;
  /// until then it counts as if it had.
  bool isPerInstance() const { return !isTable() && sharing == Sharing::Instance; }
  /// Cells that several threads access, each through subscripts of its own.
  bool isShared() const { return sharing == Sharing::Warp || sharing == Sharing::Block; }
  /// One copy for all instances, which the function cannot store to: a constant table or a
  /// uniform argument.
  bool isSharedInput() const { return isTable() || (isPassed() && sharing == Sharing::Uniform); }
  /// Cells per instance, if all extents are constants.
  std::optional<uint64_t> constantCells() const;
  /// The extent of dimension d where it is computed for concrete sizes. A derived one counts from
  /// accesses, so where it would be below zero (n - 1 at n = 0) there are none, and no cells.
  SizeExpr extentAtSizes(size_t d) const;
  /// Shared: cells from a row to the next.
  uint64_t rowPitch() const;
  /// Shared: cells that a row of so many takes, those left free included.
  uint64_t skewed(uint64_t cells) const {
    return skew && cells ? cells + (cells - 1) / skew : cells;
  }
  /// Shared: the row of an instance of those that have rows.
  uint64_t rowOf(uint64_t instance) const;
  /// Registers: the cell goes back to the caller's memory.
  bool isWrittenBack(uint64_t cell) const;
};

/// A piece of a kernel that is called (CallPart) from several places: what calls of one function
/// of the source have in common.
struct Part {
  std::string name; // "fmul"; unique in the kernel
  RegionId body; // its arguments are the scalars it takes; the Yield at its end gives its results
  LocId loc;     // of its first operation
  llvm::SmallVector<ArrayId, 4> arrays; // that it takes, all of role Formal
};

/// A by-value scalar parameter that stays a value: uniform.
struct ScalarParam {
  std::string name;
  ValueId value; // an argument of the body region
  LocId loc;
};

/// Source-level parameter of a raw function, in order; its body argument has
/// the same index. Entry functions carry what the user said about it.
struct RawParam {
  std::string name;
  LocId loc;
  ScalarType type = ScalarType::S32; // Pointer for pointers, references, structs
  MemTypeId pointee;                 // if type == Pointer
  SizeExpr count;                    // elements behind the pointer, if declared (1 for a reference)
  bool isConst = false;
  bool byValueStruct = false; // a struct passed by value, lowered as a pointer to it
  bool isReference = false;
  bool isResult = false;           // hidden: where a struct result goes
  std::string problem;             // why an annotation is wrong; empty: none is
  std::optional<Sharing> declared; // COLONNADE_UNIFORM / _INSTANCE or --uniform / --instance
};

enum class Stage : uint8_t { Raw, Canonical, Kernel };

/// The layouts that a kernel is for. Columns: column-wise and tiled, where cells of neighbouring
/// instances are neighbours.
enum class Layouts : uint8_t { Any, Rows, Columns };

/// One thread runs one instance, or a team of neighbours does: a GPU.
struct ThreadShape {
  unsigned perBlock = 256;
  bool together = false; // threads without an instance run, too, for what a block does together
  Layouts layouts = Layouts::Any;
  unsigned resident = 1; // blocks for which a multiprocessor has registers, at least
  unsigned team = 1;     // threads an instance; divides a warp, or is whole warps of a block

  unsigned instancesPerBlock() const { return perBlock / team; }
  bool isForRows() const { return layouts == Layouts::Rows; }
  bool isForColumns() const { return layouts == Layouts::Columns; }
};
constexpr unsigned LanesPerWarp = 32;
/// Of a block, beside the one for all of its threads: teams of several warps have one each.
constexpr unsigned MostTeamBarriers = 15;
/// Shared memory that a block has on every GPU; more must be asked for, where there is more.
constexpr uint64_t SharedBytesOfAll = 48 << 10;
/// No block has more on any GPU (sm_90 and sm_100; 163 KiB on sm_80, 99 on sm_120).
constexpr uint64_t MaxSharedBytes = 227 << 10;
/// One SIMD lane runs one instance: a register of b bytes holds b / bytes instances.
struct LaneShape {
  unsigned bytes = 4; // 1, 2, 4 or 8
};
/// One instance after the other, each in rows; nothing varies: the scalar code of a CPU's core.
struct SerialShape {};
/// How the instances of a kernel share the machine.
using LaunchShape = std::variant<LaneShape, ThreadShape, SerialShape>;

class Function {
public:
  std::string name;        // as the user spells it: "ns::f"
  std::string mangledName; // links several source files
  LocId loc;
  Stage stage = Stage::Raw;
  std::vector<RawParam> rawParams;  // raw stage
  std::vector<ScalarParam> scalars; // canonical and kernel stage
  std::optional<ScalarType> returnType;
  std::string returnTypeName; // source spelling, for generated headers
  bool isDefined = true;      // false: called but no visible body
  RegionId body;
  std::vector<Array> arrays;
  std::vector<Op> ops;
  std::vector<Value> values;
  std::vector<Region> regions;
  /// What the verdict rests on, in the words of the report.
  std::vector<std::string> assumptions;
  std::optional<LaunchShape> launch; // kernel stage
  std::vector<std::string> notes;    // kernel stage: why each choice was made, for the user
  std::vector<Part> parts;           // kernel stage; each calls only those before it

  Op &op(OpId id) { return ops[id.index]; }
  const Op &op(OpId id) const { return ops[id.index]; }
  Value &value(ValueId id) { return values[id.index]; }
  const Value &value(ValueId id) const { return values[id.index]; }
  Region &region(RegionId id) { return regions[id.index]; }
  const Region &region(RegionId id) const { return regions[id.index]; }
  const Part &part(PartId id) const { return parts[id.index]; }
  Array &array(ArrayId id) { return arrays[id.index]; }
  const Array &array(ArrayId id) const { return arrays[id.index]; }

  const Op *definition(ValueId id) const { return value(id).def ? &op(value(id).def) : nullptr; }
  /// The constant a value is defined as, if it is one.
  const Scalar *constant(ValueId id) const {
    const Op *def = definition(id);
    return def && def->opcode == Opcode::Constant ? &def->scalar : nullptr;
  }
  bool varying(ValueId id) const { return value(id).varying; } // kernel stage
  /// A kernel in which threads without an instance run, too.
  bool runsTogether() const {
    const auto *threads = launch ? std::get_if<ThreadShape>(&*launch) : nullptr;
    return threads && threads->together;
  }
  /// A kernel that runs one instance after the other.
  bool isSerial() const { return launch && std::holds_alternative<SerialShape>(*launch); }
  /// Threads an instance.
  unsigned team() const {
    const auto *threads = launch ? std::get_if<ThreadShape>(&*launch) : nullptr;
    return threads ? threads->team : 1;
  }
  /// Bytes of shared memory that a block takes for the array, or for all.
  uint64_t sharedBytes(const Array &array) const;
  uint64_t sharedBytes() const;
  bool anyVarying(llvm::ArrayRef<ValueId> ids) const;
  const Op &terminator(RegionId id) const { return op(region(id).ops.back()); }
};

/// Of a Stage: the cells of a row that it copies, of so many, ascending.
std::vector<uint64_t> copiedCells(const Op &stage, uint64_t width);
/// Lists of so many cells are in constant memory, which has room for some beside tables.
constexpr size_t LongestConstantList = 512;

/// Subscripts and radices of a Load or Store, in operand order.
struct AccessOperands {
  ValueId mask;                       // invalid if not masked
  llvm::ArrayRef<ValueId> subscripts; // 1 or more, S64
  llvm::ArrayRef<ValueId> radices;    // one fewer
  ValueId stored;                     // Store only
};
AccessOperands accessOperands(const Op &op);
inline bool isAccess(const Op &op) {
  return op.opcode == Opcode::Load || op.opcode == Opcode::Store;
}

struct Module {
  SourceMap sources;
  std::vector<MemType> memTypes;
  std::vector<Function> functions;

  const MemType &memType(MemTypeId id) const { return memTypes[id.index]; }
  Function &function(FunctionId id) { return functions[id.index]; }
  const Function &function(FunctionId id) const { return functions[id.index]; }
};

} // namespace colonnade::ir

#endif // COLONNADE_IR_FUNCTION_H
