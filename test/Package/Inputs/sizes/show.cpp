#include "sums.bulk.hpp"
#include "sums_n9.bulk.hpp"

#include <cstdio>
#include <vector>

int main() {
  namespace bulk = colonnade::bulk;
  for (const int n : {3, 4, 9, 10}) {
    std::vector<int> b(100 * n, 1);
    bulk::sums::arguments arguments;
    arguments.b = b.data();
    arguments.n = n;
    const bulk::status s = bulk::sums::run(arguments, 100);
    std::printf("%s%d %d\n", s.message.c_str(), b[n - 1], b[99 * n]);
  }
  std::printf("%d\n", bulk::sums_n9::arguments().n);
}
