//===- MergeCarried.cpp - Carried values that are always equal ------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transform/Strips/MergeCarried.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <optional>

using namespace colonnade;
using namespace colonnade::ir;

static void replace(Function &kernel, ValueId old, ValueId with) {
  for (Op &op : kernel.ops)
    std::replace(op.operands.begin(), op.operands.end(), old, with);
}

static void renumber(Function &kernel, llvm::ArrayRef<ValueId> values) {
  for (auto [index, value] : llvm::enumerate(values))
    kernel.value(value).index = static_cast<uint32_t>(index);
}

/// One that begins and goes on as the `second` one does; both counted without the counter.
static std::optional<size_t> equalBefore(const Function &kernel, const Op &loop, size_t second) {
  const Op &yield = kernel.terminator(loop.regions[0]);
  const size_t flags = loop.hasContinueFlag;
  for (size_t first = 0; first < second; ++first)
    if (loop.operands[3 + first] == loop.operands[3 + second] &&
        yield.operands[flags + first] == yield.operands[flags + second])
      return first;
  return std::nullopt;
}

static void carryOnce(Function &kernel, OpId id, size_t first, size_t second) {
  Op &loop = kernel.op(id);
  Region &body = kernel.region(loop.regions[0]);
  replace(kernel, body.args[1 + second], body.args[1 + first]);
  replace(kernel, loop.results[1 + second], loop.results[1 + first]);
  Op &yield = kernel.op(body.ops.back());
  const auto erase = [](auto &list, size_t at) { list.erase(list.begin() + at); };
  erase(yield.operands, loop.hasContinueFlag + second);
  erase(loop.operands, 3 + second);
  erase(body.args, 1 + second);
  erase(loop.results, 1 + second);
  renumber(kernel, body.args);
  renumber(kernel, loop.results);
}

static bool mergeOne(Function &kernel, OpId id) {
  if (kernel.op(id).opcode != Opcode::For)
    return false;
  for (size_t second = 1; second + 1 < kernel.op(id).results.size(); ++second)
    if (const auto first = equalBefore(kernel, kernel.op(id), second)) {
      carryOnce(kernel, id, *first, second);
      return true;
    }
  return false;
}

void colonnade::mergeCarried(Function &kernel) {
  for (size_t o = 0; o < kernel.ops.size(); ++o)
    while (mergeOne(kernel, OpId(o)))
      ;
}
