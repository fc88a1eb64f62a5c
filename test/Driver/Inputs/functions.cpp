// One function per exit code, and helpers for the tests of the command.
namespace ns {
void sums(float *b, int n) {
  for (int i = 1; i < n; i++)
    b[i] += b[i - 1];
}
} // namespace ns

float clamped(float x, float low) { return x < low ? low : x; }

void clamp_all(float *a, float low, int n) {
  for (int i = 0; i < n; i++)
    a[i] = clamped(a[i], low);
}

void lookup(float *a, const int *where, int n) {
  for (int i = 0; i < n; i++)
    a[i] += a[where[i]];
}

int counter;
void count(const int *a) { counter += a[0]; }

int twice(int x) { return x + x; }
float twice(float x) { return x + x; }
