// subset: Source: functions in several files
// files: Inputs/mixing.cpp
// class: A
// arrays: a u32 4
// call: several_files(a)
// RUN: %run-construct
#include <colonnade/annotate.h>

#include <cstdint>

uint32_t mixing(uint32_t x);

COLONNADE_BULK
void several_files(uint32_t a[4]) {
  for (int i = 0; i < 4; i++)
    a[i] = mixing(a[i]);
}
