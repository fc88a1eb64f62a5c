//===- StripForm.cpp - What a kernel in strips accesses -------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transform/Strips/StripForm.h"

#include "Oblivious/Oblivious.h"
#include "Transform/Strips/StripNest.h"

#include "llvm/ADT/STLExtras.h"

#include <set>

using namespace colonnade;
using namespace colonnade::ir;

/// The kernel as a canonical function, with nothing decided.
static Function formOf(const Function &kernel) {
  Function form = kernel;
  form.stage = Stage::Canonical;
  form.launch.reset();
  form.notes.clear();
  for (Array &array : form.arrays) {
    if (array.isLocal())
      array.sharing = Sharing::Instance;
    array.space.reset();
    array.loadedFirst = false;
    array.stored.clear();
  }
  for (Value &value : form.values)
    value.varying = false;
  for (Op &op : form.ops) {
    op.guarded = false;
    op.unrolling = {};
  }
  return form;
}

std::optional<Function> colonnade::certificateOfStrips(const Module &module,
                                                       const Function &certificate,
                                                       const Function &kernel) {
  const auto *threads = std::get_if<ThreadShape>(&*kernel.launch);
  if (!threads || threads->together)
    return std::nullopt;
  std::set<uint32_t> known = {UINT32_MAX}; // of what a kernel keeps for itself
  for (const Op &op : certificate.ops)
    if (isCellAccess(op))
      known.insert(op.accessId);
  if (llvm::none_of(kernel.ops,
                    [&](const Op &op) { return isCellAccess(op) && !known.count(op.accessId); }))
    return std::nullopt;
  Verdict verdict = verifyOblivious(module, formOf(kernel));
  return isAccepted(verdict.verdict) ? std::optional(std::move(verdict.certificate)) : std::nullopt;
}
