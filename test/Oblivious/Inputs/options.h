static float sum_in_header(const float *b, int *len) {
  float s = 0;
  for (int i = 0; i < len[0]; i++)
    s += b[i];
  len[0] = 0;
  return s;
}
