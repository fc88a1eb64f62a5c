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
// again.
//
// Source: J. Wing and C. Gong, Testing and verifying concurrent objects (1993).
//
//===----------------------------------------------------------------------===//
#pragma once

#include "host_dictionary.hpp"

namespace colonnade::testing {

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
      s = host_apply{}(*s, call.value);
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
    for (size_t i = 0; i < calls_.size(); ++i) {
      state after = s;
      if (!(done >> i & 1) && calls_[i].begin <= first_end && apply(calls_[i], after) &&
          go_on(done | uint64_t{1} << i, after))
        return true;
    }
    return false;
  }

  std::vector<slab_call> calls_;
  std::set<std::pair<uint64_t, state>> tried_;
};

/// What is wrong with a run, and with the map after it. before: calls that had ended before.
template <class Table>
std::string judge(const std::vector<slab_call> &before, const slab_plan &plan,
                  host_dictionary<Table> &map, std::vector<std::string> complaints) {
  std::map<uint32_t, std::vector<slab_call>> of_key;
  for (const slab_call &call : before)
    of_key[call.key].push_back(call);
  for (const auto &thread : plan)
    for (const auto &call : thread)
      if (call)
        of_key[call->key].push_back(*call);
  const std::map<uint32_t, uint32_t> pairs = map.check(complaints);
  for (auto &[key, calls] : of_key) {
    slab_call last; // what stands there in the end
    last.key = key;
    last.begin = ~uint64_t{0} - 1;
    last.end = ~uint64_t{0};
    if (const auto found = pairs.find(key); found != pairs.end()) {
      last.was = slab_answer::present;
      last.before = found->second;
    }
    calls.push_back(last);
    if (!key_history(calls).is_linearisable())
      complaints.push_back("the calls of key " + std::to_string(key) + " have no order");
  }
  // In passing each thread holds one slab at most.
  for (const auto &thread : plan)
    for (const auto &call : thread)
      if (call && call->was == slab_answer::no_slab && map.slabs_free > plan.size())
        complaints.push_back("refused, though there are free slabs");
  for (const auto &[key, value] : pairs)
    if (!of_key.count(key))
      complaints.push_back("a key that nobody inserted");
  std::string all;
  for (const std::string &c : complaints)
    all += c + "\n";
  return all;
}

} // namespace colonnade::testing
