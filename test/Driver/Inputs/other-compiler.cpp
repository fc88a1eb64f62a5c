// What the tool's own parser does not read: headers that another compiler looks for.
#ifdef __clang__
enum { factor = 2, added = 0 };
#else
#include <factor.h>
#if __has_include(<asked-for.h>)
enum { added = 1 };
#else
enum { added = 0 };
#endif
#endif

void scale(float *b, int n) {
  for (int i = 0; i < n; ++i)
    b[i] = b[i] * factor + added;
}
