//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// runner/record_shape.hpp: the records that the leaves of a struct parameter are saved as.
//
//   struct part { float x, y; };
//   struct whole { part parts[4]; int tag; };   void f(whole *w)   8 instances, 3 elements
//   [('parts', [('x', '<f4'), ('y', '<f4')], (4,)), ('tag', '<i4')], shape (8, 3)
//
// In: leaves of one parameter, in their order. Out: the header of a file that holds them; its
// data_offset is not set. Invariant: each leaf is a field, with as many cells as it has.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/bulk/runner/host_array.hpp>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

namespace colonnade::runtime::runner::detail {

/// Extents of an array at these scalars; none if they do not give its cells.
inline std::vector<uint64_t> known_extents(const array_info &info, const scalar_bits *scalars,
                                           uint64_t cells) {
  std::vector<uint64_t> extents;
  uint64_t product = 1;
  for (uint32_t d = 0; info.extent && d < info.rank; ++d) {
    const int64_t extent = info.extent(d, scalars);
    if (extent < 0)
      return {};
    extents.push_back(static_cast<uint64_t>(extent));
    product *= extents.back();
  }
  return product == cells ? extents : std::vector<uint64_t>();
}

/// A leaf as its records see it: "parts.x" with shapes (4,) and ().
struct record_leaf {
  struct part {
    std::string name;
    std::vector<uint64_t> shape;
  };
  std::vector<part> parts;
  uint64_t records = 1; // per instance
  std::string code;     // "<f4"
};

/// Without part_ranks or known extents, the cells that are left after `records` are the leaf's.
inline record_leaf describe_leaf(const array_info &info, const scalar_bits *scalars, uint64_t cells,
                                 uint64_t fewest_cells) {
  record_leaf leaf;
  leaf.code = npy::type_code(info.cell);
  const std::string name = leaf_name(info);
  const std::vector<uint64_t> extents = known_extents(info, scalars, cells);
  if (!info.part_ranks || extents.empty()) {
    leaf.records = std::max<uint64_t>(1, fewest_cells);
    leaf.parts.push_back({name, {}});
    if (cells != leaf.records)
      leaf.parts[0].shape.push_back(cells / leaf.records);
    return leaf;
  }
  size_t inner = 0;
  for (const char *rank = info.part_ranks; *rank; ++rank)
    inner += static_cast<size_t>(*rank - '0');
  auto next = extents.end() - static_cast<std::ptrdiff_t>(inner);
  for (auto extent = extents.begin(); extent != next; ++extent)
    leaf.records *= *extent;
  size_t begin = 0;
  for (const char *rank = info.part_ranks; *rank; ++rank) {
    const size_t end = rank[1] ? name.find('.', begin) : std::string::npos;
    leaf.parts.push_back({name.substr(begin, end - begin), {next, next + (*rank - '0')}});
    next += *rank - '0';
    begin = end + 1;
  }
  return leaf;
}

/// "[('x', '<f4'), ('y', '<f4', (3,))]" for leaves that share their first `depth` parts.
inline std::string dtype_text(const std::vector<record_leaf> &leaves, size_t first, size_t last,
                              size_t depth) {
  std::string text = "[";
  for (size_t i = first; i < last;) {
    const record_leaf::part &part = leaves[i].parts[depth];
    size_t end = i + 1;
    const bool nested = depth + 1 < leaves[i].parts.size();
    while (nested && end < last && depth + 1 < leaves[end].parts.size() &&
           leaves[end].parts[depth].name == part.name)
      ++end;
    text += (i > first ? ", ('" : "('") + part.name + "', ";
    text += nested ? dtype_text(leaves, i, end, depth + 1) : "'" + leaves[i].code + "'";
    text += (part.shape.empty() ? "" : ", " + npy::shape_text(part.shape)) + ")";
    i = end;
  }
  return text + "]";
}

/// bad_file if the leaves have different numbers of records.
inline status record_header(const function_info &f, const std::vector<uint32_t> &arrays,
                            uint64_t count, const uint64_t *cells, const scalar_bits *scalars,
                            npy::header &result) {
  uint64_t fewest = cells[arrays[0]];
  for (uint32_t a : arrays)
    fewest = std::min(fewest, cells[a]);
  std::vector<record_leaf> leaves;
  uint64_t in_record = 1;
  for (uint32_t a : arrays) {
    leaves.push_back(describe_leaf(f.arrays[a], scalars, cells[a], fewest));
    in_record = leaves.back().records;
    if (in_record != leaves[0].records || in_record == 0 || cells[a] % in_record ||
        leaf_name(f.arrays[a]).empty())
      return npy::detail::bad("the fields do not share a record shape: write them one by one, as "
                              "-o NAME.FIELD=FILE.npy");
  }
  if (status s = npy::parse_description(dtype_text(leaves, 0, leaves.size(), 0), result); !s)
    return s;
  const bool uniform = f.arrays[arrays[0]].uniform;
  result.shape.clear();
  if (!uniform)
    result.shape.push_back(count);
  if (in_record != 1 || uniform)
    result.shape.push_back(in_record);
  result.num_items = in_record * (uniform ? 1 : count);
  return status::success();
}

} // namespace colonnade::runtime::runner::detail
