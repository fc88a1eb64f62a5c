//===- TableText.cpp - The cells of a constant table ----------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emit/Cxx/TableText.h"

using namespace colonnade;

static constexpr size_t RowLength = 80;

void colonnade::printTable(const std::string &declarator, const ir::Array &table, CxxWriter &out,
                           LocId loc) {
  out.open(declarator + "[] =", loc);
  std::string row = table.contents.empty() ? "0," : "";
  for (uint64_t bits : table.contents) {
    row += (row.empty() ? "" : " ") + literal({table.cell, bits}, false).text + ",";
    if (row.size() < RowLength)
      continue;
    out.line(row);
    row.clear();
  }
  if (!row.empty())
    out.line(row);
  out.close(";");
}
