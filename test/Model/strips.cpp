// A thread that does rows of a table together accesses less than the function does: that is priced.
//
// RUN: %colonnade cost %s -f distance --size n=128 --count 1000000 --model sectors --target cuda -- -I%source/include | FileCheck %s --check-prefix=STRIPS
// RUN: %colonnade cost %s -f distance --size n=128 --count 1000000 --model sectors --target cuda --plan thread -- -I%source/include | FileCheck %s --check-prefix=THREAD
// RUN: %colonnade cost %s -f distance --size n=128 --count 1000000 --model umm --target cpu -- -I%source/include | FileCheck %s --check-prefix=THREAD
#include <colonnade/annotate.h>

// Of 4 strips of 32 rows: 128 cells of a, 4 * 128 of b; of the row 129 before, 4 * (2 + 2 * 128) and 1
// behind.
// STRIPS: accesses an instance {{ *}}1,803 (640 loads, 1 stores, 1,162 of local arrays)
// THREAD: accesses an instance {{ *}}131,459 (32,768 loads, 1 stores, 98,690 of local arrays)
int distance(const unsigned char *a COLONNADE_EXTENT(n), const unsigned char *b COLONNADE_EXTENT(n),
             int n) {
  int row[129];
  for (int j = 0; j <= n; j++)
    row[j] = j;
  for (int i = 1; i <= n; i++) {
    int diagonal = row[0];
    row[0] = i;
    for (int j = 1; j <= n; j++) {
      const int changed = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = row[j];
      const int nearer = row[j] < row[j - 1] ? row[j] : row[j - 1];
      row[j] = changed < nearer + 1 ? changed : nearer + 1;
    }
  }
  return row[n];
}
