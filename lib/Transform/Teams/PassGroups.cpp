//===- PassGroups.cpp - Passes that are fused -----------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transform/Teams/PassGroups.h"

#include "Transform/Teams/MirrorPasses.h"

#include "llvm/ADT/bit.h"

using namespace colonnade;
using namespace colonnade::ir;

namespace {

/// What it is made of.
struct GroupRules {
  unsigned bits = 0; // that a slot's number has
  std::set<const Pass *> mirrored;
};

} // namespace

/// A pass whose two directions are one, if slots are the other way round, needs just that where its
/// direction is the unit's. Where it is the slot's, that is turned with the cells.
static Mirror mirrorFor(const Pass &pass, uint64_t bits, const GroupRules &rules) {
  if (!rules.mirrored.count(&pass))
    return {Mirror::Kind::Never};
  if (pass.direction && !(bits >> *pass.direction & 1))
    return {Mirror::Kind::Bit, *pass.direction};
  return {};
}

/// Of all passes together; nullopt: there is none.
static std::optional<Mirror> mirrorFor(llvm::ArrayRef<const Pass *> passes, uint64_t bits,
                                       const GroupRules &rules) {
  Mirror all;
  for (const Pass *pass : passes) {
    const Mirror own = mirrorFor(*pass, bits, rules);
    if (own.kind == Mirror::Kind::Any || own == all)
      continue;
    if (all.kind != Mirror::Kind::Any)
      return std::nullopt;
    all = own;
  }
  return all;
}

/// The slots' bits are as many as asked for: where the passes need fewer, the highest ones of the
/// others, so that neighbouring units have neighbouring cells.
static void fill(PassGroup &group, const GroupRules &rules) {
  for (unsigned bit = group.numBits; bit-- > 0;)
    if (static_cast<unsigned>(llvm::popcount(group.bits)) < rules.bits)
      group.bits |= uint64_t(1) << bit;
  group.mirror = *mirrorFor(group.passes, group.bits, rules);
}

static bool add(PassGroup &group, const Pass &pass, const GroupRules &rules) {
  std::vector<const Pass *> passes = group.passes;
  passes.push_back(&pass);
  const uint64_t bits = group.bits | pass.bits;
  if (static_cast<unsigned>(llvm::popcount(bits)) > rules.bits || !mirrorFor(passes, bits, rules))
    return false;
  group.bits = bits;
  group.passes = std::move(passes);
  return true;
}

/// A group is as long as it can be.
std::vector<PassGroup> colonnade::passGroups(const Function &kernel,
                                             llvm::ArrayRef<const PassesOfOperation *> operations,
                                             unsigned bits) {
  GroupRules rules{bits, {}};
  for (const PassesOfOperation *operation : operations)
    for (const Pass &pass : operation->passes)
      if (isMirrored(kernel, operation->arrays, pass))
        rules.mirrored.insert(&pass);
  std::vector<PassGroup> groups;
  for (const PassesOfOperation *operation : operations)
    for (const Pass &pass : operation->passes) {
      if (!groups.empty() && groups.back().arrays == operation->arrays &&
          add(groups.back(), pass, rules))
        continue;
      groups.push_back({operation->arrays, operation->numBits, 0, {}, {}});
      add(groups.back(), pass, rules);
    }
  for (PassGroup &group : groups)
    fill(group, rules);
  return groups;
}

std::vector<unsigned> colonnade::bitsOf(uint64_t set) {
  std::vector<unsigned> bits;
  for (unsigned bit = 0; bit < 64; ++bit)
    if (set >> bit & 1)
      bits.push_back(bit);
  return bits;
}
