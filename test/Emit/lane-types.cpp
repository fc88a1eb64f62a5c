// Lanes are as wide as values need: narrower than int where ranges or demanded
// bits allow, wider where conversions to and fro would cost more.
// RUN: rm -rf %t && mkdir -p %t
// RUN: %colonnade emit %s -f blur -f unbounded -f mix -f compared -f carries -f wraps --target cpu -o %t -- %include
// RUN: FileCheck %s --check-prefix=BLUR --input-file=%t/blur.bulk.cpp
// RUN: FileCheck %s --check-prefix=UNBOUNDED --input-file=%t/unbounded.bulk.cpp
// RUN: FileCheck %s --check-prefix=MIX --input-file=%t/mix.bulk.cpp
// RUN: FileCheck %s --check-prefix=COMPARED --input-file=%t/compared.bulk.cpp
// RUN: FileCheck %s --check-prefix=CARRIES --input-file=%t/carries.bulk.cpp
// RUN: FileCheck %s --check-prefix=WRAPS --input-file=%t/wraps.bulk.cpp
// RUN: %cxx -std=c++17 -O1 -Wall -Wextra -Werror %include -c %t/blur.bulk.cpp -o %t/blur.o
// RUN: %clangxx -std=c++17 -O1 -Wall -Wextra -Werror %include -c %t/carries.bulk.cpp -o %t/carries.o

#include <colonnade/annotate.h>

#include <cstdint>

// Nine bytes sum to at most 2295.
void blur(const uint8_t a[32], uint8_t b[32]) {
  for (int i = 0; i + 9 <= 32; i++) {
    int sum = 0;
    for (int k = 0; k < 9; k++)
      sum += a[i + k];
    b[i] = sum / 9;
  }
}
// BLUR: vec<int16_t> sum
// BLUR-NOT: int32_t>
// BLUR: divide<9>(sum)

// n of them may sum to anything.
void unbounded(const uint8_t *a COLONNADE_EXTENT(n), int *b, int n) {
  int sum = 0;
  for (int i = 0; i < n; i++)
    sum += a[i];
  *b = sum;
}
// UNBOUNDED: vec<int32_t> sum

// The low bits of a sum or product need only the operands' low bits.
void mix(const uint8_t a[32], uint8_t b[32], int n) {
  int h = 1;
  for (int i = 0; i < n; i++) {
    h = (h << 1) + a[i & 31];
    b[i & 31] = h;
  }
}
// MIX: vec<uint8_t> h

// A comparison needs them all.
void compared(const uint8_t a[32], uint8_t b[32], int n) {
  int h = 1;
  for (int i = 0; i < n; i++) {
    h = (h << 1) + a[i & 31];
    b[i & 31] = h > 1000;
  }
}
// COMPARED: vec<int32_t> h

// A carry that is computed and used in 64 bits stays there.
void carries(const uint32_t a[8], const uint32_t b[8], uint32_t s[8]) {
  uint32_t carry = 0;
  for (int i = 0; i < 8; i++) {
    uint64_t wide = uint64_t(a[i]) * b[i] + carry;
    s[i] = uint32_t(wide);
    carry = uint32_t(wide >> 32);
  }
}
// CARRIES: vec<uint64_t> carry
// CARRIES: carry = shift_right(wide, 32);

// Arithmetic of 32 bits wraps at 32 bits.
void wraps(const uint32_t a[8], uint64_t s[8]) {
  for (int i = 0; i < 8; i++)
    s[i] = uint64_t(a[i] + 7u) * 3u;
}
// WRAPS: convert<uint64_t>(a[t] + 7u)
