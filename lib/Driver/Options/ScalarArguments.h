//===- ScalarArguments.h - --arg and --size to values ----------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a function and the options. Out: the value of each of its uniform scalars, in order.
// Error: one has no value, one that the function does not have, one that its type cannot
// hold, or two values.
//
// Invariant: texts are read as the runner reads them (bulk/runner/scalars.hpp).
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_DRIVER_SCALARARGUMENTS_H
#define COLONNADE_DRIVER_SCALARARGUMENTS_H

#include "Driver/Options/Options.h"
#include "IR/Function.h"

#include <colonnade/bulk/function.hpp>

namespace colonnade {

using Scalars = std::vector<ir::Scalar>;

llvm::Expected<Scalars> scalarArguments(const ir::Function &function, const Options &options);

/// The same, but one may have no value.
llvm::Expected<std::vector<std::optional<ir::Scalar>>> givenScalars(const ir::Function &function,
                                                                    const Options &options);

/// The runtime's name of the type.
bulk::cell_type cellType(ir::ScalarType type);

} // namespace colonnade

#endif // COLONNADE_DRIVER_SCALARARGUMENTS_H
