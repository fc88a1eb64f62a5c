// subset: Statements: `if` with an initialiser, `if constexpr`
// class: P
// arrays: a u32 6
// call: if_initialiser(a)
// RUN: %run-construct
#include <colonnade/annotate.h>

#include <cstdint>
#include <type_traits>

template <class T> static T shifted(T x) {
  if constexpr (std::is_signed_v<T>)
    return x;
  else
    return x << 1;
}

COLONNADE_BULK
void if_initialiser(uint32_t a[6]) {
  for (int i = 0; i < 6; i++)
    if (uint32_t low = a[i] & 0xff; low > 9)
      a[i] = shifted(low);
}
