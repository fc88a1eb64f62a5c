//===- Traces.cpp ---------------------------------------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Traces.h"

using namespace colonnade;

bool colonnade::isRecorded(const ir::Array &array) {
  return array.role == ir::ArrayRole::Parameter;
}

std::vector<TracedAccess> colonnade::onlyRecorded(const ir::Function &function,
                                                  const std::vector<TracedAccess> &trace) {
  std::map<std::string, bool> wanted;
  for (const ir::Array &array : function.arrays)
    wanted[array.name] = isRecorded(array);
  std::vector<TracedAccess> result;
  for (const TracedAccess &access : trace)
    if (wanted[access.array])
      result.push_back(access);
  return result;
}

void colonnade::append(NamedTrace &trace, const ir::Function &function,
                       const ir::AccessEvent &event) {
  const ir::Array &array = function.array(event.array);
  if (!isRecorded(array))
    return;
  trace.names.push_back({event.accessId, event.iterations.vec()});
  trace.accesses.push_back({array.name, event.cell, event.isStore});
}

static std::string str(const TracedAccess &access) {
  return (access.isStore ? "store " : "load ") + access.array + "[" + std::to_string(access.cell) +
         "]";
}

static std::string compareInOrder(const std::vector<TracedAccess> &a, const char *nameA,
                                  const std::vector<TracedAccess> &b, const char *nameB) {
  for (size_t i = 0; i < std::max(a.size(), b.size()); i++) {
    if (i < a.size() && i < b.size() && a[i] == b[i])
      continue;
    return "access " + std::to_string(i) + ": " + nameA + " " +
           (i < a.size() ? str(a[i]) : "nothing") + ", " + nameB + " " +
           (i < b.size() ? str(b[i]) : "nothing");
  }
  return {};
}

// Class P: each access carries a name, and its address is a's at that name.
static std::string compareByName(const NamedTrace &interpreted, const NamedTrace &certified) {
  std::map<AccessName, TracedAccess> addresses;
  for (size_t i = 0; i < certified.names.size(); i++)
    if (!addresses.emplace(certified.names[i], certified.accesses[i]).second)
      return "the certificate gives one name to two accesses: " + str(certified.accesses[i]);
  for (size_t i = 0; i < interpreted.names.size(); i++) {
    auto found = addresses.find(interpreted.names[i]);
    if (found == addresses.end())
      return "access " + std::to_string(i) + " (" + str(interpreted.accesses[i]) + ", site " +
             std::to_string(interpreted.names[i].accessId) + ") has no name in the certificate";
    if (!(found->second == interpreted.accesses[i]))
      return "access " + std::to_string(i) + " is " + str(interpreted.accesses[i]) +
             ", the certificate says " + str(found->second);
  }
  return {};
}

std::string colonnade::compareTraces(VerdictClass verdict, const NamedTrace &interpreted,
                                     const NamedTrace &certified,
                                     const std::vector<TracedAccess> *recorded) {
  if (recorded) {
    std::string difference =
        compareInOrder(*recorded, "recorded", interpreted.accesses, "interpreted");
    if (!difference.empty())
      return difference;
  }
  if (verdict == VerdictClass::A)
    return compareInOrder(interpreted.accesses, "interpreted", certified.accesses, "certified");
  return compareByName(interpreted, certified);
}
