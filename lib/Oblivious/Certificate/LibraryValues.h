//===- LibraryValues.h - Addresses from inexact functions ------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Addresses that a GPU's math library may compute differently.
//
// In: a certificate, the programme that computes a(i). Out: a finding for each
// call in it whose result depends on the math library at hand (sin, pow): a GPU's
// may differ from the host's in the last bit, and then its accesses would not be
// those that the host checks before a launch.
// Invariant: calls whose results are data only have no finding: they are not in a
// certificate.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_OBLIVIOUS_LIBRARYVALUES_H
#define COLONNADE_OBLIVIOUS_LIBRARYVALUES_H

#include "Oblivious/Oblivious.h"

namespace colonnade {

std::vector<Finding> addressesFromLibrary(const ir::Function &certificate);

} // namespace colonnade

#endif // COLONNADE_OBLIVIOUS_LIBRARYVALUES_H
