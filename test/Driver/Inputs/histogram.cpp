void histogram(int *bins, const unsigned char *pixels, int n) {
  for (int i = 0; i < n; i++)
    bins[pixels[i]]++;
}
