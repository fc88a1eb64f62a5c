//===- RowCopies.cpp - How a warp copies the rows of its instances --------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model/RowCopies.h"

#include "Model/Banks.h"
#include "Model/Sectors.h"
#include "Model/Stages.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

#include <map>
#include <numeric>
#include <set>

namespace colonnade::model {

namespace {

/// The loop of a warp that is not full: which units each lane has left.
class LeftUnits {
public:
  LeftUnits(const RowCopy &copy, int64_t all) : copy_(copy), all_(all) {
    for (int64_t lane = 0; lane < copy.lanes; ++lane)
      next_.push_back(lane);
  }

  RowCopy::Requests take() {
    switch (copy_.rest) {
    case RestLoop::FoursFirst:
      take(AtOnce, true, [](int64_t left) { return left >= AtOnce; });
      take(2, false, [](int64_t left) { return left >= 2; });
      take(1, false, [](int64_t left) { return left >= 1; });
      break;
    case RestLoop::OnesFirst:
      take(1, true, [](int64_t left) { return left % AtOnce != 0; });
      take(AtOnce, true, [](int64_t left) { return left > 0; });
      break;
    case RestLoop::OneByOne:
      take(1, true, [](int64_t left) { return left > 0; });
      break;
    }
    return std::move(requests_);
  }

private:
  static constexpr int64_t AtOnce = 4;

  /// So many iterations at a time, by those that have enough left: again and again, or once.
  void take(int64_t together, bool isLoop, llvm::function_ref<bool(int64_t left)> goesOn) {
    for (std::vector<size_t> lanes = thatGoOn(goesOn); !lanes.empty(); lanes = thatGoOn(goesOn)) {
      for (int64_t i = 0; i < together; ++i) {
        requests_.emplace_back();
        for (size_t lane : lanes) {
          requests_.back().push_back(next_[lane]);
          next_[lane] += copy_.lanes;
        }
      }
      if (!isLoop)
        return;
    }
  }
  std::vector<size_t> thatGoOn(llvm::function_ref<bool(int64_t left)> goesOn) const {
    std::vector<size_t> lanes;
    for (size_t lane = 0; lane < next_.size(); ++lane)
      if (goesOn(std::max<int64_t>(0, all_ - next_[lane] + copy_.lanes - 1) / copy_.lanes))
        lanes.push_back(lane);
    return lanes;
  }

  const RowCopy &copy_;
  int64_t all_;
  std::vector<int64_t> next_; // by lane
  RowCopy::Requests requests_;
};

} // namespace

RowCopy::Requests RowCopy::requests(int64_t rows) const {
  Requests result;
  if (rows < instances)
    return LeftUnits(*this, rows * copied()).take();
  for (int64_t begin = 0; begin < rows * copied(); begin += lanes) {
    result.emplace_back();
    for (int64_t unit = begin; unit < std::min(begin + lanes, rows * copied()); ++unit)
      result.back().push_back(unit);
  }
  return result;
}

int64_t RowCopy::inRow(int64_t unit) const {
  const int64_t number = unit % copied();
  return live.empty() ? number : live[static_cast<size_t>(number)];
}

/// From where the warp's first row begins.
int64_t RowCopy::memoryByte(int64_t unit) const {
  return (base + unit / copied() * units + first + inRow(unit)) * unitBytes;
}

int64_t RowCopy::sharedByte(int64_t unit, const RowPlaces &places) const {
  const int64_t cell = inRow(unit), free = places.skew ? cell / places.skew : 0;
  return (unit / copied() * places.pitch + cell + free) * unitBytes;
}

uint64_t RowCopy::excessWavefronts(int64_t rows, const RowPlaces &places) const {
  uint64_t sum = 0;
  for (const auto &request : requests(rows)) {
    std::map<int64_t, std::vector<int64_t>> moved; // by how far
    for (int64_t unit : request) {
      const int64_t to = sharedByte(unit, places);
      moved[isByHardware ? floorRemainder(to - memoryByte(unit), BytesOfLine) : 0].push_back(to);
    }
    uint64_t wavefronts = 0;
    for (const auto &[far, bytes] : moved)
      wavefronts += leastWavefronts(bytes.size(), unitBytes, lanes) +
                    model::excessWavefronts(bytes, unitBytes, lanes);
    sum += wavefronts - leastWavefronts(request.size(), unitBytes, lanes);
  }
  return sum;
}

bool RowCopy::mayTakeMore(const RowPlaces &places) const {
  static constexpr int64_t Half = BytesOfLine / 2, Sixteen = 16;
  return isByHardware && unitBytes == Sixteen &&
         llvm::any_of(llvm::seq<int64_t>(0, instances), [&](int64_t row) {
           const int64_t unit = row * copied();
           return (sharedByte(unit, places) - memoryByte(unit)) % Half != 0;
         });
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

uint64_t RowCopy::groupsOfWarp(int64_t rows, int64_t groupBytes, int64_t warp,
                               const RowPlaces &places) const {
  static constexpr int64_t Sixteen = 16;
  const bool mayBeTwice = isByHardware && unitBytes == Sixteen && groupBytes == BytesOfSector;
  const int64_t from = warp * instances * units * unitBytes,
                to = warp % places.warps * instances * places.pitch * unitBytes;
  uint64_t sum = 0;
  for (const auto &request : requests(rows)) {
    std::set<std::pair<int64_t, int64_t>> groups; // in memory and in shared memory
    for (int64_t unit : request)
      groups.insert({(from + memoryByte(unit)) / groupBytes,
                     mayBeTwice ? (to + sharedByte(unit, places)) / groupBytes : 0});
    sum += groups.size();
  }
  return sum;
}

/// All that begin alike at once.
uint64_t RowCopy::groupsOfAll(int64_t warps, int64_t groupBytes, const RowPlaces &places) const {
  const int64_t warpBytes = instances * units * unitBytes;
  const int64_t period = std::lcm(groupBytes / std::gcd(groupBytes, warpBytes), places.warps);
  uint64_t sum = 0;
  for (int64_t warp = 0; warp < std::min(period, warps); ++warp)
    sum += static_cast<uint64_t>((warps - warp + period - 1) / period) *
           groupsOfWarp(instances, groupBytes, warp, places);
  return sum;
}

uint64_t RowCopy::listGroups(int64_t warps, int64_t rest, int64_t numbersInGroup) const {
  const int64_t inSector = BytesOfSector / unitBytes;
  const auto ofWarp = [&](int64_t rows) {
    uint64_t sum = 0;
    for (const auto &request : requests(rows)) {
      std::set<int64_t> groups;
      for (int64_t unit : request)
        groups.insert(unit % copied() / inSector / numbersInGroup);
      sum += groups.size();
    }
    return sum;
  };
  return static_cast<uint64_t>(warps) * ofWarp(instances) + ofWarp(rest);
}

} // namespace colonnade::model
