//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// runner/save_arrays.hpp: writes the arrays of a run to .npy files.
//
// In: the arrays after the run, and the names and files of `-o`: an array, a leaf of a
// struct parameter, or such a parameter, whose leaves become the fields of records.
// Out: the files. Invariant: all of them or none are written, up to an error while they
// are renamed.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/bulk/runner/arrays.hpp>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace colonnade::runtime::runner {

/// Writes outputs of a loaded array_set. scalars: those it was loaded with.
class array_writer {
public:
  array_writer(const function_info &f, const array_set &set, const scalar_bits *scalars)
      : function_(f), set_(set), scalars_(scalars) {}

  /// outputs: file by name.
  status save(const std::map<std::string, std::string> &outputs) const {
    std::vector<output_file> files;
    for (const auto &output : outputs) {
      files.emplace_back();
      if (status s = save_one(output.first, output.second, files.back()); !s)
        return s;
    }
    for (output_file &file : files)
      if (status s = file.sync(); !s)
        return s;
    for (output_file &file : files)
      if (status s = file.commit(); !s)
        return s;
    return status::success();
  }

private:
  // The shape of the input if there was one, else (p, extents…) where they are known, else
  // (p, cells); a single cell has no dimension of its own.
  std::vector<uint64_t> output_shape(uint32_t a) const {
    const array_info &info = function_.arrays[a];
    if (set_.arrays[a].file && !set_.arrays[a].file->head.structured)
      return set_.arrays[a].file->head.shape;
    std::vector<uint64_t> shape;
    if (!info.uniform)
      shape.push_back(set_.count);
    uint64_t product = 1;
    for (uint32_t d = 0; info.extent && d < info.rank; ++d)
      product *= static_cast<uint64_t>(info.extent(d, scalars_));
    if (info.extent && product == set_.cells[a] && info.rank > 1 &&
        set_.host_layout == layout::row_wise)
      for (uint32_t d = 0; d < info.rank; ++d)
        shape.push_back(static_cast<uint64_t>(info.extent(d, scalars_)));
    else if (set_.cells[a] != 1 || shape.empty())
      shape.push_back(set_.cells[a]);
    return shape;
  }

  // `name` means one array, or all leaves of a parameter; leaves are saved as records.
  status save_one(const std::string &name, const std::string &path, output_file &file) const {
    std::vector<uint32_t> leaves;
    for (uint32_t a = 0; a < function_.num_arrays; ++a)
      if (name == function_.arrays[a].name)
        leaves = {a};
    for (uint32_t a = 0; leaves.empty() && a < function_.num_arrays; ++a)
      if (name == function_.arrays[a].parameter)
        leaves.push_back(a);
    for (uint32_t a = 0; leaves.size() < 2 && a < function_.num_arrays; ++a)
      if (name == function_.arrays[a].parameter &&
          !detail::leaf_name(function_.arrays[a]).empty() && a != leaves[0])
        leaves.push_back(a);
    if (status s = file.create(path); !s)
      return s;
    const bool structured =
        leaves.size() > 1 || (name != function_.arrays[leaves[0]].name &&
                              !detail::leaf_name(function_.arrays[leaves[0]]).empty());
    return structured ? save_records(leaves, path, file) : save_plain(leaves[0], file);
  }

  const void *output(uint32_t a) const {
    return set_.writes(a) ? set_.arrays[a].result.get() : set_.arrays[a].input;
  }

  status save_plain(uint32_t a, output_file &file) const {
    const bool fortran =
        set_.host_layout == layout::column_wise && set_.is_instance(a) && set_.cells[a] > 1;
    const std::string head = npy::format_header(function_.arrays[a].cell, fortran, output_shape(a));
    if (status s = file.write(head.data(), head.size()); !s)
      return s;
    return file.write(output(a), set_.bytes(a));
  }

  // As many records per instance as the leaf with the fewest cells has cells; a leaf with k
  // times as many is a subarray of k in each record.
  status save_records(const std::vector<uint32_t> &leaves, const std::string &path,
                      output_file &file) const {
    if (set_.host_layout == layout::column_wise)
      return detail::file_error(path, "records are written in C order only: give the inputs in "
                                      "C order");
    uint64_t records = set_.cells[leaves[0]];
    for (uint32_t a : leaves)
      records = std::min(records, set_.cells[a]);
    std::string description;
    for (uint32_t a : leaves) {
      if (records == 0 || set_.cells[a] % records)
        return detail::file_error(path, "the fields do not share a record shape: write them one "
                                        "by one, as -o NAME.FIELD=FILE.npy");
      const uint64_t each = set_.cells[a] / records;
      description += "('" + detail::leaf_name(function_.arrays[a]) + "', '" +
                     npy::type_code(function_.arrays[a].cell) + "'" +
                     (each > 1 ? ", (" + std::to_string(each) + ",)" : "") + "), ";
    }
    std::vector<uint64_t> shape;
    if (!function_.arrays[leaves[0]].uniform)
      shape.push_back(set_.count);
    if (records != 1 || shape.empty())
      shape.push_back(records);
    const std::string head = npy::format_header("[" + description + "]", false, shape);
    status s = file.write(head.data(), head.size());
    const uint64_t total = records * (function_.arrays[leaves[0]].uniform ? 1 : set_.count);
    std::string block;
    for (uint64_t r = 0; s.ok() && r < total; ++r) {
      for (uint32_t a : leaves) {
        const uint64_t piece = set_.cells[a] / records * size_bytes(function_.arrays[a].cell);
        block.append(static_cast<const char *>(output(a)) + r * piece, piece);
      }
      if (block.size() < (1 << 20) && r + 1 < total)
        continue;
      s = file.write(block.data(), block.size());
      block.clear();
    }
    return s;
  }

  const function_info &function_;
  const array_set &set_;
  const scalar_bits *scalars_;
};

} // namespace colonnade::runtime::runner
