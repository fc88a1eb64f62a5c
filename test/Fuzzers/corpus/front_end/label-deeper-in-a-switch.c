//c
int f(const int b[4], int out[8]) {
  switch (b[0] & 3) {
  case 0: {
    out[1] = 2;
  case 1:
    out[2] = 1;
  }
  }
  return 0;
}
