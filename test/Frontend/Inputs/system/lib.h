#pragma once
// Names of the C library in another namespace: what they do is their own affair.
namespace lib {
inline void memcpy(int *to, const int *from, long n) { to[from[0] & 7] = (int)n; }
inline int abs(int x) { return x & 1; }
} // namespace lib
