//===- RowPrice.h - What a kernel costs on row-wise instances ---*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: the certificate of an accepted function. Out: the model's estimate of the time that one of
// its CUDA kernels takes on many row-wise instances, in microseconds on an H200; for choices that
// are the same on every GPU.
//
// Invariant: no price rests on a value that the user has not fixed.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_DRIVER_ROWPRICE_H
#define COLONNADE_DRIVER_ROWPRICE_H

#include "Driver/Pipeline.h"
#include "Transform/KernelPrice.h"

namespace colonnade {

class RowPrice : public KernelPrice {
public:
  RowPrice(const ir::Module &module, const ir::Function &certificate)
      : module_(module), certificate_(certificate) {}

  std::optional<double> ofRows(const ir::Function &kernel) const override;

private:
  const ir::Module &module_;
  const ir::Function &certificate_;
};

} // namespace colonnade

#endif // COLONNADE_DRIVER_ROWPRICE_H
