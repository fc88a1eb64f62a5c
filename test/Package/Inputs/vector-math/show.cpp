#include "growth.bulk.hpp"

#include <cstdio>
#include <vector>

int main() {
  namespace bulk = colonnade::bulk;
  const std::vector<double> rates = {0.01, 0.5, 3};
  std::vector<double> results(2 * rates.size());
  bulk::growth::arguments arguments;
  arguments.rate = rates.data();
  arguments.result = results.data();
  const bulk::status s = bulk::growth::run(arguments, rates.size());
  std::printf("%s%d %.9f %.9f\n", s.message.c_str(), bulk::growth::info().vector_math, results[0],
              results[5]);
}
