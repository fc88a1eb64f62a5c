//===- CachedSectorsSection.cpp - What is said of L1's misses -------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model/CachedSectors.h"
#include "Model/CostModels.h"
#include "Model/Sectors.h"
#include "Model/StoreRuns.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

namespace colonnade::model {

namespace json = llvm::json;

static constexpr uint64_t MaxUnaskedRequests = 500'000; // of a block: a second in all

static llvm::Expected<CacheMachine> cacheMachine(const CostOptions &options) {
  CacheMachine machine;
  for (auto [member, field] : {std::pair(&CacheMachine::l1, "l1"),
                               std::pair(&CacheMachine::residentThreads, "resident_threads"),
                               std::pair(&CacheMachine::sms, "sms")}) {
    if (!options.machine)
      return llvm::createStringError("the caches are a machine's: give --machine");
    const auto value = options.machine->findWhole(field);
    if (!value)
      return llvm::createStringError("machine '" + options.machine->name + "' does not say its '" +
                                     field + "': docs/models/machines.md says where it comes from");
    machine.*member = *value;
  }
  machine.l2 = options.machine->findWhole("l2");
  machine.l2Holds = options.machine->findWhole("l2_holds");
  return machine;
}

/// Numbers the runs of one store: a cell that comes again is of the next time that its loop is
/// entered. Of a loop that runs several iterations at once those that are left run one by one.
class SiteRuns {
public:
  explicit SiteRuns(StoresTogether together) : together_(together) {}

  /// `newest`: the number of the run that was begun last.
  void add(llvm::MutableArrayRef<OrderedAccess> accesses, size_t at, uint32_t &newest) {
    const int64_t cell = accesses[at].cell;
    auto isSame = [&](size_t one) { return accesses[one].cell == cell; };
    if (run_.size() == together_.number || llvm::any_of(run_, isSame))
      close(accesses);
    if (run_.empty())
      ++newest;
    run_.push_back(at);
    accesses[at].run = newest;
  }
  void close(llvm::MutableArrayRef<OrderedAccess> accesses) {
    if (together_.restIsSingle && run_.size() < together_.number)
      for (size_t one : run_)
        accesses[one].run = 0;
    run_.clear();
  }

private:
  StoresTogether together_;
  llvm::SmallVector<size_t, 8> run_;
};

static void numberRuns(std::vector<OrderedAccess> &accesses, llvm::ArrayRef<uint32_t> sites,
                       const std::map<uint32_t, StoresTogether> &together) {
  std::map<uint32_t, SiteRuns> runs;
  uint32_t newest = 0;
  for (size_t at = 0; at < accesses.size(); ++at)
    if (auto found = together.find(sites[at]);
        accesses[at].isStore && found != together.end() && found->second.number > 1)
      runs.try_emplace(sites[at], found->second).first->second.add(accesses, at, newest);
  for (auto &[site, run] : runs)
    run.close(accesses);
}

/// Numbers the loads of each loop that are in flight together.
static void numberBatches(std::vector<OrderedAccess> &accesses, llvm::ArrayRef<CellAccess> of,
                          llvm::ArrayRef<uint32_t> sites,
                          const std::map<uint32_t, LoadsTogether> &together) {
  struct Batch {
    uint64_t around;
    int64_t block; // of iterations
    uint32_t number;
  };
  std::map<uint32_t, Batch> open; // by loop
  uint32_t newest = 0;
  for (size_t at = 0; at < accesses.size(); ++at) {
    const auto found = together.find(sites[at]);
    if (accesses[at].isStore || found == together.end())
      continue;
    const unsigned each = found->second.iterations;
    const int64_t block = each == 0 ? 0 : of[at].iteration / each;
    auto [batch, isNew] = open.try_emplace(found->second.loop.index);
    if (isNew || batch->second.around != of[at].around || batch->second.block != block)
      batch->second = {of[at].around, block, ++newest};
    accesses[at].batch = batch->second.number;
  }
}

/// Where it is not known how often loops are entered, each store is by itself.
static std::vector<OrderedAccess> ordered(const CostQuestion &question, const ir::Function &kernel,
                                          Layout layout, llvm::ArrayRef<CellAccess> accesses) {
  std::vector<OrderedAccess> result;
  std::vector<uint32_t> sites;
  for (const CellAccess &access : accesses) {
    const ir::Op &op = question.certificate.op(access.op);
    result.push_back(
        {access.array, access.cell, op.opcode == ir::Opcode::Store, access.isConditional});
    sites.push_back(op.accessId);
  }
  if (auto executions = kernelExecutions(question, kernel)) {
    numberRuns(result, sites, storesTogether(kernel, *executions, layout));
    numberBatches(result, accesses, sites, loadsTogether(kernel, *executions, layout));
  } else
    llvm::consumeError(executions.takeError());
  return result;
}

static std::string text(const Interval &interval) {
  return interval.isExact() ? grouped(interval.low)
                            : grouped(interval.low) + " to " + grouped(interval.high);
}

/// What is likely, where an interval says less.
static std::string likely(const Interval &read, std::optional<uint64_t> likelyRead,
                          const Interval &written, std::optional<uint64_t> likelyWritten) {
  std::string text;
  if (likelyRead && !read.isExact())
    text += ", likely " + grouped(*likelyRead) + " read";
  if (likelyWritten && !written.isExact())
    text += (text.empty() ? ", likely " : ", ") + grouped(*likelyWritten) + " written";
  return text;
}

static void print(llvm::raw_ostream &out, Layout layout, const CacheMachine &machine,
                  const CachedSectors &sum) {
  out << llvm::formatv("  {0,-6} L2    {1,26} read {2,26} written{3}\n", name(layout),
                       text(sum.read), text(sum.written),
                       likely(sum.read, sum.likelyRead, sum.written, sum.likelyWritten));
  if (machine.l2)
    out << llvm::formatv(
        "         DRAM  {0,26} read {1,26} written{2}\n", text(sum.dramRead), text(sum.dramWritten),
        likely(sum.dramRead, sum.likelyDramRead, sum.dramWritten, sum.likelyDramWritten));
}

static json::Value intervalJson(const Interval &interval) {
  return json::Object{{"low", interval.low}, {"high", interval.high}};
}

static json::Value numberJson(std::optional<uint64_t> number) {
  return number ? json::Value(*number) : json::Value(nullptr);
}

static json::Value rowJson(Layout layout, const CacheMachine &machine, const CachedSectors &sum) {
  json::Object row{{"layout", name(layout)},
                   {"read", intervalJson(sum.read)},
                   {"read_likely", numberJson(sum.likelyRead)},
                   {"written", intervalJson(sum.written)},
                   {"written_likely", numberJson(sum.likelyWritten)},
                   {"dram_read", nullptr},
                   {"dram_read_likely", numberJson(sum.likelyDramRead)},
                   {"dram_written", nullptr},
                   {"dram_written_likely", numberJson(sum.likelyDramWritten)}};
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
  CostSection section;
  llvm::raw_string_ostream out(section.text);
  out << "L2: sectors of 32 bytes that L1 does not answer\n";
  for (Layout layout : question.options.layouts) {
    auto kernel = question.kernelFor(layout);
    if (!kernel)
      return kernel.takeError();
    const BulkInput input = inputFor(question, **kernel, layout);
    auto sum =
        cachedSectors(*machine, **kernel, layout, ordered(question, **kernel, layout, *accesses),
                      input, takesAll ? MaxUnaskedRequests : MaxCachedRequests);
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
