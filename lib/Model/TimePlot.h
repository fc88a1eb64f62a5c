//===- TimePlot.h - A kernel's time by the number of instances --*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: the time of each layout at numbers of instances. Out: an SVG figure, both axes logarithmic.
// Invariant: the same input gives the same text.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_MODEL_TIMEPLOT_H
#define COLONNADE_MODEL_TIMEPLOT_H

#include "llvm/ADT/ArrayRef.h"

#include <cstdint>
#include <string>
#include <vector>

namespace colonnade::model {

struct TimePoint {
  int64_t count;
  double microseconds;
};

struct TimeCurve {
  std::string name;              // "tiled"
  std::vector<TimePoint> points; // counts ascend; one at least
};

std::string timePlot(const std::string &title, llvm::ArrayRef<TimeCurve> curves);

} // namespace colonnade::model

#endif // COLONNADE_MODEL_TIMEPLOT_H
