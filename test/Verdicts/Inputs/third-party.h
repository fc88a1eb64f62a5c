#pragma GCC system_header
// A header of another library, which a build takes with -isystem: names of compilers' builtins, other meanings.
#ifdef __cplusplus
#include <utility>
struct Swapped { int x, y; };
namespace std { template <> inline void swap<Swapped>(Swapped &p, Swapped &q) noexcept { std::swap(p.x, q.x); } }
#endif
static inline int parity(const int *t, int x) { return t[x & 7]; }
static inline int popcount(unsigned x) { return (int)(x & 15) * 2; }
static inline int clz(unsigned x) { return x ? __builtin_clz(x) : -1; }
static inline unsigned bswap32(unsigned x) { return x ^ 2; }
static inline int ctz(int x) { static const int t[4] = {3, 1, 2, 0}; return t[x & 3]; }
static inline int countl_zero(unsigned x) { return (int)x & 3; }
