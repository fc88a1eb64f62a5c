//===- CertificateArrays.h - Arrays for a run of a certificate --*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What trace and cost interpret a certificate with. In: a certificate, its scalars, the files of
// `-i`. Out: the cells of the uniform arrays that have a file; other arrays need none.
//
// Invariant: what decides an address, a bound or a branch is never made up: it has a file, or
// there is an error that names it.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_DRIVER_CERTIFICATEARRAYS_H
#define COLONNADE_DRIVER_CERTIFICATEARRAYS_H

#include "Driver/Options/Options.h"
#include "IR/Interpreter.h"

namespace colonnade {

/// Error: nobody said how many cells it has, and its accesses do not show it.
llvm::Error checkArrayExtents(const ir::Array &array);

/// Cells of one instance. Error: they are unknown, or no memory could hold them.
llvm::Expected<int64_t> concreteCells(const ir::Function &function, const ir::Array &array,
                                      llvm::ArrayRef<ir::Scalar> scalars);

llvm::Expected<std::vector<ir::ArrayData>> certificateArrays(const ir::Function &certificate,
                                                             llvm::ArrayRef<ir::Scalar> scalars,
                                                             const std::vector<Assignment> &inputs);

} // namespace colonnade

#endif // COLONNADE_DRIVER_CERTIFICATEARRAYS_H
