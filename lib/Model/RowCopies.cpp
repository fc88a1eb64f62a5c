//===- RowCopies.cpp - How a warp copies the rows of its instances --------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model/RowCopies.h"

#include "Model/Banks.h"

#include <numeric>
#include <set>

namespace colonnade::model {

namespace {

/// The loop of a warp that is not full: how many units each lane has left.
class LeftUnits {
public:
  LeftUnits(const RowCopy &copy, int64_t rows) : copy_(copy), all_(rows * copy.width) {
    for (int64_t lane = 0; lane < copy.lanes; ++lane)
      next_.push_back(lane);
  }

  /// So many iterations at a time, by those that have as many left: again and again, or once.
  void take(int64_t together, bool isLoop, RowCopy::Requests &requests) {
    for (std::vector<size_t> lanes = withLeft(together); !lanes.empty();
         lanes = withLeft(together)) {
      for (int64_t i = 0; i < together; ++i) {
        requests.emplace_back();
        for (size_t lane : lanes) {
          requests.back().push_back(next_[lane]);
          next_[lane] += copy_.lanes;
        }
      }
      if (!isLoop)
        return;
    }
  }

private:
  std::vector<size_t> withLeft(int64_t units) const {
    std::vector<size_t> lanes;
    for (size_t lane = 0; lane < next_.size(); ++lane)
      if (next_[lane] + (units - 1) * copy_.lanes < all_)
        lanes.push_back(lane);
    return lanes;
  }

  const RowCopy &copy_;
  int64_t all_;
  std::vector<int64_t> next_; // by lane
};

} // namespace

RowCopy::Requests RowCopy::requests(int64_t rows) const {
  Requests result;
  if (rows < instances) {
    LeftUnits left(*this, rows);
    left.take(4, true, result);
    left.take(2, false, result);
    left.take(1, false, result);
    return result;
  }
  for (int64_t begin = 0; begin < rows * width; begin += lanes) {
    result.emplace_back();
    for (int64_t unit = begin; unit < std::min(begin + lanes, rows * width); ++unit)
      result.back().push_back(unit);
  }
  return result;
}

uint64_t RowCopy::excessWavefronts(int64_t rows, int64_t pitch, int64_t skew) const {
  uint64_t sum = 0;
  for (const auto &request : requests(rows)) {
    std::vector<int64_t> bytes;
    for (int64_t unit : request) {
      const int64_t cell = unit % width, free = skew ? cell / skew : 0;
      bytes.push_back((unit / width * pitch + cell + free) * unitBytes);
    }
    sum += model::excessWavefronts(bytes, unitBytes, lanes);
  }
  return sum;
}

void RowCopy::useUnits(int64_t pitch, bool isSkewed) {
  for (int64_t bytes : {int64_t(16), BytesOfWord}) {
    const int64_t inUnit = bytes / std::min(unitBytes, bytes);
    if (isSkewed || (units | width | first | pitch | base) % inUnit != 0)
      continue;
    units /= inUnit;
    width /= inUnit;
    first /= inUnit;
    base /= inUnit;
    unitBytes *= inUnit;
    return;
  }
}

/// When so many of the warp's lanes have an instance, the first one's memory at that byte.
uint64_t RowCopy::groups(int64_t rows, int64_t groupBytes, int64_t start) const {
  uint64_t sum = 0;
  for (const auto &request : requests(rows)) {
    std::set<int64_t> groups;
    for (int64_t unit : request)
      groups.insert((start + (base + unit / width * units + first + unit % width) * unitBytes) /
                    groupBytes);
    sum += groups.size();
  }
  return sum;
}

/// All that begin alike at once.
uint64_t RowCopy::groupsOfAll(int64_t warps, int64_t rest, int64_t groupBytes) const {
  const int64_t warpBytes = instances * units * unitBytes;
  const int64_t period = groupBytes / std::gcd(groupBytes, warpBytes);
  uint64_t sum = groups(rest, groupBytes, warps % period * warpBytes);
  for (int64_t warp = 0; warp < std::min(period, warps); ++warp)
    sum += static_cast<uint64_t>((warps - warp + period - 1) / period) *
           groups(instances, groupBytes, warp * warpBytes);
  return sum;
}

} // namespace colonnade::model
