//===- OptionTexts.h - Texts of options to values ---------------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: the texts of options, as the command line has them. Out: facts, classes, targets
// and the like.
//
// Invariant: a text of the wrong form throws CLI::ValidationError, which names the option;
// Options.cpp prints it. Nothing else throws here.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_DRIVER_OPTIONTEXTS_H
#define COLONNADE_DRIVER_OPTIONTEXTS_H

#include "Driver/Options/Options.h"

namespace colonnade {

/// Of the options that are more than a text.
struct OptionTexts {
  std::vector<std::string> extents, uniform, instance, aliases, bounds, sizes;
  std::vector<std::string> arguments, inputs, outputs, allowed, errorOn;
  std::string targets, dump, verify, witness, plan;
  std::string count, models, layouts, width, latency, dmms; // cost
  std::vector<std::string> places;
  std::string base;
  std::string policies, page, fanout, cache, depth, tau, resident, machine;
  bool broadcast = false, noBroadcast = false;
};

EntryFacts parseFacts(const OptionTexts &texts);
std::set<VerdictClass> parseClasses(const std::string &option,
                                    const std::vector<std::string> &texts);
std::vector<Assignment> parseAssignments(const std::string &option,
                                         const std::vector<std::string> &texts);
/// "cpu,cuda"; in the order of the list of back ends, each once.
std::vector<const BackEnd *> parseTargets(const std::string &text);
Dump parseDump(const std::string &text);
RowPlan parsePlan(const std::string &text);
/// "--verify", "--verify=all", "--verify=100": as the runner reads it.
std::string verifyArgument(const std::string &text);
model::CostOptions parseCost(const OptionTexts &texts, bool isOfGpu);
/// --witness, --witness=20.
unsigned parseWitnessSeconds(const std::string &text);

} // namespace colonnade

#endif // COLONNADE_DRIVER_OPTIONTEXTS_H
