//===- Job.cpp ------------------------------------------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Job.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace colonnade;
namespace json = llvm::json;

// The arrays come in the order of the harness's table, which traces index.
static Cells readCells(const json::Object &object) {
  Cells cells;
  for (const auto &[name, values] : object)
    for (const json::Value &value : *values.getAsArray())
      cells[name.str()].push_back(*value.getAsUINT64());
  return cells;
}

static std::vector<TracedAccess> readTrace(const json::Array &accesses,
                                           const std::vector<std::string> &names) {
  std::vector<TracedAccess> trace;
  for (const json::Value &access : accesses) {
    const json::Array &fields = *access.getAsArray();
    trace.push_back({names[*fields[0].getAsInteger()], *fields[1].getAsInteger(),
                     *fields[2].getAsInteger() != 0});
  }
  return trace;
}

static Job readJob(const json::Object &object) {
  Job job;
  job.name = object.getString("name")->str();
  for (const auto &[name, bits] : *object.getObject("scalars"))
    job.scalars[name.str()] = *bits.getAsUINT64();
  std::vector<std::string> names;
  for (const json::Value &name : *object.getArray("arrays"))
    names.push_back(name.getAsString()->str());
  for (const json::Value &value : *object.getArray("instances")) {
    const json::Object &instance = *value.getAsObject();
    job.instances.push_back(
        {readCells(*instance.getObject("before")), readCells(*instance.getObject("after")), {}});
    if (const json::Array *trace = instance.getArray("trace"))
      job.instances.back().trace = readTrace(*trace, names);
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
