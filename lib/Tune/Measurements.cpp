//===- Measurements.cpp - What the measuring programme printed ------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tune/Measurements.h"

#include "Tune/JsonFields.h"

#include "llvm/ADT/StringExtras.h"

namespace colonnade::tune {

namespace json = llvm::json;

static bool readNumber(const json::Value &value, size_t &number, json::Path path) {
  const std::optional<int64_t> given = value.getAsInteger();
  number = static_cast<size_t>(given.value_or(0));
  return require(given && *given >= 0, path, "expected a number");
}

static bool readLayout(const json::Value &value, MeasuredLayout &layout, json::Path path) {
  const llvm::StringRef text = value.getAsString().value_or("");
  layout = text == "row_wise"      ? MeasuredLayout::RowWise
           : text == "column_wise" ? MeasuredLayout::ColumnWise
                                   : MeasuredLayout::Tiled;
  return require(layout != MeasuredLayout::Tiled || text == "tiled", path, "expected a layout");
}

static bool readFlag(const json::Value &value, bool &flag, json::Path path) {
  flag = value.getAsBoolean().value_or(false);
  return require(value.getAsBoolean().has_value(), path, "expected true or false");
}

/// A line of a plan; one that the GPU refused has no time, and stays out.
static bool readLine(const json::Object &object, Measurements &into, json::Path path) {
  Measurement m;
  if (!readField(object, "job", path, readNumber, m.job) ||
      !readField(object, "plan", path, readNumber, m.plan) ||
      !readField(object, "layout", path, readLayout, m.layout))
    return false;
  if (object.get("refused"))
    return true;
  if (!readField(object, "instances", path, readCount, m.instances) ||
      !readField(object, "microseconds", path, readTime, m.microseconds) ||
      !readField(object, "same", path, readFlag, m.same))
    return false;
  into.all.push_back(m);
  return true;
}

llvm::Expected<Measurements> readMeasurements(llvm::StringRef text, llvm::StringRef name) {
  Measurements result;
  llvm::SmallVector<llvm::StringRef> lines;
  text.split(lines, '\n', -1, /*KeepEmpty=*/true);
  for (size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].trim().empty())
      continue;
    const std::string where = (name + ":" + llvm::Twine(i + 1)).str();
    llvm::Expected<json::Value> parsed = parseJson(lines[i], where);
    if (!parsed)
      return parsed.takeError();
    json::Path::Root root;
    const json::Path path(root);
    const json::Object *const object = parsed->getAsObject();
    const bool isFirst = result.gpu.empty();
    const bool isRead = require(object, path, "expected an object") &&
                        (isFirst ? readField(*object, "gpu", path, readText, result.gpu) &&
                                       readField(*object, "plans", path, readHash, result.plans)
                                 : readLine(*object, result, path));
    if (!isRead)
      return errorAt(root, where);
  }
  if (result.gpu.empty())
    return llvm::createStringError(name + ": nothing was measured");
  return result;
}

/// Kernels of all layouts are templates of a layout's class, those of rows are not.
static std::optional<LayoutKind> kindOfKernel(llvm::StringRef mangled) {
  const bool isForAll = mangled.contains("bulk_kernelI");
  if (mangled.contains("15row_wise_kernel") || (isForAll && mangled.contains("15row_wise_layout")))
    return LayoutKind::Rows;
  if (mangled.contains("18column_wise_kernelI") || isForAll)
    return LayoutKind::Columns;
  return std::nullopt; // of the runtime
}

/// "    16 bytes stack frame, 20 bytes spill stores, 40 bytes spill loads"
static std::optional<uint64_t> spilledBytes(llvm::StringRef line) {
  uint64_t sum = 0;
  unsigned found = 0;
  llvm::SmallVector<llvm::StringRef> parts;
  line.split(parts, ',');
  for (llvm::StringRef part : parts) {
    part = part.trim();
    uint64_t bytes = 0;
    if (part.consume_back(" bytes spill stores") || part.consume_back(" bytes spill loads")) {
      if (part.getAsInteger(10, bytes))
        return std::nullopt;
      sum += bytes;
      ++found;
    }
  }
  return found == 2 ? std::optional(sum) : std::nullopt;
}

llvm::Expected<std::array<uint64_t, 2>> readSpills(llvm::StringRef ptxas, llvm::StringRef name) {
  static constexpr llvm::StringLiteral Heading = "Function properties for ";
  std::array<uint64_t, 2> most = {0, 0};
  unsigned kernels = 0;
  llvm::SmallVector<llvm::StringRef> lines;
  ptxas.split(lines, '\n');
  for (size_t i = 0; i < lines.size(); ++i) {
    const size_t at = lines[i].find(Heading);
    if (at == llvm::StringRef::npos)
      continue;
    const std::optional<LayoutKind> kind = kindOfKernel(lines[i].substr(at + Heading.size()));
    if (!kind)
      continue;
    const std::optional<uint64_t> bytes =
        i + 1 < lines.size() ? spilledBytes(lines[i + 1]) : std::nullopt;
    if (!bytes)
      return llvm::createStringError(name + ":" + llvm::Twine(i + 2) +
                                     ": ptxas does not say what is spilled");
    most[size_t(*kind)] = std::max(most[size_t(*kind)], *bytes);
    ++kernels;
  }
  if (kernels == 0)
    return llvm::createStringError(name + ": ptxas says nothing of a kernel");
  return most;
}

} // namespace colonnade::tune
