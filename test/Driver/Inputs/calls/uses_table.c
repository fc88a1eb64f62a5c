#include "table.h"
int first(const int *a) { return a[0] + last(a, 1) - a[0]; }
