//===- Machine.h - What is known of a machine -------------------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: the name of a built-in machine, or a JSON file (docs/models/machines.md). Out: its fields,
// each with where its value comes from.
// Invariant: a field that nobody measured or published is absent; no value is made up.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_MODEL_MACHINE_H
#define COLONNADE_MODEL_MACHINE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace colonnade::model {

/// What a machine file may say.
struct MachineField {
  const char *name;
  const char *unit;
  bool isWhole;
  double most;
  const char *meaning;
};
llvm::ArrayRef<MachineField> machineFields();

enum class Origin : uint8_t { Measured, Vendor, Paper };
const char *name(Origin origin); // "measured"

struct Machine {
  struct Value {
    double number = 0;
    Origin origin = Origin::Measured;
    std::string source; // who measured or published it
  };
  std::string name;
  bool isReal = false;                 // else a paper's
  std::string measured = {};           // when: 2026-11-28; empty: it was not
  std::map<std::string, Value> values; // by the field's name

  std::optional<double> find(llvm::StringRef field) const;
  std::optional<int64_t> findWhole(llvm::StringRef field) const;
  /// sms * resident_threads: more instances run one wave after the other.
  std::optional<int64_t> residentThreads() const;
};

/// Error: what the text lacks, or has in a wrong form; `where` names it.
llvm::Expected<Machine> parseMachine(llvm::StringRef text, llvm::StringRef where);

std::vector<std::string> builtinMachineNames();
/// A built-in machine's name, else a file.
llvm::Expected<Machine> readMachine(const std::string &nameOrFile);

} // namespace colonnade::model

#endif // COLONNADE_MODEL_MACHINE_H
