void sums(int *b, int n) {
  for (int i = 1; i < n; ++i)
    b[i] += b[i - 1];
}
