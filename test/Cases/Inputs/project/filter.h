struct filter {
  int taps;
  float weights[SIZE];
};
