//===- Machine.cpp - What is known of a machine ---------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model/Machine.h"

#include "Model/RepeatedKeys.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"

#include <cmath>

namespace colonnade::model {

namespace json = llvm::json;

namespace {
struct BuiltinMachine {
  const char *name;
  const char *text;
};
} // namespace

// Generated from lib/Model/Machines by cmake/EmbedPages.cmake.
static constexpr BuiltinMachine Builtins[] = {
#include "Machines.inc"
};

static constexpr double Bytes = 1e15, Rate = 1e6, Count = 1e6;
static constexpr double Least = 1e-3; // of what is not whole: below, it is a slip of the unit

static constexpr MachineField Fields[] = {
    {"sms", "SMs", true, Count, "streaming multiprocessors"},
    {"resident_threads", "threads/SM", true, Count, "threads that an SM holds at once"},
    {"registers", "registers/SM", true, 1e9, "registers of 32 bits"},
    {"warp", "threads", true, 1024, "threads of a warp"},
    {"sector", "bytes", true, Count, "what a request moves at least"},
    {"line", "bytes", true, Count, "a line of the caches"},
    {"l1", "bytes/SM", true, Bytes, "first cache, with shared memory where they are one"},
    {"l2", "bytes", true, Bytes, "second cache"},
    {"l2_holds", "bytes", true, Bytes, "of it, what random loads find there"},
    {"dram", "GB/s", false, Rate, "bandwidth of memory"},
    {"dram_sectors", "Gsectors/s", false, Rate, "loads of memory's sectors, each far from others"},
    {"dram_sector_stores", "Gsectors/s", false, Rate, "stores to a part of such sectors"},
    {"l2_bandwidth", "GB/s", false, Rate, "loads from the second cache"},
    {"l2_store_bandwidth", "GB/s", false, Rate, "stores to the second cache"},
    {"l2_sectors", "Gsectors/s", false, Rate, "loads of its sectors, one a line"},
    {"l2_sector_stores", "Gsectors/s", false, Rate, "stores to a part of its sectors, one a line"},
    {"latency", "time units", true, Count, "l of the UMM and the DMM"},
    {"dram_latency", "ns", false, Count, "a load that no cache answers"},
    {"l2_latency", "ns", false, Count, "a load that the second cache answers"},
    {"l1_latency", "ns", false, Count, "a load that the first cache answers"},
    {"stored_latency", "ns", false, Count, "a load of what the same SM has just stored"},
    {"launch", "us", false, Count, "an empty kernel"},
    {"issue", "instructions/cycle/SM", false, Count, "warp instructions issued at most"},
    {"clock", "GHz", false, 1000, "of the SMs"},
    {"host_link", "GB/s", false, Rate, "to or from the host, one way"},
    {"page", "bytes", true, 1099511627776, "P of VAT"},
    {"fanout", "children", true, Count, "K of VAT"},
    {"depth", "layers", true, 40, "d of VAT"},
    {"cache", "nodes", true, Count, "W of VAT"},
    {"tau", "accesses", false, 1e9, "tau of VAT: cost of an insertion"},
    {"loads_in_flight", "loads/thread", true, Count, "loads that a thread waits for at once"},
};

llvm::ArrayRef<MachineField> machineFields() { return Fields; }

static constexpr Origin Origins[] = {Origin::Measured, Origin::Vendor, Origin::Paper};

const char *name(Origin origin) {
  switch (origin) {
  case Origin::Measured:
    return "measured";
  case Origin::Vendor:
    return "vendor";
  case Origin::Paper:
    return "paper";
  }
  return "";
}

std::optional<double> Machine::find(llvm::StringRef field) const {
  auto found = values.find(field.str());
  return found == values.end() ? std::nullopt : std::optional(found->second.number);
}

std::optional<int64_t> Machine::findWhole(llvm::StringRef field) const {
  const std::optional<double> number = find(field);
  return number ? std::optional(static_cast<int64_t>(*number)) : std::nullopt;
}

std::optional<int64_t> Machine::residentThreads() const {
  const std::optional<int64_t> sms = findWhole("sms"), threads = findWhole("resident_threads");
  return sms && threads ? std::optional(*sms * *threads) : std::nullopt;
}

namespace {

/// One machine file.
class MachineReader {
public:
  explicit MachineReader(llvm::StringRef where) : where_(where) {}

  llvm::Expected<Machine> read(llvm::StringRef text);

private:
  llvm::Error wrong(const llvm::Twine &what) const {
    return llvm::createStringError((where_ + ": " + what).str());
  }
  llvm::Expected<Machine::Value> value(const MachineField &field, const json::Value &given) const;

