//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// ref.cuh: queries by the threads of a kernel.
//
// In: a tree's table, and keys. Out: what lsm_map answers. Invariant: nothing is changed.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/lsm/find.hpp>
#include <colonnade/detail/lsm/table_of.hpp>

#include <cstring>

namespace colonnade {

/// For any thread of a kernel: what the tree answers to one key.
template <class Key, class Value> class lsm_ref {
  using table_type = detail::lsm_table_of<Key, Value>;

public:
  struct found {
    bool present;
    Key key;
    Value value;
  };
  explicit lsm_ref(const table_type &table) : table_(table) {}
  __device__ found find(Key key) const { return ask<detail::lsm_query::find>(key); }
  /// The next key above that is present.
  __device__ found successor(Key key) const { return ask<detail::lsm_query::successor>(key); }
  __device__ found predecessor(Key key) const { return ask<detail::lsm_query::predecessor>(key); }

private:
  template <detail::lsm_query Query> __device__ found ask(Key key) const {
    using finder = detail::lsm_finder<lsm_search::index, table_type>;
    const detail::lsm_state state = *table_.state;
    typename table_type::raw bits;
    memcpy(&bits, &key, sizeof key);
    const auto answer = finder{table_, state}.template ask<Query>(bits);
    found result{answer.present, {}, {}};
    memcpy(&result.key, &answer.key, sizeof key);
    memcpy(&result.value, &answer.value, sizeof(Value));
    return result;
  }
  table_type table_;
};

} // namespace colonnade
