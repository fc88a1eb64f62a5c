//===- AddressData.h - Do addresses come out of arrays? ---------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Addresses are checked against extents before a launch by walking a(i). Where a
// uniform array's contents decide an address (b[perm[i]]), sizes alone do not
// give a(i), so every access is checked as it happens instead.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_EMIT_ADDRESSDATA_H
#define COLONNADE_EMIT_ADDRESSDATA_H

#include "IR/Function.h"

namespace colonnade {

/// Per array of the certificate: some value loaded from it is used.
std::vector<bool> arraysReadForAddresses(const ir::Function &certificate);

/// Some of these arrays are passed in, so that their contents are unknown.
bool addressesNeedData(const ir::Function &certificate);

} // namespace colonnade

#endif // COLONNADE_EMIT_ADDRESSDATA_H
