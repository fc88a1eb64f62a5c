// What the language evaluates, and what became of each: taken by operations of the raw IR,
// or discarded by a rule.
// RUN: %colonnade check %s -f sums --dump=ledger | FileCheck %s

static const int weights[] = {1, 2, 3};

// CHECK: ledger of sums
int sums(int *a, int n) {
  const int shift = 2;
  int s = weights[1];
  // CHECK: [[#@LINE-1]]:{{.*}} a read: taken
  do {
    s += a[n] >> shift;
    // CHECK: [[#@LINE-1]]:{{.*}} a read: discarded, Constant
    // CHECK: [[#@LINE-2]]:{{.*}} a write: taken
  } while (0);
  // CHECK: a condition: discarded, RunsOnce
  return s;
  a[0] = 1;
  // CHECK: [[#@LINE-1]]:{{.*}} a write: discarded, Unreached
}
