// subset: Locals: in C, `static const` tables without an initialiser, which are zero, and tables that get theirs below
// class: A
// arrays: a s32 8
// call: tables_without_value(a)
// RUN: %run-construct
#include <colonnade/annotate.h>

#include <stdint.h>

static const int32_t none[4];
static const struct {
  int32_t first, others[3];
} nothing;
static const int32_t late[];

COLONNADE_BULK
void tables_without_value(int32_t a[8]) {
  for (int i = 0; i < 4; i++)
    a[late[i]] = (a[i + none[i]] >> 2) + nothing.others[i % 3] + late[i];
}

static const int32_t late[] = {7, 6, 5, 4};
