//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// sequential.cpp: the original function, one instance after the other over row-wise
// memory, in a translation unit of its own: what generated code is measured against.
//
// In: SOURCE, the file that defines the function; CALL, a call of it, whose arguments are
// ARRAY(a), VALUE(a) for what is passed by value and has a cell for each instance, and
// SCALAR(s); RESULT, the array that the function's result goes to, if it has one.
//
//===----------------------------------------------------------------------===//
#include SOURCE

#include <cstdint>
#include <cstring>

namespace {

/// Converts to whatever pointer or reference a parameter is.
struct cells_of {
  void *at;
  template <class T> operator T *() const { return static_cast<T *>(at); }
  template <class T> operator const T &() const { return *static_cast<const T *>(at); }
};
struct value_of {
  const void *at;
  template <class T> operator T() const {
    T value;
    std::memcpy(&value, at, sizeof value);
    return value;
  }
};
template <class T> void keep(void *to, T result) { std::memcpy(to, &result, sizeof result); }

} // namespace

#define ARRAY(a) (cells_of{static_cast<char *>(arrays[a]) + j * step[a]})
#define VALUE(a) (value_of{static_cast<char *>(arrays[a]) + j * step[a]})
#define SCALAR(s) (value_of{&scalars[s]})

void sequential_all(void *const *arrays, [[maybe_unused]] const uint64_t *scalars,
                    const uint64_t *step, uint64_t count) {
  for (uint64_t j = 0; j < count; ++j)
#ifdef RESULT
    keep(static_cast<char *>(arrays[RESULT]) + j * step[RESULT], CALL);
#else
    CALL;
#endif
}
