//===- CachedSectorsSection.cpp - What is said of L1's misses -------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model/CachedSectors.h"
#include "Model/CostModels.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

namespace colonnade::model {

namespace json = llvm::json;

static constexpr uint64_t MaxUnaskedRequests = 1'000'000; // of a block: a second in all

static llvm::Expected<CacheMachine> cacheMachine(const CostOptions &options) {
  CacheMachine machine;
  for (auto [member, field] : {std::pair(&CacheMachine::l1, "l1"),
                               std::pair(&CacheMachine::residentThreads, "resident_threads"),
                               std::pair(&CacheMachine::sms, "sms")}) {
    const auto value = options.machine ? options.machine->findWhole(field) : std::nullopt;
    if (!value)
      return llvm::createStringError(llvm::Twine("'") + field +
                                     "' is not known: give a --machine that says it");
    machine.*member = *value;
  }
  machine.l2 = options.machine->findWhole("l2");
  return machine;
}

static std::vector<OrderedAccess> ordered(const ir::Function &certificate,
                                          llvm::ArrayRef<CellAccess> accesses) {
  std::vector<OrderedAccess> result;
  for (const CellAccess &access : accesses) {
    const ir::Op &op = certificate.op(access.op);
    result.push_back(
        {access.array, access.cell, op.opcode == ir::Opcode::Store, access.isConditional});
  }
  return result;
}

static std::string text(const Interval &interval) {
  return interval.isExact() ? grouped(interval.low)
                            : grouped(interval.low) + " to " + grouped(interval.high);
}

static void print(llvm::raw_ostream &out, Layout layout, const CacheMachine &machine,
                  const CachedSectors &sum) {
  out << llvm::formatv("  {0,-6} L2    {1,26} read {2,26} written", name(layout), text(sum.read),
                       text(sum.written));
  if (sum.likelyRead && !sum.read.isExact())
    out << ", likely " << grouped(*sum.likelyRead) << " read";
  out << '\n';
  if (machine.l2)
    out << llvm::formatv("         DRAM  {0,26} read {1,26} written\n", text(sum.dramRead),
                         text(sum.dramWritten));
}

static json::Value intervalJson(const Interval &interval) {
  return json::Object{{"low", interval.low}, {"high", interval.high}};
}

static json::Value rowJson(Layout layout, const CacheMachine &machine, const CachedSectors &sum) {
  json::Object row{{"layout", name(layout)}, {"read", intervalJson(sum.read)},
                   {"read_likely", nullptr}, {"written", intervalJson(sum.written)},
                   {"dram_read", nullptr},   {"dram_written", nullptr}};
  if (sum.likelyRead)
    row["read_likely"] = *sum.likelyRead;
  if (machine.l2) {
    row["dram_read"] = intervalJson(sum.dramRead);
    row["dram_written"] = intervalJson(sum.dramWritten);
  }
  return row;
}

llvm::Expected<CostSection> cachedSectorsSection(const CostQuestion &question) {
  const bool takesAll = question.options.takesAllModels;
  if (!question.options.machine && takesAll)
    return CostSection{};
  auto machine = cacheMachine(question.options);
  if (!machine)
    return machine.takeError();
  auto accesses = accessesInOrder(question);
  if (!accesses)
    return accesses.takeError();
  const std::vector<OrderedAccess> inOrder = ordered(question.certificate, *accesses);
  CostSection section;
  llvm::raw_string_ostream out(section.text);
  out << "L2: sectors of 32 bytes that L1 does not answer\n";
  for (Layout layout : question.options.layouts) {
    auto kernel = question.kernelFor(layout);
    if (!kernel)
      return kernel.takeError();
    const BulkInput input = inputFor(question, **kernel);
    auto sum = cachedSectors(*machine, **kernel, layout, inOrder, input,
                             takesAll ? MaxUnaskedRequests : MaxCachedRequests);
    if (!sum && takesAll)
      return llvm::createStringError(llvm::toString(sum.takeError()) +
                                     "; --model l2 takes longer, and more of them");
    if (!sum)
      return sum.takeError();
    print(out, layout, *machine, *sum);
    section.isEstimate |= llvm::any_of(traffic(**kernel, layout, input),
                                       [](const Traffic &site) { return site.isOfTeam; });
    section.rows.push_back(rowJson(layout, *machine, *sum));
  }
  return section;
}

} // namespace colonnade::model
