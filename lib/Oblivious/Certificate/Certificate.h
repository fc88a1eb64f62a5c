//===- Certificate.h - The uniform slice as a function ----------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The certificate of an accepted function: the programme that computes a(i).
//
// In: the canonical function and its labels. Out: its uniform slice as an IR function,
// whose Loads and Stores carry the access ids of the original.
// Invariant: nothing in it depends on instance data; for every run, the addresses it
// gives are those of the predicated programme, in order.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_OBLIVIOUS_CERTIFICATE_H
#define COLONNADE_OBLIVIOUS_CERTIFICATE_H

#include "Oblivious/Flow/Dataflow.h"

namespace colonnade {

/// `function` must be accepted: all addresses, bounds and bases are uniform.
/// nullopt if they turn out not to be, which is a fault of the verifier.
std::optional<ir::Function> buildCertificate(const ir::Module &module, const ir::Function &function,
                                             const Dataflow &dataflow);

} // namespace colonnade

#endif // COLONNADE_OBLIVIOUS_CERTIFICATE_H
