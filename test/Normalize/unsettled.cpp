// Each walk over a function may find a recursion that does not end, which the next
// walk knows from the start. Here every one of them hides another: chain<I + 1> is
// reached only where forever<I> has been left out. After 64 walks the function is
// refused, at the last one found.
//
// RUN: %python %source/test/Driver/Inputs/expect_exit.py 2 %colonnade check %s -f unsettled > %t 2>&1
// RUN: FileCheck %s < %t
// RUN: %colonnade check %s -f settled 2>&1 | FileCheck %s --check-prefix=SETTLED

template <int I> static int forever(int *state) {
  *state = 1;
  return forever<I>(state);
}

template <int I, int Last> static void chain(int *state) {
  if (*state != 0)
    return;
  forever<I>(state);
  if constexpr (I < Last)
    chain<I + 1, Last>(state);
}

void unsettled(int *a) {
  int state = 0;
  chain<1, 70>(&state);
  a[0] = state;
}
// CHECK: not supported: a function that is not settled after 64 walks over it: the last one still found the recursion of 'forever<64>' (split the function)
// CHECK: unsettled: unsupported, class U

template <int I> static int down(int n) { return n == 0 ? I : down<I>(n - 1); }

void settled(int *a) { a[0] = down<1>(5) + down<2>(6); }
// SETTLED: settled: accept, class A
