//===- PlanList.cpp - What is measured, for whoever collects it -----------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tune/PlanList.h"

#include "Tune/JsonFields.h"

#include "llvm/ADT/STLExtras.h"

namespace colonnade::tune {

namespace json = llvm::json;

static bool readListedPlan(const json::Value &value, ListedPlan &plan, json::Path path) {
  const json::Object *const object = value.getAsObject();
  if (!require(object, path, "expected an object") ||
      !hasOnly(value, {"plan", "stem", "rows", "columns"}, path) ||
      !readField(*object, "plan", path, readPlan, plan.plan) ||
      !readField(*object, "stem", path, readText, plan.stem))
    return false;
  for (LayoutKind kind : LayoutKinds)
    if (const json::Value *const hash = object->get(name(kind)))
      if (!readHash(*hash, plan.kernels[size_t(kind)], path.field(name(kind))))
        return false;
  return true;
}

static bool readPlans(const json::Value &value, std::vector<ListedPlan> &plans, json::Path path) {
  return readAll(value, plans, path, readListedPlan);
}

static bool readChosen(const json::Value &value, std::array<std::string, 2> &chosen,
                       json::Path path) {
  const json::Object *const object = value.getAsObject();
  return require(object, path, "expected an object") && hasOnly(value, {"rows", "columns"}, path) &&
         readField(*object, "rows", path, readPlan, chosen[size_t(LayoutKind::Rows)]) &&
         readField(*object, "columns", path, readPlan, chosen[size_t(LayoutKind::Columns)]);
}

static bool readJob(const json::Value &value, ListedJob &job, json::Path path) {
  const json::Object *const object = value.getAsObject();
  return require(object, path, "expected an object") &&
         hasOnly(value, {"function", "sizes", "kernel", "plans", "chosen"}, path) &&
         readField(*object, "function", path, readText, job.function) &&
         readField(*object, "sizes", path, readSizes, job.sizes) &&
         readField(*object, "kernel", path, readHash, job.kernel) &&
         readField(*object, "plans", path, readPlans, job.plans) &&
         readField(*object, "chosen", path, readChosen, job.chosen);
}

static bool readJobs(const json::Value &value, std::vector<ListedJob> &jobs, json::Path path) {
  return readAll(value, jobs, path, readJob);
}

llvm::Expected<std::vector<ListedJob>> readPlanList(llvm::StringRef text, llvm::StringRef name) {
  std::vector<ListedJob> jobs;
  if (llvm::Error error = readFile(text, name, "jobs", readJobs, jobs))
    return error;
  return jobs;
}

static void write(json::OStream &out, const ListedPlan &plan) {
  out.object([&] {
    out.attribute("plan", plan.plan);
    out.attribute("stem", plan.stem);
    for (LayoutKind kind : LayoutKinds)
      if (const std::string &hash = plan.kernels[size_t(kind)]; !hash.empty())
        out.attribute(name(kind), hash);
  });
}

static void write(json::OStream &out, const ListedJob &job) {
  out.object([&] {
    out.attribute("function", job.function);
    writeSizes(out, job.sizes);
    out.attribute("kernel", job.kernel);
    out.attributeArray("plans", [&] {
      for (const ListedPlan &plan : job.plans)
        write(out, plan);
    });
    out.attributeObject("chosen", [&] {
      for (LayoutKind kind : LayoutKinds)
        out.attribute(name(kind), job.chosen[size_t(kind)]);
    });
  });
}

std::string planListText(const std::vector<ListedJob> &jobs) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  json::OStream out(stream, /*IndentSize=*/1);
  out.object([&] {
    out.attribute("schema", 1);
    out.attributeArray("jobs", [&] {
      for (const ListedJob &job : jobs)
        write(out, job);
    });
  });
  return text + '\n';
}

} // namespace colonnade::tune
