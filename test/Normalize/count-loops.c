// Loops that count become For; what does not is left as it is.
//
// RUN: %colonnade check %s -f up -f down -f conjunction -f breaks -f post -f forever -f mixed --allow N --allow K --dump=ir | FileCheck %s
// RUN: %colonnade check %s -f doubling -f moving_limit -f may_wrap --allow N --allow K --dump=ir | FileCheck %s --check-prefix=LOOP
// RUN: %colonnade check %s -f search --bound 89=n --allow N --allow K --dump=ir | FileCheck %s --check-prefix=BOUND

void up(float *a, int n) {
  for (int i = 1; n > i; i += 2)
    a[i] = i;
}
// CHECK-LABEL: func "up"
// CHECK: for %i#{{[0-9]+}} : s32 = %{{[0-9]+}} lt %n#{{[0-9]+}} step %{{[0-9]+}} () {

void down(float *a, unsigned n) {
  while (n-- > 0)
    a[n] = n;
}
// CHECK-LABEL: func "down"
// CHECK: %[[STEP:[0-9]+]] = const 4294967295 : u32
// CHECK: for %n#{{[0-9]+}} : u32 = %n#{{[0-9]+}} gt %{{[0-9]+}} step %[[STEP]] () {

int conjunction(const float *a, int n) {
  int i = 0;
  while (i < n && a[i] > 0)
    i++;
  return i;
}
// CHECK-LABEL: func "conjunction"
// CHECK: for %i#{{[0-9]+}} : s32 = %{{[0-9]+}} lt %n#{{[0-9]+}} step %{{[0-9]+}} continue
// CHECK: %[[C:.*]] = gt
// CHECK: store @return

int breaks(const float *a, int n) {
  for (int i = 0; i < n; i++)
    if (a[i] == 0)
      return i;
  return -1;
}
// CHECK-LABEL: func "breaks"
// CHECK: for %i#{{[0-9]+}} : s32 {{.*}} continue
// CHECK: %[[HIT:.*]] = eq
// CHECK: %[[GO:[0-9]+]] = not %[[HIT]]
// CHECK: yield %[[GO]]

void post(float *a, int n) {
  int i = 0;
  do {
    if (a[i] < 0)
      break;
    i++;
  } while (i < n);
  a[i] = 0;
}
// CHECK-LABEL: func "post"
// CHECK: for %i#{{[0-9]+}} : s32 {{.*}} continue posttest
// CHECK: } -> %[[I:i#[0-9]+]] : s32
// CHECK: cast %[[I]]

void forever(float *a, int n) {
  int i = 0;
  for (;;) {
    if (i == n)
      break;
    a[i++] = 0;
  }
}
// CHECK-LABEL: func "forever"
// CHECK: for %i#{{[0-9]+}} : s32 = %{{[0-9]+}} ne %n#{{[0-9]+}} step %{{[0-9]+}} () {

void mixed(unsigned char *a, long n) {
  for (unsigned char i = 0; i < 200; i++)
    a[i] = i;
  for (int i = 0; i + 1 < n; i++)
    a[i] = a[i + 1];
}
// CHECK-LABEL: func "mixed"
// CHECK: for %i#{{[0-9]+}} : u8
// CHECK: for %i#{{[0-9]+}} : s64 = {{.*}} lt %n#

void doubling(float *a, int n) {
  for (int i = 1; i < n; i *= 2)
    a[i] = 0;
}
// LOOP-LABEL: func "doubling"
// LOOP: loop (

void search(const float *a, int *out, int n) {
  int i = 0;
  while (a[i] != 0)
    i += 1;
  *out = i;
}
// BOUND-LABEL: func "search"
// BOUND: for %{{.*}} : s64 = %{{[0-9]+}} le %{{.*}} step %{{[0-9]+}} continue
// BOUND: check {{.*}} text "the loop runs more than 'n' iterations: state more, such as --bound '{{[0-9]+}}=2*(n)'"

void moving_limit(float *a, int n) {
  for (int i = 0, j = n; i < j; i++, j--)
    a[i] = a[j];
}
// LOOP-LABEL: func "moving_limit"
// LOOP: loop (

// The counter wraps to 0 before it reaches n.
void may_wrap(unsigned char *a, int n) {
  for (unsigned char i = 0; i < n; i++)
    a[i] = 0;
}
// LOOP-LABEL: func "may_wrap"
// LOOP: loop (
