//===- Oblivious.h - The verdict, its findings and the certificate -*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The verifier: the verdict on a function, its findings and its certificate.
//
// In: a canonical function. Out: the verdict class, every finding with the path
// from the data to the address, which values and arrays vary, which arrays are
// written in full, and the certificate with properties of its addresses: the uniform slice of
// the function as an IR function whose Loads and Stores carry the access ids of the original
// (interpret it to get a(i)). Invariant: nothing is accepted whose addresses depend on data.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_OBLIVIOUS_OBLIVIOUS_H
#define COLONNADE_OBLIVIOUS_OBLIVIOUS_H

#include "IR/Function.h"
#include "Oblivious/Certificate/AddressProperties.h"
#include "Oblivious/Certificate/Count.h"
#include "Support/VerdictClass.h"

namespace colonnade {

struct PathStep {
  LocId loc;
  std::string message;
};

struct Finding {
  std::string id; // "OBL204", see Support/Diagnostics.def
  VerdictClass verdict = VerdictClass::N;
  LocId loc;
  std::string message = {};
  std::vector<PathStep> path = {}; // from the origin of the data to the finding
  /// What the user can add to the command line so that the finding goes away, if that is true of
  /// the data: "--bound 56=16". Several are needed together.
  std::vector<std::string> options = {};
};

/// What differs between instances in the canonical function, by value and op id.
///
/// A value that is not varying is equal in all lanes that are *active* where it
/// is defined. An array that is not varying needs one copy only. A load that is
/// not varying, from an array that is, may read any lane: all lanes, active or
/// not, then hold the same cells.
struct Uniformity {
  std::vector<bool> varying;      // value differs between instances
  std::vector<bool> divergent;    // If/For/Loop whose condition or exit is varying
  std::vector<bool> underMask;    // op executes where some lanes may be inactive
  std::vector<bool> arrayVarying; // per array: contents differ between instances
};

struct Verdict {
  VerdictClass verdict = VerdictClass::A;
  bool anyVarying = true;                   // false: every instance does the same
  std::vector<std::string> instanceOptions; // then: "--instance S", of what may be
  std::vector<Finding> findings;            // sorted by location; notes about class P included
  std::vector<std::string> assumptions;
  Uniformity uniformity;
  std::vector<bool> fullyWritten; // per array of the function (FullyWritten.h)
  /// Per array of the function: a value that may be uninitialised is stored to it.
  std::vector<bool> mayBeIndeterminate;
  ir::Function certificate;
  AddressProperties addresses; // of the certificate
  /// Accesses by the predicated programme, by kind.
  AccessCounts counts;

  /// Those to instance parameters; Unknown if there is no closed form.
  const SizeExpr &accesses() const { return counts.ofKind[size_t(AccessKind::Instance)]; }
};

/// What keeps a function from a GPU, where it has one: a value of the math library
/// decides an address (OBL105). Null: nothing.
const Finding *findAddressFromLibrary(const Verdict &verdict);

Verdict verifyOblivious(const ir::Module &module, const ir::Function &function);

/// Extents that are neither declared nor in the type, from affine accesses. An
/// over-estimate where an access runs under conditions that are not affine.
/// Sets Array::extents and extentsDerived; leaves Unknown what it cannot derive.
void deriveExtents(ir::Function &function);

} // namespace colonnade

#endif // COLONNADE_OBLIVIOUS_OBLIVIOUS_H
