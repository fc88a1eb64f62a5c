#include <cstdint>

uint32_t mixing(uint32_t x) {
  x ^= x >> 16;
  x *= 0x7feb352dU;
  return x ^ (x >> 15);
}