  std::string where_;
};

} // namespace

llvm::Expected<Machine::Value> MachineReader::value(const MachineField &field,
                                                    const json::Value &given) const {
  const std::string quoted = "'" + std::string(field.name) + "'";
  const json::Object *object = given.getAsObject();
  for (const char *part : {"value", "unit", "origin", "source"})
    if (!object || !object->get(part))
      return wrong(quoted + " needs value, unit, origin and source");
  for (const auto &entry : *object)
    if (!llvm::is_contained({"value", "unit", "origin", "source"}, entry.first.str()))
      return wrong(quoted + " has no '" + entry.first.str() + "'");
  const std::optional<double> number = object->getNumber("value");
  const double least = field.isWhole ? 1 : Least;
  if (!number || !(*number >= least && *number <= field.most) ||
      (field.isWhole && *number != std::floor(*number)))
    return wrong(quoted + " is no " + (field.isWhole ? "whole " : "") + "number from " +
                 (field.isWhole ? "1" : "0.001") + " to " +
                 llvm::Twine(static_cast<int64_t>(field.most)));
  if (object->getString("unit") != field.unit)
    return wrong(quoted + " is in " + field.unit);
  const std::optional<llvm::StringRef> source = object->getString("source");
  if (!source || source->empty())
    return wrong(quoted + " needs a source: who measured or published it");
  for (Origin origin : Origins)
    if (object->getString("origin") == name(origin))
      return Machine::Value{*number, origin, source->str()};
  return wrong("the origin of " + quoted + " is none of measured, vendor, paper");
}

/// Its form is looked at, not the calendar.
static bool isDate(llvm::StringRef text) {
  static constexpr llvm::StringLiteral Form = "0000-00-00";
  return text.size() == Form.size() && llvm::all_of(llvm::zip(text, Form), [](auto both) {
           auto [one, wanted] = both;
           return wanted == '0' ? llvm::isDigit(one) : one == wanted;
         });
}

llvm::Expected<Machine> MachineReader::read(llvm::StringRef text) {
  llvm::Expected<json::Value> parsed = json::parse(text);
  if (!parsed)
    return wrong("no JSON: " + llvm::toString(parsed.takeError()));
  if (const std::optional<RepeatedKey> twice = repeatedKey(text))
    return wrong("line " + llvm::Twine(twice->line) + ": '" + twice->name +
                 "' is there a second time");
  const json::Object *top = parsed->getAsObject();
  const json::Object *fields = top ? top->getObject("fields") : nullptr;
  const std::optional<llvm::StringRef> title = top ? top->getString("name") : std::nullopt;
  const std::optional<bool> isReal = top ? top->getBoolean("real") : std::nullopt;
  const json::Value *const measured = top ? top->get("measured") : nullptr;
  const size_t needed = measured ? 4 : 3;
  if (!fields || !title || !isReal || top->size() != needed)
    return wrong("a machine has 'name', 'real' (true or false), 'fields' and perhaps 'measured'");
  if (title->trim().empty())
    return wrong("a machine's 'name' is empty");
  if (llvm::any_of(*title, [](char c) { return llvm::isASCII(c) && !llvm::isPrint(c); }))
    return wrong("a machine's 'name' is one line of text");
  Machine machine{title->str(), *isReal, {}, {}};
  if (measured) {
    if (!isDate(measured->getAsString().value_or("")))
      return wrong("'measured' is no date such as \"2026-11-28\"");
    machine.measured = measured->getAsString()->str();
  }
  for (const auto &entry : *fields) {
    const llvm::StringRef key = entry.first;
    const MachineField *field =
        llvm::find_if(Fields, [&](const MachineField &one) { return key == one.name; });
    if (field == std::end(Fields))
      return wrong("unknown field '" + key + "'");
    llvm::Expected<Machine::Value> read = value(*field, entry.second);
    if (!read)
      return read.takeError();
    machine.values[field->name] = *read;
  }
  if (!machine.find("warp"))
    return wrong("a machine needs the field 'warp'");
  return machine;
}

llvm::Expected<Machine> parseMachine(llvm::StringRef text, llvm::StringRef where) {
  return MachineReader(where).read(text);
}

std::vector<std::string> builtinMachineNames() {
  std::vector<std::string> names;
  for (const BuiltinMachine &machine : Builtins)
    names.emplace_back(machine.name);
  return names;
}

llvm::Expected<Machine> readMachine(const std::string &nameOrFile) {
  for (const BuiltinMachine &machine : Builtins)
    if (nameOrFile == machine.name)
      return parseMachine(machine.text, nameOrFile);
  auto file = llvm::MemoryBuffer::getFile(nameOrFile);
  if (!file)
    return llvm::createStringError("'" + nameOrFile + "' is neither a file that can be read nor " +
                                   llvm::join(builtinMachineNames(), ", "));
  return parseMachine((*file)->getBuffer(), nameOrFile);
}

} // namespace colonnade::model
