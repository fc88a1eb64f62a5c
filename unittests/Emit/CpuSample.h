//===- CpuSample.h - A function and what the CPU back end makes of it -*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_UNITTESTS_EMIT_CPUSAMPLE_H
#define COLONNADE_UNITTESTS_EMIT_CPUSAMPLE_H

#include <ostream>
#include <string>
#include <vector>

namespace colonnade {

struct CpuSample {
  std::string name;
  unsigned laneBytes;
  std::vector<std::string> scalars; // bits
  std::string status;               // expected failure; empty: success
  const char *text;
};
inline std::ostream &operator<<(std::ostream &out, const CpuSample &sample) {
  return out << sample.name;
}

} // namespace colonnade

#endif // COLONNADE_UNITTESTS_EMIT_CPUSAMPLE_H
