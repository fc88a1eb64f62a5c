//===- Certificate.h - The uniform slice as a function ----------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_OBLIVIOUS_CERTIFICATE_H
#define COLONNADE_OBLIVIOUS_CERTIFICATE_H

#include "Oblivious/Dataflow.h"

namespace colonnade {

/// `function` must be accepted: all addresses, bounds and bases are uniform.
/// nullopt if they turn out not to be, which is a fault of the verifier.
std::optional<ir::Function> buildCertificate(const ir::Function &function,
                                             const Dataflow &dataflow);

} // namespace colonnade

#endif // COLONNADE_OBLIVIOUS_CERTIFICATE_H
