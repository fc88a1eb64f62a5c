/// The scalar product of two vectors of n cells.
float dot(const float *a, const float *b, int n);
