//===- KernelPrice.h - What choices of kernels ask --------------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a kernel. Out: how long it takes, for choices between kernels of one function. Transform
// knows no machine and no model: who calls it has them.
//
// Invariant: a price decides where and when something is done, never what is stored.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_TRANSFORM_KERNELPRICE_H
#define COLONNADE_TRANSFORM_KERNELPRICE_H

#include "IR/Function.h"

#include <memory>
#include <optional>

namespace colonnade {

class KernelPrice {
public:
  virtual ~KernelPrice() = default;
  /// Of many row-wise instances; in any unit. nullopt: it depends on what is not known here.
  virtual std::optional<double> ofRows(const ir::Function &kernel) const = 0;
  /// The same of instances in columns.
  virtual std::optional<double> ofColumns(const ir::Function &kernel) const = 0;
  /// Of no more than fill some of a GPU's memory: of long instances one thread each leaves a GPU
  /// idle.
  virtual std::optional<double> ofFewColumns(const ir::Function &kernel) const {
    return ofColumns(kernel);
  }
  /// Of kernels that access what another certificate says; null: it is not known.
  virtual std::unique_ptr<KernelPrice> of(const ir::Function &) const { return nullptr; }
};

} // namespace colonnade

#endif // COLONNADE_TRANSFORM_KERNELPRICE_H
