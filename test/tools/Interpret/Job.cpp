//===- Job.cpp ------------------------------------------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Interpret/Job.h"

#include "Record/RandomInputs.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace colonnade;
namespace json = llvm::json;

static Cells readCells(const json::Object &object) {
  Cells cells;
  for (const auto &[name, values] : object)
    for (const json::Value &value : *values.getAsArray())
      cells[name.str()].push_back(*value.getAsUINT64());
  return cells;
}

static ir::ScalarType cellType(llvm::StringRef name) {
  return name == "boolean" ? ir::ScalarType::Bool : *ir::parseScalarType(name);
}

/// The cells of one array: the same for all instances if it is uniform.
static std::vector<uint64_t> drawCells(const json::Object &array, uint64_t seed,
                                       uint64_t instance) {
  const ir::ScalarType type = cellType(*array.getString("cell"));
  const auto low = array.getInteger("low"), high = array.getInteger("high");
  const bool isUniform = array.getBoolean("uniform").value_or(false);
  const auto temper = record::Temper(isUniform ? 1 : instance % 3);
  const uint64_t own = record::mixed(seed, isUniform ? 0 : instance + 1);
  std::vector<uint64_t> cells(static_cast<size_t>(*array.getInteger("cells")));
  for (size_t i = 0; i < cells.size(); ++i) {
    const uint64_t random = record::mixed(own, i);
    const unsigned bits = ir::bitWidth(type);
    const uint64_t mask = bits == 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1;
    cells[i] =
        low && high
            ? (static_cast<uint64_t>(*low) + random % static_cast<uint64_t>(*high - *low + 1)) &
                  mask
            : record::randomBits(type, temper, random);
  }
  return cells;
}

static Job readJob(const json::Object &object) {
  Job job;
  job.name = object.getString("name")->str();
  for (const auto &[name, bits] : *object.getObject("scalars"))
    job.scalars[name.str()] = *bits.getAsUINT64();
  if (const json::Array *instances = object.getArray("instances"))
    for (const json::Value &value : *instances) {
      const json::Object &instance = *value.getAsObject();
      job.instances.push_back(
          {readCells(*instance.getObject("before")), readCells(*instance.getObject("after")), {}});
    }
  auto seed = static_cast<uint64_t>(object.getInteger("seed").value_or(1));
  for (char letter : job.name)
    seed = record::mixed(seed, static_cast<unsigned char>(letter));
  for (int64_t i = 0; i < object.getInteger("draw").value_or(0); ++i) {
    job.instances.emplace_back();
    uint64_t position = 0;
    for (const json::Value &array : *object.getArray("arrays")) {
      const json::Object &fields = *array.getAsObject();
      job.instances.back().before[fields.getString("name")->str()] =
          drawCells(fields, record::mixed(seed, position++), static_cast<uint64_t>(i));
    }
  }
  return job;
}

llvm::Expected<std::vector<Job>> colonnade::readJobs(llvm::StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    return llvm::createStringError(buffer.getError(), "%s: cannot be read", path.str().c_str());
  llvm::Expected<json::Value> root = json::parse((*buffer)->getBuffer());
  if (!root)
    return root.takeError();
  std::vector<Job> jobs;
  for (const json::Value &entry : *root->getAsObject()->getArray("entries"))
    jobs.push_back(readJob(*entry.getAsObject()));
  return jobs;
}
