//===- Interface.h - What a bulk function looks like to its callers -*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a canonical or kernel function. Out: the arrays and scalars that callers pass, in
// the order of the generated descriptor, with their C++ names.
// Invariant: header, descriptor, kernels and the sequential thunk all number them this
// way.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_EMIT_CXX_INTERFACE_H
#define COLONNADE_EMIT_CXX_INTERFACE_H

#include "IR/Function.h"
#include "Support/SizeRange.h"

namespace colonnade {

enum class Direction : uint8_t {
  In,  // never stored to
  Out, // stored to, never loaded
  InOut,
};

struct InterfaceArray {
  ArrayId array;
  std::string name;      // C++ identifier: "b", "s_field", "returned"
  std::string cellsName; // "b_cells" if its extents are not all known, else empty
  Direction direction = Direction::In;
  bool uniform = false;
};

struct InterfaceScalar {
  ValueId value;
  std::string name; // C++ identifier
};

/// The values that --size gives an integer scalar: the first, in the scalar's type, and how many
/// more.
struct FixedValues {
  ir::Scalar first;
  uint64_t more = 0;
};
std::optional<FixedValues> fixedValues(const ir::Function &function, ValueId scalar,
                                       const SizeRanges &sizes);
/// The same, if that is one.
std::optional<ir::Scalar> fixedValue(const ir::Function &function, ValueId scalar,
                                     const SizeRanges &sizes);

struct Interface {
  std::vector<InterfaceArray> arrays;
  std::vector<InterfaceScalar> scalars;

  /// Position in `arrays`; arrays.size() for a local array or table.
  size_t index(ArrayId array) const;
};

Interface interfaceOf(const ir::Function &function);

} // namespace colonnade

#endif // COLONNADE_EMIT_CXX_INTERFACE_H
