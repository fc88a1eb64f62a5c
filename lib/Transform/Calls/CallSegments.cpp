//===- CallSegments.cpp - Which operations came from one call -------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The location of an operation has its call path. Calls nest, so those that are open at an
// operation are a stack: a segment ends where the path leaves it. Constants and operations
// without a location are wherever they are needed first, and end nothing.
//
//===----------------------------------------------------------------------===//

#include "Transform/Calls/CallSegments.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace colonnade;
using namespace colonnade::ir;

LocId colonnade::locationInCallee(const SourceMap &sources, LocId id, LocId call) {
  while (id && sources[id].inlinedAt != call)
    id = sources[id].inlinedAt;
  return id;
}

namespace {

class SegmentFinder {
public:
  SegmentFinder(const Function &kernel, const SourceMap &sources)
      : kernel_(kernel), sources_(sources) {}

  std::vector<CallSegment> run() {
    for (const Part &part : kernel_.parts)
      visitAll(part.body);
    visitAll(kernel_.body);
    return std::move(found_);
  }

private:
  using Path = std::vector<LocId>; // of calls, the outermost first

  struct Open {
    LocId call;
    size_t position; // in found_
  };

  Path pathOf(LocId id) const {
    Path path;
    for (; id && sources_[id].inlinedAt; id = sources_[id].inlinedAt)
      path.push_back(sources_[id].inlinedAt);
    std::reverse(path.begin(), path.end());
    return path;
  }

  void visitAll(RegionId root) {
    std::vector<RegionId> work = {root};
    while (!work.empty()) {
      const RegionId region = work.back();
      work.pop_back();
      visit(region);
      for (OpId id : llvm::reverse(kernel_.region(region).ops))
        for (RegionId inner : llvm::reverse(kernel_.op(id).regions))
          work.push_back(inner);
    }
  }

  /// Calls around the whole region are in the region around it.
  void visit(RegionId region) {
    const Region &info = kernel_.region(region);
    const Path around = info.parent ? pathOf(kernel_.op(info.parent).loc) : Path();
    std::vector<Open> open;
    for (size_t i = 0; i + 1 < info.ops.size(); ++i) {
      const Op &op = kernel_.op(info.ops[i]);
      if (op.opcode == Opcode::Constant || !op.loc)
        continue;
      const Path path = pathOf(op.loc);
      size_t at = std::mismatch(path.begin(), path.end(), around.begin(), around.end()).first -
                  path.begin();
      size_t kept = 0;
      for (; kept < open.size() && at < path.size() && open[kept].call == path[at]; ++at)
        ++kept;
      open.resize(kept, {});
      for (; at < path.size(); ++at) {
        open.push_back({path[at], found_.size()});
        found_.push_back({region, i, i, path[at]});
      }
      for (const Open &segment : open)
        found_[segment.position].end = i + 1;
    }
  }

  const Function &kernel_;
  const SourceMap &sources_;
  std::vector<CallSegment> found_;
};

} // namespace

std::vector<CallSegment> colonnade::callSegments(const Function &kernel, const SourceMap &sources) {
  return SegmentFinder(kernel, sources).run();
}
