//===- TuningFile.cpp - What `colonnade tune` has found -------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tune/TuningFile.h"

#include "Tune/JsonFields.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace colonnade::tune {

namespace json = llvm::json;

static bool readRange(const json::Value &value, InstanceRange &range, json::Path path) {
  const json::Object *const object = value.getAsObject();
  if (!require(object, path, "expected an object") || !hasOnly(value, {"least", "most"}, path) ||
      !readField(*object, "least", path, readCount, range.least))
    return false;
  const json::Value *const given = object->get("most");
  uint64_t most = 0;
  if (given && (!readCount(*given, most, path.field("most")) ||
                !require(most >= range.least, path.field("most"), "less than the least")))
    return false;
  range.most = given ? std::optional(most) : std::nullopt;
  return true;
}

static bool readLayouts(const json::Value &value, LayoutKind &layouts, json::Path path) {
  const std::optional<LayoutKind> kind = findLayoutKind(value.getAsString().value_or(""));
  layouts = kind.value_or(LayoutKind::Rows);
  return require(kind.has_value(), path, "expected rows or columns");
}

static bool readModel(const json::Value &value, TuningEntry &entry, json::Path path) {
  const json::Object *const object = value.getAsObject();
  if (!require(object, path, "expected an object") ||
      !hasOnly(value, {"plan", "microseconds"}, path) ||
      !readField(*object, "plan", path, readPlan, entry.modelPlan))
    return false;
  const json::Value *const given = object->get("microseconds");
  double microseconds = 0;
  if (given && !readTime(*given, microseconds, path.field("microseconds")))
    return false;
  entry.modelMicroseconds = given ? std::optional(microseconds) : std::nullopt;
  return true;
}

static bool readSpilling(const json::Value &value, std::vector<std::string> &plans,
                         json::Path path) {
  return readAll(value, plans, path, readPlan);
}

static bool readEntry(const json::Value &value, TuningEntry &entry, json::Path path) {
  const json::Object *const object = value.getAsObject();
  if (!require(object, path, "expected an object") ||
      !hasOnly(value,
               {"function", "sizes", "kernel", "gpu", "layout", "instances", "plan",
                "planned_kernel", "measured_instances", "microseconds", "model", "spilling"},
               path))
    return false;
  const json::Value *const model = object->get("model");
  return readField(*object, "function", path, readText, entry.function) &&
         readField(*object, "sizes", path, readSizes, entry.sizes) &&
         readField(*object, "kernel", path, readHash, entry.kernel) &&
         readField(*object, "gpu", path, readText, entry.gpu) &&
         readField(*object, "layout", path, readLayouts, entry.layouts) &&
         readField(*object, "instances", path, readRange, entry.instances) &&
         readField(*object, "plan", path, readPlan, entry.plan) &&
         readField(*object, "planned_kernel", path, readHash, entry.plannedKernel) &&
         readField(*object, "measured_instances", path, readCount, entry.measuredInstances) &&
         readField(*object, "microseconds", path, readTime, entry.microseconds) &&
         require(model, path.field("model"), "missing") &&
         readModel(*model, entry, path.field("model")) &&
         readField(*object, "spilling", path, readSpilling, entry.spilling);
}

static bool readEntries(const json::Value &value, TuningEntries &entries, json::Path path) {
  if (!readAll(value, entries, path, readEntry))
    return false;
  for (auto entry = entries.begin(); entry != entries.end(); ++entry) {
    const bool isTwice = std::any_of(entries.begin(), entry, [&](const TuningEntry &before) {
      return before.isAboutSameAs(*entry);
    });
    if (!require(!isTwice, path.index(static_cast<unsigned>(entry - entries.begin())),
                 "is about launches that an entry before is about"))
      return false;
  }
  return true;
}

llvm::Expected<TuningEntries> readTuning(llvm::StringRef text, llvm::StringRef name) {
  TuningEntries entries;
  if (llvm::Error error = readFile(text, name, "entries", readEntries, entries))
    return error;
  return entries;
}

/// To the nanosecond.
static void writeTime(json::OStream &out, double microseconds) {
  out.attributeBegin("microseconds");
  out.rawValue(llvm::formatv("{0:f3}", microseconds).str());
  out.attributeEnd();
}

static void writeModel(json::OStream &out, const TuningEntry &entry) {
  out.attributeObject("model", [&] {
    out.attribute("plan", entry.modelPlan);
    if (entry.modelMicroseconds)
      writeTime(out, *entry.modelMicroseconds);
  });
}

static void write(json::OStream &out, const TuningEntry &entry) {
  out.object([&] {
    out.attribute("function", entry.function);
    writeSizes(out, entry.sizes);
    out.attribute("kernel", entry.kernel);
    out.attribute("gpu", entry.gpu);
    out.attribute("layout", name(entry.layouts));
    out.attributeObject("instances", [&] {
      out.attribute("least", entry.instances.least);
      if (entry.instances.most)
        out.attribute("most", *entry.instances.most);
    });
    out.attribute("plan", entry.plan);
    out.attribute("planned_kernel", entry.plannedKernel);
    out.attribute("measured_instances", entry.measuredInstances);
    writeTime(out, entry.microseconds);
    writeModel(out, entry);
    out.attributeArray("spilling", [&] {
      for (const std::string &plan : entry.spilling)
        out.value(plan);
    });
  });
}

std::string tuningText(const TuningEntries &entries) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  json::OStream out(stream, /*IndentSize=*/1);
  out.object([&] {
    out.attribute("schema", 1);
    out.attributeArray("entries", [&] {
      for (const TuningEntry &entry : entries)
        write(out, entry);
    });
  });
  return text + '\n';
}

TuningEntries merged(TuningEntries old, const TuningEntries &found) {
  llvm::erase_if(old, [&](const TuningEntry &entry) {
    return llvm::any_of(found, [&](const TuningEntry &newer) {
      return newer.isAboutSameAs(entry) || (newer.function == entry.function &&
                                            newer.sizes == entry.sizes && newer.gpu == entry.gpu);
    });
  });
  llvm::append_range(old, found);
  return old;
}

} // namespace colonnade::tune
