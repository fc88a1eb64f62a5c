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
  return llvm::Error::success();
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
