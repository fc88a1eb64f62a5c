//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// slab_history.hpp: whether concurrent operations on one key could have happened one at a time.
//
// In: the operations on a key, each with what it found and the moments at which it began and ended.
// Out: whether there is an order in which a map that is used by nobody else gives the same answers,
// and in which no operation comes before one that had ended when it began. Invariant: all such
// orders are tried; what has been tried, a set of operations and the value after them, is not tried
// again. Moments may be equal: such operations overlapped. An operation that changes nothing and
// may come next does so.
//
// Source: J. Wing and C. Gong, Testing and verifying concurrent objects (1993).
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/slab_hash/table.hpp>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace colonnade::testing {

/// One operation, and what came of it.
struct slab_call {
  slab_operation operation = slab_operation::find;
  uint32_t key = 0, value = 0;
  uint32_t variant = 0; // bits of the key that make no other key of it
  slab_answer was = slab_answer::absent;
  uint32_t before = 0;         // the value that was found
  uint64_t begin = 0, end = 0; // moments
};

/// What insert_or_apply makes of the value that is there: it tells its arguments apart, and how
/// often it was applied.
COLONNADE_HOST_DEVICE uint32_t applied_to(uint32_t old, uint32_t given) { return old * 3 + given; }

class key_history {
public:
  /// At most 64 calls.
  explicit key_history(std::vector<slab_call> calls) : calls_(std::move(calls)) {}

  bool is_linearisable() {
    tried_.clear();
    return go_on(0, std::nullopt);
  }

private:
  using state = std::optional<uint32_t>; // the value that is there

  /// What the key holds after the call; false: the call would have found something else.
  static bool apply(const slab_call &call, state &s) {
    if (call.was == slab_answer::no_slab)
      return !s && detail::slab_operation_inserts(call.operation);
    if (call.was != (s ? slab_answer::present : slab_answer::absent) || (s && call.before != *s))
      return false;
    if (call.operation == slab_operation::erase)
      s.reset();
    else if (call.operation == slab_operation::insert_or_apply && s)
      s = applied_to(*s, call.value);
    else if (call.operation == slab_operation::insert_or_assign ||
             (detail::slab_operation_inserts(call.operation) && !s))
      s = call.value;
    return true;
  }

  bool go_on(uint64_t done, state s) {
    if (static_cast<size_t>(__builtin_popcountll(done)) == calls_.size())
      return true;
    if (!tried_.insert({done, s}).second)
      return false;
    uint64_t first_end = ~uint64_t{0};
    for (size_t i = 0; i < calls_.size(); ++i)
      if (!(done >> i & 1))
        first_end = std::min(first_end, calls_[i].end);
    std::vector<std::pair<size_t, state>> next;
    for (size_t i = 0; i < calls_.size(); ++i) {
      state after = s;
      if (done >> i & 1 || calls_[i].begin > first_end || !apply(calls_[i], after))
        continue;
      if (after == s) // it may as well come now: it is in nobody's way
        return go_on(done | uint64_t{1} << i, s);
      next.push_back({i, after});
    }
    for (const auto &[i, after] : next)
      if (go_on(done | uint64_t{1} << i, after))
        return true;
    return false;
  }

  std::vector<slab_call> calls_;
  std::set<std::pair<uint64_t, state>> tried_;
};

} // namespace colonnade::testing
