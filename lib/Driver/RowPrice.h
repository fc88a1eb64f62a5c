//===- RowPrice.h - What a kernel costs, by the cost model ------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: the certificate of an accepted function. Out: the model's estimate of the time that one of
// its CUDA kernels takes on many instances, in microseconds on an H200: of row-wise ones for
// choices that are the same on every GPU, and of any layout for the user.
//
// Invariant: no price rests on a value that the user has not fixed.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_DRIVER_ROWPRICE_H
#define COLONNADE_DRIVER_ROWPRICE_H

#include "Driver/Pipeline.h"
#include "Model/KernelTime.h"
#include "Transform/KernelPrice.h"

namespace colonnade {

/// What a kernel is expected to take in a layout, of as many instances as a machine needs to be
/// busy.
struct Forecast {
  double microseconds;
  double copy;      // of its arrays, in microseconds
  std::string note; // both, and what limits it
};

class RowPrice : public KernelPrice {
public:
  RowPrice(const ir::Module &module, const ir::Function &certificate)
      : module_(module), certificate_(certificate) {}

  std::optional<double> ofRows(const ir::Function &kernel) const override;
  std::optional<double> ofColumns(const ir::Function &kernel) const override;
  std::optional<double> ofFewColumns(const ir::Function &kernel) const override;
  std::unique_ptr<KernelPrice> of(const ir::Function &certificate) const override {
    return std::make_unique<RowPrice>(module_, certificate);
  }

  /// nullopt: it depends on what is not known here.
  std::optional<Forecast> forecast(const ir::Function &kernel, model::Layout layout) const;

private:
  std::optional<model::KernelTime> timeOf(const ir::Function &kernel, model::Layout layout,
                                          int64_t count) const;

  const ir::Module &module_;
  const ir::Function &certificate_;
};

} // namespace colonnade

#endif // COLONNADE_DRIVER_ROWPRICE_H
