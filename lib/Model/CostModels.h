//===- CostModels.h - The table of cost models ------------------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a function's certificate, its kernel, the profile of one instance, how many instances there
// are, and the options of `colonnade cost`. Out: for each group of models, what they say.
// Invariant: text and JSON of a section say the same; what is not exact is an interval.
//
// A new model is a file beside this one and a row of the table.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_MODEL_COSTMODELS_H
#define COLONNADE_MODEL_COSTMODELS_H

#include "Model/Arrangement.h"
#include "Model/BulkCost.h"
#include "Model/KernelPlaces.h"
#include "Model/Machine.h"
#include "Model/OperationCounts.h"
#include "Model/TeamRequests.h"
#include "Model/Translation.h"

#include "llvm/Support/JSON.h"

#include <functional>

namespace colonnade::model {

constexpr int64_t DefaultLatency = 600, DefaultDmms = 132; // where no machine is named

/// `colonnade cost`
struct CostOptions {
  int64_t count = 0;                 // --count: instances, 1 or more
  std::vector<std::string> models;   // --model, else all
  bool isOfGpu = true;               // --target cuda: the kernel has warps
  bool takesAllModels = false;       // none is named: what cannot be had is left out
  std::vector<Layout> layouts;       // --layout, else all
  int64_t width = 32;                // --width: of the UMM and the DMM
  std::optional<int64_t> latency;    // --latency; none: the machine does not say it
  bool broadcast = false;            // --broadcast
  std::optional<int64_t> dmms;       // --dmms: of the HMM; none: as above
  VatMachine vat;                    // --page, --fanout, --cache, --depth, --tau, --resident
  std::string vatLacks;              // the option of it that the machine does not say
  std::optional<Machine> machine;    // --machine
  std::vector<Replacement> policies; // --policy
  std::vector<ArrayPlace> places;    // --place
  int64_t base = 0;                  // --base: of the caller's arrays, in cells
  bool wantsPlot = false;            // --plot

  bool wants(llvm::StringRef model) const;
};

/// What a warp of teams asks for, or why that is not counted.
struct TeamFinding {
  std::optional<TeamRequests> requests;
  std::string why; // "data decides an address"
};

/// The least time of a kernel.
struct BestTime {
  Layout layout;
  std::string place; // of the caller's arrays of instances
  double microseconds;
};
/// Of code whose sizes are fixed.
struct SizedTime {
  std::string option;           // "--size n=32"
  std::optional<BestTime> best; // none: it takes long to find
};

/// What the models price.
struct CostQuestion {
  const ir::Module &module;
  const ir::Function &certificate;
  llvm::ArrayRef<ir::Scalar> scalars; // its arguments
  const BulkInput &input;
  const CostOptions &options;
  /// The CUDA kernel for any layout, made when it is first asked for.
  std::function<llvm::Expected<const ir::Function *>()> kernel;
  const std::vector<ir::ArrayData> &contents; // of the certificate's arrays, before a run
  uint64_t registerWords;                     // of arrays that a kernel keeps in registers, at most
  /// The CUDA kernel for instances in that layout.
  std::function<llvm::Expected<const ir::Function *>(Layout)> kernelFor;
  /// Of the same function with its sizes fixed; nullopt: it has none, or they would change nothing.
  std::function<std::optional<SizedTime>()> withSizes = {};
  /// Of kernels of teams, when it was first asked for.
  mutable std::map<std::pair<const ir::Function *, Layout>, TeamFinding> teams = {};
  /// Of kernels, likewise.
  mutable std::map<const ir::Function *, RegionExecutions> executions = {};
};

/// Accesses of an instance that the compiler leaves, estimated.
struct LeftAccesses {
  uint64_t number;
  std::string within; // what: "8 unrolled iterations"
};

/// What the models of a group say.
struct CostSection {
  std::string text; // without the empty line before it
  llvm::json::Array rows;
  std::string plot; // SVG, if one is wanted
  std::optional<LeftAccesses> left = {};
  std::optional<BestTime> best = {};
  bool isEstimate = false;   // whatever its models are else
  std::string accuracy = {}; // of an estimate, as far as it was measured
  /// Where a figure of exact models is printed as an interval: which are exact, and which are not.
  std::vector<std::string> exact = {}, intervals = {};
};

/// What a model's figures are, if loops are counted and not bounded.
enum class Certainty : uint8_t { Exact, Interval, Estimate };

/// Models that are reported together.
struct CostModelGroup {
  llvm::ArrayRef<const char *> models; // as `--model` names them
  const char *key;                     // of the JSON
  const char *title;                   // where it is said why they are left out
  bool isOfGpu;                        // they price a CUDA kernel, and no other
  bool hasCudaWarps;                   // of 32 lanes, whatever --width says
  bool draws;                          // what --plot wants
  Certainty certainty;
  /// Of those that the options want: at least one.
  llvm::Expected<CostSection> (*price)(const CostQuestion &question);
};

/// In the order of reports.
llvm::ArrayRef<CostModelGroup> costModelGroups();
std::vector<std::string> costModelNames();

/// The accesses of an instance in their order. Error: as for walkCells().
llvm::Expected<std::vector<CellAccess>> accessesInOrder(const CostQuestion &question,
                                                        const WalkLimits &limits = {});

llvm::Expected<CostSection> sectorsSection(const CostQuestion &question);
llvm::Expected<CostSection> cachedSectorsSection(const CostQuestion &question);
llvm::Expected<CostSection> timeSection(const CostQuestion &question);
llvm::Expected<CostSection> memoryMachinesSection(const CostQuestion &question);
llvm::Expected<CostSection> hmmSection(const CostQuestion &question);
llvm::Expected<CostSection> kModelSection(const CostQuestion &question);
llvm::Expected<CostSection> translationsSection(const CostQuestion &question);

/// How often the kernel enters its regions.
llvm::Expected<RegionExecutions> kernelExecutions(const CostQuestion &question,
                                                  const ir::Function &kernel);

/// Of a kernel of teams; of others nothing is asked.
const TeamFinding &teamFinding(const CostQuestion &question, const ir::Function &kernel,
                               Layout layout);
/// What the question prices, with what is counted of a kernel's teams.
BulkInput inputFor(const CostQuestion &question, const ir::Function &kernel, Layout layout);

/// Of what is neither known of the machine nor given: `option` is "latency".
llvm::Error unknownOfMachine(const CostOptions &options, llvm::StringRef option);

/// 24435099 as 24,435,099
std::string grouped(uint64_t number);

} // namespace colonnade::model

#endif // COLONNADE_MODEL_COSTMODELS_H
