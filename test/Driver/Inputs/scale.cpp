// For bad-input.test: a parameter of each kind.
void scale(float *b, int n, float s, bool twice) {
  for (int i = 0; i < n; i++)
    b[i] *= twice ? 2 * s : s;
}
