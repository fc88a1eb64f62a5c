//===- CostModels.cpp - The table of cost models --------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model/CostModels.h"

#include "llvm/ADT/STLExtras.h"

namespace colonnade::model {

static constexpr const char *Sectors[] = {"sectors"};
static constexpr const char *MemoryMachines[] = {"umm", "dmm"};
static constexpr const char *Hmm[] = {"hmm"};
static constexpr const char *KModel[] = {"k"};
static constexpr const char *Translations[] = {"vat"};

static constexpr CostModelGroup Groups[] = {
    {Sectors, "sectors", "sectors", sectorsSection},
    {MemoryMachines, "machines", "UMM and DMM", memoryMachinesSection},
    {Hmm, "hmm", "HMM", hmmSection},
    {KModel, "k_model", "K-model", kModelSection},
    {Translations, "translations", "VAT", translationsSection},
};

llvm::ArrayRef<CostModelGroup> costModelGroups() { return Groups; }

std::vector<std::string> costModelNames() {
  std::vector<std::string> names;
  for (const CostModelGroup &group : Groups)
    names.insert(names.end(), group.models.begin(), group.models.end());
  return names;
}

bool CostOptions::wants(llvm::StringRef model) const { return llvm::is_contained(models, model); }

llvm::Error unknownOfMachine(const CostOptions &options, llvm::StringRef option) {
  return llvm::createStringError("machine '" + options.machine->name + "' does not say its '" +
                                 option + "': give --" + option);
}

std::string grouped(uint64_t number) {
  const std::string digits = std::to_string(number);
  std::string text;
  for (size_t at = 0; at < digits.size(); ++at) {
    if (at > 0 && (digits.size() - at) % 3 == 0)
      text += ',';
    text += digits[at];
  }
  return text;
}

} // namespace colonnade::model
