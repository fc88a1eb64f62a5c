// RUN: %python %S/verdicts.py %colonnade %s -- -w -std=c17
//
// Tables of C that are defined without an initialiser, which makes them zero, or after their first
// use; twins whose value another file, or the function, may set.
typedef long long four[4];

static const four zero;
static const four one = {1};
const four common;
extern const four elsewhere;
static four written;
static const struct {
  int index, more[3];
} none;
extern const int late[];
static const int later[];

// expect A
void add(four r, const four a) {
  for (int i = 0; i < 4; i++)
    r[i] = zero[i] + a[i] + one[i];
}
// expect A
int as_index(const int a[8], const int b[8]) { return a[zero[3] + one[0]]; }
// expect K
int data_as_index(const int a[8], const int b[8]) { return a[zero[3] + b[0]]; }
// expect R
long long indexed_by_data(const int b[8]) { return zero[b[0] & 3]; }
// expect A
int field(const int a[8]) { return a[none.index + none.more[2]]; }
// expect A
int before_its_value(const int a[8]) { return a[late[1] + later[0]]; }
// expect A
int of_function(const int a[8]) {
  static const int own[3];
  return a[own[1]];
}
// expect U
int of_all_files(const int a[8]) { return a[common[0]]; }
// expect U
int of_another_file(const int a[8]) { return a[elsewhere[0]]; }
// expect U
int set_elsewhere(const int a[8]) { return a[written[0]]; }
// expect U
int volatile_zero(const int a[8]) {
  static const volatile int own[3];
  return a[own[1]];
}

const int late[] = {1, 2};
static const int later[] = {3, 4};
