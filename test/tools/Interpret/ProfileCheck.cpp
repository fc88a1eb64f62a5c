//===- ProfileCheck.cpp - Cost profiles against walked traces -------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Interpret/ProfileCheck.h"

#include "Interpret/InterpretedRun.h"
#include "Model/ClosedLoops.h"

namespace colonnade {

static constexpr uint64_t Period = 32;

/// With no loop walked, what the walk found is between the bounds, if there are any.
static llvm::Error checkBounds(const ir::Function &certificate,
                               const std::vector<ir::ArrayData> &arrays,
                               const std::vector<ir::Scalar> &scalars,
                               const model::AccessProfile &walked) {
  model::WalkLimits limits;
  limits.operations = 1'000'000;
  limits.walked = 0;
  limits.parts = 2;
  auto bounds = model::boundsOf(certificate, arrays, scalars, Period, limits);
  if (!bounds)
    return llvm::Error::success();
  for (const model::Site &site : walked.sites) {
    uint64_t least = 0, most = 0;
    for (const model::Site &of : bounds->sites)
      if (of.op == site.op) {
        least += of.isConditional ? 0 : of.total();
        most += of.total();
      }
    if (site.total() < least || site.total() > most)
      return llvm::createStringError("the walk makes " + std::to_string(site.total()) +
                                     " accesses, the bounds are " + std::to_string(least) +
                                     " and " + std::to_string(most));
  }
  return llvm::Error::success();
}

static llvm::Error checkAt(const ir::Module &module, const ir::Function &certificate,
                           std::vector<ir::ArrayData> arrays,
                           const std::vector<ir::Scalar> &scalars) {
  model::WalkLimits limits;
  limits.operations = 1'000'000;
  limits.remembered = 1; // small sizes, too
  std::optional<model::AccessProfile> summary =
      model::summarize(certificate, arrays, scalars, Period, limits);
  if (!summary)
    return llvm::Error::success(); // walked, then
  auto walked = model::walk(module, certificate, arrays, scalars, Period, limits);
  if (!walked) {
    const bool isLonger = summary->total() > limits.operations / 100;
    const std::string reason = llvm::toString(walked.takeError());
    return isLonger ? llvm::Error::success()
                    : llvm::createStringError("a profile where the walk fails: " + reason);
  }
  for (size_t s = 0; s < walked->sites.size(); ++s)
    if (summary->sites[s].counts != walked->sites[s].counts)
      return llvm::createStringError(
          "the profile has " + std::to_string(summary->sites[s].total()) + " accesses of site " +
          std::to_string(certificate.op(summary->sites[s].op).accessId) + ", the walk " +
          std::to_string(walked->sites[s].total()) + ", or other cells");
  return checkBounds(certificate, arrays, scalars, *walked);
}

llvm::Error checkProfiles(const ir::Module &module, const ir::Function &certificate,
                          const std::vector<ir::ArrayData> &arrays,
                          const std::vector<ir::Scalar> &scalars) {
  if (llvm::Error error = checkAt(module, certificate, arrays, scalars))
    return error;
  for (const std::vector<ir::Scalar> &sizes : atSmallSizes(scalars))
    if (llvm::Error error = checkAt(module, certificate, arrays, sizes))
      return error;
  return llvm::Error::success();
}

} // namespace colonnade
