// A function of which the loader chooses a version is recorded, and one that nothing calls is in
// no one's way.
//
// RUN: env PATH= %colonnade check --validate %s -f beside -f clones -f calls_clones | FileCheck %s
// CHECK: 'beside': validated: 20 inputs,
// CHECK: 'clones': validated: 20 inputs,
// CHECK: 'calls_clones': validated: 20 inputs,
//
// What a resolver of the source's own chooses is not known.
// RUN: not %colonnade check --validate %s -f calls_chosen 2>&1 | FileCheck %s --check-prefix=CHOSEN
// CHOSEN: not supported: call of 'chosen', which has no visible body
static int plain(int x) { return x + 1; }
static int (*choose(void))(int) { return plain; }
int chosen(int x) __attribute__((ifunc("choose")));

__attribute__((target_clones("default", "avx2"))) int clones(const int *a, int n) {
  int sum = 0;
  for (int i = 0; i < n; i++)
    sum ^= a[i];
  return sum;
}

int beside(const int *a, int n) {
  int sum = 0;
  for (int i = 0; i < n; i++)
    sum ^= a[n - 1 - i];
  return sum;
}

int calls_clones(const int *a, int n) { return clones(a, n) ^ 1; }

int calls_chosen(const int *a, int n) { return chosen(a[n]); }
