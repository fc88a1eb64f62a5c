// Scalar products of a thousand pairs of vectors at once.
#include "dot.bulk.hpp"

#include <cstdio>
#include <vector>

int main() {
  constexpr int count = 1000, n = 8;
  std::vector<float> a(count * n), b(count * n), products(count);
  for (int i = 0; i < count * n; i++) {
    a[i] = i / n;
    b[i] = i % n;
  }

  namespace bulk = colonnade::bulk;
  bulk::dot::arguments arguments;
  arguments.a = a.data();
  arguments.b = b.data();
  arguments.returned = products.data();
  arguments.n = n;
  if (bulk::status status = bulk::dot::run(arguments, count); !status) {
    std::fprintf(stderr, "error: %s\n", status.message.c_str());
    return 1;
  }
  for (int j = 0; j < count; j++)
    if (products[j] != 28.f * j) {
      std::fprintf(stderr, "product %d is %g\n", j, products[j]);
      return 1;
    }
  std::printf("%d products, the last %g\n", count, products[count - 1]);
}
