//===- Traces.h - Recorded, interpreted and certified accesses -*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Three views of one run, over the arrays a caller passes (locals, tables, the
// return value and by-value scalars have no address that a recorder knows):
//
//   recorded     loads and stores of the original source, as executed
//   interpreted  the same from our IR, each with its name
//   certified    a(i): the certificate's accesses, each with its name
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_TEST_TOOLS_TRACES_H
#define COLONNADE_TEST_TOOLS_TRACES_H

#include "Job.h"
#include "Oblivious/Oblivious.h"

namespace colonnade {

struct AccessName {
  uint32_t accessId;
  std::vector<int64_t> iterations;
  friend auto operator<=>(const AccessName &, const AccessName &) = default;
};

struct NamedTrace {
  std::vector<AccessName> names;
  std::vector<TracedAccess> accesses; // as many
};

/// Does the caller pass this array's address?
bool isRecorded(const ir::Array &array);

/// Drops what the harness records beside them: by-value scalars and the result.
std::vector<TracedAccess> onlyRecorded(const ir::Function &function,
                                       const std::vector<TracedAccess> &trace);

/// Appends an access to the trace if its array is recorded.
void append(NamedTrace &trace, const ir::Function &function, const ir::AccessEvent &event);

/// Empty if the traces agree as the class demands, else the first difference.
/// `recorded` may be null: then only interpreted and certified are compared.
std::string compareTraces(VerdictClass verdict, const NamedTrace &interpreted,
                          const NamedTrace &certified, const std::vector<TracedAccess> *recorded);

} // namespace colonnade

#endif // COLONNADE_TEST_TOOLS_TRACES_H
