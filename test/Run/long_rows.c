// subset: Statements: loops over rows that are longer than a processor's memory for many
// languages: c c++
// class: A
// arrays: b f32 1000; image u8 2400; smooth u8 2400; heights u16 900; x f64 300; totals u32 3
// call: long_rows(b, image, smooth, heights, x, totals)
// RUN: %run-construct
//
// On a GPU, row-wise, the threads of a block copy a strip of their rows, run so many iterations and
// copy it back: strips that overlap, that go down, of bytes, of every second cell.
#include <colonnade/annotate.h>

#include <stdint.h>

COLONNADE_BULK
void long_rows(float b[1000], const uint8_t image[2400], uint8_t smooth[2400], uint16_t heights[900],
               double x[300], uint32_t totals[3]) {
  for (int i = 1; i < 1000; i++)
    b[i] += b[i - 1];
  for (int i = 1; i < 2399; i++)
    smooth[i] = (uint8_t)((image[i - 1] + 2 * image[i] + image[i + 1] + 2) / 4);
  uint32_t total = 0;
  for (int i = 899; i > 1; i -= 2) {
    heights[i] = (uint16_t)(heights[i] + heights[i - 2]);
    total += heights[i - 1];
  }
  double factor = 1;
  for (int i = 0; i < 300; i++) {
    factor = 1 / (4 - factor * 0.5);
    x[i] *= factor;
  }
  for (int i = 298; i >= 0; i--)
    x[i] -= x[i + 1] * 0.25;
  totals[0] += total;
}
