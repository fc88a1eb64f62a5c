// RUN: %python %S/verdicts.py %colonnade %s -- -w
//
// Loops that run once as far as a first look can tell: what they test changes later, by a
// call, a pointer, a lambda or a member. Each is refused, or a twin is accepted; see leaks.cpp.

static void set(int &r, int v) { r = v; }
struct Retry { bool again = false; void note(int v) { again = v > 3; } };
struct Flags { bool again; };

// expect NSKT
void by_method(const int b[16], int out[16], int n) {
  Retry r;
  for (int i = 0; i < n; i++) {
    int j = 0;
    do { out[j] += b[i]; j++; } while (r.again);
    r.note(b[i]);
  }
}
// expect NSKT
void by_reference(const int b[16], int out[16], int n) {
  int k = 0;
  for (int i = 0; i < n; i++) {
    int j = 0;
    do { out[j] += 1; if (++j >= 16) break; } while (k > j);
    set(k, b[i]);
  }
}
// expect NSKT
void by_pointer(const int b[16], int out[16], int n) {
  int k = 0, *p = &k;
  for (int i = 0; i < n; i++) {
    int j = 0;
    do { out[j] += 1; j++; } while (k);
    *p = b[i];
  }
}
// expect P
void by_lambda(const int b[16], int out[16], int n) {
  bool again = false;
  auto update = [&](int v) { again = v > 3; };
  for (int i = 0; i < n; i++) {
    int j = 0;
    do { out[j]++; j++; } while (again && j < 8);
    update(b[i]);
  }
}
// expect P
void by_member_pointer(const int b[16], int out[16], int n) {
  Flags st = {false}, *q = &st;
  for (int i = 0; i < n; i++) {
    int j = 0;
    do { out[j]++; j++; } while (st.again && j < 8);
    q->again = b[i] > 3;
  }
}
// expect NSKT
void endless_with_break(const int b[16], int out[16], int n) {
  int stop = 1;
  auto change = [&](int v) { stop = v; };
  for (int i = 0; i < n; i++) {
    int j = 0;
    for (;;) { out[j] += 1; j++; if (stop) break; }
    change(b[i] > 3 ? 0 : 1);
  }
}
// expect NSKT
void counter_from_before(const int b[16], int out[16], int n) {
  int k = 0;
  for (int i = 0; i < n; i++) {
    while (true) { out[k]++; if (k == 0) break; k--; }
    set(k, b[i] & 7);
  }
}
// expect P
void in_two_loops(const int b[16], int out[16], int n) {
  int k = 0;
  for (int i = 0; i < n; i++)
    for (int h = 0; h < 2; h++) {
      int j = 0;
      do { out[j] += 1; j++; } while (k && j < 8);
      if (h == 1)
        set(k, b[i]);
    }
}
// expect P
void once_within_once(const int b[16], int out[16], int n) {
  int k = 0;
  for (int i = 0; i < n; i++) {
    int j = 0;
    do {
      do { out[j] += 1; j++; } while (k && j < 8);
    } while (0);
    set(k, b[i]);
  }
}
// expect P
void by_array_cell(const int b[16], int out[16], int n) {
  int st[2] = {0, 0};
  for (int i = 0; i < n; i++) {
    int j = 0;
    do { out[j]++; j++; } while (st[1] && j < 8);
    st[n > 100 ? 0 : 1] = b[i] > 3;
  }
}
// expect NSKT
void position_after_break(const int b[16], int out[16], int n) {
  Retry r;
  int pos = 0;
  for (int i = 0; i < n; i++) {
    do { out[pos & 15] += 1; pos++; if ((pos & 3) == 0) break; } while (r.again);
    r.note(b[i]);
  }
}
// expect NSKT
void bound_in_state(const int b[16], int out[16], int n) {
  int m = 1;
  auto change = [&](int v) { m = v; };
  for (int i = 0; i < n; i++) {
    int j = 0;
    for (;;) { out[j] += 1; j++; if (j >= m || j >= 16) break; }
    change(b[i]);
  }
}

// --- twins

// expect A
void really_once(const int b[16], int out[16], int n) {
  for (int i = 0; i < n; i++)
    do { out[i] += b[i]; } while (0);
}
// expect A
void nested_really_once(const int b[16], int out[16], int n) {
#define ONCE(x) do { x; } while (0)
  for (int i = 0; i < n; i++)
    ONCE(ONCE(ONCE(ONCE(ONCE(ONCE(ONCE(ONCE(out[i] += b[i]))))))));
}
// expect A
void flag_never_set(const int b[16], int out[16], int n) {
  bool again = false;
  auto update = [&](int v) { again = v > 3 && v < 2 && false; };
  for (int i = 0; i < n; i++) {
    int j = 0;
    do { out[j] += b[i]; j++; } while (again && j < 8);
    update(3);
  }
}
// expect A
void by_the_counter(const int b[16], int out[16], int n) {
  bool again = false;
  auto update = [&](int v) { again = v > 1; };
  for (int i = 0; i < n; i++) {
    int j = 0;
    do { out[j]++; j++; } while (again && j < 8);
    update(i);
  }
}
