// What a loop carries and nothing reads after it needs no select when a lane
// leaves; what is read does.
// RUN: rm -rf %t && mkdir -p %t
// RUN: %colonnade emit %s -f rounds -f place -f guarded -f reenters --target cpu -o %t -- %include
// RUN: FileCheck %s --check-prefix=ROUNDS --input-file=%t/rounds.bulk.cpp
// RUN: FileCheck %s --check-prefix=PLACE --input-file=%t/place.bulk.cpp
// RUN: FileCheck %s --check-prefix=GUARDED --input-file=%t/guarded.bulk.cpp
// RUN: FileCheck %s --check-prefix=REENTERS --input-file=%t/reenters.bulk.cpp
// RUN: %cxx -std=c++17 -O1 -Wall -Wextra -Werror %include -c %t/rounds.bulk.cpp -o %t/rounds.o
// RUN: %clangxx -std=c++17 -O1 -Wall -Wextra -Werror %include -c %t/guarded.bulk.cpp -o %t/guarded.o

#include <colonnade/annotate.h>

int rounds(const double *c, int n) {
  double x = 0;
  for (int i = 0; i < n; i++) {
    if (x > 4)
      return i;
    x = x * x + *c;
  }
  return n;
}
// ROUNDS: void kernel(
// ROUNDS: [[X:x_[0-9]+]] = x * x + c.at(
// ROUNDS: x = [[X]];

// The twin that returns x.
double place(const double *c, int n) {
  double x = 0;
  for (int i = 0; i < n; i++) {
    if (x > 4)
      return x;
    x = x * x + *c;
  }
  return x;
}
// PLACE: void kernel(
// PLACE: [[X:t_[0-9]+]] = x * x + c.at(
// PLACE: select(live, select(ret_{{[0-9]+}}, x, [[X]]), x)

// The condition in the loop's head.
int guarded(const double *c, int n) {
  double x = 0;
  int i = 0;
  while (i < n && x <= 4) {
    x = x * x + *c;
    i++;
  }
  return i;
}
// GUARDED: void kernel(
// GUARDED: [[X:x_[0-9]+]] = x * x + c.at(
// GUARDED: x = [[X]];

// An arm that goes on to the next iteration.
int reenters(const double *c, int n) {
  double x = 0;
  int hits = 0;
  for (int i = 0; i < n; i++) {
    if (x > 4) {
      if (++hits > 3)
        return i;
      continue;
    }
    x = x * x + *c;
  }
  return n;
}
// REENTERS: void kernel(
// REENTERS: [[X:t_[0-9]+]] = x * x + c.at(
// REENTERS: x = select(t, x, [[X]]);
